/*
 * formats.c: readers of everything that the encoders write.
 *
 * JSON is read by jansson and must come out of it again byte for byte; the answer's members, their
 * order and their types must be those of the generator's tables. XML is read by expat. Text must be
 * UTF-8. The chunks of PNG are walked, its pixels unpacked by zlib. The polygons of a map for Tiled
 * must have the areas of its labels, and voxels must be as many as there are layers of land.
 */
#include "formats.h"
#include "read_cbor.h"
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

/* ---- the answer's schema, from the tables ---------------------------------------------------- */

static bool is_list(const json_t *value, size_t n, bool (*fits)(const json_t *))
{
    if (!json_is_array(value) || (n && json_array_size(value) != n))
        return false;
    for (size_t i = 0; i < json_array_size(value); i++)
        if (!fits(json_array_get(value, i)))
            return false;
    return true;
}

static bool fits_integer(const json_t *value) { return json_is_integer(value); }
static bool fits_string(const json_t *value) { return json_is_string(value); }
static bool fits_point(const json_t *value) { return is_list(value, 2, fits_integer); }

static bool fits_choice(const json_t *value, const char *const *choices)
{
    for (; json_is_string(value) && choices && *choices; choices++)
        if (!strcmp(*choices, json_string_value(value)))
            return true;
    return false;
}

static bool fits_type(const json_t *value, enum mw_type type, const char *const *choices)
{
    switch (type) {
    case MW_INTEGER: return json_is_integer(value);
    case MW_DECIMAL: return json_is_number(value);
    case MW_BOOLEAN: return json_is_boolean(value);
    case MW_ONE_OF: return fits_choice(value, choices);
    case MW_STRING: return json_is_string(value);
    case MW_INTEGERS: return is_list(value, 0, fits_integer);
    case MW_POINT: return fits_point(value);
    case MW_POINTS: return is_list(value, 0, fits_point);
    case MW_BOX: return is_list(value, 4, fits_integer);
    case MW_ROWS: return is_list(value, 0, fits_string);
    case MW_END_OF_TABLE: break;
    }
    return false;
}

static bool check_row(struct inquiry *q, const struct mw_part *part, json_t *row)
{
    if (!json_is_object(row))
        return REFUSE(q, "result.%s: a row is no object", part->name);
    void *member = json_object_iter(row);
    for (const struct mw_column *c = part->columns; c->type != MW_END_OF_TABLE; c++) {
        bool here = member && !strcmp(json_object_iter_key(member), c->name);
        if (!here && c->nullable)
            continue;
        if (!here)
            return REFUSE(q, "result.%s: the column %s is not where it should be", part->name,
                          c->name);
        const json_t *value = json_object_iter_value(member);
        if (!(c->nullable && json_is_null(value)) && !fits_type(value, c->type, NULL))
            return REFUSE(q, "result.%s.%s has another type than its column", part->name, c->name);
        member = json_object_iter_next(row, member);
    }
    return !member ||
           REFUSE(q, "result.%s: %s is no column", part->name, json_object_iter_key(member));
}

static bool check_grid(struct inquiry *q, const struct mw_part *part, const struct mw_cells *cells,
                       const json_t *grid)
{
    const struct mw_lattice *l = &cells->lattice;
    if (json_array_size(grid) != (size_t)l->height)
        return REFUSE(q, "result.%s has not %d rows", part->name, l->height);
    for (int32_t y = 0; y < l->height; y++) {
        const json_t *row = json_array_get(grid, (size_t)y);
        if (json_array_size(row) != (size_t)l->width)
            return REFUSE(q, "result.%s[%d] has not %d cells", part->name, y, l->width);
        for (int32_t x = 0; x < l->width; x++)
            if (json_integer_value(json_array_get(row, (size_t)x)) !=
                cells->at[(int64_t)y * l->width + x])
                return REFUSE(q, "result.%s[%d][%d] is another number", part->name, y, x);
    }
    return true;
}

