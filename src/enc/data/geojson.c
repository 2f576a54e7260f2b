/*
 * geojson.c: the map as features (RFC 7946), for GIS programs.
 *
 * A label is a MultiPolygon: its pieces with their holes, outer rings counterclockwise, holes
 * clockwise, cut at a seam. A row with a list of cells, such as a bridge, is a LineString through
 * their middles, or a Point if it is one cell. In a graph, nodes are Points and edges LineStrings.
 * Properties are the columns of the row, and `kind`, the name of its table.
 *
 * COORDINATES are those of a plane, not longitudes and latitudes: x to the right, as in the answer,
 * but y upward, as readers of this format expect, so it is -y. A cell is 1 wide; the first one
 * begins at x = 0 and extends below y = 0. Squares have integer corners. Hexagons are regular, with
 * lengths rounded to millionths: the side is 1 / sqrt(3) = .577350, and rows are 1.5 sides apart.
 *
 * POLYGONS. The loops of outline.c are almost rings. On squares a loop can return to a corner where
 * the label touches itself at that corner only. There it is cut: the part between the two visits,
 * which is on a stack of corners, becomes a ring of its own, and the loop goes on without it. What
 * remains does not touch itself. The label is on the right of a loop, so also of the rings that it
 * is cut into, and the sign of a ring's area says whether it is a hole. A piece is a set of cells
 * joined by sides; all cells along a loop are in one piece.
 */
#include "answer.h"
#include "enc/find.h"
#include "enc/graph.h"
#include "enc/outline.h"
#include "kit/dsf.h"
#include "kit/plane.h"

enum { MILLION = 1000000, HALF_SIDE = 288675 };

/* ---- polygons -------------------------------------------------------------------------------- */

/* All rings of a map: their corners in units of outline_shapes, the first one not repeated. With y
   down, rings around pieces are counterclockwise, rings around holes clockwise. */
struct ring_list {
    struct mw_run *run;
    const struct mw_cells *cells;
    struct outline outline;
    int32_t *pieces; /* a disjoint-set forest of cells */
    int32_t *visits; /* by corner of squares: the height of the stack up to it; 0: not on it */
    struct mw_point *stack, *corners;
    int32_t *starts; /* by ring, among the corners; then their end */
    uint64_t *keys;  /* of rings in order: label, piece, and whether it is a hole */
    int32_t *order;
    int32_t height, used, count;
    int32_t sides; /* of all borders: bounds the stack and the corners */
};

static int32_t *visit_of(const struct ring_list *t, struct mw_point corner)
{
    const struct cell_shape *shape = &outline_shapes[MW_SQUARE];
    int32_t x = corner.x / shape->pitch_x, y = corner.y / shape->pitch_y;
    return &t->visits[(int64_t)y * (t->cells->lattice.width + 1) + x];
}

/* Pops what is above `low` from the stack, reversed: a ring of the piece of a cell. Corners on a
   straight line, which are on squares only, are left out. */
static void close_ring(struct ring_list *t, int32_t low, int32_t cell)
{
    const struct mw_point *at = t->stack + low;
    const int32_t count = t->height - low;
    int64_t area = 0; /* twice the signed area; positive if clockwise with y down */
    for (int32_t i = count - 1; i >= 0; i--) {
        const struct mw_point before = at[(i ? i : count) - 1],
                              after = at[i + 1 < count ? i + 1 : 0];
        if (t->visits)
            *visit_of(t, at[i]) = 0;
        assert(t->used < t->sides);
        t->corners[t->used] = at[i];
        t->used += turn(before, at[i], after) != 0;
        area += turn(at[0], at[i], after);
    }
    const uint64_t label = (uint64_t)t->cells->at[cell],
                   piece = (uint64_t)mw_dsf_find(t->pieces, cell);
    assert(t->count <= t->sides / 4 && t->used >= t->starts[t->count] + 4);
    t->keys[t->count] = label << 32 | piece << 1 | (area < 0);
    t->order[t->count] = t->count;
    t->starts[++t->count] = t->used;
    t->height = low;
}

