/*
 * tmj.c: a map for the editor Tiled, as JSON in one file.
 *
 * Tiled loads tile images from separate files only, but a client downloads a single file. So the
 * map is written twice:
 *
 *     objects   every piece of a label as a polygon, in a layer for each color, as Tiled colors
 *               objects by layer: "regions 3" has those whose cells are tile 3. Bridges and walks
 *               are lines, marks are points. They need no image, are what is visible, and have the
 *               columns of their rows as properties. Only points and rows with a name have a name,
 *               as Tiled shows it.
 *     tiles     a layer for each grid, below the objects. Its image (mapwright-hex.png or
 *               mapwright-square.png) must be beside the map: the command puts it there, and the
 *               service has it at its root.
 *
 * There are no groups of layers, as not all readers know them. A cell is twice as large as in other
 * drawings, so that all corners are integers. A polygon is one loop, so holes are joined to the
 * loop around them by cuts (outline.c).
 *
 * The image has 16 tiles a row: the colors of labels, then that of bridges; four rows of heights
 * from 1 to 64; a row for each Wang set, with which Tiled paints terrain. A tile of "land and sea"
 * has land at the corners, and a tile of "borders" has borders on the sides, that are set in the
 * binary digits of its column; of hexagons there are only the first and the last.
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
    FIRST_COAST = FIRST_HEIGHT + HEIGHTS,
    FIRST_BORDER = FIRST_COAST + COLUMNS,
    TILES = FIRST_BORDER + COLUMNS
};
enum { ZOOM = 2 };

/* Tiled draws the line of an object in the color of its layer, and fills it with a fifth of that:
   so the colors of labels are darkened. */
static enum ink dark_ink(int32_t color)
{
    assert(color >= 0 && INK_DARK + color < INK_DARK_END);
    return (enum ink)(INK_DARK + color);
}

struct tiled {
    struct mw_run *run;
    const struct mw_map *map;
    const struct mw_cells *cells;
    const struct cell_shape *shape;
    int32_t width, height; /* of a tile */
    const char *picture;   /* of the tiles, without its suffix */
    const int32_t *colors; /* of labels */
    struct marks marks;
    const char *prefix;    /* of layers' names: "under " for a map that is underneath */
    int32_t layer, object; /* the last ids assigned */
};

/* ---- properties ------------------------------------------------------------------------------ */

/* Up to the value. */
static void begin_property(struct mw_run *run, const char *name, const char *type)
{
    mw_put_next(run);
    mw_print(run, "{\"name\":\"%s\",\"type\":\"%s\",\"value\":", name, type);
}

static void put_text_property(struct mw_run *run, const char *name, const char *value, size_t n)
{
    begin_property(run, name, "string");
    mw_put_json_string(run, value, n);
    mw_put_char(run, '}');
}

/* Tiled's names of types; NULL: it has no such type. */
static const char *const property_types[MW_ROWS + 1] = {[MW_STRING] = "string",
                                                        [MW_INTEGERS] = "string",
                                                        [MW_INTEGER] = "int",
                                                        [MW_BOOLEAN] = "bool",
                                                        [MW_DECIMAL] = "float"};

/* Element `row` of a column. Tiled has no lists: they are text, with commas between. */
static void put_property(struct mw_run *run, const struct mw_column *column, const void *array,
                         int32_t row)
{
    const char *type = property_types[column->type];
    bool text = column->type == MW_STRING, list = column->type == MW_INTEGERS;
    if (!type || find_absent(column, array, row) ||
        (!text && !list && ((const int32_t *)array)[row] == MW_NULL))
        return;
    begin_property(run, column->name, type);
    if (list)
        mw_put_char(run, '"');
    mw_put_value(run, list ? &mw_as_text : &mw_as_json, column->type, NULL, array, row);
    mw_put(run, list ? "\"}" : "}");
}

