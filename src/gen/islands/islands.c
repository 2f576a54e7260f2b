/*
 * islands.c: a voxel world of islands joined by bridges, with a start and an end.
 *
 * Levels of a game in the sky: a plan of cells, each air, land or bridge, and for land a number of
 * layers. The pipeline is that of a Python program for a roguelike; it had no bound on its loops,
 * tore islands apart when it trimmed them, and laid its bridges through third islands.
 *
 *     land at random      Day & Night       in order, 3 of       bridges, heights
 *                                           5 to 7 cells
 *     # . # . . # . .     . . . . . . . .   . . . . . . . .      . . . . . . . .
 *     . # # . . . # #     . # # . . . # #   . 1 1 . . . 2 2      . 1 1 + + + 1 1
 *     # # # # . # # .     # # # # . # # #   1 1 1 . . 2 2 2      1 2 1 . . 1 2 1
 *     . # . # . . # .     # # # . . . # .   . 1 1 . . . 2 .      . 1 1 . . . 1 .
 *     # . . . . . . #     . # . . . . . .   . . . . . . . .      . + . . . . + .
 *     . . # # # . # .     . . # # # . . .   . . 3 3 3 3 . .      . + 1 1 1 1 + .
 *     # . # # . # . .     . . # # # . . .   . . 3 3 . . . .      . . 1 1 . . . .
 *
 *   1. Every cell is land with the chance `land`; `iterations` rounds of the automaton make coasts
 *      (life.c).
 *   2. Islands of the number and sizes asked for grow on the land, and beside it (order.c); where
 *      room is too tight for that, they are laid out on shelves, and their coasts roughened
 *      (pack.c). Or the land stays as it is. Islands are numbered row by row.
 *   3. The shortest bridges that reach every island, and a share of further ones (bridges.c).
 *   4. The start is an island far out: the farthest, over bridges, from a random one. The end is
 *      the farthest from the start, and the route a way over the fewest bridges. Without bridges,
 *      start and end are the two whose centers lie farthest apart.
 *   5. Land rises inland by at most one layer a step, up to `layers`, in hills and valleys
 *      (heights.c).
 *
 * Why it ends, and is right. Order looks at a fixed number of random cells; packing is a fixed
 * number of rounds; each step of either leaves islands connected, apart and within the largest
 * size, and only islands of the least size are counted. Whether the fewest fit is decided before
 * anything is drawn at random: shelves hold them, or the request is refused, for every seed alike.
 * Shelves may hold one island fewer than could be packed by hand.
 *
 * The bound: a corner of the map's grid can be covered by one island only, as they do not touch at
 * corners, and an island of A cells covers at least A + P/2 + 1 of them (islands_cover).
 *
 * Cost: linear in the map; the automaton takes a hundredth of it, growing and bridges the most.
 * Memory: 22 bytes a cell, the result's 8 included.
 *
 * What it does not do: bridges are level and know no heights; lakes inside an island are air.
 */
#include "islands.h"
#include "gen/names/names.h"
#include "kit/plane.h"

enum { LONGEST_LOOP = 15 }; /* a bridge that only makes a loop: per cent of the map's longer side */
enum { SIDE_MOST = 4096, CELLS_MOST = SIDE_MOST * SIDE_MOST };

static const int32_t usual_islands[] = {9, 13}, usual_size[] = {18, 23};

static const char *const edges[] = {"sea", "open", NULL};

