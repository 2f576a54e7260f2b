/*
 * glb.c: a world of islands as a scene of objects (glTF 2.0, binary), for Blender, Godot, Unity,
 * three.js and other 3D programs.
 *
 * A file is `glTF`, its version and length, and two chunks: the scene as JSON, and a buffer with
 * the geometry. Each island, each bridge and each place with a name is a node with a mesh of
 * its own, named `island 3`, `bridge 1`, `start`; its `extras` are its row of the answer. A
 * metre is a cell or, with the look's `voxel`, a part of one. x goes to the right, y up, and z to
 * the viewer: z is the y of the map. A node stands on the middle of its mark.
 *
 * A label map on such a world is written as that world, with its land coloured by label.
 *
 * Everything is made of boxes, and only their visible faces are written: a layer of a cell is
 * visible where the neighbouring cell of the island is lower. The earth below the land is as deep
 * as the land is high. A face has four vertices, each with a position, a normal and a colour. All
 * faces use the index pattern 0 1 2 0 2 3, so all meshes share one index list.
 *
 * One pass measures each mesh, because the JSON contains the sizes; a second pass runs the same
 * code to write it. Positions are in eighths of a cell, which floats represent exactly. glTF
 * colours are linear, so the sRGB colours of the drawings are raised to the power of 2.4 in integer
 * arithmetic: x^2.4 is x^2 times the fifth root of x^2.
 */
#include "answer.h"
#include "enc/find.h"
#include "enc/ink.h"
#include "enc/labels.h"
#include "kit/integer.h"
#include "kit/lattice.h"

enum { CELL = 8, PLANK = 2, POLE = 3 * CELL, POLE_SIDE = 2 }; /* in eighths of a cell */
enum { CORNER = 32, QUAD = 4 * CORNER, NUMBERS = 6 };         /* bytes; numbers of a quad */
enum { RIGHT, LEFT, UP, DOWN, FRONT, REAR, FACES };
/* The sides of cells are east, south, west and north. */
static const uint8_t face_of_side[] = {RIGHT, FRONT, LEFT, REAR};

/* Bits are set for the greater x (0), y (1), z (2); counterclockwise, seen from outside. */
static const uint8_t corners[FACES][4] = {{1, 3, 7, 5}, {0, 4, 6, 2}, {2, 6, 7, 3},
                                          {0, 1, 5, 4}, {4, 5, 7, 6}, {0, 2, 3, 1}};

struct vertex_box {
    int32_t low[3], high[3];
};

/* A node and its mesh. */
struct object {
    const char *kind;         /* table or part */
    int32_t row;              /* of the table; -1: it is a named place */
    struct mw_point origin;   /* a cell */
    int32_t quads, first;     /* their number, and the first one */
    struct vertex_box bounds; /* of its vertices, relative to the middle of the origin */
};

struct scenery {
    struct mw_run *run;
    const struct mw_map *map, *top; /* the world, and the map of the request, which may be on it */
    const struct mw_cells *cells, *heights;
    const struct mw_cells *over; /* labels that colour the land; NULL: none */
    const int32_t *colours;      /* of these labels */
    struct marks marks;
    struct object *objects;
    int32_t count, quads;
    int32_t metres; /* along a cell */
    int32_t highest;
    int32_t *starts, *order; /* cells by label */
    uint8_t *decked;         /* cells with a plank */
    uint16_t linear[256];
    struct object *now; /* being measured or written */
    char *to, *end;     /* of the output; NULL: measuring */
    int32_t most;       /* size of `objects` */
};

/* ---- colours --------------------------------------------------------------------------------- */

/* The greatest r with r^5 <= x, both in units of 2^-30. */
static int64_t fifth_root(int64_t x)
{
    int64_t root = 0;
    for (int64_t bit = INT64_C(1) << 29; bit; bit >>= 1) {
        int64_t r = root + bit, power = r;
        for (int i = 0; i < 4; i++)
            power = power * r >> 30;
        root = power <= x ? r : root;
    }
    return root;
}

/* Converts an sRGB component to linear, in units of 1 / 65535. */
static uint16_t linear_of(int32_t value)
{
    const int64_t one = INT64_C(1) << 30;
    if (value <= 10)
        return (uint16_t)((value * 65535 * 100 / 255 + 646) / 1292);
    int64_t x = (40 * value + 561) * one / 10761, square = x * x >> 30;
    int64_t y = (square * fifth_root(square) >> 30) * 65535;
    return (uint16_t)((y + one / 2) >> 30);
}

