/*
 * tmj.c: a map for the editor Tiled, as JSON in one file.
 *
 * Tiled takes the pictures of tiles from files only, and whoever loads a map has one file. So what
 * a map looks like is drawn twice:
 *
 *     objects   every piece of a label as a polygon, in a layer for each colour, as Tiled colours
 *               objects by their layer; the ways as lines, and points for what is marked. They need
 *               no picture, are what one sees, and carry the numbers of their rows as properties.
 *               Tiled writes names beside objects, so only points have one.
 *     tiles     a layer for each grid, hidden, as its picture may be missing: with it beside the
 *               map (mapwright-hex.png, mapwright-square.png) they can be shown; programs read
 *               them anyway.
 *
 * The picture has 16 tiles a row: the colours of labels, then that of ways; from the second row on
 * the heights from 1 to 64. A cell is twice the size of the other drawings, so that all corners are
 * whole.
 *
 * A polygon of Tiled's is one loop, so holes are joined with the loop around them by cuts
 * (outline.c).
 */
#include "enc/find.h"
#include "enc/ink.h"
#include "enc/labels.h"
#include "enc/outline.h"
#include "kit/lattice.h"

enum {
    COLUMNS = 16,
    WAY = INK_LABELS,
    FIRST_HEIGHT = COLUMNS,
    HEIGHTS = 64,
    TILES = FIRST_HEIGHT + HEIGHTS
};
enum { ZOOM = 2 };

/* The colours of labels, darkened: Tiled draws the line of an object in the colour of its layer,
   and fills it with a fifth of that. */
static const char *const strong[INK_LABELS + 1] = {"#2266aa", "#cc4411", "#bb8800", "#dd3366",
                                                   "#0099cc", "#007755", "#778800", "#555500",
                                                   "#777777", "#993311"};

struct tiled {
    struct mw_run *run;
    const struct mw_map *map;
    const struct mw_cells *cells;
    const struct figure *figure;
    const int32_t *colours;
    struct marks marks;
    int32_t layer, object; /* the last ids given */
};

/* A list under way: whether it has an element yet. */
struct list {
    bool begun;
};

/* ---- members --------------------------------------------------------------------------------- */

static void put_quoted(struct mw_run *run, const char *text)
{
    mw_put_json_string(run, text, strlen(text));
}

static void put_member(struct mw_run *run, const char *name, int64_t value)
{
    mw_put(run, ",\"");
    mw_put(run, name);
    mw_put(run, "\":");
    mw_put_int(run, value);
}

static void put_text_member(struct mw_run *run, const char *name, const char *value)
{
    mw_put(run, ",\"");
    mw_put(run, name);
    mw_put(run, "\":");
    put_quoted(run, value);
}

static void put_element(struct mw_run *run, struct list *list)
{
    mw_put(run, list->begun ? ",{" : "{");
    list->begun = true;
}

/* ---- properties ------------------------------------------------------------------------------ */

static void begin_properties(struct mw_run *run, struct list *list)
{
    mw_put(run, ",\"properties\":[");
    list->begun = false;
}

/* Up to the value. */
static void put_property(struct mw_run *run, struct list *list, const char *name, const char *type)
{
    mw_put(run, list->begun ? ",{\"name\":" : "{\"name\":");
    list->begun = true;
    put_quoted(run, name);
    put_text_member(run, "type", type);
    mw_put(run, ",\"value\":");
}

static void put_text_property(struct mw_run *run, struct list *list, const char *name,
                              const char *value)
{
    put_property(run, list, name, "string");
    put_quoted(run, value);
    mw_put_char(run, '}');
}

/* Tiled has no lists: numbers with commas between. */
static void put_ints(struct mw_run *run, struct mw_ints ints)
{
    mw_put_char(run, '"');
    for (int32_t i = 0; i < ints.count; i++) {
        if (i)
            mw_put_char(run, ',');
        mw_put_int(run, ints.at[i]);
    }
    mw_put_char(run, '"');
}