static bool check_part(struct inquiry *q, const struct mw_part *part, const struct mw_slot *slot,
                       json_t *value)
{
    switch (part->kind) {
    case MW_VALUE:
        return (part->nullable && json_is_null(value)) ||
               fits_type(value, part->type, part->choices) ||
               REFUSE(q, "result.%s has another type than its part", part->name);
    case MW_TABLE:
        if (part->single)
            return check_row(q, part, value);
        if (!json_is_array(value))
            return REFUSE(q, "result.%s is no array", part->name);
        for (size_t i = 0; i < json_array_size(value); i++)
            if (!check_row(q, part, json_array_get(value, i)))
                return false;
        return true;
    case MW_GRID: return check_grid(q, part, &slot->as.grid, value);
    case MW_EDGES:
        return is_list(value, 0, fits_point) ||
               REFUSE(q, "result.%s is no list of pairs", part->name);
    case MW_NO_PART: break;
    }
    return true;
}

/* Every part in order; only the optional may be absent. */
static bool check_result(struct inquiry *q, json_t *result)
{
    const struct mw_part *parts = q->map->request->generator->parts;
    void *member = json_object_iter(result);
    for (int p = 0; parts[p].kind != MW_NO_PART; p++) {
        bool here = member && !strcmp(json_object_iter_key(member), parts[p].name);
        if (!here && parts[p].optional)
            continue;
        if (!here)
            return REFUSE(q, "result.%s is not where it should be", parts[p].name);
        if (!check_part(q, &parts[p], &q->map->slots[p], json_object_iter_value(member)))
            return false;
        member = json_object_iter_next(result, member);
    }
    return !member || REFUSE(q, "result.%s is no part", json_object_iter_key(member));
}

/* What is read from another map is written as its address. */
static bool is_address_below(const struct inquiry *q, const struct mw_field *field,
                             const json_t *value)
{
    const struct mw_base *base = mw_base_of(q->map->request, field);
    return base && json_is_string(value) && !strcmp(json_string_value(value), base->address);
}

static bool check_parameters(struct inquiry *q, json_t *parameters)
{
    void *member = json_object_iter(parameters);
    for (const struct mw_field *f = q->map->request->generator->fields; f->type != MW_END_OF_TABLE;
         f++) {
        if (!member || strcmp(json_object_iter_key(member), f->name))
            return REFUSE(q, "parameters.%s is not where it should be", f->name);
        const json_t *value = json_object_iter_value(member);
        if (mw_base_of(q->map->request, f)
                ? !is_address_below(q, f, value)
                : !(f->optional && json_is_null(value)) && !fits_type(value, f->type, f->choices))
            return REFUSE(q, "parameters.%s has another type than its field", f->name);
        member = json_object_iter_next(parameters, member);
    }
    return !member || REFUSE(q, "parameters.%s is no field", json_object_iter_key(member));
}

static bool check_envelope(struct inquiry *q, json_t *root)
{
    static const char *const members[] = {"id",   "self",       "generator", "version",
                                          "seed", "parameters", "result"};
    const struct mw_request *request = q->map->request;
    void *member = json_object_iter(root);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        if ((!strcmp(members[i], "id") && !request->id[0]) ||
            (!strcmp(members[i], "seed") && !request->seed))
            continue;
        if (!member || strcmp(json_object_iter_key(member), members[i]))
            return REFUSE(q, "%s is not where it should be", members[i]);
        member = json_object_iter_next(root, member);
    }
    if (member)
        return REFUSE(q, "%s is no member of an answer", json_object_iter_key(member));
    if (strcmp(json_string_value(json_object_get(root, "self")), request->address))
        return REFUSE(q, "self is not the address");
    return check_parameters(q, json_object_get(root, "parameters")) &&
           check_result(q, json_object_get(root, "result"));
}

static bool same_again(struct inquiry *q, const json_t *root)
{
    char *again = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(15));
    size_t n = again ? strlen(again) : 0;
    bool same =
        n + 1 == q->bytes.length && !memcmp(again, q->bytes.at, n) && q->bytes.at[n] == '\n';
    free(again);
    return same || REFUSE(q, "another writer of JSON would write it otherwise");
}