static void push(struct ring_list *t, struct mw_point corner, int32_t cell)
{
    int32_t *visit = t->visits ? visit_of(t, corner) : NULL;
    if (visit && *visit)
        close_ring(t, *visit - 1, cell);
    assert(t->height < t->sides);
    t->stack[t->height++] = corner;
    if (visit)
        *visit = t->height;
}

static void trace_loop(struct ring_list *t, int32_t cell, int side)
{
    const struct mw_lattice *l = &t->cells->lattice;
    int32_t first = cell;
    for (; outline_take(&t->outline, cell, side); outline_advance(&t->outline, &cell, &side))
        push(t, outline_corner(&outline_shapes[l->tiling], l->width, cell, side), first);
    close_ring(t, 0, first);
}

static void join_pieces(const struct ring_list *t)
{
    const struct mw_lattice *l = &t->outline.flat;
    int32_t count = l->width * l->height;
    mw_dsf_init(t->pieces, count);
    for (int32_t c = 0; c < count; c++)
        for (int s = 0; s < mw_sides(l) / 2; s++) {
            int32_t other = mw_neighbour(l, c, s);
            if (other >= 0 && t->cells->at[other] == t->cells->at[c])
                mw_dsf_join(t->pieces, c, other);
        }
    mw_tick(t->run, (uint64_t)count);
}

/* Of labels above 0; a seam counts as a rim. No ring touches itself, two rings of a polygon touch
   in single points at most, and no corner is on a straight line. */
static struct ring_list rings_of(struct mw_run *run, const struct mw_cells *cells)
{
    const struct mw_lattice *l = &cells->lattice;
    struct ring_list t = {.run = run, .cells = cells, .outline = outline_of(run, cells)};
    const int32_t sides = t.sides = outline_count_sides(&t.outline);
    t.pieces = MW_NEW(run, int32_t, l->width * l->height);
    if (l->tiling == MW_SQUARE)
        t.visits = MW_NEW0(run, int32_t, (l->width + 1) * (l->height + 1));
    t.stack = MW_NEW(run, struct mw_point, sides);
    t.corners = MW_NEW(run, struct mw_point, sides);
    t.starts = MW_NEW0(run, int32_t, sides / 4 + 2);
    t.keys = MW_NEW(run, uint64_t, sides / 4 + 1);
    t.order = MW_NEW(run, int32_t, sides / 4 + 1);
    join_pieces(&t);
    int32_t *starts, loops = outline_loops(&t.outline, &starts);
    for (int32_t i = 0; i < loops; i++)
        if (cells->at[starts[i] / 8] > 0)
            trace_loop(&t, starts[i] / 8, starts[i] % 8);
    mw_sort(run, t.keys, t.order, t.count);
    return t;
}

/* ---- positions ------------------------------------------------------------------------------- */

struct geojson {
    struct mw_run *run;
    const struct mw_map *map;
    const struct cell_shape *shape;
    const struct mw_cells *under; /* nodes of a graph are cells of this map; NULL: they are not */
    int level;                    /* how many maps are above the one being written */
};

static void put_position(struct mw_run *run, int64_t x, int64_t y)
{
    char *to = mw_reserve_output(run, 64);
    *to++ = '[';
    to = mw_write_decimal(to, x, MILLION);
    *to++ = ',';
    to = mw_write_decimal(to, -y, MILLION);
    *to++ = ']';
    mw_end_output(run, to);
}

/* In units of outline_shapes: a first corner is half a cell across, a second one half a side of
   hexagons down, or half a cell. */
static void put_place(const struct geojson *w, struct mw_point at)
{
    const bool hex = w->shape == &outline_shapes[MW_HEX];
    put_position(w->run, (int64_t)at.x / w->shape->x[0] * (MILLION / 2),
                 (int64_t)at.y / w->shape->y[1] * (hex ? HALF_SIDE : MILLION / 2));
}

/* ---- features -------------------------------------------------------------------------------- */

/* Up to the type of the geometry. */
static void begin_feature(struct geojson *w, const char *kind, int32_t id)
{
    mw_put_next(w->run);
    mw_put(w->run, "{\"type\":\"Feature\",\"id\":\"");
    for (int i = 0; i < w->level; i++)
        mw_put(w->run, "under-");
    mw_print(w->run, "%s-%d\",\"geometry\":{\"type\":", kind, id);
}