static void put_number_property(struct mw_run *run, struct list *list,
                                const struct mw_column *column, int32_t value)
{
    if (value == MW_NULL)
        return;
    bool truth = column->type == MW_BOOLEAN, decimal = column->type == MW_DECIMAL;
    put_property(run, list, column->name, truth ? "bool" : decimal ? "float" : "int");
    if (truth)
        mw_put(run, value ? "true" : "false");
    else if (decimal)
        mw_put_thousandths(run, value);
    else
        mw_put_int(run, value);
    mw_put_char(run, '}');
}

/* What Tiled can show of a row. */
static void put_row(struct mw_run *run, const struct mw_column *columns,
                    const struct mw_rowset *table, int32_t row)
{
    struct list list;
    begin_properties(run, &list);
    for (int c = 0; columns[c].type != MW_END_OF_TABLE; c++) {
        const void *array = table->columns[c];
        if (columns[c].type == MW_STRING) {
            put_text_property(run, &list, columns[c].name, ((const char *const *)array)[row]);
        } else if (columns[c].type == MW_INTEGERS) {
            put_property(run, &list, columns[c].name, "string");
            put_ints(run, ((const struct mw_ints *)array)[row]);
            mw_put_char(run, '}');
        } else if (columns[c].type == MW_INTEGER || columns[c].type == MW_BOOLEAN ||
                   columns[c].type == MW_DECIMAL) {
            put_number_property(run, &list, &columns[c], ((const int32_t *)array)[row]);
        }
    }
    mw_put_char(run, ']');
}

static void put_label(struct mw_run *run, int32_t label)
{
    struct list list;
    begin_properties(run, &list);
    put_property(run, &list, "id", "int");
    mw_put_int(run, label);
    mw_put(run, "}]");
}

/* ---- layers ---------------------------------------------------------------------------------- */

static void begin_layer(struct tiled *t, struct list *list, const char *type, const char *name)
{
    put_element(t->run, list);
    mw_put(t->run, "\"type\":");
    put_quoted(t->run, type);
    put_text_member(t->run, "name", name);
    put_member(t->run, "id", ++t->layer);
    mw_put(t->run, ",\"x\":0,\"y\":0,\"opacity\":1");
}

static struct list begin_objects(struct tiled *t, struct list *list, const char *name,
                                 const char *colour)
{
    begin_layer(t, list, "objectgroup", name);
    put_text_member(t->run, "color", colour);
    mw_put(t->run, ",\"visible\":true,\"draworder\":\"index\",\"objects\":[");
    return (struct list){false};
}

static void end_list(struct mw_run *run) { mw_put(run, "]}"); }

/* Global numbers of tiles: 0 is none. */
static int32_t tile_of(const struct tiled *t, enum mw_role role, int32_t value)
{
    if (role == MW_HEIGHT_GRID)
        return value <= 0 ? 0 : FIRST_HEIGHT + (value < HEIGHTS ? value : HEIGHTS);
    return 1 + (value < 0 ? WAY : value ? t->colours[value] : -1);
}

static void put_tiles(struct tiled *t, struct list *layers, const struct mw_part *part,
                      const struct mw_cells *cells)
{
    enum { DIGITS = 4 };
    begin_layer(t, layers, "tilelayer", part->name);
    put_member(t->run, "width", cells->lattice.width);
    put_member(t->run, "height", cells->lattice.height);
    mw_put(t->run, ",\"visible\":false,\"data\":[");
    const int32_t *cell = cells->at;
    for (int32_t y = 0; y < cells->lattice.height; y++) {
        mw_tick(t->run, (uint64_t)cells->lattice.width);
        char *to = mw_room(t->run, (size_t)cells->lattice.width * DIGITS + 16);
        for (int32_t x = 0; x < cells->lattice.width; x++) {
            to = mw_write_int(to, tile_of(t, part->role, *cell++));
            *to++ = ',';
        }
        mw_wrote(t->run, to);
    }
    t->run->bottom--; /* the last comma */
    end_list(t->run);
}