/* ---- boxes ----------------------------------------------------------------------------------- */

static char *write_little(char *to, uint32_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        *to++ = (char)(number >> 8 * i & 255);
    return to;
}

/* From eighths of a cell to metres; exact, as these have at most 24 bits. */
static char *write_length(const struct scenery *w, char *to, int32_t eighths)
{
    float metres = (float)(eighths * w->metres) / CELL;
    uint32_t bits;
    memcpy(&bits, &metres, sizeof bits);
    return write_little(to, bits, 4);
}

static char *write_corner(const struct scenery *w, char *to, const int32_t at[3], int face,
                          uint32_t rgb)
{
    static const float one = 1;
    uint32_t bits;
    memcpy(&bits, &one, sizeof bits);
    for (int i = 0; i < 3; i++)
        to = write_length(w, to, at[i]);
    for (int i = 0; i < 3; i++)
        to = write_little(to, face / 2 == i ? bits | (face & 1 ? UINT32_C(1) << 31 : 0) : 0, 4);
    for (int shift = 16; shift >= 0; shift -= 8)
        to = write_little(to, w->linear[rgb >> shift & 255], 2);
    return write_little(to, UINT16_MAX, 2);
}

static void put_face(struct scenery *w, const struct vertex_box *box, int face, uint32_t rgb)
{
    struct object *o = w->now;
    assert(!w->to || w->end - w->to >= QUAD);
    for (int k = 0; k < 4; k++) {
        int32_t at[3];
        for (int i = 0; i < 3; i++)
            at[i] = corners[face][k] >> i & 1 ? box->high[i] : box->low[i];
        if (w->to)
            w->to = write_corner(w, w->to, at, face, rgb);
        for (int i = 0; i < 3 && !w->to; i++) {
            bool first = !o->quads && !k;
            o->bounds.low[i] = first ? at[i] : mw_min(o->bounds.low[i], at[i]);
            o->bounds.high[i] = first ? at[i] : mw_max(o->bounds.high[i], at[i]);
        }
    }
    o->quads += !w->to;
}

/* ---- land ------------------------------------------------------------------------------------ */

static struct vertex_box box_in(const struct scenery *w, struct mw_point cell, int32_t low,
                                int32_t high, int32_t inset)
{
    int32_t x = (cell.x - w->now->origin.x) * CELL - CELL / 2,
            z = (cell.y - w->now->origin.y) * CELL - CELL / 2;
    return (struct vertex_box){{x + inset, low, z + inset},
                               {x + CELL - inset, high, z + CELL - inset}};
}

static int32_t height_beside(const struct scenery *w, int32_t cell, int side)
{
    int32_t other = mw_neighbour(&w->cells->lattice, cell, side);
    return other >= 0 && w->cells->at[other] == w->cells->at[cell] ? w->heights->at[other] : 0;
}

/* The colour of a layer, counted upward from 0, or downward for earth. */
static uint32_t colour_of(const struct scenery *w, int32_t layer, bool earth, bool top, bool other)
{
    if (earth)
        return ink_rgb[INK_EARTH + 2 * mw_min(layer, INK_EARTHS - 1)];
    return ink_rgb[ink_of_layer(layer + 1, w->highest) + (!top ? 1 : other ? 3 : 0)];
}

/* The colour of the label on a cell, darker on its sides, or else its own. */
static uint32_t colour_over(const struct scenery *w, int32_t cell, bool top, uint32_t own)
{
    int32_t label = w->over ? w->over->at[cell] : 0;
    if (label <= 0)
        return own;
    uint32_t rgb = ink_rgb[INK_LABEL + w->colours[label]];
    return top ? rgb : (rgb >> 2 & 0x3f3f3f) * 3;
}