enum { WIDTH, HEIGHT, LAYERS, LAND, ITERATIONS, ISLANDS, SIZE, BRIDGES, LOOPS, EDGE, ORDER, NAMES };
static const struct mw_field fields[] = {
    [WIDTH] = MW_INT(struct islands, width, 1, SIDE_MOST, 24, "Cells from left to right"),
    [HEIGHT] = MW_INT(struct islands, height, 1, SIDE_MOST, 24, "Cells from top to bottom"),
    [LAYERS] = MW_INT(struct islands, layers, 1, 64, 2, "Layers that land may rise inland"),
    [LAND] = MW_DEC(struct islands, land, 0, 1000, 333, "Chance that a cell starts as land"),
    [ITERATIONS] =
        MW_INT(struct islands, iterations, 0, 1000, 20, "Rounds of the automaton Day & Night"),
    [ISLANDS] =
        MW_RANGE(struct islands, islands, 1, CELLS_MOST, usual_islands, "Fewest and most islands"),
    [SIZE] = MW_RANGE(struct islands, size, 1, CELLS_MOST, usual_size,
                      "Fewest and most cells of an island"),
    [BRIDGES] = MW_BOOL(struct islands, bridges, true, "Join the islands"),
    [LOOPS] = MW_DEC(struct islands, loops, 0, 1000, 250,
                     "Share of the further pairs of neighbours that get a bridge, too"),
    [EDGE] =
        MW_CHOICE(struct islands, edge, edges, ISLANDS_SEA,
                  "Whether the rim of the map stays free of islands and bridges, or is open to "
                  "them; by default it stays free where the map is three cells wide and high"),
    [ORDER] = MW_BOOL(
        struct islands, order, true,
        "Islands of the number and sizes asked for; false leaves the land as the automaton made "
        "it: each piece is an island, two may touch at a corner, and a bridge may pass beside a "
        "third"),
    [NAMES] = MW_NAMES_FIELD(struct islands, "islands"),
    MW_END,
};

enum { C_ID, C_NAME, C_SIZE, C_CENTER, C_BOUNDS, C_NEIGHBORS };
static const struct mw_column island_columns[] = {
    [C_ID] = MW_COLUMN("id", MW_INTEGER, "Number of the island, from 1"),
    [C_NAME] = MW_NAME_COLUMN,
    [C_SIZE] = MW_COLUMN("size", MW_INTEGER, "Cells"),
    [C_CENTER] = MW_COLUMN("center", MW_POINT, "The cell of the island nearest to its middle",
                           .role = MW_MARK),
    [C_BOUNDS] = MW_COLUMN("bounds", MW_BOX, "First and last column and row"),
    [C_NEIGHBORS] =
        MW_COLUMN("neighbors", MW_INTEGERS, "Islands joined with it by a bridge", .role = MW_LINKS),
    MW_END_COLUMNS,
};

enum { C_FROM, C_TO, C_CELLS };
static const struct mw_column bridge_columns[] = {
    [C_FROM] = MW_COLUMN("from", MW_INTEGER, "The island where it begins"),
    [C_TO] = MW_COLUMN("to", MW_INTEGER, "The island where it ends"),
    [C_CELLS] = MW_COLUMN("cells", MW_POINTS, "Its cells in order", .role = MW_TRACK),
    MW_END_COLUMNS,
};

enum {
    P_WIDTH,
    P_HEIGHT,
    P_LAYERS,
    P_ISLANDS,
    P_BRIDGES,
    P_START,
    P_END,
    P_ROUTE,
    P_CELLS,
    P_HEIGHTS
};
static const struct mw_part parts[] = {
    [P_WIDTH] = MW_VALUE_PART("width", MW_INTEGER, "Cells across"),
    [P_HEIGHT] = MW_VALUE_PART("height", MW_INTEGER, "Cells down"),
    [P_LAYERS] = MW_VALUE_PART("layers", MW_INTEGER, "Most layers of land"),
    [P_ISLANDS] = MW_TABLE_PART("islands", island_columns, "The islands"),
    [P_BRIDGES] = MW_TABLE_PART("bridges", bridge_columns, "The bridges"),
    [P_START] = MW_VALUE_PART("start", MW_INTEGER, "Island to begin at", .role = MW_MARK),
    [P_END] =
        MW_VALUE_PART("end", MW_INTEGER,
                      "The island with the most bridges between it and the start", .role = MW_MARK),
    [P_ROUTE] = MW_VALUE_PART(
        "route", MW_INTEGERS,
        "Islands on a way over fewest bridges from start to end; absent without bridges",
        .role = MW_ROUTE, .optional = true),
    [P_CELLS] = MW_GRID_PART("cells", MW_LABEL_GRID,
                             "Rows of cells: 0 is air, -1 a bridge, else the id of an island"),
    [P_HEIGHTS] =
        MW_GRID_PART("heights", MW_HEIGHT_GRID, "Rows of layers of land: 0 on air and bridges"),
    MW_END_PARTS,
};

/* ---- impossible requests --------------------------------------------------------------------- */

