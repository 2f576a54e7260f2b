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

/* What a mesh of triangles encloses, if it is closed: a sixth of the sum of their determinants. */
static double volume_of(const char *vertices, const char *indices, size_t count)
{
    double volume = 0;
    for (size_t i = 0; i < count; i += 3) {
        double p[3][3];
        for (size_t k = 0; k < 3; k++)
            for (size_t axis = 0; axis < 3; axis++)
                p[k][axis] = float_at(vertices + number_at(indices + 4 * (i + k)) * 32 + 4 * axis);
        volume += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) -
                  p[0][1] * (p[1][0] * p[2][2] - p[1][2] * p[2][0]) +
                  p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
    }
    return volume / 6;
}

static size_t member(const json_t *object, const char *name)
{
    return (size_t)json_integer_value(json_object_get(object, name));
}

/* Of the mesh of an island, twice its layers: up and down. */
static const char *judge_mesh(const json_t *root, const json_t *node, struct mw_bytes buffer,
                              double layers)
{
    const json_t *mesh = json_array_get(json_object_get(root, "meshes"), member(node, "mesh"));
    const json_t *part = json_array_get(json_object_get(mesh, "primitives"), 0);
    const json_t *accessors = json_object_get(root, "accessors"),
                 *views = json_object_get(root, "bufferViews");
    const json_t *places =
        json_array_get(accessors, member(json_object_get(part, "attributes"), "POSITION"));
    const json_t *numbers = json_array_get(accessors, member(part, "indices"));
    size_t from = member(places, "byteOffset"), count = member(numbers, "count"),
           list = member(json_array_get(views, 1), "byteOffset");
    if (from + member(places, "count") * 32 > list || list + count * 4 > buffer.length || !count)
        return "a mesh is not within its buffer";
    double volume = volume_of(buffer.at + from, buffer.at + list, count);
    return fabs(volume - 2 * layers) < .01 * layers ? NULL : "an island has another volume";
}

static uint64_t colours[1 << 16]; /* by label */

/* Tops of a mesh have one colour for each label of the map that lies over it. */
static const char *judge_tops(const struct mw_cells *over, const json_t *root, const json_t *node,
                              struct mw_bytes buffer, int32_t along)
{
    const json_t *mesh = json_array_get(json_object_get(root, "meshes"), member(node, "mesh"));
    const json_t *part = json_array_get(json_object_get(mesh, "primitives"), 0);
    const json_t *places = json_array_get(json_object_get(root, "accessors"),
                                          member(json_object_get(part, "attributes"), "POSITION"));
    const json_t *move = json_object_get(node, "translation");
    double x0 = json_number_value(json_array_get(move, 0)),
           z0 = json_number_value(json_array_get(move, 2));
    const char *at = buffer.at + member(places, "byteOffset");
    for (size_t i = 0; i < member(places, "count"); i += 4, at += 4 * 32) {
        if (float_at(at + 16) != 1)
            continue;
        double x = (float_at(at) + float_at(at + 64)) / 2.0 + x0,
               z = (float_at(at + 8) + float_at(at + 64 + 8)) / 2.0 + z0;
        int32_t label = over->at[(int32_t)(z / along) * over->lattice.width + (int32_t)(x / along)];
        uint64_t colour;
        memcpy(&colour, at + 24, sizeof colour);
        uint64_t *known = &colours[label > 0 ? label : 0];
        if (label > 0 && *known && colour != *known)
            return "land has another colour than the rest of its country";
        *known = colour;
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
    const struct mw_base *ground = map->request->bases;
    while (ground->field->role != MW_LABEL_GRID)
        ground = ground->next;
    return ground->map;
}

/* By island, from 1 on. */
static double *layers_of(const struct mw_map *map, size_t islands, int32_t along)
{
    const struct mw_part *parts = map->request->generator->parts;
    const struct mw_cells *cells = labels_of(map), *heights = NULL;
    double *layers = calloc(islands + 1, sizeof *layers);
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        if (parts[p].kind == MW_GRID && parts[p].role == MW_HEIGHT_GRID)
            heights = &map->slots[p].as.grid;
    for (int32_t c = 0; layers && c < cells->lattice.width * cells->lattice.height; c++)
        if (cells->at[c] > 0 && (size_t)cells->at[c] <= islands)
            layers[cells->at[c]] += (double)heights->at[c] * along * along * along;
    return layers;
}

static const char *judge_scene(const struct mw_map *map, const json_t *root, struct mw_bytes buffer)
{
    const json_t *nodes = json_object_get(root, "nodes");
    size_t islands = 0, count = json_array_size(nodes);
    const char *why = NULL;
    for (size_t i = 1; i < count; i++)
        islands += !strncmp(json_string_value(json_object_get(json_array_get(nodes, i), "name")),
                            "island ", 7);
    int32_t along = map->request->look.voxel > 1 ? map->request->look.voxel : 1;
    const struct mw_map *world = world_of(map);
    double *layers = layers_of(world, islands, along);
    for (size_t i = 1; i <= islands && !why; i++)
        why = judge_mesh(root, json_array_get(nodes, i), buffer, layers[i]);
    memset(colours, 0, sizeof colours);
    for (size_t i = 1; i <= islands && !why && world != map; i++)
        why = judge_tops(labels_of(map), root, json_array_get(nodes, i), buffer, along);
    free(layers);
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