/* One of the `height` layers of a cell. */
static void put_layer(struct scenery *w, int32_t cell, int32_t layer, int32_t height, bool earth)
{
    int32_t width = w->cells->lattice.width;
    struct mw_point at = {cell % width, cell / width};
    struct vertex_box box = earth ? box_in(w, at, -(layer + 1) * CELL, -layer * CELL, 0)
                                  : box_in(w, at, layer * CELL, (layer + 1) * CELL, 0);
    uint32_t rgb = colour_of(w, layer, earth, false, false);
    if (!earth)
        rgb = colour_over(w, cell, false, rgb);
    for (int side = 0; side < 4; side++)
        if (height_beside(w, cell, side) <= layer)
            put_face(w, &box, face_of_side[side], rgb);
    if (layer < height - 1)
        return;
    uint32_t own = colour_of(w, layer, earth, true, (at.x + at.y) & 1);
    put_face(w, &box, earth ? DOWN : UP, earth ? own : colour_over(w, cell, true, own));
}

static void put_land(struct scenery *w)
{
    int32_t label = w->marks.id[w->now->row];
    assert(label > 0 && label <= w->marks.table->rows);
    for (int32_t i = w->starts[label]; i < w->starts[label + 1]; i++) {
        int32_t height = mw_max(w->heights->at[w->order[i]], 1);
        for (int32_t layer = 0; layer < height; layer++) {
            put_layer(w, w->order[i], layer, height, false);
            put_layer(w, w->order[i], layer, height, true);
        }
        mw_tick(w->run, (uint64_t)height * 2);
    }
}

/* ---- bridges and places ---------------------------------------------------------------------- */

static void put_whole(struct scenery *w, struct vertex_box box, uint32_t rgb, uint32_t sides)
{
    for (int face = 0; face < FACES; face++)
        put_face(w, &box, face, face == UP ? rgb : sides);
}

/* Planks level with the lowest land, on cells that have none yet. */
static void put_bridge(struct scenery *w, struct mw_points way)
{
    for (int32_t i = 0; i < way.count; i++) {
        int32_t cell = way.at[i].y * w->cells->lattice.width + way.at[i].x;
        uint8_t *decked = &w->decked[cell];
        if (*decked == (w->to ? 2 : 1))
            continue;
        *decked = w->to ? 2 : 1;
        put_whole(w, box_in(w, way.at[i], CELL - PLANK, CELL, 0),
                  colour_over(w, cell, true, ink_rgb[INK_DECK]), ink_rgb[INK_DECK + 1]);
    }
    mw_tick(w->run, (uint64_t)way.count);
}

static void put_pole(struct scenery *w, int32_t flag)
{
    struct mw_point at = w->now->origin;
    int32_t cell = at.y * w->cells->lattice.width + at.x, inset = (CELL - POLE_SIDE) / 2;
    int32_t ground = w->heights->at[cell] * CELL;
    uint32_t rgb = ink_rgb[INK_FLAG + flag % INK_FLAGS];
    put_whole(w, box_in(w, at, ground, ground + POLE, inset), rgb, rgb);
}

/* ---- objects --------------------------------------------------------------------------------- */

static struct mw_points way_of(const struct scenery *w, const struct object *o)
{
    struct found found = {0, -1, NULL, 0};
    while (find_next(w->map, MW_TRACK, &found))
        if (w->map->request->generator->parts[found.part].name == o->kind)
            return ((const struct mw_points *)found.array)[o->row];
    return (struct mw_points){NULL, 0};
}

/* Measures or writes an object. */
static void put_object(struct scenery *w, int32_t i)
{
    w->now = &w->objects[i];
    if (w->now->row < 0)
        put_pole(w, i);
    else if (w->now->kind == w->marks.part->name)
        put_land(w);
    else
        put_bridge(w, way_of(w, w->now));
}

static void add(struct scenery *w, const char *kind, int32_t row, struct mw_point origin)
{
    assert(w->count < w->most);
    w->objects[w->count++] = (struct object){.kind = kind, .row = row, .origin = origin};
}

static void add_ways(struct scenery *w)
{
    struct found found = {0, -1, NULL, 0};
    while (find_next(w->map, MW_TRACK, &found))
        for (int32_t row = 0; row < found.rows; row++) {
            struct mw_points way = ((const struct mw_points *)found.array)[row];
            assert(way.count > 0);
            add(w, w->map->request->generator->parts[found.part].name, row, way.at[way.count / 2]);
        }
}

