/*
 * formats.c: readers of what the encoders write of any map.
 *
 * The answer is built once more from the map by jansson: JSON must be that, byte for byte. XML is
 * read by expat. Text must be UTF-8. Pixels of PNG are unpacked by zlib. The polygons of a map for
 * Tiled must have the areas of its labels, and voxels must be as many as there are layers of land.
 * CBOR and PDF are read in tests/cli alone.
 */
#include "formats.h"
#include "read_shapes.h"

#include <expat.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct inquiry {
    const struct mw_map *map;
    struct mw_bytes bytes;
    char *why;
    size_t size;
};

#define REFUSE(q, ...) (snprintf((q)->why, (q)->size, __VA_ARGS__), false)

/* ---- the answer, built once more from the tables --------------------------------------------- */

static json_t *list_of(const int32_t *at, int32_t count)
{
    json_t *list = json_array();
    for (int32_t i = 0; i < count; i++)
        json_array_append_new(list, json_integer(at[i]));
    return list;
}

static json_t *points_of(struct mw_points points)
{
    json_t *list = json_array();
    for (int32_t i = 0; i < points.count; i++)
        json_array_append_new(list, list_of(&points.at[i].x, 2));
    return list;
}

static json_t *rows_of(struct mw_rows rows)
{
    json_t *list = json_array();
    for (int32_t y = 0; y < rows.count; y++)
        json_array_append_new(
            list, json_stringn(rows.at + (int64_t)y * (rows.width + 1), (size_t)rows.width));
    return list;
}

static json_t *number_of_type(enum mw_type type, const char *const *choices, int32_t n)
{
    if (n == MW_NULL)
        return json_null();
    if (type == MW_DECIMAL)
        return n % 1000 ? json_real(n / 1000.0) : json_integer(n / 1000);
    return type == MW_BOOLEAN  ? json_boolean(n)
           : type == MW_ONE_OF ? json_string(choices[n])
                               : json_integer(n);
}

/* Element i of an array of values of that type. */
static json_t *value_of(enum mw_type type, const char *const *choices, const void *array, int32_t i)
{
    switch (type) {
    case MW_STRING: {
        const char *text = ((const char *const *)array)[i];
        return text ? json_string(text) : json_null();
    }
    case MW_INTEGERS: {
        struct mw_ints ints = ((const struct mw_ints *)array)[i];
        return list_of(ints.at, ints.count);
    }
    case MW_POINT: return list_of((const int32_t *)array + 2 * i, 2);
    case MW_POINTS: return points_of(((const struct mw_points *)array)[i]);
    case MW_BOX: return list_of((const int32_t *)array + 4 * i, 4);
    case MW_ROWS: return rows_of(((const struct mw_rows *)array)[i]);
    case MW_INTEGER:
    case MW_DECIMAL:
    case MW_BOOLEAN:
    case MW_ONE_OF: return number_of_type(type, choices, ((const int32_t *)array)[i]);
    case MW_END_OF_TABLE: break;
    }
    return NULL;
}

/* Lists and texts that may be null begin with a pointer, which says whether they are. */
static bool is_left_out(const struct mw_column *column, const void *array, int32_t row)
{
    const struct mw_points *points = array;
    const struct mw_ints *ints = array;
    return column->nullable &&
           (column->type == MW_POINTS ? !points[row].at
            : column->type == MW_INTEGERS
                ? !ints[row].at
                : column->type == MW_STRING && !((const char *const *)array)[row]);
}

static json_t *row_of(const struct mw_column *columns, const struct mw_rowset *table, int32_t row)
{
    json_t *object = json_object();
    for (int c = 0; columns[c].type != MW_END_OF_TABLE; c++)
        if (!is_left_out(&columns[c], table->columns[c], row))
            json_object_set_new(object, columns[c].name,
                                value_of(columns[c].type, NULL, table->columns[c], row));
    return object;
}

static json_t *part_of(const struct mw_part *part, const struct mw_slot *slot)
{
    const struct mw_cells *cells = &slot->as.grid;
    const struct mw_edges *edges = &slot->as.edges;
    json_t *list = json_array();
    switch (part->kind) {
    case MW_VALUE:
        json_decref(list);
        return value_of(part->type, part->choices, &slot->as.value, 0);
    case MW_TABLE:
        for (int32_t row = 0; row < slot->as.table.rows; row++)
            json_array_append_new(list, row_of(part->columns, &slot->as.table, row));
        break;
    case MW_GRID:
        for (int32_t y = 0; y < cells->lattice.height; y++)
            json_array_append_new(
                list, list_of(cells->at + (int64_t)y * cells->lattice.width, cells->lattice.width));
        break;
    case MW_EDGES:
        for (int32_t i = 0; i < edges->count; i++)
            json_array_append_new(list, list_of(&edges->at[i].a, 2));
        break;
    case MW_NO_PART: break;
    }
    json_t *first = part->single ? json_incref(json_array_get(list, 0)) : json_incref(list);
    json_decref(list);
    return first;
}

