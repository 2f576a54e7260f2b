/*
 * glb.c: a world of islands as a scene of objects (glTF 2.0, binary), for Blender, Godot, Unity,
 * three.js and other 3D programs.
 *
 * A file is `glTF`, its version and length, and two chunks: the scene as JSON, and a buffer with
 * the geometry and a picture. The geometry is written first, as the JSON contains its sizes.
 *
 * Each island, bridge and place with a name is a node with a mesh, named `island 3`, `bridge 1`,
 * `start`; its `extras` are its row of the answer, its origin is the middle of its mark. A label
 * map on such a world is written as that world with a node for each label, too: `region 3` is the
 * land with that label, and `island 3` the rest of its island. With `collision=true` a mesh belongs
 * to a child of its node, whose name ends in `-col`: Godot makes a collider of it.
 *
 * A metre is a cell or, with the look's `voxel`, a part of one; x goes to the right, y up, and z,
 * which is the y of the map, to the viewer. Positions are in eighths of a cell, which floats
 * represent exactly.
 *
 * Everything is made of boxes, of which only visible faces are written: a layer of a cell is
 * visible where the neighboring cell of the island is lower. The earth below the land is as deep as
 * the land is high. A face has four vertices, each with a position, a normal and a place in the
 * picture; with the index pattern 0 1 2 0 2 3 for all, meshes share one index list. The picture is
 * a palette of 16 by 16 colors: the inks of drawings by number, and last the sides of labels.
 */
#include "answer.h"
#include "enc/bytes.h"
#include "enc/find.h"
#include "enc/ink.h"
#include "enc/labels.h"
#include "enc/png_file.h"
#include "kit/integer.h"
#include "kit/lattice.h"

enum { CELL = 8, PLANK = 2, POLE = 3 * CELL, POLE_SIDE = 2 }; /* in eighths of a cell */
enum { CORNER = 28, QUAD = 4 * CORNER, NUMBERS = 6 };         /* bytes; numbers of a quad */
enum { PALETTE_SIDE = 16, COLORS = PALETTE_SIDE * PALETTE_SIDE, LABEL_SIDES = COLORS - INK_LABELS };
_Static_assert((int)INK_FLAG_END <= (int)LABEL_SIDES, "all inks of a scene are in the palette");
enum { RIGHT, LEFT, UP, DOWN, FRONT, REAR, FACES };
/* The sides of cells are east, south, west and north. */
static const uint8_t face_of_side[] = {RIGHT, FRONT, LEFT, REAR};

/* Bits are set for the greater x (0), y (1), z (2); counterclockwise, seen from outside. */
static const uint8_t corners[FACES][4] = {{1, 3, 7, 5}, {0, 4, 6, 2}, {2, 6, 7, 3},
                                          {0, 1, 5, 4}, {4, 5, 7, 6}, {0, 2, 3, 1}};

struct vertex_box {
    int32_t low[3], high[3];
};

/* Land has two materials: what is above the ground, and the earth below it. */
enum material { LAND, EARTH, BRIDGE, PLACE, MATERIALS };
static const char *const material_names[MATERIALS] = {"land", "earth", "bridge", "place"};

/* A node and its mesh. */
struct object {
    enum material material;       /* the first one */
    const struct mw_part *part;   /* its table, or the value whose name it has */
    const struct mw_rowset *rows; /* NULL: it is a named place */
    int32_t row;
    const char *name;         /* NULL: it has a number */
    struct mw_point origin;   /* a cell */
    int32_t land;             /* its first cell; -1: none */
    struct mw_points way;     /* of a bridge */
    int32_t first, quads[2];  /* the first one, and the number by material */
    int32_t mesh;             /* its number in the file; -1: it has no faces */
    struct vertex_box bounds; /* of its vertices, relative to the middle of the origin */
};

struct scenery {
    struct mw_run *run;
    const struct mw_map *map, *top; /* the world, and the map of the request, which may be on it */
    const struct mw_cells *cells, *heights;
    const struct mw_cells *over; /* labels that color the land; NULL: none */
    const int32_t *colors;       /* of these labels */
    struct marks marks, over_marks;
    struct object *objects;
    int32_t count;
    int32_t quads, most_quads, meshes; /* written in all; quads of one object; objects with quads */
    int32_t metres;                    /* along a cell */
    int32_t highest;
    int32_t *next;               /* by cell: the next one of its object; -1: there is none */
    uint8_t *decked;             /* cells with a plank */
    int32_t picture_length;      /* of the PNG */
    struct object *now;          /* being written */
    enum material painting;      /* what its faces are made of */
    int32_t material[MATERIALS]; /* faces of each, then its number in the file */
};