/* ---- objects --------------------------------------------------------------------------------- */

/* Up to its shape. */
static void begin_object(struct tiled *t, struct list *list, const char *type, struct mw_point at)
{
    put_element(t->run, list);
    mw_put(t->run, "\"id\":");
    mw_put_int(t->run, ++t->object);
    put_text_member(t->run, "type", type);
    put_member(t->run, "x", at.x);
    put_member(t->run, "y", at.y);
    mw_put(t->run, ",\"width\":0,\"height\":0,\"rotation\":0,\"visible\":true");
}

static void put_corner(struct mw_run *run, bool first, int32_t x, int32_t y)
{
    char *to = mw_room(run, 48);
    if (!first)
        *to++ = ',';
    memcpy(to, "{\"x\":", 5);
    to = mw_write_int(to + 5, x);
    memcpy(to, ",\"y\":", 5);
    to = mw_write_int(to + 5, y);
    *to++ = '}';
    mw_wrote(run, to);
}

static struct mw_point corner_of(const struct tiled *t, int32_t cell, int side)
{
    struct mw_point at = outline_middle(t->figure, t->cells->lattice.width, cell);
    return (struct mw_point){(at.x + t->figure->x[side]) * ZOOM,
                             (at.y + t->figure->y[side]) * ZOOM};
}

static struct mw_point middle_of(const struct tiled *t, struct mw_point cell)
{
    int32_t width = t->cells->lattice.width;
    struct mw_point at = outline_middle(t->figure, width, cell.y * width + cell.x);
    return (struct mw_point){at.x * ZOOM, at.y * ZOOM};
}

/* Moves on to a corner where the loop turns: no line begins in its middle. */
static void find_turn(const struct outline *outline, int32_t *cell, int *side)
{
    int before;
    do {
        before = *side;
        outline_advance(outline, cell, side);
        mw_tick(outline->run, 1);
    } while (*side == before);
}

/* From a turn; sides that go the same way are one. */
static void put_loop(struct tiled *t, struct outline *outline, int32_t cell, int side)
{
    struct mw_point start = corner_of(t, cell, side);
    mw_put(t->run, ",\"polygon\":[");
    for (int last = -1; outline_take(outline, cell, side); outline_advance(outline, &cell, &side)) {
        struct mw_point at = corner_of(t, cell, side);
        if (side != last)
            put_corner(t->run, last < 0, at.x - start.x, at.y - start.y);
        last = side;
    }
    mw_put_char(t->run, ']');
}

static void put_piece(struct tiled *t, struct list *list, struct outline *outline, int32_t start)
{
    int32_t cell = start / 8, label = t->cells->at[cell], row = marks_row(&t->marks, label);
    int side = start % 8;
    const struct mw_part *part = t->marks.part;
    find_turn(outline, &cell, &side);
    begin_object(t, list, row >= 0 ? part->name : "", corner_of(t, cell, side));
    put_loop(t, outline, cell, side);
    if (row >= 0)
        put_row(t->run, part->columns, t->marks.table, row);
    else if (label > 0)
        put_label(t->run, label);
    mw_put_char(t->run, '}');
}

static int32_t colour_of(const struct tiled *t, int32_t start)
{
    int32_t label = t->cells->at[start / 8];
    return label < 0 ? WAY : t->colours[label];
}

/* The first pieces, as long as they are of one colour; how many they are. */
static int32_t put_colour(struct tiled *t, struct list *layers, const char *name,
                          struct outline *outline, const uint64_t *colours, const int32_t *starts,
                          int32_t pieces)
{
    struct list list = begin_objects(t, layers, name, strong[*colours]);
    int32_t n = 0;
    for (; n < pieces && colours[n] == *colours; n++)
        put_piece(t, &list, outline, starts[n]);
    end_list(t->run);
    return n;
}