/* What Tiled can show of a row. */
static void put_row(struct mw_run *run, const struct mw_column *columns,
                    const struct mw_rowset *table, int32_t row)
{
    mw_put(run, ",\"properties\":[");
    for (int c = 0; columns[c].type != MW_END_OF_TABLE; c++)
        put_property(run, &columns[c], table->columns[c], row);
    mw_put_char(run, ']');
}

/* ---- layers ---------------------------------------------------------------------------------- */

/* Several layers with the same name have numbers; 0: it is the only one. */
static void begin_layer(struct tiled *t, const char *type, const char *name, int32_t number)
{
    mw_put_next(t->run);
    mw_print(t->run, "{\"type\":\"%s\",\"name\":\"%s%s", type, t->prefix, name);
    if (number)
        mw_print(t->run, " %d", number);
    mw_print(t->run, "\",\"id\":%d,\"x\":0,\"y\":0,\"opacity\":1,\"visible\":true", ++t->layer);
}

static void begin_objects(struct tiled *t, const char *name, int32_t number, enum ink ink)
{
    begin_layer(t, "objectgroup", name, number);
    mw_put(t->run, ",\"color\":\"");
    ink_put_rgb(t->run, ink_rgb[ink]);
    mw_put(t->run, "\",\"draworder\":\"index\",\"objects\":[");
}

static void end_layer(struct mw_run *run) { mw_put(run, "]}"); }

/* Global tile ids; 0 is an empty cell. */
static int32_t tile_of(const struct tiled *t, enum mw_role role, int32_t value)
{
    if (role == MW_HEIGHT_GRID)
        return value <= 0 ? 0 : FIRST_HEIGHT + (value < HEIGHTS ? value : HEIGHTS);
    return 1 + (value < 0 ? WAY : value ? t->colors[value] : -1);
}

static void put_tiles(struct tiled *t, const struct mw_part *part, const struct mw_cells *cells)
{
    enum { DIGITS = 4 };
    begin_layer(t, "tilelayer", part->name, 0);
    mw_print(t->run, ",\"width\":%d,\"height\":%d,\"encoding\":\"csv\",\"data\":[",
             cells->lattice.width, cells->lattice.height);
    const int32_t *cell = cells->at;
    for (int32_t y = 0; y < cells->lattice.height; y++) {
        mw_tick(t->run, (uint64_t)cells->lattice.width);
        char *to = mw_reserve_output(t->run, (size_t)cells->lattice.width * DIGITS + 16);
        for (int32_t x = 0; x < cells->lattice.width; x++) {
            to = mw_write_int(to, tile_of(t, part->role, *cell++));
            *to++ = ',';
        }
        mw_end_output(t->run, to);
    }
    assert(t->run->bottom[-1] == ',');
    t->run->bottom--; /* the last comma */
    end_layer(t->run);
}

/* ---- objects --------------------------------------------------------------------------------- */

/* Up to its shape; the name may be NULL. */
static void begin_object(struct tiled *t, const char *name, const char *type, struct mw_point at)
{
    mw_put_next(t->run);
    mw_print(t->run,
             "{\"id\":%d,\"name\":\"%s\",\"type\":\"%s\",\"x\":%d,\"y\":%d,\"width\":0,"
             "\"height\":0,\"rotation\":0,\"visible\":true",
             ++t->object, name ? name : "", type, at.x, at.y);
}

static void put_corner(struct mw_run *run, int32_t x, int32_t y)
{
    mw_put_next(run);
    mw_print(run, "{\"x\":%d,\"y\":%d}", x, y);
}

static struct mw_point corner_of(const struct tiled *t, int32_t cell, int side)
{
    struct mw_point at = outline_corner(t->shape, t->cells->lattice.width, cell, side);
    return (struct mw_point){at.x * ZOOM, at.y * ZOOM};
}

static struct mw_point middle_of(const struct tiled *t, struct mw_point cell)
{
    struct mw_point at = outline_middle_of(t->shape, cell);
    return (struct mw_point){at.x * ZOOM, at.y * ZOOM};
}

