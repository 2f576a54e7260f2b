/* read_shapes.c: polygons, by what they hold. */
#include "read_shapes.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
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
    bool under = json_object_get(json_object_get(feature, "properties"), "under");
    *areas += under ? 0 : area; /* of the map itself, not of what lies under it */
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
    const char *why = json_is_array(features) ? NULL : "no features";
    for (size_t i = 0; !why && i < json_array_size(features); i++)
        why = judge_feature(json_array_get(features, i), &areas);
    json_decref(root);
    return why ? why : judge_areas(map, areas);
}

/* ---- glTF ------------------------------------------------------------------------------------ */

static uint32_t number_at(const char *at)
{
    uint32_t n = 0;
    for (int i = 3; i >= 0; i--)
        n = n << 8 | (unsigned char)at[i];
    return n;
}

static float float_at(const char *at)
{
    uint32_t bits = number_at(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

enum { VERTEX = 28, COLOR = 24 };

static size_t member(const json_t *object, const char *name)
{
    return (size_t)json_integer_value(json_object_get(object, name));
}

static const json_t *nth(const json_t *root, const char *list, size_t i)
{
    return json_array_get(json_object_get(root, list), i);
}

/* The land of a node: of its own mesh, or of that of its collider; NULL: it has none. */
struct land_mesh {
    const json_t *node, *primitives;
    const char *vertices, *indices;
    size_t count; /* of vertices */
    double x0, z0;
};

static const char *find_land(const json_t *root, const json_t *node, struct mw_bytes buffer,
                             struct land_mesh *land)
{
    const json_t *child = json_array_get(json_object_get(node, "children"), 0);
    const json_t *with = child ? nth(root, "nodes", (size_t)json_integer_value(child)) : node;
    const json_t *number = json_object_get(with, "mesh");
    const json_t *parts =
        json_object_get(nth(root, "meshes", (size_t)json_integer_value(number)), "primitives");
    const json_t *first = json_array_get(parts, 0);
    const json_t *material = nth(root, "materials", member(first, "material"));
    const json_t *move = json_object_get(node, "translation");
    *land = (struct land_mesh){0};
    if (!number || strcmp(json_string_value(json_object_get(material, "name")), "land"))
        return NULL;
    const json_t *places =
        nth(root, "accessors", member(json_object_get(first, "attributes"), "POSITION"));
    size_t from = member(places, "byteOffset"),
           list = member(nth(root, "bufferViews", 1), "byteOffset");
    *land = (struct land_mesh){.node = node,
                               .primitives = parts,
                               .vertices = buffer.at + from,
                               .indices = buffer.at + list,
                               .count = member(places, "count"),
                               .x0 = json_number_value(json_array_get(move, 0)),
                               .z0 = json_number_value(json_array_get(move, 2))};
    return from + land->count * VERTEX <= list && list < buffer.length
               ? NULL
               : "a mesh is not within its buffer";
}

/* A sixth of the sum of the determinants of its triangles: of a closed mesh what it encloses. */
static double volume_of(const json_t *root, const struct land_mesh *land)
{
    double volume = 0;
    for (size_t part = 0; part < json_array_size(land->primitives); part++) {
        const json_t *numbers =
            nth(root, "accessors", member(json_array_get(land->primitives, part), "indices"));
        const char *index = land->indices + member(numbers, "byteOffset");
        for (size_t i = 0; i < member(numbers, "count"); i += 3, index += 12) {
            double p[3][3];
            for (size_t k = 0; k < 3; k++)
                for (size_t axis = 0; axis < 3; axis++)
                    p[k][axis] =
                        (axis == 0   ? land->x0
                         : axis == 2 ? land->z0
                                     : 0) +
                        float_at(land->vertices + number_at(index + 4 * k) * VERTEX + 4 * axis);
            volume += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) -
                      p[0][1] * (p[1][0] * p[2][2] - p[1][2] * p[2][0]) +
                      p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
        }
    }
    return volume / 6;
}

/* Tops of the land have the label of the node, and one color. */
static const char *judge_tops(const struct mw_cells *cells, const struct land_mesh *land,
                              int64_t label, bool one_color, int32_t along)
{
    const char *at = land->vertices, *first = NULL;
    for (size_t i = 0; i < land->count; i += 4, at += 4 * VERTEX) {
        if (float_at(at + 16) != 1)
            continue;
        double x = (float_at(at) + float_at(at + 2 * VERTEX)) / 2.0 + land->x0,
               z = (float_at(at + 8) + float_at(at + 2 * VERTEX + 8)) / 2.0 + land->z0;
        first = first ? first : at;
        if (cells->at[(int32_t)(z / along) * cells->lattice.width + (int32_t)(x / along)] != label)
            return "a node has land of another label";
        if (one_color && memcmp(at + COLOR, first + COLOR, 4) != 0)
            return "a country has land of two colors";
    }
    return NULL;
}

/* The world that is shown: the map itself, or that which has its heights. */
static const struct mw_map *world_of(const struct mw_map *map)
{
    const struct mw_part *parts = map->request->generator->parts;
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        if (parts[p].role == MW_HEIGHT_GRID)
            return map;
    const struct mw_base *base = map->request->bases;
    while (base->field->role != MW_LABEL_GRID)
        base = base->next;
    return base->map;
}

/* The volume of the land of a label, or of all land with a label: up and down. */
static double layers_of(const struct mw_map *map, int64_t label, int32_t along)
{
    const struct mw_part *parts = map->request->generator->parts;
    const struct mw_cells *cells = labels_of(map), *heights = NULL;
    double layers = 0;
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        if (parts[p].kind == MW_GRID && parts[p].role == MW_HEIGHT_GRID)
            heights = &map->slots[p].as.grid;
    for (int32_t c = 0; c < cells->lattice.width * cells->lattice.height; c++)
        if (label ? cells->at[c] == label : cells->at[c] > 0)
            layers += 2.0 * (heights->at[c] > 1 ? heights->at[c] : 1) * along * along * along;
    return layers;
}

/* Meshes of countries are closed together only; those of islands each. */
static const char *judge_scene(const struct mw_map *map, const json_t *root, struct mw_bytes buffer)
{
    const json_t *nodes = json_object_get(root, "nodes");
    const struct mw_map *world = world_of(map);
    int32_t along = map->request->look.voxel > 1 ? map->request->look.voxel : 1;
    const struct mw_lattice *l = &labels_of(world)->lattice; /* those of all worlds are such: */
    bool closed = l->tiling == MW_SQUARE && l->wrap == MW_WRAP_NONE;
    double volume = 0;
    const char *why = NULL;
    struct land_mesh land;
    for (size_t i = 1; i < json_array_size(nodes) && !why; i++) {
        const json_t *node = json_array_get(nodes, i), *row = json_object_get(node, "extras");
        why = row ? find_land(root, node, buffer, &land) : NULL;
        if (why || !row || !land.node)
            continue;
        bool island = world == map || json_object_get(row, "center");
        int64_t label = (int64_t)member(row, "id");
        double own = volume_of(root, &land);
        volume += own;
        why = judge_tops(labels_of(island ? world : map), &land, label, !island, along);
        if (!why && closed && world == map &&
            fabs(own - layers_of(world, label, along)) > .01 * own)
            why = "an island has another volume";
    }
    if (!why && closed && world != map && fabs(volume - layers_of(world, 0, along)) > .001 * volume)
        why = "the land has another volume";
    return why;
}

const char *judge_glb(const struct mw_map *map, struct mw_bytes bytes)
{
    if (bytes.length < 20 || memcmp(bytes.at, "glTF\2\0\0\0", 8) != 0 ||
        number_at(bytes.at + 8) != bytes.length)
        return "no glTF";
    size_t json = number_at(bytes.at + 12), rest = bytes.length - 20 - json;
    if (json > bytes.length - 20 || json % 4 || memcmp(bytes.at + 16, "JSON", 4) != 0 ||
        (rest && (rest < 8 || number_at(bytes.at + 20 + json) != rest - 8)))
        return "chunks are not as long as they say";
    json_t *root = json_loadb(bytes.at + 20, json, JSON_REJECT_DUPLICATES, NULL);
    struct mw_bytes buffer = {bytes.at + 28 + json, rest ? rest - 8 : 0};
    const char *why = root ? judge_scene(map, root, buffer) : "no JSON within";
    json_decref(root);
    return why;
}