/* A layer of objects for each colour of labels, in a group; one for the ways. */
static void put_pieces(struct tiled *t, struct list *layers)
{
    const char *name = t->marks.part ? t->marks.part->name : "pieces";
    struct outline outline = outline_of(t->run, t->cells);
    outline_cut_holes(&outline);
    int32_t *starts, pieces = outline_loops(&outline, &starts), done = 0;
    uint64_t *colours = MW_NEW(t->run, uint64_t, pieces);
    for (int32_t i = 0; i < pieces; i++)
        colours[i] = (uint64_t)colour_of(t, starts[i]);
    mw_sort(t->run, colours, starts, pieces);
    struct list group = {false};
    begin_layer(t, layers, "group", name);
    mw_put(t->run, ",\"visible\":true,\"layers\":[");
    while (done < pieces && colours[done] != WAY)
        done += put_colour(t, &group, name, &outline, colours + done, starts + done, pieces - done);
    end_list(t->run);
    if (done < pieces)
        put_colour(t, layers, "ways", &outline, colours + done, starts + done, pieces - done);
}

/* ---- ways ------------------------------------------------------------------------------------ */

static bool are_beside(const struct tiled *t, struct mw_point a, struct mw_point b)
{
    struct mw_lattice flat = t->cells->lattice;
    flat.wrap = MW_WRAP_NONE;
    return mw_distance(&flat, a.y * flat.width + a.x, b.y * flat.width + b.x) <= 1;
}

/* A labelled cell beside one of a way, not `but` that label; the cell itself where there is
   none. */
static struct mw_point landing(const struct tiled *t, struct mw_point cell, int32_t but)
{
    const struct mw_lattice *l = &t->cells->lattice;
    int32_t c = cell.y * l->width + cell.x;
    for (int s = 0; s < mw_sides(l) && t->cells->at[c] < 0; s++) {
        int32_t beside = mw_neighbour(l, c, s);
        struct mw_point at = {beside % l->width, beside / l->width};
        if (beside >= 0 && t->cells->at[beside] > 0 && t->cells->at[beside] != but &&
            are_beside(t, cell, at))
            return at;
    }
    return cell;
}

static bool is_same(struct mw_point a, struct mw_point b) { return a.x == b.x && a.y == b.y; }

/* From the cell before the first to the one after the last, where those are labelled. */
static void put_line(struct tiled *t, const struct mw_point *cells, int32_t count)
{
    struct mw_point from = landing(t, cells[0], 0);
    struct mw_point to =
        landing(t, cells[count - 1], t->cells->at[from.y * t->cells->lattice.width + from.x]);
    struct mw_point start = middle_of(t, cells[0]);
    int32_t first = is_same(from, cells[0]) ? 0 : -1,
            last = is_same(to, cells[count - 1]) ? count - 1 : count;
    mw_put(t->run, ",\"polyline\":[");
    for (int32_t i = first; i <= last; i++) {
        struct mw_point at = middle_of(t, i < 0 ? from : i < count ? cells[i] : to);
        put_corner(t->run, i == first, at.x - start.x, at.y - start.y);
    }
    mw_put_char(t->run, ']');
}

/* As many lines as the map is left and entered again across a seam. */
static void put_way(struct tiled *t, struct list *list, int p, int c, int32_t row)
{
    const struct mw_part *part = &t->map->request->generator->parts[p];
    const struct mw_rowset *table = &t->map->slots[p].as.table;
    const struct mw_points *way = (const struct mw_points *)table->columns[c] + row;
    for (int32_t i = 0, n; i < way->count; i += n) {
        for (n = 1; i + n < way->count && are_beside(t, way->at[i + n - 1], way->at[i + n]); n++)
            mw_tick(t->run, 1);
        begin_object(t, list, part->name, middle_of(t, way->at[i]));
        put_line(t, way->at + i, n);
        put_row(t->run, part->columns, table, row);
        mw_put_char(t->run, '}');
    }
}