/* After the coordinates, up to further properties. */
static void begin_properties(const struct geojson *w, const char *kind)
{
    mw_print(w->run, "},\"properties\":{\"kind\":\"%s\"", kind);
    if (w->level)
        mw_print(w->run, ",\"under\":%d", w->level);
}

/* After the coordinates, with the columns of a row. */
static void end_feature(const struct geojson *w, const char *kind, const struct mw_column *columns,
                        const struct mw_rowset *table, int32_t row)
{
    begin_properties(w, kind);
    answer_put_members(w->run, &mw_as_json, columns, table, row);
    mw_put(w->run, "}}");
}

/* ---- areas ----------------------------------------------------------------------------------- */

static void put_ring(const struct geojson *w, const struct ring_list *rings, int32_t ring)
{
    const int32_t start = rings->starts[ring], count = rings->starts[ring + 1] - start;
    mw_put_char(w->run, '[');
    for (int32_t i = 0; i <= count; i++) { /* the first one is repeated */
        mw_put_next(w->run);
        put_place(w, rings->corners[start + i % count]);
    }
    mw_put_char(w->run, ']');
    mw_tick(w->run, (uint64_t)count);
}

/* All rings of the label of the i-th ring in order; returns the next one. */
static int32_t put_area(const struct geojson *w, const struct ring_list *rings, int32_t i)
{
    const uint64_t *keys = rings->keys, label = keys[i] >> 32;
    const int32_t first = i;
    mw_put(w->run, "\"MultiPolygon\",\"coordinates\":[");
    for (; i < rings->count && keys[i] >> 32 == label; i++) {
        const bool hole = keys[i] & 1;
        assert(!hole || keys[i] >> 1 == keys[i - 1] >> 1);
        mw_put(w->run, hole ? "," : i == first ? "[" : "],[");
        put_ring(w, rings, rings->order[i]);
    }
    mw_put(w->run, "]]");
    return i;
}

/* Every label is the id of a row. */
static void put_areas(struct geojson *w, const struct mw_cells *cells)
{
    struct marks marks = find_marks(w->map);
    assert(marks.part);
    struct ring_list rings = rings_of(w->run, cells);
    for (int32_t i = 0; i < rings.count;) {
        int32_t label = (int32_t)(rings.keys[i] >> 32);
        begin_feature(w, marks.part->name, label);
        i = put_area(w, &rings, i);
        end_feature(w, marks.part->name, marks.part->columns, marks.table,
                    marks_row(&marks, label));
    }
}

/* ---- ways ------------------------------------------------------------------------------------ */

static void put_way(const struct geojson *w, struct mw_points way)
{
    bool line = way.count > 1;
    assert(way.count > 0);
    mw_put(w->run, line ? "\"LineString\",\"coordinates\":[" : "\"Point\",\"coordinates\":");
    for (int32_t i = 0; i < way.count; i++) {
        if (i)
            mw_put_char(w->run, ',');
        put_place(w, outline_middle_of(w->shape, way.at[i]));
    }
    if (line)
        mw_put_char(w->run, ']');
    mw_tick(w->run, (uint64_t)way.count);
}

/* Rows of tables with tracks. */
static void put_ways(struct geojson *w)
{
    for (struct found found = {.column = -1}; find_next(w->map, MW_TRACK, &found);)
        for (int32_t row = 0; row < found.rows; row++) {
            begin_feature(w, found.of->name, row + 1);
            put_way(w, ((const struct mw_points *)found.array)[row]);
            end_feature(w, found.of->name, found.of->columns, found.table, row);
        }
}

/* ---- graphs ---------------------------------------------------------------------------------- */

static void put_node(const struct geojson *w, const struct graph *graph, int32_t row)
{
    struct mw_point at = graph_place(graph, row);
    if (w->under)
        put_place(w, outline_middle_of(w->shape, at));
    else
        put_position(w->run, (int64_t)at.x * MILLION, (int64_t)at.y * MILLION);
}