static int32_t quads_of(const struct object *o) { return o->quads[0] + o->quads[1]; }

/* ---- colors --------------------------------------------------------------------------------- */

/* The colors of drawings by their numbers, and the sides of labels, which are darker. */
static void put_picture(struct mw_run *run)
{
    char *mark = mw_mark(run);
    struct picture *picture = MW_NEW(run, struct picture, 1);
    *picture = (struct picture){.width = PALETTE_SIDE, .height = PALETTE_SIDE, .colors = COLORS};
    memcpy(picture->palette, ink_rgb, COLORS * sizeof *ink_rgb);
    for (int i = 0; i < INK_LABELS; i++)
        picture->palette[LABEL_SIDES + i] = (ink_rgb[INK_LABEL + i] >> 2 & 0x3f3f3f) * 3;
    uint8_t *pixels = MW_NEW0(run, uint8_t, picture_row(PALETTE_SIDE, PALETTE_SIDE));
    picture->at = pixels + 1;
    for (int32_t y = 0; y < PALETTE_SIDE; y++)
        for (int32_t x = 0; x < PALETTE_SIDE; x++)
            picture->at[picture_row(PALETTE_SIDE, y) + (size_t)x] = (uint8_t)(PALETTE_SIDE * y + x);
    png_put(run, picture, NULL);
    mw_rewind(run, mark);
}

/* ---- boxes ----------------------------------------------------------------------------------- */

static char *write_float(char *to, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bytes_write_little(to, bits, 4);
}

/* The middle of a color in the picture, as a share of 65535. */
static uint32_t picture_place(int column)
{
    return (uint32_t)(2 * column + 1) * 65535 / (2 * PALETTE_SIDE);
}

/* Positions are metres; exact, as eighths of a cell have at most 24 bits. */
static char *write_corner(const struct scenery *w, char *to, const int32_t at[3], int face,
                          int color)
{
    for (int i = 0; i < 3; i++)
        to = write_float(to, (float)(at[i] * w->metres) / CELL);
    for (int i = 0; i < 3; i++)
        to = write_float(to, face / 2 != i ? 0 : face & 1 ? -1 : 1);
    to = bytes_write_little(to, picture_place(color % PALETTE_SIDE), 2);
    return bytes_write_little(to, picture_place(color / PALETTE_SIDE), 2);
}