static void put_ways(struct tiled *t, struct list *layers, int p, int c)
{
    const struct mw_part *part = &t->map->request->generator->parts[p];
    struct list list = begin_objects(
        t, layers, part == t->marks.part ? part->columns[c].name : part->name, strong[WAY]);
    for (int32_t row = 0; row < t->map->slots[p].as.table.rows; row++)
        put_way(t, &list, p, c, row);
    end_list(t->run);
}

/* ---- points ---------------------------------------------------------------------------------- */

static void put_points(struct tiled *t, struct list *layers, int p, int c)
{
    const struct mw_part *part = &t->map->request->generator->parts[p];
    const struct mw_rowset *table = &t->map->slots[p].as.table;
    const struct mw_point *points = table->columns[c];
    struct list list = begin_objects(t, layers, part->columns[c].name, "#223344");
    for (int32_t row = 0; row < table->rows; row++) {
        mw_tick(t->run, 1);
        begin_object(t, &list, part->columns[c].name, middle_of(t, points[row]));
        mw_put(t->run, ",\"point\":true,\"name\":\"");
        mw_put_int(t->run, row + 1);
        mw_put_char(t->run, '"');
        put_row(t->run, part->columns, table, row);
        mw_put_char(t->run, '}');
    }
    end_list(t->run);
}

static void put_tables(struct tiled *t, struct list *layers)
{
    const struct mw_part *parts = t->map->request->generator->parts;
    for (int p = 0; parts[p].kind != MW_NO_PART; p++) {
        if (parts[p].kind != MW_TABLE || !t->map->slots[p].present)
            continue;
        for (int c = 0; parts[p].columns[c].type != MW_END_OF_TABLE; c++)
            if (parts[p].columns[c].type == MW_POINTS)
                put_ways(t, layers, p, c);
            else if (parts[p].columns[c].role == MW_MARK)
                put_points(t, layers, p, c);
    }
}