/* Rows of the first table, bridges, and named places. */
static void list_objects(struct scenery *w)
{
    const struct mw_part *parts = w->map->request->generator->parts;
    struct found found = {0, -1, NULL, 0};
    int32_t most = w->marks.table->rows;
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        most += parts[p].kind == MW_VALUE;
    while (find_next(w->map, MW_TRACK, &found))
        most += found.rows;
    w->objects = MW_NEW(w->run, struct object, most);
    w->most = most;
    for (int32_t row = 0; row < w->marks.table->rows; row++)
        add(w, w->marks.part->name, row, w->marks.at[row]);
    add_ways(w);
    struct mw_point at;
    for (int p = -1; (p = marks_next(&w->marks, w->map, p, &at)) >= 0;)
        add(w, parts[p].name, -1, at);
}

static void measure(struct scenery *w)
{
    int64_t quads = 0;
    for (int32_t i = 0; i < w->count; i++) {
        w->objects[i].first = (int32_t)quads;
        put_object(w, i);
        quads += w->objects[i].quads;
        if (quads > INT32_MAX / (QUAD + 4 * NUMBERS))
            mw_fail(w->run, MW_TOO_BIG, "",
                    "is more than %d faces, and the format counts up to 2 GB: ask for less land",
                    INT32_MAX / (QUAD + 4 * NUMBERS));
    }
    w->quads = (int32_t)quads;
}

/* The label of a cell; 0: none, or none with a row in the table. */
static int32_t marked_label(const struct scenery *w, int32_t cell)
{
    int32_t label = w->cells->at[cell];
    return label > 0 && label <= w->marks.table->rows ? label : 0;
}