static json_t *load_json(struct inquiry *q)
{
    json_error_t error;
    json_t *root = json_loadb(q->bytes.at, q->bytes.length, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        snprintf(q->why, q->size, "no JSON: %s at byte %d", error.text, error.position);
    return root;
}

static bool check_answer(struct inquiry *q)
{
    json_t *root = load_json(q);
    bool good = root && check_envelope(q, root) && same_again(q, root);
    json_decref(root);
    return good;
}

/* The same in binary, with the rows of grids one after another. */
static bool check_cbor(struct inquiry *q)
{
    size_t width = 1;
    const struct mw_part *parts = q->map->request->generator->parts;
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        if (parts[p].kind == MW_GRID)
            width = (size_t)q->map->slots[p].as.grid.lattice.width;
    json_t *root = read_cbor(q->bytes.at, q->bytes.length, width);
    bool good = root ? check_envelope(q, root) : REFUSE(q, "no CBOR");
    json_decref(root);
    return good;
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

/* jansson takes a string of well-formed UTF-8 alone. */
/* Past an escape that paints as src/enc/data/ansi.h says; NULL: it is none. */
static const char *skip_paint(const char *at, const char *end, bool *painted)
{
    if (end - at < 4 || memcmp(at, "\033[0", 3) != 0)
        return NULL;
    at += 3;
    *painted = *at != 'm';
    for (int i = 0; i < 2; i++)
        if (end - at > 6 && !memcmp(at, i ? ";38;5;" : ";48;5;", 6)) {
            int colour = 0;
            for (at += 6; at < end && *at >= '0' && *at <= '9' && colour < 1000; at++)
                colour = colour * 10 + *at - '0';
            if (colour < 16 || colour > 255)
                return NULL;
        }
    return at < end && *at == 'm' ? at + 1 : NULL;
}

/* Only colours, only where they were asked for, and none at the end of a line. */
static bool check_paints(struct inquiry *q)
{
    const char *at = q->bytes.at, *end = at + q->bytes.length;
    bool painted = false;
    while (at && at < end) {
        if (*at == '\n' && painted)
            return REFUSE(q, "a line ends in colours");
        at = *at == '\033' ? skip_paint(at, end, &painted) : at + 1;
        if (!at || (painted && !q->map->request->look.color))
            return REFUSE(q, "an escape that is no colour, or none that was asked for");
    }
    return true;
}

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

struct png {
    uint32_t width, height, colours;
    unsigned depth;
    unsigned char *packed; /* all IDAT, one after another */
    size_t length;
};

static uint32_t big_endian(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static bool read_chunk(struct inquiry *q, struct png *png, const char *type,
                       const unsigned char *data, uint32_t length)
{
    static const unsigned char indexed[] = {3, 0, 0, 0};
    if (!memcmp(type, "IHDR", 4)) {
        png->width = big_endian(data);
        png->height = big_endian(data + 4);
        png->depth = data[8];
        return (length == 13 && !memcmp(data + 9, indexed, 4)) ||
               REFUSE(q, "IHDR is not of indexed colours");
    }
    if (!memcmp(type, "PLTE", 4))
        png->colours = length / 3;
    if (!memcmp(type, "IDAT", 4)) {
        memcpy(png->packed + png->length, data, length);
        png->length += length;
    }
    return (strcmp(type, "tIME") && strcmp(type, "IEND")) || !length ||
           REFUSE(q, "%s has no place here", type);
}

/* Signature, then chunks whose sums are right, the first IHDR, the last IEND. */
static bool read_chunks(struct inquiry *q, struct png *png)
{
    const unsigned char *at = (const unsigned char *)q->bytes.at + 8,
                        *end = at + q->bytes.length - 8;
    char type[5] = "";
    for (bool first = true; at < end; first = false) {
        uint32_t length = end - at >= 12 ? big_endian(at) : UINT32_MAX;
        if (length > (size_t)(end - at) - 12)
            return REFUSE(q, "a chunk is cut");
        memcpy(type, at + 4, 4);
        if (crc32(0, at + 4, length + 4) != big_endian(at + 8 + length))
            return REFUSE(q, "the sum of %s is wrong", type);
        if (first != !strcmp(type, "IHDR") || !read_chunk(q, png, type, at + 8, length))
            return REFUSE(q, "%s is wrong, or in the wrong place", type);
        at += 12 + (size_t)length;
    }
    return !strcmp(type, "IEND") || REFUSE(q, "IEND is not the last");
}

/* Rows without a filter, of numbers that the palette has. */
static bool check_pixels(struct inquiry *q, const struct png *png)
{
    size_t row = 1 + ((size_t)png->width * png->depth + 7) / 8;
    uLongf length = row * png->height;
    unsigned char *pixels = malloc(length + 1);
    uLongf size = length + 1;
    bool good =
        pixels && uncompress(pixels, &size, png->packed, png->length) == Z_OK && size == length;
    for (size_t y = 0; good && y < png->height; y++) {
        good = pixels[y * row] == 0;
        for (size_t x = 0; good && x < png->width; x++) {
            unsigned bit = (unsigned)(x * png->depth), byte = pixels[y * row + 1 + bit / 8];
            good = (byte >> (8 - png->depth - bit % 8) & ((1u << png->depth) - 1)) < png->colours;
        }
    }
    free(pixels);
    return good || REFUSE(q, "pixels are missing, filtered, or of no colour");
}

static bool check_png(struct inquiry *q)
{
    if (!begins(q, "\x89PNG\r\n\x1a\n", 8))
        return REFUSE(q, "no PNG");
    struct png png = {.packed = malloc(q->bytes.length)};
    bool good = png.packed && read_chunks(q, &png) && check_pixels(q, &png);
    free(png.packed);
    return good;
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

/* ---- PDF ------------------------------------------------------------------------------------- */

/* Behind the last of a word; NULL: it is not there. */
static const char *behind_last(const struct mw_bytes *bytes, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = bytes->length; i-- > 0;)
        if (bytes->length - i >= n && !memcmp(bytes->at + i, word, n))
            return bytes->at + i + n;
    return NULL;
}

/* The object's stream, if it has one, is as long as it says. */
static bool check_stream(struct inquiry *q, const char *at, const char *end)
{
    const char *length = memmem(at, (size_t)(end - at), "/Length ", 8),
               *close = memmem(at, (size_t)(end - at), "endobj", 6);
    if (!close)
        return REFUSE(q, "an object does not end");
    if (!length || length > close)
        return true;
    const char *stream = memmem(length, (size_t)(end - length), "stream\n", 7);
    size_t n = strtoul(length + 8, NULL, 10);
    return (stream && n < (size_t)(end - stream) && !memcmp(stream + 7 + n, "\nendstream", 10)) ||
           REFUSE(q, "a stream is not as long as it says");
}

/* The table of objects leads to each. */
static bool check_pdf(struct inquiry *q)
{
    char head[32];
    const char *told = behind_last(&q->bytes, "startxref\n"), *end = q->bytes.at + q->bytes.length;
    size_t table = told ? strtoul(told, NULL, 10) : 0;
    if (!begins(q, "%PDF-1.4\n", 9) || !table || table > q->bytes.length - 40 ||
        sscanf(q->bytes.at + table, "xref\n0 %31[0-9]", head) != 1)
        return REFUSE(q, "no PDF, or it has no table");
    const char *row = strchr(q->bytes.at + table + 5, '\n') + 1;
    long objects = strtol(head, NULL, 10);
    for (long i = 1; i < objects; i++) {
        size_t at = strtoul(row + 20 * i, NULL, 10);
        int n = snprintf(head, sizeof head, "%ld 0 obj\n", i);
        if (at >= table || memcmp(q->bytes.at + at, head, (size_t)n) != 0)
            return REFUSE(q, "object %ld is not where the table says", i);
        if (!check_stream(q, q->bytes.at + at, end))
            return false;
    }
    return objects > 7 || REFUSE(q, "there are %ld objects", objects);
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
    bool (*check)(struct inquiry *);
} checks[] = {
    {"json", check_answer}, {"cbor", check_cbor}, {"geojson", check_geojson}, {"glb", check_glb},
    {"text", check_text},   {"svg", check_xml},   {"graphml", check_xml},     {"tmj", check_tmj},
    {"png", check_png},     {"vox", check_vox},   {"dot", check_dot},         {"pdf", check_pdf},
};

bool well_formed(const struct mw_map *map, const struct mw_encoder *encoder, struct mw_bytes bytes,
                 char *why, size_t size)
{
    struct inquiry q = {map, bytes, why, size};
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        if (!strcmp(checks[i].encoder, encoder->name))
            return checks[i].check(&q);
    return REFUSE(&q, "nobody here reads this format: add a reader to formats.c");
}