/* The places that stand out, by name. */
static void put_places(struct tiled *t, struct list *layers)
{
    const struct mw_part *parts = t->map->request->generator->parts;
    struct list list = {false};
    for (int p = 0; parts[p].kind != MW_NO_PART; p++) {
        struct mw_point cell;
        if (!marks_place(&t->marks, t->map, p, &cell))
            continue;
        if (!list.begun)
            list = begin_objects(t, layers, "places", "#cc0033");
        begin_object(t, &list, parts[p].name, middle_of(t, cell));
        put_text_member(t->run, "name", parts[p].name);
        mw_put(t->run, ",\"point\":true");
        put_row(t->run, t->marks.part->columns, t->marks.table,
                marks_row(&t->marks, t->map->slots[p].as.value.integer));
        mw_put_char(t->run, '}');
    }
    if (list.begun)
        end_list(t->run);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void put_tile_kinds(struct mw_run *run, bool heights)
{
    struct list list = {false};
    mw_put(run, ",\"tiles\":[");
    for (int id = 0; id < TILES; id++) {
        if ((id > WAY && id < FIRST_HEIGHT) || (id >= FIRST_HEIGHT && !heights))
            continue;
        put_element(run, &list);
        mw_put(run, "\"id\":");
        mw_put_int(run, id);
        put_text_member(run, "type", id < WAY ? "land" : id == WAY ? "way" : "height");
        if (id >= FIRST_HEIGHT) {
            struct list properties;
            begin_properties(run, &properties);
            put_property(run, &properties, "height", "int");
            mw_put_int(run, id - FIRST_HEIGHT + 1);
            mw_put(run, "}]");
        }
        mw_put_char(run, '}');
    }
    mw_put_char(run, ']');
}

static void put_tileset(const struct tiled *t, bool heights)
{
    bool hex = t->cells->lattice.tiling == MW_HEX;
    int32_t width = 2 * t->figure->middle_x * ZOOM, height = 2 * t->figure->middle_y * ZOOM;
    mw_put(t->run, ",\"tilesets\":[{\"firstgid\":1");
    put_text_member(t->run, "name", hex ? "mapwright-hex" : "mapwright-square");
    put_text_member(t->run, "image", hex ? "mapwright-hex.png" : "mapwright-square.png");
    put_member(t->run, "imagewidth", COLUMNS * width);
    put_member(t->run, "imageheight", TILES / COLUMNS * height);
    put_member(t->run, "tilewidth", width);
    put_member(t->run, "tileheight", height);
    put_member(t->run, "columns", COLUMNS);
    put_member(t->run, "tilecount", TILES);
    mw_put(t->run, ",\"margin\":0,\"spacing\":0");
    put_tile_kinds(t->run, heights);
    mw_put(t->run, "}]");
}

/* How this map is had again, and what its hidden layers need. */
static void put_origin(struct mw_run *run, const struct mw_request *request, bool hex)
{
    struct list list;
    begin_properties(run, &list);
    put_text_property(
        run, &list, "tiles",
        hex ? "hidden layers can be shown with mapwright-hex.png beside this file"
            : "hidden layers can be shown with mapwright-square.png beside this file");
    put_text_property(run, &list, "generator", request->generator->name);
    put_property(run, &list, "self", "string");
    mw_put_json_string(run, request->address, request->address_length);
    mw_put_char(run, '}');
    if (request->seed)
        put_text_property(run, &list, "seed", request->seed);
    mw_put_char(run, ']');
}

static void put_head(const struct tiled *t)
{
    const struct mw_lattice *l = &t->cells->lattice;
    int32_t side = 2 * t->figure->y[1] * ZOOM;
    mw_put(
        t->run,
        "{\"type\":\"map\",\"version\":\"1.8\",\"infinite\":false,\"renderorder\":\"right-down\"");
    put_text_member(t->run, "orientation", l->tiling == MW_HEX ? "hexagonal" : "orthogonal");
    if (l->tiling == MW_HEX) {
        put_member(t->run, "hexsidelength", side);
        mw_put(t->run, ",\"staggeraxis\":\"y\",\"staggerindex\":\"odd\"");
    }
    put_member(t->run, "width", l->width);
    put_member(t->run, "height", l->height);
    put_member(t->run, "tilewidth", 2 * t->figure->middle_x * ZOOM);
    put_member(t->run, "tileheight", 2 * t->figure->middle_y * ZOOM);
    mw_put(t->run, ",\"backgroundcolor\":\"#f7f9fb\"");
    put_origin(t->run, t->map->request, l->tiling == MW_HEX);
}

static void encode(struct mw_run *run, const struct mw_map *map)
{
    const struct mw_generator *generator = map->request->generator;
    int p = find_part(generator, MW_GRID, MW_LABEL_GRID),
        h = find_part(generator, MW_GRID, MW_HEIGHT_GRID);
    const struct mw_cells *cells = &map->slots[p].as.grid;
    struct tiled t = {.run = run,
                      .map = map,
                      .cells = cells,
                      .figure = &outline_figures[cells->lattice.tiling],
                      .colours = label_colours(run, cells, INK_LABELS),
                      .marks = find_marks(map)};
    put_head(&t);
    put_tileset(&t, h >= 0);
    struct list layers = {false};
    mw_put(run, ",\"layers\":[");
    put_tiles(&t, &layers, &generator->parts[p], cells);
    if (h >= 0)
        put_tiles(&t, &layers, &generator->parts[h], &map->slots[h].as.grid);
    put_pieces(&t, &layers);
    put_tables(&t, &layers);
    put_places(&t, &layers);
    mw_put_char(run, ']');
    put_member(run, "nextlayerid", t.layer + 1);
    put_member(run, "nextobjectid", t.object + 1);
    mw_put(run, "}\n");
}

static bool fits(const struct mw_generator *generator)
{
    return find_part(generator, MW_GRID, MW_LABEL_GRID) >= 0;
}

const struct mw_encoder mw_tmj = {.name = "tmj",
                                  .media = "application/vnd.tiled+json",
                                  .help = "a map for the editor Tiled",
                                  .fits = fits,
                                  .encode = encode};