/* Sides that go the same way are one. */
static void put_loop(struct tiled *t, struct outline *outline, int32_t cell, int side)
{
    struct mw_point start = corner_of(t, cell, side);
    mw_put(t->run, ",\"polygon\":[");
    for (int last = -1; outline_take(outline, cell, side); outline_advance(outline, &cell, &side)) {
        struct mw_point at = corner_of(t, cell, side);
        if (side != last)
            put_corner(t->run, at.x - start.x, at.y - start.y);
        last = side;
    }
    mw_put_char(t->run, ']');
}

static void put_piece(struct tiled *t, struct outline *outline, int32_t start)
{
    int32_t cell = start / 8, label = t->cells->at[cell], row = marks_row(&t->marks, label);
    int side = start % 8;
    const struct mw_part *part = t->marks.part;
    begin_object(t, marks_name(&t->marks, label), row >= 0 ? part->name : "",
                 corner_of(t, cell, side));
    put_loop(t, outline, cell, side);
    if (row >= 0)
        put_row(t->run, part->columns, t->marks.table, row);
    mw_put_char(t->run, '}');
}

/* The first pieces, as many as have the same color; returns their number. */
static int32_t put_color(struct tiled *t, struct outline *outline, const uint64_t *colors,
                         const int32_t *starts, int32_t pieces)
{
    int32_t color = (int32_t)*colors, n = 0;
    begin_objects(t, color == WAY ? "ways" : t->marks.part->name, color == WAY ? 0 : color + 1,
                  dark_ink(color));
    for (; n < pieces && colors[n] == *colors; n++)
        put_piece(t, outline, starts[n]);
    end_layer(t->run);
    return n;
}

/* A layer of objects for each color of labels, and one for bridges. */
static void put_pieces(struct tiled *t)
{
    struct outline outline = outline_of(t->run, t->cells);
    outline_cut_holes(&outline);
    int32_t *starts, pieces = outline_loops(&outline, &starts), done = 0;
    uint64_t *colors = MW_NEW(t->run, uint64_t, pieces);
    for (int32_t i = 0; i < pieces; i++) {
        int32_t label = t->cells->at[starts[i] / 8];
        colors[i] = (uint64_t)(label < 0 ? WAY : t->colors[label]);
    }
    mw_sort(t->run, colors, starts, pieces);
    while (done < pieces)
        done += put_color(t, &outline, colors + done, starts + done, pieces - done);
}

/* ---- ways ------------------------------------------------------------------------------------ */

/* A labelled cell next to a bridge cell, with another label than `but`; without one, the cell
   itself. */
static struct mw_point landing(const struct tiled *t, struct mw_point cell, int32_t but)
{
    const struct mw_lattice *l = &t->cells->lattice;
    int32_t c = cell.y * l->width + cell.x;
    for (int s = 0; s < mw_sides(l) && t->cells->at[c] < 0; s++) {
        int32_t beside = mw_neighbour(l, c, s);
        struct mw_point at = {beside % l->width, beside / l->width};
        if (beside >= 0 && t->cells->at[beside] > 0 && t->cells->at[beside] != but &&
            outline_beside(cell, at))
            return at;
    }
    return cell;
}

/* From the cell before the first to the one after the last, where those are labelled. */
static void put_line(struct tiled *t, const struct mw_point *cells, int32_t count)
{
    assert(count > 0);
    struct mw_point from = landing(t, cells[0], 0);
    struct mw_point to =
        landing(t, cells[count - 1], t->cells->at[from.y * t->cells->lattice.width + from.x]);
    struct mw_point start = middle_of(t, cells[0]), last = {-1, -1};
    mw_put(t->run, ",\"polyline\":[");
    for (int32_t i = -1; i <= count; i++) {
        struct mw_point at = middle_of(t, i < 0 ? from : i < count ? cells[i] : to);
        if (at.x != last.x || at.y != last.y)
            put_corner(t->run, at.x - start.x, at.y - start.y);
        last = at;
    }
    mw_put_char(t->run, ']');
}