static void put_face(struct scenery *w, const struct vertex_box *box, int face, int color)
{
    struct object *o = w->now;
    char *to = mw_reserve_output(w->run, QUAD);
    assert(color > INK_NONE && color < COLORS);
    for (int k = 0; k < 4; k++) {
        int32_t at[3];
        for (int i = 0; i < 3; i++) {
            bool first = !quads_of(o) && !k;
            at[i] = corners[face][k] >> i & 1 ? box->high[i] : box->low[i];
            o->bounds.low[i] = first ? at[i] : mw_min(o->bounds.low[i], at[i]);
            o->bounds.high[i] = first ? at[i] : mw_max(o->bounds.high[i], at[i]);
        }
        to = write_corner(w, to, at, face, color);
    }
    mw_end_output(w->run, to);
    o->quads[w->painting == EARTH]++;
    w->material[w->painting]++;
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

/* Land is a layer high, at least. */
static int32_t height_of(const struct scenery *w, int32_t cell)
{
    return mw_max(w->heights->at[cell], 1);
}

/* That of the neighbor; 0: another island, or none. */
static int32_t height_beside(const struct scenery *w, int32_t cell, int side)
{
    int32_t other = mw_neighbour(&w->cells->lattice, cell, side);
    return other >= 0 && w->cells->at[other] == w->cells->at[cell] ? height_of(w, other) : 0;
}

/* The color of the label on a cell, darker on its sides, or else its own. */
static int color_over(const struct scenery *w, int32_t cell, bool top, int own)
{
    int32_t label = w->over ? w->over->at[cell] : 0;
    if (label <= 0)
        return own;
    return w->colors[label] + (top ? (int)INK_LABEL : (int)LABEL_SIDES);
}

/* One of the `height` layers of a cell, counted upward from 0, or downward for earth. */
static void put_layer(struct scenery *w, int32_t cell, int32_t layer, int32_t height)
{
    const int32_t width = w->cells->lattice.width;
    const struct mw_point at = {cell % width, cell / width};
    const bool earth = w->painting == EARTH;
    const int32_t low = earth ? -(layer + 1) : layer;
    const struct vertex_box box = box_in(w, at, low * CELL, (low + 1) * CELL, 0);
    int color = INK_EARTH + 2 * mw_min(layer, INK_EARTHS - 1), top = color;
    if (!earth) {
        const int land = (int)ink_of_layer(layer + 1, w->highest);
        color = color_over(w, cell, false, land + 1);
        top = color_over(w, cell, true, land + ((at.x + at.y) & 1 ? 3 : 0));
    }
    for (int side = 0; side < 4; side++)
        if (height_beside(w, cell, side) <= layer)
            put_face(w, &box, face_of_side[side], color);
    if (layer == height - 1)
        put_face(w, &box, earth ? DOWN : UP, top);
}

/* All of one material: first the land, then the earth. */
static void put_land(struct scenery *w)
{
    for (int part = LAND; part <= EARTH; part++) {
        w->painting = (enum material)part;
        for (int32_t c = w->now->land; c >= 0; c = w->next[c]) {
            int32_t height = height_of(w, c);
            for (int32_t layer = 0; layer < height; layer++)
                put_layer(w, c, layer, height);
            mw_tick(w->run, (uint64_t)height);
        }
    }
}

/* ---- bridges and places ---------------------------------------------------------------------- */

static void put_whole(struct scenery *w, struct vertex_box box, int color, int sides)
{
    for (int face = 0; face < FACES; face++)
        put_face(w, &box, face, face == UP ? color : sides);
}

/* Planks level with the lowest land, on cells that have none yet. */
static void put_bridge(struct scenery *w, struct mw_points way)
{
    for (int32_t i = 0; i < way.count; i++) {
        int32_t cell = way.at[i].y * w->cells->lattice.width + way.at[i].x;
        if (w->decked[cell])
            continue;
        w->decked[cell] = 1;
        put_whole(w, box_in(w, way.at[i], CELL - PLANK, CELL, 0),
                  color_over(w, cell, true, INK_DECK), INK_DECK + 1);
    }
    mw_tick(w->run, (uint64_t)way.count);
}

static void put_pole(struct scenery *w, int32_t flag)
{
    struct mw_point at = w->now->origin;
    int32_t cell = at.y * w->cells->lattice.width + at.x, inset = (CELL - POLE_SIDE) / 2;
    int32_t ground = w->heights->at[cell] * CELL;
    int color = INK_FLAG + flag % INK_FLAGS;
    put_whole(w, box_in(w, at, ground, ground + POLE, inset), color, color);
}

/* ---- objects --------------------------------------------------------------------------------- */

static void add(struct scenery *w, struct object object)
{
    assert(object.origin.x >= 0 && object.origin.y >= 0);
    w->objects[w->count++] = object;
}

/* The land of each row. */
static void add_land(struct scenery *w, const struct marks *marks)
{
    for (int32_t row = 0; row < marks->table->rows; row++)
        add(w, (struct object){.part = marks->part,
                               .rows = marks->table,
                               .row = row,
                               .name = marks->names ? marks->names[row] : NULL,
                               .land = -1,
                               .origin = marks->at[row]});
}

static void add_ways(struct scenery *w)
{
    for (struct found found = {.column = -1}; find_next(w->map, MW_TRACK, &found);)
        for (int32_t row = 0; row < found.rows; row++) {
            struct mw_points way = ((const struct mw_points *)found.array)[row];
            assert(way.count > 0);
            add(w, (struct object){.material = BRIDGE,
                                   .part = found.of,
                                   .rows = found.table,
                                   .row = row,
                                   .way = way,
                                   .origin = way.at[way.count / 2]});
        }
}

static void add_places(struct scenery *w)
{
    const struct mw_part *parts = w->map->request->generator->parts;
    struct mw_point at;
    for (int p = -1; (p = marks_next(&w->marks, w->map, p, &at)) >= 0;)
        add(w, (struct object){
                   .material = PLACE, .part = &parts[p], .name = parts[p].name, .origin = at});
}

/* Islands, labels over them, bridges, and named places. */
static void list_objects(struct scenery *w)
{
    const struct mw_part *parts = w->map->request->generator->parts;
    int32_t most = w->over ? w->over_marks.table->rows : 0;
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        most += parts[p].kind == MW_TABLE ? w->map->slots[p].as.table.rows : 1;
    w->objects = MW_NEW(w->run, struct object, most);
    add_land(w, &w->marks);
    if (w->over)
        add_land(w, &w->over_marks);
    add_ways(w);
    add_places(w);
    assert(w->count <= most);
}

/* The object whose land a cell is: that of its label over the world, or its island; -1: none. */
static int32_t owner_of(const struct scenery *w, int32_t cell)
{
    int32_t island = marks_row(&w->marks, w->cells->at[cell]);
    int32_t label = w->over && island >= 0 ? marks_row(&w->over_marks, w->over->at[cell]) : -1;
    return label < 0 ? island : w->marks.table->rows + label;
}

/* Lists the cells of each object in reading order. */
static void list_cells(struct scenery *w)
{
    const int32_t count = w->cells->lattice.width * w->cells->lattice.height;
    w->next = MW_NEW(w->run, int32_t, count);
    for (int32_t c = count - 1; c >= 0; c--) {
        int32_t owner = owner_of(w, c);
        if (owner < 0)
            continue;
        w->next[c] = w->objects[owner].land;
        w->objects[owner].land = c;
    }
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

/* Its name, or "island 3" for a row of the table islands. */
static void put_name(const struct scenery *w, const struct object *o, const char *suffix)
{
    if (o->name)
        mw_print(w->run, "\"name\":\"%s%s\"", o->name, suffix);
    else
        mw_print(w->run, "\"name\":\"%s %d%s\"", find_kind(w->run, o->part), o->row + 1, suffix);
}

static bool has_collider(const struct scenery *w, const struct object *o)
{
    return w->top->request->look.collision && o->material != PLACE && o->mesh >= 0;
}

/* The colliders follow as children of the objects that have meshes. */
static void put_nodes(const struct scenery *w)
{
    int32_t next = w->count + 1;
    mw_print(w->run, "\"nodes\":[{\"name\":\"%s\"", w->top->request->generator->name);
    for (int32_t i = 0; i < w->count; i++)
        mw_print(w->run, i ? ",%d" : ",\"children\":[%d", i + 1);
    mw_put(w->run, w->count ? "]}" : "}");
    for (const struct object *o = w->objects; o < w->objects + w->count; o++) {
        const int32_t at[3] = {o->origin.x * CELL + CELL / 2, 0, o->origin.y * CELL + CELL / 2};
        mw_put(w->run, ",\n{");
        put_name(w, o, "");
        if (has_collider(w, o))
            mw_print(w->run, ",\"children\":[%d]", next++);
        else if (o->mesh >= 0)
            mw_print(w->run, ",\"mesh\":%d", o->mesh);
        mw_put(w->run, ",\"translation\":");
        put_lengths(w, at);
        if (o->rows) {
            mw_put(w->run, ",\"extras\":{");
            answer_put_members(w->run, &mw_as_json, o->part->columns, o->rows, o->row);
            mw_put_char(w->run, '}');
        }
        mw_put_char(w->run, '}');
    }
    for (const struct object *o = w->objects; o < w->objects + w->count; o++)
        if (has_collider(w, o)) {
            mw_put(w->run, ",\n{");
            put_name(w, o, "-col");
            mw_print(w->run, ",\"mesh\":%d}", o->mesh);
        }
    mw_put_char(w->run, ']');
}

/* Three accessors each: positions, normals, places in the picture; and one for the indices of each
   material. */
static void put_meshes(const struct scenery *w)
{
    int32_t a = 0;
    mw_put(w->run, ",\"meshes\":[");
    for (const struct object *o = w->objects; o < w->objects + w->count; o++) {
        if (o->mesh < 0)
            continue;
        mw_put(w->run, a ? ",\n{" : "\n{");
        put_name(w, o, "");
        mw_put(w->run, ",\"primitives\":[");
        int32_t attributes = a;
        a += 3;
        for (int part = 0; part < 2; part++)
            if (o->quads[part]) {
                mw_put_next(w->run);
                mw_print(w->run,
                         "{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d,\"TEXCOORD_0\":%d},"
                         "\"indices\":%d,\"material\":%d}",
                         attributes, attributes + 1, attributes + 2, a++,
                         w->material[(int)o->material + part]);
            }
        mw_put(w->run, "]}");
    }
    mw_put_char(w->run, ']');
}

static void put_materials(const struct scenery *w)
{
    mw_put(w->run, ",\"materials\":[");
    for (int i = 0; i < MATERIALS; i++) {
        if (w->material[i] < 0)
            continue;
        mw_put_next(w->run);
        mw_print(w->run,
                 "{\"name\":\"%s\",\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0},"
                 "\"metallicFactor\":0,\"roughnessFactor\":1}}",
                 material_names[i]);
    }
    enum { NEAREST = 9728, CLAMP = 33071 };
    mw_print(w->run,
             "],\"textures\":[{\"sampler\":0,\"source\":0}],\"samplers\":[{\"magFilter\":%d,"
             "\"minFilter\":%d,\"wrapS\":%d,\"wrapT\":%d}],"
             "\"images\":[{\"name\":\"palette\",\"mimeType\":\"image/png\",\"bufferView\":2}]",
             NEAREST, NEAREST, CLAMP, CLAMP);
}

/* One of the buffer's vertices. */
static void put_attribute(const struct scenery *w, const struct object *o, int offset,
                          const char *type)
{
    assert(o->first >= 0 && o->first + quads_of(o) <= w->quads);
    mw_print(w->run, "%s{\"bufferView\":0,\"byteOffset\":%d,\"count\":%d,%s",
             offset || o->first ? ",\n" : "\n", o->first * QUAD + offset, 4 * quads_of(o), type);
    if (!offset) {
        mw_put(w->run, ",\"min\":");
        put_lengths(w, o->bounds.low);
        mw_put(w->run, ",\"max\":");
        put_lengths(w, o->bounds.high);
    }
    mw_put_char(w->run, '}');
}

/* Component types are float (5126), unsigned short (5123) and unsigned int (5125). */
static void put_accessors(const struct scenery *w)
{
    mw_put(w->run, ",\"accessors\":[");
    for (const struct object *o = w->objects; o < w->objects + w->count; o++) {
        if (o->mesh < 0)
            continue;
        put_attribute(w, o, 0, "\"componentType\":5126,\"type\":\"VEC3\"");
        put_attribute(w, o, 12, "\"componentType\":5126,\"type\":\"VEC3\"");
        put_attribute(w, o, 24, "\"componentType\":5123,\"normalized\":true,\"type\":\"VEC2\"");
        for (int part = 0; part < 2; part++)
            if (o->quads[part])
                mw_print(w->run,
                         ",{\"bufferView\":1,\"byteOffset\":%d,\"componentType\":5125,"
                         "\"count\":%d,\"type\":\"SCALAR\"}",
                         part * o->quads[0] * NUMBERS * 4, o->quads[part] * NUMBERS);
    }
    mw_put_char(w->run, ']');
}

static void put_buffers(const struct scenery *w)
{
    int32_t vertices = w->quads * QUAD, numbers = w->most_quads * NUMBERS * 4;
    const int32_t picture = w->picture_length;
    mw_print(w->run, ",\"buffers\":[{\"byteLength\":%d}],\"bufferViews\":[",
             vertices + numbers + picture);
    mw_print(w->run, "{\"buffer\":0,\"byteLength\":%d,\"byteStride\":%d,\"target\":34962},",
             vertices, CORNER);
    mw_print(w->run, "{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d,\"target\":34963},",
             vertices, numbers);
    mw_print(w->run, "{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d}]", vertices + numbers,
             picture);
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
        put_materials(w);
        put_accessors(w);
        put_buffers(w);
    }
    mw_put_char(w->run, '}');
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void put_object(struct scenery *w, int32_t i)
{
    enum { MOST = INT32_MAX / (QUAD + 4 * NUMBERS) };
    struct object *o = w->now = &w->objects[i];
    o->first = w->quads;
    w->painting = o->material;
    if (w->painting == LAND)
        put_land(w);
    else if (w->painting == BRIDGE)
        put_bridge(w, o->way);
    else
        put_pole(w, i);
    if (quads_of(o) > MOST - w->quads)
        mw_fail(w->run, MW_TOO_BIG, "",
                "is more than %d faces, and the format counts up to 2 GB: ask for less land", MOST);
    o->mesh = quads_of(o) ? w->meshes++ : -1;
    w->quads += quads_of(o);
    w->most_quads = mw_max(w->most_quads, quads_of(o));
}

/* Materials that have faces are numbered; the others are not in the file. */
static void put_geometry(struct scenery *w)
{
    for (int32_t i = 0; i < w->count; i++)
        put_object(w, i);
    for (int i = 0, n = 0; i < MATERIALS; i++)
        w->material[i] = w->material[i] ? n++ : -1;
    char *to = mw_reserve_output(w->run, (size_t)w->most_quads * NUMBERS * 4);
    for (int32_t q = 0; q < w->most_quads; q++)
        for (int i = 0; i < NUMBERS; i++)
            to = bytes_write_little(to, (uint32_t)(4 * q + "\0\1\2\0\2\3"[i]), 4);
    mw_end_output(w->run, to);
    put_picture(w->run);
    w->picture_length = (int32_t)(w->run->bottom - to);
    assert(w->picture_length > 3 * COLORS);
}

/* A chunk begins with its length, a multiple of four, and its name. */
static char *begin_chunk(struct mw_run *run, const char *name)
{
    char *chunk = run->bottom;
    bytes_put_little(run, 0);
    mw_put_bytes(run, name, 4);
    return chunk;
}

static void end_chunk(struct mw_run *run, char *chunk, char filler)
{
    while ((run->bottom - chunk) % 4)
        mw_put_char(run, filler);
    bytes_write_little(chunk, (uint32_t)(run->bottom - chunk - 8), 4);
}

/* Moves what was written since `second` to `first`. */
static void swap_chunks(struct mw_run *run, char *first, const char *second)
{
    const size_t length = (size_t)(run->bottom - second);
    const char *copy = mw_copy_text(run, second, length);
    memmove(first + length, first, (size_t)(second - first));
    memcpy(first, copy, length);
}

static void put_file(struct scenery *w)
{
    struct mw_run *run = w->run;
    char *start = run->bottom;
    mw_put(run, "glTF");
    bytes_put_little(run, 2);
    bytes_put_little(run, 0);
    char *geometry = begin_chunk(run, "BIN");
    put_geometry(w);
    end_chunk(run, geometry, '\0');
    if (!w->quads)
        mw_end_output(run, geometry);
    char *scene = begin_chunk(run, "JSON");
    put_json(w);
    end_chunk(run, scene, ' ');
    swap_chunks(run, geometry, scene);
    bytes_write_little(start + 8, (uint32_t)(run->bottom - start), 4);
}

/* The world to write: the map itself, or the one below it, whose land its labels color. */
static const struct mw_map *world_of(struct scenery *w)
{
    if (find_world(w->top->request->generator))
        return w->top;
    const struct mw_map *under = find_under(w->top);
    if (!under || !find_world(under->request->generator))
        mw_fail(w->run, MW_NO_RESULT, "/grid",
                "must be that of the map below, whose land it would color");
    w->over = find_grid(w->top, MW_LABEL_GRID);
    w->over_marks = find_marks(w->top);
    w->colors = label_colors(w->run, w->over, label_borders(w->run, w->over), INK_LABELS);
    return under;
}

static void encode(struct mw_run *run, const struct mw_map *map)
{
    struct scenery w = {.run = run, .top = map};
    w.map = world_of(&w);
    w.marks = find_marks(w.map);
    w.cells = find_grid(w.map, MW_LABEL_GRID);
    w.heights = find_grid(w.map, MW_HEIGHT_GRID);
    w.highest = find_highest(run, w.heights);
    w.metres = mw_max(map->request->look.voxel, 1);
    w.decked = MW_NEW0(run, uint8_t, w.cells->lattice.width * w.cells->lattice.height);
    list_objects(&w);
    list_cells(&w);
    put_file(&w);
}

/* ---- cost ------------------------------------------------------------------------------------ */

/* A cell of land has a top, a bottom, and sides at borders, above and below ground. */
static struct mw_cost forecast(const struct mw_request *request, const struct mw_forecast *f)
{
    static const struct mw_unit_costs bytes = {1 << 20, 3, 0, 0, 2200, 16, 0},
                                      steps = {500, 1, 0, 0, 3, 1, 0},
                                      nanoseconds = {150000, 4, 0, 0, 2200, 20, 0};
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
    .look_mask = MW_LOOK_BIT(VOXEL) | MW_LOOK_BIT(UNDER) | MW_LOOK_BIT(COLLISION),
    .fits = find_world,
    .forecast = forecast,
    .encode = encode};