/* Sorts cells by label, in reading order. */
static void sort_cells(struct scenery *w)
{
    int32_t count = w->cells->lattice.width * w->cells->lattice.height;
    int32_t labels = w->marks.table->rows;
    w->starts = MW_NEW0(w->run, int32_t, labels + 3);
    w->order = MW_NEW(w->run, int32_t, count);
    for (int32_t c = 0; c < count; c++)
        w->starts[marked_label(w, c) + 2]++;
    for (int32_t i = 2; i < labels + 3; i++)
        w->starts[i] += w->starts[i - 1];
    for (int32_t c = 0; c < count; c++)
        w->order[w->starts[marked_label(w, c) + 1]++] = c;
    mw_tick(w->run, (uint64_t)count);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_lengths(const struct scenery *w, const int32_t eighths[3])
{
    mw_put_char(w->run, '[');
    for (int i = 0; i < 3; i++) {
        mw_put_next(w->run);
        mw_put_thousandths(w->run, eighths[i] * w->metres * (1000 / CELL));
    }
    mw_put_char(w->run, ']');
}

static void put_extras(const struct scenery *w, const struct object *o)
{
    const struct mw_part *part = w->map->request->generator->parts;
    if (o->row < 0)
        return;
    int p = 0;
    while (part[p].name != o->kind)
        p++;
    const struct mw_rowset *table = &w->map->slots[p].as.table;
    mw_put(w->run, ",\"extras\":{");
    answer_put_members(w->run, &answer_json, part[p].columns, table, o->row);
    mw_put_char(w->run, '}');
}

/* Its name, or "island 3" for a row of the table islands; "start". */
static void put_name(const struct scenery *w, const struct object *o)
{
    size_t length = strlen(o->kind);
    if (o->row < 0)
        mw_print(w->run, "\"name\":\"%s\"", o->kind);
    else if (o->kind == w->marks.part->name && marks_name(&w->marks, o->row + 1))
        mw_print(w->run, "\"name\":\"%s\"", marks_name(&w->marks, o->row + 1));
    else
        mw_print(w->run, "\"name\":\"%.*s %d\"", (int)length - (o->kind[length - 1] == 's'),
                 o->kind, o->row + 1);
}

static void put_nodes(const struct scenery *w)
{
    mw_print(w->run, "\"nodes\":[{\"name\":\"%s\"", w->top->request->generator->name);
    for (int32_t i = 0; i < w->count; i++)
        mw_print(w->run, i ? ",%d" : ",\"children\":[%d", i + 1);
    mw_put(w->run, w->count ? "]}" : "}");
    for (int32_t i = 0, mesh = 0; i < w->count; i++) {
        const struct object *o = &w->objects[i];
        const int32_t at[3] = {o->origin.x * CELL + CELL / 2, 0, o->origin.y * CELL + CELL / 2};
        mw_put(w->run, ",\n{");
        put_name(w, o);
        if (o->quads)
            mw_print(w->run, ",\"mesh\":%d", mesh++);
        mw_put(w->run, ",\"translation\":");
        put_lengths(w, at);
        put_extras(w, o);
        mw_put_char(w->run, '}');
    }
    mw_put_char(w->run, ']');
}

/* Four accessors each: positions, normals, colours, indices. */
static void put_meshes(const struct scenery *w)
{
    mw_put(w->run, ",\"meshes\":[");
    for (int32_t i = 0, a = 0; i < w->count; i++) {
        if (!w->objects[i].quads)
            continue;
        mw_put(w->run, a ? ",\n{" : "\n{");
        put_name(w, &w->objects[i]);
        mw_print(w->run,
                 ",\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d,\"COLOR_0\":%d},"
                 "\"indices\":%d,\"material\":0}]}",
                 a, a + 1, a + 2, a + 3);
        a += 4;
    }
    mw_put_char(w->run, ']');
}

static void put_accessors(const struct scenery *w)
{
    enum { FLOAT = 5126, SHORT = 5123, LONG = 5125 };
    mw_put(w->run, ",\"accessors\":[");
    for (int32_t i = 0; i < w->count; i++) {
        const struct object *o = &w->objects[i];
        int32_t from = o->first * QUAD, count = 4 * o->quads;
        if (!count)
            continue;
        mw_put(w->run, o->first ? ",\n" : "\n");
        mw_print(w->run, "{\"bufferView\":0,\"byteOffset\":%d,\"componentType\":%d,\"count\":%d,",
                 from, FLOAT, count);
        mw_put(w->run, "\"type\":\"VEC3\",\"min\":");
        put_lengths(w, o->bounds.low);
        mw_put(w->run, ",\"max\":");
        put_lengths(w, o->bounds.high);
        mw_print(w->run,
                 "},{\"bufferView\":0,\"byteOffset\":%d,\"componentType\":%d,\"count\":%d,"
                 "\"type\":\"VEC3\"}",
                 from + 12, FLOAT, count);
        mw_print(w->run,
                 ",{\"bufferView\":0,\"byteOffset\":%d,\"componentType\":%d,\"normalized\":true,"
                 "\"count\":%d,\"type\":\"VEC4\"}",
                 from + 24, SHORT, count);
        mw_print(w->run,
                 ",{\"bufferView\":1,\"componentType\":%d,\"count\":%d,\"type\":\"SCALAR\"}", LONG,
                 o->quads * NUMBERS);
    }
    mw_put_char(w->run, ']');
}

static int32_t most_quads(const struct scenery *w)
{
    int32_t most = 0;
    for (int32_t i = 0; i < w->count; i++)
        most = mw_max(most, w->objects[i].quads);
    return most;
}

static void put_buffers(const struct scenery *w)
{
    int32_t vertices = w->quads * QUAD, numbers = most_quads(w) * NUMBERS * 4;
    mw_print(w->run, ",\"buffers\":[{\"byteLength\":%d}],\"bufferViews\":[", vertices + numbers);
    mw_print(w->run, "{\"buffer\":0,\"byteLength\":%d,\"byteStride\":%d,\"target\":34962},",
             vertices, CORNER);
    mw_print(w->run, "{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d,\"target\":34963}]",
             vertices, numbers);
}

static void put_json(const struct scenery *w)
{
    mw_put(w->run, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Mapwright " MW_VERSION "\",");
    mw_put(w->run, "\"extras\":{\"self\":");
    mw_put_json_string(w->run, w->top->request->address, w->top->request->address_length);
    mw_put(w->run, "}},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],");
    put_nodes(w);
    if (w->quads) {
        put_meshes(w);
        mw_put(w->run, ",\"materials\":[{\"name\":\"land\",\"pbrMetallicRoughness\":"
                       "{\"metallicFactor\":0,\"roughnessFactor\":1}}]");
        put_accessors(w);
        put_buffers(w);
    }
    mw_put_char(w->run, '}');
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void put_number(struct mw_run *run, uint32_t number)
{
    mw_end_output(run, write_little(mw_reserve_output(run, 4), number, 4));
}

static void put_buffer(struct scenery *w)
{
    w->to = mw_reserve_output(w->run, (size_t)w->quads * QUAD);
    w->end = w->to + (size_t)w->quads * QUAD;
    for (int32_t i = 0; i < w->count; i++)
        put_object(w, i);
    mw_end_output(w->run, w->to);
    int32_t most = most_quads(w);
    char *to = mw_reserve_output(w->run, (size_t)most * NUMBERS * 4);
    for (int32_t q = 0; q < most; q++)
        for (int i = 0; i < NUMBERS; i++)
            to = write_little(to, (uint32_t)(4 * q + "\0\1\2\0\2\3"[i]), 4);
    mw_end_output(w->run, to);
}

/* Fills in the length of a chunk, which is at `sizes`, before its name. */
static void end_chunk(struct mw_run *run, char *sizes)
{
    write_little(sizes, (uint32_t)(run->bottom - sizes - 8), 4);
}

static void put_file(struct scenery *w)
{
    struct mw_run *run = w->run;
    char *start = run->bottom;
    mw_put(run, "glTF");
    put_number(run, 2);
    put_number(run, 0);
    char *chunk = run->bottom;
    put_number(run, 0);
    mw_put(run, "JSON");
    put_json(w);
    while ((run->bottom - start) % 4)
        mw_put_char(run, ' ');
    end_chunk(run, chunk);
    if (w->quads) {
        chunk = run->bottom;
        put_number(run, 0);
        mw_put_bytes(run, "BIN", 4);
        put_buffer(w);
        end_chunk(run, chunk);
    }
    write_little(start + 8, (uint32_t)(run->bottom - start), 4);
}

static bool has_marked_ids(const struct mw_part *part)
{
    return part->kind == MW_TABLE && !strcmp(part->columns->name, "id") &&
           find_column(part->columns, MW_MARK) >= 0;
}

static bool fits(const struct mw_generator *generator)
{
    const struct mw_part *part = generator->parts;
    while (part->kind != MW_NO_PART && !has_marked_ids(part))
        part++;
    return part->kind != MW_NO_PART && find_world(generator);
}

/* The map itself, or the one that it stands on: then its labels colour the land. */
static const struct mw_map *world_of(struct scenery *w)
{
    if (fits(w->top->request->generator))
        return w->top;
    const struct mw_map *under = find_under(w->top);
    if (!under || !fits(under->request->generator))
        mw_fail(w->run, MW_NO_RESULT, "/grid",
                "must be that of the map below, whose land it would colour");
    w->over = find_cells(w->top);
    w->colours = label_colours(w->run, w->over, label_borders(w->run, w->over), INK_LABELS);
    return under;
}

static void encode(struct mw_run *run, const struct mw_map *map)
{
    struct scenery w = {.run = run, .top = map};
    w.map = world_of(&w);
    w.marks = find_marks(w.map);
    w.cells = find_cells(w.map);
    w.heights = find_heights(w.map);
    w.highest = find_highest(run, w.heights);
    w.metres = mw_max(map->request->look.voxel, 1);
    w.decked = MW_NEW0(run, uint8_t, w.cells->lattice.width * w.cells->lattice.height);
    for (int32_t i = 0; i < 256; i++)
        w.linear[i] = linear_of(i);
    sort_cells(&w);
    list_objects(&w);
    measure(&w);
    put_file(&w);
}

/* ---- cost ------------------------------------------------------------------------------------ */

/* A cell of land has a top, a bottom, and sides at borders, above and below ground. */
static struct mw_cost forecast(const struct mw_request *request, const struct mw_forecast *f)
{
    static const struct mw_unit_costs bytes = {65536, 3, 0, 0, 1500, 16, 0},
                                      steps = {500, 1, 0, 0, 3, 1, 0},
                                      nanoseconds = {40000, 4, 0, 0, 1500, 20, 0};
    uint64_t quads = 2 * (f->land + f->borders + f->volume) + 6 * f->items;
    return (struct mw_cost){.bytes = mw_sum_unit_costs(f, &bytes) + quads * (QUAD + 4 * NUMBERS) +
                                     2 * request->address_length,
                            .steps = mw_sum_unit_costs(f, &steps) + 4 * f->volume,
                            .nanoseconds = mw_sum_unit_costs(f, &nanoseconds) + 60 * quads};
}

const struct mw_encoder mw_glb = {
    .name = "glb",
    .media = "model/gltf-binary",
    .help = MW_PROSE("a scene of objects (glTF), for Blender and engines"),
    .look_mask = MW_LOOK_BIT(VOXEL) | MW_LOOK_BIT(UNDER),
    .fits = fits,
    .forecast = forecast,
    .encode = encode};