static json_t *result_of(const struct mw_map *map)
{
    const struct mw_part *parts = map->request->generator->parts;
    json_t *object = json_object();
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        if (map->slots[p].present)
            json_object_set_new(object, parts[p].name, part_of(&parts[p], &map->slots[p]));
    return object;
}

/* What is read from another map is written as its address; what was left out is null. */
static json_t *parameter_of(const struct mw_request *request, const struct mw_field *field)
{
    const struct mw_base *base = mw_base_of(request, field);
    const void *at = (const char *)request->params + field->offset;
    if (base)
        return json_string(base->address);
    if (field->type == MW_BOOLEAN)
        return json_boolean(*(const bool *)at);
    json_t *value = value_of(field->type, field->choices, at, 0);
    if (!json_is_array(value) || json_array_size(value))
        return value;
    json_decref(value);
    return json_null();
}

/* 7 for 7, "007" for 007. */
static json_t *seed_of(const char *seed)
{
    char again[32];
    const long long number = strtoll(seed, NULL, 10);
    snprintf(again, sizeof again, "%lld", number);
    return number >= 0 && number < 1LL << 53 && !strcmp(again, seed) ? json_integer(number)
                                                                     : json_string(seed);
}

/* As jansson writes it, to be freed. */
static char *answer_of(const struct mw_map *map)
{
    const struct mw_request *request = map->request;
    json_t *root = json_object(), *parameters = json_object();
    if (request->id[0])
        json_object_set_new(root, "id", json_string(request->id));
    json_object_set_new(root, "self", json_string(request->address));
    json_object_set_new(root, "generator", json_string(request->generator->name));
    json_object_set_new(root, "version", json_integer(request->generator->version));
    if (request->seed)
        json_object_set_new(root, "seed", seed_of(request->seed));
    for (const struct mw_field *f = request->generator->fields; f->type != MW_END_OF_TABLE; f++)
        json_object_set_new(parameters, f->name, parameter_of(request, f));
    json_object_set_new(root, "parameters", parameters);
    json_object_set_new(root, "result", result_of(map));
    char *text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(15));
    json_decref(root);
    return text;
}

static bool is_same(struct inquiry *q, const char *text, size_t length)
{
    char *wanted = answer_of(q->map);
    size_t n = 0, least = wanted ? strlen(wanted) : 0;
    while (n < length && n < least && text[n] == wanted[n])
        n++;
    const bool same = wanted && n == length && n == least;
    if (!same)
        snprintf(q->why, q->size, "at byte %zu is %.40s, not %.40s", n, text + n,
                 wanted ? wanted + n : "");
    free(wanted);
    return same;
}

static bool check_answer(struct inquiry *q)
{
    const size_t n = q->bytes.length;
    return n && q->bytes.at[n - 1] == '\n' ? is_same(q, q->bytes.at, n - 1) : REFUSE(q, "no line");
}

/* ---- the other formats ----------------------------------------------------------------------- */

static bool check_xml(struct inquiry *q)
{
    XML_Parser parser = XML_ParserCreate("UTF-8");
    bool good = XML_Parse(parser, q->bytes.at, (int)q->bytes.length, 1) == XML_STATUS_OK;
    if (!good)
        snprintf(q->why, q->size, "no XML: %s at line %lu",
                 XML_ErrorString(XML_GetErrorCode(parser)),
                 (unsigned long)XML_GetCurrentLineNumber(parser));
    XML_ParserFree(parser);
    return good;
}

/* Past an escape that paints as src/enc/data/text.h says; NULL: it is none. */
static const char *skip_paint(const char *at, const char *end, bool *painted)
{
    if (end - at < 4 || memcmp(at, "\033[0", 3) != 0)
        return NULL;
    at += 3;
    *painted = *at != 'm';
    for (int i = 0; i < 2; i++)
        if (end - at > 6 && !memcmp(at, i ? ";38;5;" : ";48;5;", 6)) {
            int color = 0;
            for (at += 6; at < end && *at >= '0' && *at <= '9' && color < 1000; at++)
                color = color * 10 + *at - '0';
            if (color < 16 || color > 255)
                return NULL;
        }
    return at < end && *at == 'm' ? at + 1 : NULL;
}