static void put_nodes(struct geojson *w, const struct graph *graph, const char *kind)
{
    for (int32_t row = 0; row < graph->table->rows; row++) {
        begin_feature(w, kind, row);
        mw_put(w->run, "\"Point\",\"coordinates\":");
        put_node(w, graph, row);
        end_feature(w, kind, graph->columns, graph->table, row);
        mw_tick(w->run, 1);
    }
}

static void put_edges(struct geojson *w, const struct graph *graph, const char *kind,
                      struct mw_edges edges)
{
    for (int32_t i = 0; i < edges.count; i++) {
        begin_feature(w, kind, i);
        mw_put(w->run, "\"LineString\",\"coordinates\":[");
        put_node(w, graph, edges.at[i].a);
        mw_put_char(w->run, ',');
        put_node(w, graph, edges.at[i].b);
        mw_put_char(w->run, ']');
        begin_properties(w, kind);
        mw_print(w->run, ",\"from\":%d,\"to\":%d}}", edges.at[i].a, edges.at[i].b);
        mw_tick(w->run, 1);
    }
}

static void put_graph(struct geojson *w)
{
    const struct mw_generator *generator = w->map->request->generator;
    const struct mw_part *parts = generator->parts;
    struct graph graph = graph_of(w->run, w->map);
    put_nodes(w, &graph, parts[find_part(generator, MW_EDGES, MW_PLAIN)].of);
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        if (parts[p].kind == MW_EDGES && w->map->slots[p].present)
            put_edges(w, &graph, parts[p].name, w->map->slots[p].as.edges);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Those of the maps underneath come first, with the number of maps above as `under`. */
static void put_features(struct geojson *w, const struct mw_map *map)
{
    const struct mw_map *under = find_under(map);
    const struct mw_cells *cells = find_grid(map, MW_LABEL_GRID);
    if (under) {
        w->level++;
        put_features(w, under);
        w->level--;
    }
    w->map = map;
    w->under = under ? find_grid(under, MW_LABEL_GRID) : NULL;
    if (under || cells)
        w->shape = &outline_shapes[(under ? w->under : cells)->lattice.tiling];
    if (cells) {
        put_areas(w, cells);
        put_ways(w);
    } else {
        put_graph(w);
    }
}

static void encode(struct mw_run *run, const struct mw_map *map)
{
    const struct mw_request *request = map->request;
    bool plain = !find_grid(map, MW_LABEL_GRID) && !find_under(map);
    struct geojson w = {.run = run};
    mw_put(run, "{\"type\":\"FeatureCollection\",\"self\":");
    mw_put_json_string(run, request->address, request->address_length);
    mw_print(run, ",\"units\":\"%s, x to the right, y upward: no longitudes and latitudes\"",
             plain ? "as in the answer" : "cells");
    mw_put(run, ",\"features\":[");
    put_features(&w, map);
    mw_put(run, "]}\n");
}

static bool fits(const struct mw_generator *generator)
{
    return find_part(generator, MW_GRID, MW_LABEL_GRID) >= 0 ||
           find_part(generator, MW_EDGES, MW_PLAIN) >= 0;
}

/* ---- cost ------------------------------------------------------------------------------------ */

/* A side of a border is on the stack, a corner, and about two dozen characters. */
static struct mw_cost forecast(const struct mw_request *request, const struct mw_forecast *f)
{
    static const struct mw_unit_costs bytes = {16384, 12, 0, 90, 420, 13, 190},
                                      steps = {500, 5, 0, 6, 2, 1, 1},
                                      nanoseconds = {9000, 20, 0, 90, 400, 15, 120};
    return (struct mw_cost){.bytes = mw_sum_unit_costs(f, &bytes) + 2 * request->address_length,
                            .steps = mw_sum_unit_costs(f, &steps),
                            .nanoseconds = mw_sum_unit_costs(f, &nanoseconds)};
}

const struct mw_encoder mw_geojson = {.name = "geojson",
                                      .media = "application/geo+json",
                                      .help = MW_PROSE("shapes in a plain, for GIS"),
                                      .look_mask = MW_LOOK_BIT(UNDER),
                                      .fits = fits,
                                      .forecast = forecast,
                                      .encode = encode};