static bool check_bounds(struct mw_run *run, const char *pointer, struct mw_ints bounds)
{
    if (bounds.at[0] <= bounds.at[1])
        return true;
    mw_add_problem(run, MW_NO_RESULT, pointer, "the fewest, %d, must not be more than the most, %d",
                   bounds.at[0], bounds.at[1]);
    return false;
}

static struct mw_ints keep_range(struct mw_run *run, int32_t fewest, int32_t most)
{
    int32_t *at = MW_NEW(run, int32_t, 2);
    at[0] = fewest;
    at[1] = most;
    return (struct mw_ints){at, 2};
}

/* Defaults that are too much for a small map become less. */
static void fit_defaults(struct mw_run *run, struct islands *p, mw_given given)
{
    int32_t inset = islands_inset(p), width = p->width - 2 * inset, height = p->height - 2 * inset;
    int32_t cells = width * height;
    if (!(given >> SIZE & 1) && cells < usual_size[0])
        p->size = keep_range(run, (cells + 1) / 2, cells);
    if (given >> ISLANDS & 1)
        return;
    int32_t held = islands_hold(run, width, height, p->size.at[0], usual_islands[0]);
    if (held && held < usual_islands[0])
        p->islands = keep_range(run, held, usual_islands[1]);
}

/* Reports islands that are too large for the map, or too many. */
static void check_cover(struct mw_run *run, const struct islands *p)
{
    int32_t inset = islands_inset(p), width = p->width - 2 * inset, height = p->height - 2 * inset;
    int32_t least = p->size.at[0], fewest = p->islands.at[0];
    int64_t cover = islands_cover(least, width, height);
    int64_t points = (int64_t)(width + 1) * (height + 1);
    const char *inside = inset ? " inside the rim" : "", *open = "";
    if (!cover) {
        if (inset && islands_cover(least, p->width, p->height))
            open = ": with edge=open it does";
        mw_add_problem(run, MW_NO_RESULT, "/size",
                       "an island of %d cells does not fit on a map of %d by %d%s%s", least, width,
                       height, inside, open);
        return;
    }
    if (cover * fewest <= points)
        return;
    if (inset && islands_hold(run, p->width, p->height, least, fewest) >= fewest)
        open = ": with edge=open they fit";
    mw_add_problem(
        run, MW_NO_RESULT, "/islands",
        "%d islands of size %d with air around them cover at least %lld of the map's corners, and "
        "a map of %d by %d%s has %lld, which is room for %lld%s",
        fewest, least, (long long)(cover * fewest), width, height, inside, (long long)points,
        (long long)(points / cover), open);
}

static void check(struct mw_run *run, void *params, mw_given given)
{
    struct islands *p = params;
    bool tiny = p->width < 3 || p->height < 3;
    if (tiny && !(given >> EDGE & 1))
        p->edge = ISLANDS_OPEN;
    if (tiny && p->edge == ISLANDS_SEA) {
        mw_add_problem(run, MW_NO_RESULT, "/edge",
                       "must be open: a map of %d by %d is nothing but rim", p->width, p->height);
        return;
    }
    if (!p->order)
        return;
    bool good = check_bounds(run, "/size", p->size);
    if (good)
        fit_defaults(run, p, given);
    if (check_bounds(run, "/islands", p->islands) && good)
        check_cover(run, p);
}

/* ---- land ------------------------------------------------------------------------------------ */

static void bound_islands(struct island_map *s, const struct islands *p)
{
    int64_t points = ((int64_t)s->width + 1) * (s->height + 1);
    s->least = p->size.at[0];
    s->largest = p->size.at[1];
    s->fewest = p->islands.at[0];
    s->room = (int32_t)(points / islands_cover(s->least, s->width, s->height));
    assert(s->fewest <= s->room); /* ensured by `check` */
    s->most = mw_min(p->islands.at[1], s->room);
}

static struct island_map new_world(struct mw_run *run, const struct islands *p, int32_t *scratch)
{
    int32_t inset = islands_inset(p), width = p->width - 2 * inset, height = p->height - 2 * inset;
    int32_t w = width + 2;
    struct island_map s = {.run = run,
                           .rng = mw_stream(run, "order"),
                           .width = width,
                           .height = height,
                           .inset = inset,
                           .longest = mw_max(p->width, p->height) * LONGEST_LOOP / 100,
                           .stride = w,
                           .cells = w * (height + 2),
                           .ring = {1, w + 1, w, w - 1, -1, -w - 1, -w, -w + 1},
                           .least = 1,
                           .largest = width * height};
    if (p->order)
        bound_islands(&s, p);
    s.at = MW_NEW(run, int32_t, s.cells);
    s.list = scratch;
    return s;
}