/* Splits the way into one line per stretch between crossings of a seam. */
static void put_way(struct tiled *t, const struct found *found, int32_t row)
{
    const struct mw_points *way = (const struct mw_points *)found->array + row;
    for (int32_t i = 0, n; i < way->count; i += n) {
        for (n = 1; i + n < way->count && outline_beside(way->at[i + n - 1], way->at[i + n]); n++)
            mw_tick(t->run, 1);
        begin_object(t, NULL, found->of->name, middle_of(t, way->at[i]));
        put_line(t, way->at + i, n);
        put_row(t->run, found->of->columns, found->table, row);
        mw_put_char(t->run, '}');
    }
}

static void put_ways(struct tiled *t, const struct found *found)
{
    const char *column = found->of->columns[found->column].name;
    begin_objects(t, found->of == t->marks.part ? column : found->of->name, 0, dark_ink(WAY));
    for (int32_t row = 0; row < found->rows; row++)
        put_way(t, found, row);
    end_layer(t->run);
}

/* ---- points ---------------------------------------------------------------------------------- */

static void put_point(struct tiled *t, const char *name, const char *type, struct mw_point cell,
                      const struct mw_part *part, const struct mw_rowset *table, int32_t row)
{
    begin_object(t, name, type, middle_of(t, cell));
    mw_put(t->run, ",\"point\":true");
    put_row(t->run, part->columns, table, row);
    mw_put_char(t->run, '}');
}

static void put_points(struct tiled *t, const struct found *found)
{
    const struct mw_point *points = found->array;
    const char *const *names = find_names(found->of->columns, found->table);
    const char *column = found->of->columns[found->column].name;
    begin_objects(t, column, 0, INK_MARK);
    for (int32_t row = 0; row < found->rows; row++) {
        char number[16];
        *mw_write_int(number, row + 1) = '\0';
        mw_tick(t->run, 1);
        put_point(t, names ? names[row] : number, column, points[row], found->of, found->table,
                  row);
    }
    end_layer(t->run);
}

/* All lists of cells, also those that pictures do not draw. */
static void put_table(struct tiled *t, const struct mw_part *part, const struct mw_rowset *table)
{
    for (int c = 0; part->columns[c].type != MW_END_OF_TABLE; c++) {
        const struct found found = {.column = c,
                                    .of = part,
                                    .table = table,
                                    .array = table->columns[c],
                                    .rows = table->rows};
        if (part->columns[c].type == MW_POINTS)
            put_ways(t, &found);
        else if (part->columns[c].role == MW_MARK)
            put_points(t, &found);
    }
}

