/* read_shapes.c: polygons, by what they hold. */
#include "read_shapes.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static const struct mw_cells *labels_of(const struct mw_map *map)
{
    const struct mw_part *parts = map->request->generator->parts;
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        if (parts[p].kind == MW_GRID && parts[p].role == MW_LABEL_GRID)
            return &map->slots[p].as.grid;
    return NULL;
}

/* ---- GeoJSON --------------------------------------------------------------------------------- */

/* What a closed ring holds, counterclockwise; below 0: it goes the other way, or is none. */
static double area_of_ring(const json_t *ring)
{
    size_t n = json_array_size(ring);
    double area = 0;
    if (n < 4 || !json_equal(json_array_get(ring, 0), json_array_get(ring, n - 1)))
        return -1e9;
    for (size_t i = 0; i + 1 < n; i++) {
        const json_t *a = json_array_get(ring, i), *b = json_array_get(ring, i + 1);
        area += json_number_value(json_array_get(a, 0)) * json_number_value(json_array_get(b, 1)) -
                json_number_value(json_array_get(b, 0)) * json_number_value(json_array_get(a, 1));
    }
    return area / 2;
}

/* Of polygons whose first ring goes counterclockwise and all others clockwise; below 0: one does
   not. */
static double area_of_polygons(const json_t *polygons)
{
    double area = 0;
    for (size_t p = 0; p < json_array_size(polygons); p++) {
        const json_t *rings = json_array_get(polygons, p);
        for (size_t i = 0; i < json_array_size(rings); i++) {
            double held = area_of_ring(json_array_get(rings, i));
            if ((held > 0) != (i == 0))
                return -1;
            area += held;
        }
    }
    return area;
}

/* NULL, or what is wrong with it. */
static const char *judge_feature(const json_t *feature, double *areas)
{
    const json_t *geometry = json_object_get(feature, "geometry");
    const json_t *coordinates = json_object_get(geometry, "coordinates");
    const char *type = json_string_value(json_object_get(geometry, "type"));
    if (!type || !json_array_size(coordinates) ||
        !json_is_string(json_object_get(json_object_get(feature, "properties"), "kind")))
        return "a feature lacks what it has to have";
    double area = strcmp(type, "MultiPolygon") ? 0 : area_of_polygons(coordinates);
    *areas += area;
    return area < 0 ? "a ring is not closed, or goes the wrong way" : NULL;
}

/* All areas together hold all cells that have a label. */
static const char *judge_areas(const struct mw_map *map, double areas)
{
    const struct mw_cells *cells = labels_of(map);
    double wanted = 0, cell = cells && cells->lattice.tiling == MW_HEX ? .866025 : 1;
    for (int32_t c = 0; cells && c < cells->lattice.width * cells->lattice.height; c++)
        wanted += cells->at[c] > 0 ? cell : 0;
    return fabs(areas - wanted) < .01 ? NULL : "areas do not hold as much as their cells";
}

const char *judge_geojson(const struct mw_map *map, struct mw_bytes bytes)
{
    json_t *root = json_loadb(bytes.at, bytes.length, JSON_REJECT_DUPLICATES, NULL);
    const json_t *features = json_object_get(root, "features");
    double areas = 0;
    const char *why = json_array_size(features) ? NULL : "no features";
    for (size_t i = 0; !why && i < json_array_size(features); i++)
        why = judge_feature(json_array_get(features, i), &areas);
    json_decref(root);
    return why ? why : judge_areas(map, areas);
}