/* Whether the fewest islands fit is known before anything is drawn: no seed changes the answer. */
static void check_room(const struct islands *p, struct island_map *s)
{
    int32_t held = islands_hold(s->run, s->width, s->height, s->least, s->fewest);
    if (held >= s->fewest)
        return;
    bool open =
        s->inset && islands_hold(s->run, p->width, p->height, s->least, s->fewest) >= s->fewest;
    mw_fail(s->run, MW_NO_RESULT, "/islands",
            "no place was found for %d islands of size %d: %d can be laid out, and counting "
            "corners leaves room for %d at most%s",
            s->fewest, s->least, held, s->room, open ? ": with edge=open they fit" : "");
}

/* Writes the islands as land. */
static void copy_islands(const struct island_map *s, struct plane *land)
{
    memset(land->at, 0, (size_t)land->height * (size_t)land->stride * sizeof *land->at);
    for (int32_t y = 0; y < s->height; y++)
        for (int32_t x = 0; x < s->width; x++)
            plane_row(land, y)[x / 64] |= (uint64_t)(s->at[world_cell(s, x, y)] > 0) << x % 64;
    mw_tick(s->run, (uint64_t)s->cells);
}

static void order_land(struct island_map *s, struct plane *land)
{
    bool good = false;
    for (int smooth = 0; smooth < 2 && !good; smooth++) {
        char *tried = mw_mark(s->run);
        s->smooth = smooth;
        good = islands_order(s, land);
        mw_rewind(s->run, tried);
    }
    if (!good)
        islands_pack(s);
    copy_islands(s, land);
}

static void make_land(const struct islands *p, struct island_map *s, struct plane *land)
{
    struct mw_rng rng = mw_stream(s->run, "land");
    plane_scatter(s->run, land, &rng, p->land);
    life_run(s->run, land, p->iterations);
    if (p->order)
        order_land(s, land);
}

/* Makes each piece of the land an island, and writes the cells of the result. */
static void settle(struct island_map *s, int32_t *cells)
{
    const struct components *c = &s->land;
    int32_t in = s->inset, width = s->width + 2 * in;
    islands_clear(s);
    s->count = c->count;
    s->size = c->size;
    memset(cells, 0, (size_t)width * (size_t)(s->height + 2 * in) * sizeof *cells);
    for (int32_t y = 0; y < s->height; y++) {
        int32_t *row = s->at + world_cell(s, 0, y), *to = cells + (int64_t)(y + in) * width + in;
        for (int32_t r = c->first[y]; r < c->first[y + 1]; r++)
            for (int32_t x = c->runs[r].from; x < c->runs[r].to; x++)
                row[x] = to[x] = c->label[r];
    }
}

static void make_islands(const struct islands *p, struct island_map *s, int32_t *cells)
{
    struct plane land;
    plane_new(s->run, &land, s->width, s->height);
    char *mark = mw_mark(s->run);
    if (p->order)
        check_room(p, s);
    make_land(p, s, &land);
    mw_rewind(s->run, mark);
    life_label(s->run, &land, &s->land);
    settle(s, cells);
    if (!s->count)
        mw_fail(s->run, MW_NO_RESULT, "/land",
                "no land is left after round %d: a larger chance, or fewer rounds, leaves some",
                p->iterations);
    assert(!p->order || (s->count >= s->fewest && s->count <= s->most));
}

/* ---- the result ------------------------------------------------------------------------------ */

/* What is measured of an island, on the map without its rim of sea. */
struct extent {
    struct mw_box bounds;
    int64_t x, y;  /* sums of coordinates, then their mean */
    int32_t least; /* square of the distance from the mean to the center */
    struct mw_point center;
};

static void add_run(struct extent *e, struct plane_run run, int32_t y)
{
    struct mw_box b = e->bounds;
    int64_t cells = run.to - run.from;
    e->bounds =
        (struct mw_box){mw_min(b.x0, run.from), b.y1 < 0 ? y : b.y0, mw_max(b.x1, run.to - 1), y};
    e->x += cells * (run.from + run.to - 1); /* twice the sum */
    e->y += cells * y * 2;
}