/* Writes the marked places as named points. */
static void put_places(struct tiled *t)
{
    struct mw_point cell;
    int p = marks_next(&t->marks, t->map, -1, &cell);
    if (p < 0)
        return;
    begin_objects(t, "places", 0, INK_PLACE);
    for (; p >= 0; p = marks_next(&t->marks, t->map, p, &cell)) {
        const char *name = t->map->request->generator->parts[p].name;
        put_point(t, name, name, cell, t->marks.part, t->marks.table,
                  marks_row(&t->marks, t->map->slots[p].as.value.integer));
    }
    end_layer(t->run);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void put_tile_kinds(struct mw_run *run, bool heights)
{
    mw_put(run, ",\"tiles\":[");
    for (int id = 0; id <= WAY; id++) {
        mw_put_next(run);
        mw_print(run, "{\"id\":%d,\"type\":\"%s\"}", id, id < WAY ? "land" : "way");
    }
    for (int id = FIRST_HEIGHT; heights && id < FIRST_COAST; id++)
        mw_print(run,
                 ",{\"id\":%d,\"type\":\"height\",\"properties\":[{\"name\":\"height\",\"type\":"
                 "\"int\",\"value\":%d}]}",
                 id, id - FIRST_HEIGHT + 1);
    mw_put_char(run, ']');
}

struct wang_set {
    const char *name, *type, *colors[2];
    enum ink inks[2];
    int first; /* tile */
    int one;   /* bit k is index `one` + 2k of a Wang id: clockwise from the top */
};
static const struct wang_set wang_sets[] = {
    {"land and sea", "corner", {"land", "sea"}, {INK_LAND, INK_SEA}, FIRST_COAST, 1},
    {"borders", "edge", {"border", NULL}, {INK_BORDER, INK_NONE}, FIRST_BORDER, 0}};

static void put_wang_colors(struct mw_run *run, const struct wang_set *set)
{
    for (int i = 0; i < 2 && set->colors[i]; i++) {
        mw_put_next(run);
        mw_print(run, "{\"name\":\"%s\",\"color\":\"", set->colors[i]);
        ink_put_rgb(run, ink_rgb[set->inks[i]]);
        mw_print(run, "\",\"probability\":1,\"tile\":%d}", set->first + (i ? 0 : COLUMNS - 1));
    }
}

/* The first color where the bit of the tile's column is set, else the second one, if any. */
static void put_wang_tile(struct mw_run *run, const struct wang_set *set, int column)
{
    assert(column >= 0 && column < COLUMNS);
    mw_put_next(run);
    mw_print(run, "{\"tileid\":%d,\"wangid\":[", set->first + column);
    for (int i = 0; i < 8; i++) {
        int color = column >> i / 2 & 1 ? 1 : set->colors[1] ? 2 : 0;
        mw_print(run, i ? ",%d" : "%d", i % 2 == set->one ? color : 0);
    }
    mw_put(run, "]}");
}

static void put_wang_sets(const struct tiled *t)
{
    const int step = t->cells->lattice.tiling == MW_HEX ? COLUMNS - 1 : 1;
    mw_put(t->run, ",\"wangsets\":[");
    for (size_t i = 0; i < sizeof wang_sets / sizeof *wang_sets; i++) {
        const struct wang_set *set = &wang_sets[i];
        mw_put_next(t->run);
        mw_print(t->run, "{\"name\":\"%s\",\"type\":\"%s\",\"tile\":%d,\"colors\":[", set->name,
                 set->type, set->first + COLUMNS - 1);
        put_wang_colors(t->run, set);
        mw_put(t->run, "],\"wangtiles\":[");
        for (int column = set->colors[1] ? 0 : step; column < COLUMNS; column += step)
            put_wang_tile(t->run, set, column);
        mw_put(t->run, "]}");
    }
    mw_put_char(t->run, ']');
}

static void put_tileset(const struct tiled *t, bool heights)
{
    const char *name = t->picture;
    mw_print(
        t->run,
        ",\"tilesets\":[{\"firstgid\":1,\"name\":\"%s\",\"image\":\"%s.png\",\"imagewidth\":%d,"
        "\"imageheight\":%d,\"tilewidth\":%d,\"tileheight\":%d,\"columns\":%d,\"tilecount\":%d,"
        "\"margin\":0,\"spacing\":0",
        name, name, COLUMNS * t->width, TILES / COLUMNS * t->height, t->width, t->height, COLUMNS,
        TILES);
    put_tile_kinds(t->run, heights);
    put_wang_sets(t);
    mw_put(t->run, "}]");
}

/* Properties: the request that reproduces this map, and the tile image that it needs. */
static void put_origin(const struct tiled *t)
{
    struct mw_run *run = t->run;
    const struct mw_request *request = t->map->request;
    mw_put(run, ",\"properties\":[");
    begin_property(run, "tiles", "string");
    mw_print(run, "\"layers of tiles want %s.png beside this file\"}", t->picture);
    put_text_property(run, "generator", request->generator->name, strlen(request->generator->name));
    put_text_property(run, "self", request->address, request->address_length);
    if (request->seed)
        put_text_property(run, "seed", request->seed, strlen(request->seed));
    mw_put_char(run, ']');
}

static void put_head(const struct tiled *t)
{
    const struct mw_lattice *l = &t->cells->lattice;
    mw_put(t->run, "{\"type\":\"map\",\"version\":\"1.8\",\"tiledversion\":\"1.8.2\","
                   "\"infinite\":false,\"renderorder\":\"right-down\",\"orientation\":");
    if (l->tiling == MW_HEX)
        mw_print(
            t->run,
            "\"hexagonal\",\"hexsidelength\":%d,\"staggeraxis\":\"y\",\"staggerindex\":\"odd\"",
            2 * t->shape->y[1] * ZOOM);
    else
        mw_put(t->run, "\"orthogonal\"");
    mw_print(
        t->run,
        ",\"width\":%d,\"height\":%d,\"tilewidth\":%d,\"tileheight\":%d,\"backgroundcolor\":\"",
        l->width, l->height, t->width, t->height);
    ink_put_rgb(t->run, ink_rgb[INK_PAPER]);
    mw_put_char(t->run, '"');
    put_origin(t);
}

static bool has_heights(const struct mw_map *map)
{
    const struct mw_map *under = find_under(map);
    return find_grid(map, MW_HEIGHT_GRID) || (under && has_heights(under));
}

/* Those of the map underneath come first. */
static void put_layers(struct tiled *t, const struct mw_map *map, bool is_under)
{
    const struct mw_part *parts = map->request->generator->parts;
    const struct mw_map *under = find_under(map);
    if (under)
        put_layers(t, under, true);
    t->prefix = is_under ? "under " : "";
    t->map = map;
    t->cells = find_grid(map, MW_LABEL_GRID);
    t->colors = label_colors(t->run, t->cells, label_borders(t->run, t->cells), INK_LABELS);
    t->marks = find_marks(map);
    assert(t->marks.part);
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        if (parts[p].kind == MW_GRID)
            put_tiles(t, &parts[p], &map->slots[p].as.grid);
    put_pieces(t);
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        if (parts[p].kind == MW_TABLE && map->slots[p].present)
            put_table(t, &parts[p], &map->slots[p].as.table);
    put_places(t);
}

static void encode(struct mw_run *run, const struct mw_map *map)
{
    enum mw_tiling tiling = find_grid(map, MW_LABEL_GRID)->lattice.tiling;
    struct tiled t = {.run = run,
                      .map = map,
                      .cells = find_grid(map, MW_LABEL_GRID),
                      .shape = &outline_shapes[tiling],
                      .width = 2 * outline_shapes[tiling].middle_x * ZOOM,
                      .height = 2 * outline_shapes[tiling].middle_y * ZOOM,
                      .picture = tiling == MW_HEX ? "mapwright-hex" : "mapwright-square"};
    put_head(&t);
    put_tileset(&t, has_heights(map));
    mw_put(run, ",\"layers\":[");
    put_layers(&t, map, false);
    mw_print(run, "],\"nextlayerid\":%d,\"nextobjectid\":%d}\n", t.layer + 1, t.object + 1);
}

static bool fits(const struct mw_generator *generator)
{
    return find_part(generator, MW_GRID, MW_LABEL_GRID) >= 0;
}

/* ---- cost ------------------------------------------------------------------------------------ */

/* Ids of cells, then for each row an object with its outline, side by side. */
static struct mw_cost forecast(const struct mw_request *request, const struct mw_forecast *f)
{
    static const struct mw_unit_costs bytes = {16384, 10, 0, 16, 660, 30, 0},
                                      steps = {0, 5, 0, 4, 1, 3, 0},
                                      nanoseconds = {15000, 20, 0, 90, 520, 37, 0};
    (void)request;
    return (struct mw_cost){.bytes = mw_sum_unit_costs(f, &bytes),
                            .steps = mw_sum_unit_costs(f, &steps),
                            .nanoseconds = mw_sum_unit_costs(f, &nanoseconds)};
}

const struct mw_encoder mw_tmj = {.name = "tmj",
                                  .media = "application/vnd.tiled+json",
                                  .help = MW_PROSE("a map for the editor Tiled"),
                                  .look_mask = MW_LOOK_BIT(UNDER),
                                  .fits = fits,
                                  .forecast = forecast,
                                  .encode = encode};