/* Only colors, only where they were asked for, and none at the end of a line. */
static bool check_paints(struct inquiry *q)
{
    const char *at = q->bytes.at, *end = at + q->bytes.length;
    bool painted = false;
    while (at && at < end) {
        if (*at == '\n' && painted)
            return REFUSE(q, "a line ends in colors");
        at = *at == '\033' ? skip_paint(at, end, &painted) : at + 1;
        if (!at || (painted && !q->map->request->look.color))
            return REFUSE(q, "an escape that is no color, or none that was asked for");
    }
    return true;
}

/* jansson takes a string of well-formed UTF-8 alone. */
static bool check_text(struct inquiry *q)
{
    json_t *text = json_stringn(q->bytes.at, q->bytes.length);
    bool good = text && q->bytes.length && q->bytes.at[q->bytes.length - 1] == '\n';
    json_decref(text);
    return good ? check_paints(q) : REFUSE(q, "no lines of UTF-8");
}

static bool begins(const struct inquiry *q, const char *magic, size_t n)
{
    return q->bytes.length > n && !memcmp(q->bytes.at, magic, n);
}

/* ---- PNG ------------------------------------------------------------------------------------- */

static uint32_t big_endian(const char *bytes)
{
    const unsigned char *at = (const unsigned char *)bytes;
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Rows without a filter, of numbers that the palette has. */
static bool check_pixels(const unsigned char *pixels, uint32_t width, uint32_t height,
                         uint32_t colors)
{
    size_t row = (size_t)width + 1;
    for (size_t i = 0; i < row * height; i++)
        if (pixels[i] >= (i % row ? colors : 1))
            return false;
    return true;
}

/* Chunks whose sums are right; the pixels are in one or more of them. */
static bool check_png(struct inquiry *q)
{
    const char *at = q->bytes.at + 8, *end = q->bytes.at + q->bytes.length;
    uint32_t width = 0, height = 0, colors = 0;
    size_t packed = 0;
    unsigned char *data = malloc(q->bytes.length);
    bool good = begins(q, "\x89PNG\r\n\x1a\n", 8);
    for (uint32_t length; good && at < end; at += 12 + (size_t)length) {
        length = big_endian(at);
        good = length + UINT64_C(12) <= (size_t)(end - at) &&
               crc32(0, (const Bytef *)at + 4, length + 4) == big_endian(at + 8 + length);
        if (good && !memcmp(at + 4, "IHDR", 4)) {
            width = big_endian(at + 8);
            height = big_endian(at + 12);
            good = !memcmp(at + 16, "\x08\3\0\0\0", 5); /* numbers of colors, a byte each */
        } else if (good && !memcmp(at + 4, "PLTE", 4)) {
            colors = length / 3;
        } else if (good && !memcmp(at + 4, "IDAT", 4)) {
            memcpy(data + packed, at + 8, length);
            packed += length;
        }
    }
    uLongf length = ((uLongf)width + 1) * height, size = length + 1;
    unsigned char *pixels = malloc(size);
    good = good && uncompress(pixels, &size, data, packed) == Z_OK && size == length &&
           check_pixels(pixels, width, height, colors);
    free(pixels);
    free(data);
    return good || REFUSE(q, "no PNG, or pixels are missing, filtered, or of no color");
}

static bool check_dot(struct inquiry *q)
{
    return ((begins(q, "graph ", 6) || begins(q, "strict graph ", 13)) && check_text(q)) ||
           REFUSE(q, "no graph in DOT");
}

/* ---- maps for Tiled -------------------------------------------------------------------------- */

static const struct mw_cells *grid_of(const struct mw_map *map, enum mw_role role)
{
    const struct mw_part *parts = map->request->generator->parts;
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        if (parts[p].kind == MW_GRID && parts[p].role == role)
            return &map->slots[p].as.grid;
    return NULL;
}

static int32_t cells_in(const struct mw_cells *cells)
{
    return cells->lattice.width * cells->lattice.height;
}

static int64_t number_of(const json_t *of, const char *name)
{
    return json_integer_value(json_object_get(of, name));
}

/* Nothing, land and ways have tiles of their own, and a label has one. */
static bool check_tiles(struct inquiry *q, const struct mw_cells *cells, int32_t labels,
                        const json_t *data)
{
    enum { WAY = 10 };
    int64_t *tile = calloc((size_t)labels + 1, sizeof *tile);
    bool good = json_array_size(data) == (size_t)cells_in(cells);
    for (int32_t c = 0; c < cells_in(cells) && good; c++) {
        int64_t here = json_integer_value(json_array_get(data, (size_t)c));
        int32_t label = cells->at[c];
        if (label > 0 && !tile[label])
            tile[label] = here;
        good = label > 0 ? here > 0 && here < WAY && here == tile[label]
                         : here == (label < 0 ? WAY : 0);
    }
    free(tile);
    return good || REFUSE(q, "the tiles are not those of the cells");
}

static int64_t twice_area(const json_t *polygon)
{
    int64_t twice = 0;
    size_t n = json_array_size(polygon);
    for (size_t i = 0; i < n; i++) {
        const json_t *a = json_array_get(polygon, i), *b = json_array_get(polygon, (i + 1) % n);
        twice += number_of(a, "x") * number_of(b, "y") - number_of(b, "x") * number_of(a, "y");
    }
    return twice;
}

/* What the property `id` says, or 0. */
static int64_t id_of(const json_t *object)
{
    size_t i;
    const json_t *property;
    json_array_foreach(json_object_get(object, "properties"), i, property)
    {
        if (!strcmp(json_string_value(json_object_get(property, "name")), "id"))
            return number_of(property, "value");
    }
    return 0;
}

/* Takes from `left`, the area that each label has, that of the polygons; ways are label 0. NULL:
   they are another map's. */
static bool check_objects(struct inquiry *q, const json_t *layer, int64_t *left, int32_t labels,
                          int64_t *id)
{
    size_t i;
    const json_t *object;
    json_array_foreach(json_object_get(layer, "objects"), i, object)
    {
        if (number_of(object, "id") != ++*id)
            return REFUSE(q, "object %lld is not numbered so", (long long)*id);
        const json_t *polygon = json_object_get(object, "polygon");
        int64_t label = id_of(object);
        bool known = label >= 0 && (!left || label <= labels);
        if (polygon && (!known || twice_area(polygon) <= 0))
            return REFUSE(q, "object %lld is no polygon of a label", (long long)*id);
        if (polygon && left)
            left[label] -= twice_area(polygon);
    }
    return true;
}

/* Layers of a map that is underneath have "under " before their names. */
static bool check_map(struct inquiry *q, const struct mw_cells *cells, json_t *root, int64_t *left,
                      int32_t labels)
{
    int64_t layers = 0, objects = 0;
    const json_t *layer, *tiles = NULL;
    size_t i;
    json_array_foreach(json_object_get(root, "layers"), i, layer)
    {
        const char *name = json_string_value(json_object_get(layer, "name"));
        if (number_of(layer, "id") != ++layers)
            return REFUSE(q, "layer %lld is not numbered so", (long long)layers);
        if (!check_objects(q, layer, strncmp(name, "under ", 6) ? left : NULL, labels, &objects))
            return false;
        tiles = strcmp(name, "cells") ? tiles : json_object_get(layer, "data");
    }
    if (number_of(root, "nextlayerid") != layers + 1 ||
        number_of(root, "nextobjectid") != objects + 1)
        return REFUSE(q, "the next layer or object has another number");
    return check_tiles(q, cells, labels, tiles);
}

static json_t *load_json(struct inquiry *q)
{
    json_error_t error;
    json_t *root = json_loadb(q->bytes.at, q->bytes.length, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        snprintf(q->why, q->size, "no JSON: %s at byte %d", error.text, error.position);
    return root;
}

/* The polygons of each label have the area of its cells, to the pixel. */
static bool check_tmj(struct inquiry *q)
{
    const struct mw_cells *cells = grid_of(q->map, MW_LABEL_GRID);
    int32_t labels = 0;
    for (int32_t c = 0; c < cells_in(cells); c++)
        labels = cells->at[c] > labels ? cells->at[c] : labels;
    int64_t *left = calloc((size_t)labels + 1, sizeof *left);
    for (int32_t c = 0; c < cells_in(cells); c++)
        if (cells->at[c])
            left[cells->at[c] > 0 ? cells->at[c] : 0] +=
                cells->lattice.tiling == MW_HEX ? INT64_C(1344) : INT64_C(1152);
    json_t *root = load_json(q);
    bool good = root && check_map(q, cells, root, left, labels);
    for (int32_t label = 0; label <= labels && good; label++)
        good = !left[label] || REFUSE(q, "label %d is drawn with another area", label);
    json_decref(root);
    free(left);
    return good;
}

/* ---- voxels ---------------------------------------------------------------------------------- */

static int32_t number_at(const char *at)
{
    const unsigned char *b = (const unsigned char *)at;
    return (int32_t)(b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24);
}

/* Whether the voxels of an XYZI lie in the SIZE before it. */
static bool check_model(const char *size, const char *voxels, int32_t length)
{
    int32_t count = length < 4 ? -1 : number_at(voxels);
    if (!size || count <= 0 || length != 4 + 4 * (int64_t)count)
        return false;
    for (int i = 0; i < 3; i++)
        if (number_at(size + 4 * i) > 256)
            return false;
    for (const char *v = voxels + 4; v < voxels + length; v += 4)
        for (int i = 0; i < 3; i++)
            if ((unsigned char)v[i] >= number_at(size + 4 * i))
                return false;
    return true;
}

/* The chunks in MAIN, one after the other; counts the voxels. */
static bool check_chunks(struct inquiry *q, int64_t *voxels)
{
    const char *at = q->bytes.at + 20, *end = q->bytes.at + q->bytes.length, *size = NULL;
    while (end - at >= 12) {
        int32_t length = number_at(at + 4);
        if (length < 0 || length > end - at - 12 || number_at(at + 8))
            return REFUSE(q, "a chunk goes past the end");
        if (!memcmp(at, "SIZE", 4))
            size = at + 12;
        if (!memcmp(at, "XYZI", 4)) {
            if (!check_model(size, at + 12, length))
                return REFUSE(q, "a model is not of its size");
            *voxels += number_at(at + 12);
        }
        at += 12 + length;
    }
    return at == end || REFUSE(q, "there are bytes after the last chunk");
}

/* As many cubes as layers of land and cells of ways, but for the poles at two places at most. */
static bool check_vox(struct inquiry *q)
{
    enum { POLE = 3 };
    int32_t along = q->map->request->look.voxel > 1 ? q->map->request->look.voxel : 1;
    const struct mw_cells *cells = grid_of(q->map, MW_LABEL_GRID);
    const struct mw_cells *heights = grid_of(q->map, MW_HEIGHT_GRID);
    int64_t voxels = 0, layers = 0;
    for (int32_t c = 0; c < cells_in(cells); c++)
        layers += cells->at[c] < 0                          ? 1
                  : cells->at[c] == 0 || heights->at[c] < 0 ? 0
                                                            : heights->at[c];
    if (!begins(q, "VOX \x96\0\0\0MAIN\0\0\0\0", 16) || q->bytes.length < 20 ||
        (size_t)number_at(q->bytes.at + 16) != q->bytes.length - 20)
        return REFUSE(q, "no MagicaVoxel file");
    if (!check_chunks(q, &voxels))
        return false;
    int64_t cube = along * along * along, more = voxels / cube - layers;
    return (voxels % cube == 0 && (more == 0 || more == POLE || more == 2 * POLE)) ||
           REFUSE(q, "there are %lld voxels for %lld layers", (long long)voxels, (long long)layers);
}

/* ---------------------------------------------------------------------------------------------- */

static bool check_geojson(struct inquiry *q)
{
    const char *why = judge_geojson(q->map, q->bytes);
    return !why || REFUSE(q, "%s", why);
}

static bool check_glb(struct inquiry *q)
{
    const char *why = judge_glb(q->map, q->bytes);
    return !why || REFUSE(q, "%s", why);
}

/* ---------------------------------------------------------------------------------------------- */

static const struct {
    const char *encoder;
    bool (*check)(struct inquiry *); /* NULL: others read it */
} checks[] = {
    {"json", check_answer}, {"cbor", NULL},     {"geojson", check_geojson}, {"glb", check_glb},
    {"text", check_text},   {"svg", check_xml}, {"graphml", check_xml},     {"tmj", check_tmj},
    {"png", check_png},     {"vox", check_vox}, {"dot", check_dot},         {"pdf", NULL},
};

bool well_formed(const struct mw_map *map, const struct mw_encoder *encoder, struct mw_bytes bytes,
                 char *why, size_t size)
{
    struct inquiry q = {map, bytes, why, size};
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        if (!strcmp(checks[i].encoder, encoder->name))
            return !checks[i].check || checks[i].check(&q);
    return REFUSE(&q, "nobody here reads this format: add a reader to formats.c");
}