/* Takes the cell of a run that is nearest to the mean, if it is nearer than all before. */
static void find_center(struct extent *e, struct plane_run run, int32_t y)
{
    int32_t x = mw_clamp((int32_t)e->x, run.from, run.to - 1);
    int32_t dx = x - (int32_t)e->x, dy = y - (int32_t)e->y, square = dx * dx + dy * dy;
    e->center = square < e->least ? (struct mw_point){x, y} : e->center;
    e->least = mw_min(square, e->least);
}

/* Passes all runs of land to a function, row by row. */
static void measure_runs(const struct island_map *s, struct extent *of,
                         void measure(struct extent *, struct plane_run, int32_t y))
{
    const struct components *c = &s->land;
    for (int32_t y = 0; y < s->height; y++)
        for (int32_t r = c->first[y]; r < c->first[y + 1]; r++)
            measure(&of[c->label[r] - 1], c->runs[r], y);
    mw_tick(s->run, (uint64_t)s->cells);
}

/* Finds the bounds, and the cell of each island that lies nearest to the mean of its cells, the
   first of those. */
static struct extent *measure(const struct island_map *s)
{
    struct extent *of = MW_NEW0(s->run, struct extent, s->count);
    for (int32_t k = 0; k < s->count; k++)
        of[k].bounds = (struct mw_box){INT32_MAX, 0, -1, -1};
    measure_runs(s, of, add_run);
    for (int32_t k = 0; k < s->count; k++) {
        int64_t size = s->size[k + 1];
        assert(size >= s->least && size <= s->largest);
        of[k].x = (of[k].x + size) / (2 * size);
        of[k].y = (of[k].y + size) / (2 * size);
        of[k].least = INT32_MAX;
    }
    measure_runs(s, of, find_center);
    return of;
}

static void write_islands(struct mw_map *map, const struct island_map *s)
{
    mw_add_table(s->run, map, P_ISLANDS, s->count);
    char *mark = mw_mark(s->run);
    const struct extent *of = measure(s);
    int32_t in = s->inset;
    for (int32_t k = 0; k < s->count; k++) {
        struct mw_box b = of[k].bounds;
        struct mw_point at = of[k].center;
        mw_int_column(map, P_ISLANDS, C_ID)[k] = k + 1;
        mw_int_column(map, P_ISLANDS, C_SIZE)[k] = s->size[k + 1];
        mw_box_column(map, P_ISLANDS, C_BOUNDS)[k] =
            (struct mw_box){b.x0 + in, b.y0 + in, b.x1 + in, b.y1 + in};
        mw_point_column(map, P_ISLANDS, C_CENTER)[k] = (struct mw_point){at.x + in, at.y + in};
    }
    mw_rewind(s->run, mark);
}

/* ---- bridges --------------------------------------------------------------------------------- */

static void write_bridges(struct mw_map *map, const struct island_map *s, const uint16_t *steps,
                          const struct bridges *b, int32_t *cells)
{
    int64_t total = 0;
    for (int32_t i = 0; i < b->count; i++)
        total += b->list[i].length;
    mw_add_table(s->run, map, P_BRIDGES, b->count);
    struct mw_point *at = MW_NEW(s->run, struct mw_point, total);
    for (int32_t i = 0; i < b->count; i++) {
        const struct bridge *bridge = &b->list[i];
        islands_lay(s, steps, bridge, at);
        mw_int_column(map, P_BRIDGES, C_FROM)[i] = bridge->from;
        mw_int_column(map, P_BRIDGES, C_TO)[i] = bridge->to;
        mw_points_column(map, P_BRIDGES, C_CELLS)[i] = (struct mw_points){at, bridge->length};
        for (int32_t k = 0; k < bridge->length; k++)
            cells[at[k].y * (s->width + 2 * s->inset) + at[k].x] = -1;
        at += bridge->length;
    }
    mw_tick(s->run, (uint64_t)total * 4);
}

static void join(struct mw_map *map, struct island_map *s, const struct islands *p, int32_t *cells)
{
    struct bridges bridges;
    s->rng = mw_stream(s->run, "bridges");
    uint16_t *steps = MW_NEW(s->run, uint16_t, s->cells);
    islands_bridge(s, p->loops, steps, &bridges);
    write_bridges(map, s, steps, &bridges, cells);
    struct mw_ints *neighbours = mw_ints_column(map, P_ISLANDS, C_NEIGHBORS);
    islands_join(s->run, &bridges, s->count, neighbours);
    s->rng = mw_stream(s->run, "route");
    struct mw_ints route = islands_route(s, neighbours);
    mw_set_int(map, P_START, route.at[0]);
    mw_set_int(map, P_END, route.at[route.count - 1]);
    mw_set_ints(map, P_ROUTE, route);
}

/* ---- without bridges ------------------------------------------------------------------------- */

/* Lists the islands whose centers are corners of the convex hull of all: the farthest two are among
   them. One chain goes down the left side, one up the right, over the outermost of each row. */
static int32_t find_hull(const struct island_map *s, const struct mw_point *center, int32_t *hull)
{
    int32_t n = 0, height = s->height + 2 * s->inset;
    int32_t *outer[2] = {MW_NEW0(s->run, int32_t, height), MW_NEW0(s->run, int32_t, height)};
    for (int32_t k = 0; k < s->count; k++)
        for (int side = 0; side < 2; side++) {
            int32_t *best = &outer[side][center[k].y];
            if (!*best || (center[k].x < center[*best - 1].x) == !side)
                *best = k + 1;
        }
    for (int side = 0; side < 2; side++)
        for (int32_t i = 0, from = n; i < height; i++) {
            int32_t k = outer[side][side ? height - 1 - i : i] - 1;
            if (k < 0)
                continue;
            while (n - from > 1 && turn(center[hull[n - 2]], center[hull[n - 1]], center[k]) >= 0)
                n--;
            hull[n++] = k;
        }
    return n;
}

static void pick_ends(struct mw_map *map, const struct island_map *s)
{
    const struct mw_point *center = mw_point_column(map, P_ISLANDS, C_CENTER);
    char *mark = mw_mark(s->run);
    int32_t *hull = MW_NEW(s->run, int32_t, 2 * s->height), a = 0, b = 0;
    int32_t n = find_hull(s, center, hull);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = i + 1; j < n; j++)
            if (square(ray_to(center[hull[i]], center[hull[j]])) >
                square(ray_to(center[a], center[b]))) {
                a = hull[i];
                b = hull[j];
            }
    mw_tick(s->run, (uint64_t)n * (uint64_t)n + (uint64_t)s->count);
    mw_rewind(s->run, mark);
    mw_add_table(s->run, map, P_BRIDGES, 0);
    mw_set_int(map, P_START, a + 1);
    mw_set_int(map, P_END, b + 1);
}

/* ---- what it will take ----------------------------------------------------------------------- */

/* What is to be expected of the land. */
struct prospect {
    int64_t islands, land; /* at most, as a rule */
    int64_t height;        /* the mean, where layers allow it */
    int64_t ordering;      /* steps until they are islands */
};

/*
 * Growing takes some score of steps for each corner that the islands cover. Where islands of the
 * mean size want more than three fifths of the map, order comes to nothing and is tried anew, and
 * from three quarters on they are packed.
 */
static struct prospect expect_order(const struct islands *p, int64_t n)
{
    int32_t width = p->width - 2 * islands_inset(p), height = p->height - 2 * islands_inset(p);
    int64_t room = (int64_t)(width + 1) * (height + 1), least = p->size.at[0];
    int64_t cover = islands_cover(p->size.at[0], width, height);
    int64_t most = mw_min64(p->islands.at[1], room / cover), mean = (least + p->size.at[1]) / 2;
    int64_t crowd = mw_min64(p->islands.at[0] * (cover + mean - least), room);
    int64_t tight = mw_min64(mw_max64(crowd - room * 3 / 5, 0), room * 3 / 20);
    return (struct prospect){.islands = most,
                             .land = mw_min64(most * p->size.at[1], n),
                             .height = 1 + mw_root(p->size.at[1]) / 6,
                             .ordering = n + 10 * (crowd + most * cover) + 530 * tight};
}

/* Rounds make pieces fewer; more land than air makes large ones. */
static struct prospect expect_pieces(const struct islands *p, int64_t n)
{
    int64_t high = p->land > 500   ? p->layers
                   : p->land > 333 ? 1 + p->iterations / 40
                                   : 1 + p->iterations / 200;
    int64_t pieces = 1 + n / (7 + mw_min(p->iterations, 20) * 3 / 4);
    return (struct prospect){.islands = pieces,
                             .land = p->land > 400 ? n : (int64_t)p->land * n / 700,
                             .height = high,
                             .ordering = 2 * n + 60 * pieces};
}

/* Nine steps a cell for pieces and heights, four more for bridges; the automaton has 64 cells in a
   word, and rows of whole words. Bridges are up to three an island, each about as long as islands
   are apart. */
static void forecast(const void *params, struct mw_forecast *f)
{
    const struct islands *p = params;
    int64_t n = (int64_t)mw_rimmed(p->width, p->height);
    struct prospect map = p->order ? expect_order(p, n) : expect_pieces(p, n);
    int64_t words = ((int64_t)p->width / 64 + 1) * p->height;
    int64_t bridges = p->bridges ? mw_min64(3 * map.islands, n) : 0;
    f->plan = (struct mw_lattice){p->width, p->height, MW_SQUARE, MW_WRAP_NONE};
    f->cells = 2 * (uint64_t)n;
    f->land = (uint64_t)map.land;
    f->volume = (uint64_t)(map.land * mw_min64(map.height, p->layers));
    f->rows = (uint64_t)(map.islands + bridges);
    f->items =
        (uint64_t)(2 * bridges + mw_min64(2 * n, 2 * (int64_t)mw_root(n * map.islands) + bridges));
    f->borders = (uint64_t)mw_min64(4 * n, 3 * map.land + 2 * (int64_t)f->items);
    f->steps = (uint64_t)((p->bridges ? 13 : 9) * n + map.ordering + words * p->iterations);
    f->nanoseconds = 10000 + (uint64_t)((p->bridges ? 55 : 33) * n + 6 * map.ordering +
                                        2 * words * p->iterations + 300 * map.islands);
    f->kept = (uint64_t)(20 * n + (200 + MW_NAME_BYTES) * map.islands) + 8 * f->items;
    f->bytes = f->kept + 10 * (uint64_t)n;
    if (!p->order || p->size.at[1] < ISLANDS_COASTAL)
        return;
    f->steps += 9 * (uint64_t)n;
    f->nanoseconds += 15 * (uint64_t)n + 40 * (uint64_t)map.land;
    f->bytes +=
        2 * (uint64_t)n + 12 * (uint64_t)mw_min64(n, 3 * (int64_t)p->size.at[1] + 4) + 60000;
}

/* ---- making ---------------------------------------------------------------------------------- */
static void make(struct mw_run *run, const void *params, struct mw_map *map)
{
    const struct islands *p = params;
    const struct mw_lattice lattice = {p->width, p->height, MW_SQUARE, MW_WRAP_NONE};
    mw_set_int(map, P_WIDTH, p->width);
    mw_set_int(map, P_HEIGHT, p->height);
    mw_set_int(map, P_LAYERS, p->layers);
    int32_t *cells = mw_add_grid(run, map, P_CELLS, &lattice);
    int32_t *heights = mw_add_grid(run, map, P_HEIGHTS, &lattice);
    struct island_map world =
        new_world(run, p, heights); /* scratch until the heights are written */
    make_islands(p, &world, cells);
    write_islands(map, &world);
    mw_name_rows(run, p->names, mw_string_column(map, P_ISLANDS, C_NAME), world.count);
    if (p->bridges)
        join(map, &world, p, cells);
    else
        pick_ends(map, &world);
    world.rng = mw_stream(run, "heights");
    islands_raise(&world, cells, p->layers, heights);
}

const struct mw_generator mw_islands = {
    .name = "islands",
    .version = 7,
    .summary = MW_PROSE("a voxel world of islands and bridges, with a start and an end"),
    .about =
        MW_PROSE("Random land, shaped by the automaton Day & Night, ordered into islands of the "
                 "number and sizes asked for; bridges that reach them all, and a way from a start "
                 "to an end far off."),
    .fields = fields,
    .parts = parts,
    .params_size = sizeof(struct islands),
    .steps = UINT64_C(8000000000),
    .check = check,
    .forecast = forecast,
    .make = make,
};
