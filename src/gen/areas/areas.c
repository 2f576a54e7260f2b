/*
 * areas.c: random connected areas of an exact number of cells.
 *
 * One or more areas of `area` cells each, random in place and shape, that do not overlap: a
 * continent, a floating island for a building game, a lake, a forest. As a rule they are land with
 * bays and capes (`coast`, see area_coast.c). Other ways make other shapes, from thin to fat:
 *
 *     dfs-backtrack       dfs               mixed, frenzied        frontier
 *      . o-o-o-o           o o o o o         . o o . o o o          . . o o o .
 *      o-o . . o-o         o . o . o         o o o o o . .          . o o o o o
 *      o . o-o . o         o o o . o         . o o o o o .          o o o o o o
 *      o-o-o o-o-o         . . o o o         . . o o o . o          . o o o o .
 *
 *   dfs-backtrack   one walk that never meets itself
 *   dfs             goes on at random, steps back where it is stuck, keeps all that it touched
 *   frontier        again and again a random cell of it that has a free neighbour, and one of those
 *   mixed           `ratio` of it by frontier, the rest by bursts of dfs from random cells
 *   frenzied        frontier and dfs alternately, up to `first` and `burst` of the area at a time
 *
 * All choices are uniform (a cell of the pool, a side, the origin), nothing recurses, and each area
 * has exactly its number of cells.
 *
 * In stages:
 *
 *   1. Areas are grown one after another from random free cells. A place where one cannot reach
 *      its size is too small as a whole and is barred: so each cell is tried once.
 *   2. If the room is used up before the last area is placed, or is certain to be, the land is
 *      divided into a share for each, and each area grows inside its share (share.c).
 *
 * Why the promises hold. An area takes only free cells beside its own, so areas are connected and
 * apart. It ends with its size, or with no free cell beside it: then it has a whole piece of the
 * free land, which is smaller than an area. On a map that is all land stage 2 cannot fail: its
 * shares are stretches of a walk over all cells, large enough, connected, and without holes.
 * Without holes an area takes only what leaves it without (grow.c); in a share without holes
 * there is always such a cell. Walks take a stretch of that tour itself.
 *
 * On a map with a mask to pack areas is hard in general (so is the longest walk). A refusal names
 * what makes it impossible where that is known: every piece of land has too few cells, or the
 * pieces have too few places. Otherwise it says "not found", which proves nothing.
 *
 * The edge. With `edge=sea` the cells of a rim that does not wrap are barred from the beginning,
 * and the land is what lies inside. Where nothing does, on a map of two rows, it is open by
 * default.
 *
 * Cost: linear. Each cell is taken once and dropped from the pool once; holes are counted by a
 * formula (measure.c). Memory: one byte a cell (two without holes), 4 more for the result, 12
 * a cell taken; walks and shares 12 to 21 more a cell of the map.
 *
 * What it does not do: areas keep no distance from each other, and where they fill nearly all of a
 * map they show the limbs of the tree that its tour went around.
 */
#include "areas.h"
#include "gen/names/names.h"

enum { AREA_MOST = 4096 * 4096, COUNT_MOST = 65535 };
enum { FREE_TRIES = 4, SHARED_TRIES = 8, WALK_TRIES = 4 };

static const char *const algorithms[] = {"coast", "dfs-backtrack", "dfs", "frontier",
                                         "mixed", "frenzied",      NULL};

static const char *const edges[] = {"sea", "open", NULL};

enum {
    WIDTH,
    HEIGHT,
    GRID,
    WRAP,
    MASK,
    AREA,
    COUNT,
    ALGORITHM,
    RATIO,
    FIRST,
    BURST,
    EDGE,
    HOLES,
    NAMES
};
static const struct mw_field fields[] = {
    [WIDTH] = MW_INT(struct areas, width, 1, 4096, 50, "Cells from left to right",
                     .follows = MW_FOLLOWS(ROWS)),
    [HEIGHT] = MW_INT(struct areas, height, 1, 4096, 50, "Cells from top to bottom",
                      .follows = MW_FOLLOWS(ROWS)),
    [GRID] = MW_CHOICE(struct areas, grid, mw_tilings, MW_SQUARE, "Shape of the cells"),
    [WRAP] = MW_CHOICE(struct areas, wrap, mw_wraps, MW_WRAP_NONE, "Which edges of the map meet"),
    [MASK] = MW_MASK(struct areas, mask, 4096, "Rows of land (#) and no land (.)"),
    [AREA] = MW_INT(struct areas, area, 1, AREA_MOST, 0,
                    "Cells of each area; by default a third of the land, shared out",
                    .optional = true, .follows = MW_FOLLOWS(ROWS)),
    [COUNT] = MW_INT(struct areas, count, 1, COUNT_MOST, 1, "How many areas"),
    [ALGORITHM] = MW_CHOICE(struct areas, algorithm, algorithms, AREAS_COAST,
                            "How an area grows: as land with bays and capes; as one walk; thin; "
                            "fat; fat then thin; or by turns"),
    [RATIO] = MW_DEC(struct areas, ratio, 0, 1000, 750, "Share that `mixed` grows fat"),
    [FIRST] = MW_DEC(struct areas, first, 0, 1000, 250,
                     "Share that `frenzied` grows fat at most before it grows thin"),
    [BURST] = MW_DEC(struct areas, burst, 0, 1000, 100,
                     "Share that `frenzied` grows thin at most before it grows fat again"),
    [EDGE] = MW_CHOICE(struct areas, edge, edges, AREAS_SEA,
                       "Whether the rim of the map stays free of areas, or is open to them; by "
                       "default it stays free where there is land inside it",
                       .follows = MW_FOLLOWS(ROWS)),
    [HOLES] = MW_BOOL(struct areas, holes, true, "Whether an area may enclose other cells"),
    [NAMES] = MW_NAMES_FIELD(struct areas, "areas"),
    MW_END,
};

enum { C_ID, C_NAME, C_SIZE, C_ORIGIN, C_BOUNDS, C_HOLES, C_WALK };
static const struct mw_column columns[] = {
    [C_ID] = MW_COLUMN("id", MW_INTEGER, "Number of the area, from 1"),
    [C_NAME] = MW_NAME_COLUMN,
    [C_SIZE] = MW_COLUMN("size", MW_INTEGER, "Cells"),
    [C_ORIGIN] = MW_COLUMN("origin", MW_POINT, "The cell it grew from", .role = MW_MARK),
    [C_BOUNDS] =
        MW_COLUMN("bounds", MW_BOX, "First and last column and row, counted on across a seam"),
    [C_HOLES] = MW_COLUMN("holes", MW_INTEGER,
                          "Pieces of the rest cut off from the map's rim; null where the map wraps",
                          .nullable = true),
    [C_WALK] = MW_COLUMN("walk", MW_POINTS, "The cells in the order of the walk, for dfs-backtrack",
                         .nullable = true),
    MW_END_COLUMNS,
};

enum { P_WIDTH, P_HEIGHT, P_GRID, P_WRAP, P_AREAS, P_CELLS };
static const struct mw_part parts[] = {
    [P_WIDTH] = MW_VALUE_PART("width", MW_INTEGER, "Cells across"),
    [P_HEIGHT] = MW_VALUE_PART("height", MW_INTEGER, "Cells down"),
    [P_GRID] = MW_CHOICE_PART("grid", mw_tilings, "Shape of the cells"),
    [P_WRAP] = MW_CHOICE_PART("wrap", mw_wraps, "Which edges meet"),
    [P_AREAS] = MW_TABLE_PART("areas", columns, "The areas"),
    [P_CELLS] = MW_GRID_PART("cells", MW_LABEL_GRID, "Rows of cells: 0, or the id of the area"),
    MW_END_PARTS,
};

/* ---- parameters ------------------------------------------------------------------------------ */

/* Sets `area` and `edge` where they were left out, and checks that all areas have room. */
static void check_room(struct mw_run *run, struct areas *p, bool area_given, bool edge_given)
{
    struct mw_box whole = {0, 0, p->width - 1, p->height - 1};
    int32_t all = mw_count_land(&p->mask, whole);
    int32_t land = mw_count_land(&p->mask, areas_inside(p));
    if (!all) {
        mw_add_problem(run, MW_NO_RESULT, "/mask", "must have a cell of land (#)");
        return;
    }
    if (!land && edge_given) {
        mw_add_problem(run, MW_NO_RESULT, "/edge",
                       "must be open: a map of %d by %d has no land but at its rim", p->width,
                       p->height);
        return;
    }
    if (!land)
        p->edge = AREAS_OPEN;
    land = land ? land : all;
    if (!area_given)
        p->area = mw_max(land / 3 / p->count, 1);
    int64_t wanted = (int64_t)p->area * p->count;
    const char *pointer = area_given ? "/area" : "/count";
    if (wanted > land && wanted <= all)
        mw_add_problem(run, MW_NO_RESULT, pointer,
                       "area * count is %d * %d = %lld, more than the cells of land inside the "
                       "rim: %d, or %d with edge=open",
                       p->area, p->count, (long long)wanted, land, all);
    else if (wanted > land)
        mw_add_problem(run, MW_NO_RESULT, pointer,
                       "area * count is %d * %d = %lld, more than the cells of land%s: %d", p->area,
                       p->count, (long long)wanted, land < all ? " inside the rim" : "", land);
}

static void check(struct mw_run *run, void *params, mw_given given)
{
    struct areas *p = params;
    mw_tick(run, (uint64_t)p->mask.width * (uint64_t)p->mask.count);
    mw_fit_mask(run, &p->mask, given >> WIDTH & 1, given >> HEIGHT & 1, &p->width, &p->height);
    if (p->grid == MW_HEX && p->wrap == MW_WRAP_XY && p->height % 2)
        mw_add_problem(run, MW_NO_RESULT, "/height",
                       "is %d, but hexagons that wrap both ways need an even height", p->height);
    if (!p->holes && p->wrap != MW_WRAP_NONE)
        mw_add_problem(run, MW_NO_RESULT, "/holes",
                       "must be true where the map wraps: there is no outside to tell a hole from");
    if (p->algorithm == AREAS_FRENZIED && !p->first && !p->burst)
        mw_add_problem(
            run, MW_NO_RESULT, "/burst",
            "must be above 0 where first is 0: a frenzied area grows by one or the other");
    check_room(run, p, given >> AREA & 1, given >> EDGE & 1);
}

/* ---- impossible requests --------------------------------------------------------------------- */

/* Bars the piece of free land around a cell; its cells. The queue has room for all cells. */
static int32_t bar_piece(struct grid *g, int32_t start, int32_t *queue)
{
    int32_t n = 0;
    assert(g->owner[start] == AREAS_FREE);
    queue[n++] = start;
    g->owner[start] = AREAS_BARRED;
    for (int32_t i = 0; i < n; i++) {
        int32_t cell = queue[i];
        for (int side = 0; side < g->sides; side++) {
            int32_t next = areas_across(g, cell, side);
            if (next < 0 || g->owner[next] != AREAS_FREE)
                continue;
            assert(n < g->cells);
            g->owner[next] = AREAS_BARRED;
            queue[n++] = next;
        }
    }
    mw_tick(g->run, (uint64_t)n * 4);
    return n;
}

/* Free land in pieces has room for so many areas at most, each connected and in one piece. */
static _Noreturn void refuse(struct area *a)
{
    struct grid *g = a->grid;
    const struct areas *p = a->wanted;
    int32_t *queue = MW_NEW(g->run, int32_t, g->cells), largest = 0;
    int64_t most = 0;
    for (int32_t cell = 0; cell < g->cells; cell++) {
        if (g->owner[cell] != AREAS_FREE)
            continue;
        int32_t cells = bar_piece(g, cell, queue);
        largest = mw_max(largest, cells);
        most += cells / p->area;
    }
    if (largest < p->area)
        mw_fail(g->run, MW_NO_RESULT, "/area",
                "is %d, more than the largest piece of land%s has: %d", p->area,
                p->edge == AREAS_SEA ? " inside the rim" : "", largest);
    if (most < p->count)
        mw_fail(g->run, MW_NO_RESULT, "/count",
                "is %d, but the pieces of land have room for %lld of %d cells each", p->count,
                (long long)most, p->area);
    mw_fail(g->run, MW_NO_RESULT, "/area",
            "%d of %d cells each were not found on this land: try another seed, or ask for less",
            p->count, p->area);
}

/* ---- one area after another ------------------------------------------------------------------ */

/* Draws vacant cells, each as likely as any other. */
struct urn {
    int32_t *cells; /* NULL until cells drawn from all of the map are rarely vacant */
    int32_t left;
};

static void fill_urn(struct grid *g, struct urn *u)
{
    u->cells = MW_NEW(g->run, int32_t, g->cells);
    u->left = 0;
    for (int32_t cell = 0; cell < g->cells; cell++)
        if (g->owner[cell] == g->vacant)
            u->cells[u->left++] = cell;
    mw_tick(g->run, (uint64_t)g->cells);
}

static int32_t draw_vacant(struct area *a, struct urn *u)
{
    struct grid *g = a->grid;
    int32_t low = a->coast && !u->cells ? areas_low_origin(a) : -1;
    if (low >= 0)
        return low;
    for (int try = 0; try < 16 && !u->cells; try++) {
        int32_t cell = (int32_t)mw_below(&a->rng, (uint32_t)g->cells);
        if (g->owner[cell] == g->vacant)
            return cell;
    }
    if (!u->cells)
        fill_urn(g, u);
    while (u->left) {
        mw_tick(g->run, 1);
        int32_t i = (int32_t)mw_below(&a->rng, (uint32_t)u->left), cell = u->cells[i];
        u->cells[i] = u->cells[--u->left];
        if (g->owner[cell] == g->vacant)
            return cell;
    }
    return -1;
}

static bool grow_from(struct area *a, int32_t origin)
{
    if (a->wanted->algorithm == AREAS_WALK)
        return areas_walk(a, origin);
    return a->coast ? areas_grow_coast(a, origin) : areas_grow(a, origin);
}

/* All areas, each where there is room; false: the room was used up, or walks were not found. */
static bool grow_freely(struct area *a, int32_t *cells)
{
    const struct areas *p = a->wanted;
    struct urn urn = {NULL, 0};
    int tries = WALK_TRIES;
    for (a->id = 1; a->id <= p->count; a->id++) {
        a->cells = cells + (int64_t)(a->id - 1) * p->area;
        for (;;) {
            int32_t origin = draw_vacant(a, &urn);
            if (origin < 0)
                return false;
            if (grow_from(a, origin))
                break;
            assert(a->wanted->algorithm == AREAS_WALK || a->size < p->area);
            if (a->grid->owner[origin] != AREAS_BARRED && --tries <= 0)
                return false;
        }
    }
    return true;
}

/* A stretch of the tour is a walk. */
static void walk_the_tour(struct area *a, const int32_t *stretch)
{
    memcpy(a->cells, stretch, (size_t)a->wanted->area * sizeof *a->cells);
    for (int32_t i = 0; i < a->wanted->area; i++) {
        assert(a->grid->owner[stretch[i]] == a->grid->vacant);
        a->grid->owner[stretch[i]] = a->id;
    }
}

static bool grow_in_share(struct area *a, const int32_t *share, int32_t size)
{
    struct grid *g = a->grid;
    assert(size >= a->wanted->area);
    g->vacant = AREAS_FIRST_SHARE - (a->id - 1);
    if (a->wanted->algorithm == AREAS_WALK && !a->wanted->mask.count) {
        walk_the_tour(a, share);
        return true;
    }
    for (int try = 0; try < WALK_TRIES; try++) {
        int32_t origin = share[mw_below(&a->rng, (uint32_t)size)];
        if (grow_from(a, origin))
            return true;
        for (int32_t i = 0; i < size; i++)
            g->owner[share[i]] = g->vacant;
        for (int32_t i = 0; i < size; i++)
            areas_reopen_exits_to(g, share[i], a->id);
        mw_tick(g->run, (uint64_t)size);
    }
    return false;
}

static bool grow_in_shares(struct area *a, int32_t *cells)
{
    const struct areas *p = a->wanted;
    struct grid *g = a->grid;
    struct shares shares;
    if (!areas_share_out(g, p, &a->rng, &shares))
        return false;
    areas_open_exits(g, false);
    for (a->id = 1; a->id <= p->count; a->id++) {
        a->cells = cells + (int64_t)(a->id - 1) * p->area;
        const int32_t *first = shares.first + a->id - 1;
        if (!grow_in_share(a, shares.cells + first[0], first[1] - first[0]))
            return false;
        mw_tick(g->run, (uint64_t)(first[1] - first[0]));
    }
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void begin(struct area *a)
{
    struct grid *g = a->grid;
    const struct areas *p = a->wanted;
    struct mw_box in = g->inside;
    g->vacant = AREAS_FREE;
    memset(g->owner, AREAS_BARRED, (size_t)g->cells * sizeof *g->owner); /* -1: all bytes alike */
    for (int32_t y = in.y0; y <= in.y1; y++) {
        int32_t *row = g->owner + (int64_t)y * p->width;
        const char *land = p->mask.at + (int64_t)y * (p->width + 1);
        for (int32_t x = in.x0; x <= in.x1; x++)
            row[x] = !p->mask.count || land[x] == '#' ? AREAS_FREE : AREAS_BARRED;
    }
    areas_open_exits(g, !p->mask.count);
}

static bool is_crowded(const struct areas *p)
{
    return (int64_t)p->area * p->count * 10 > (int64_t)mw_box_cells(areas_inside(p)) * 9;
}

/* Shares of a full map always succeed, so little else is tried first; nothing if it cannot work. */
static int free_tries_of(const struct areas *p)
{
    if (p->mask.count)
        return FREE_TRIES;
    return is_crowded(p) && (p->count > 1 || p->algorithm == AREAS_WALK) ? 0 : 1;
}

static void place(struct area *a, int32_t *cells)
{
    const struct areas *p = a->wanted;
    char *mark = mw_mark(a->grid->run);
    int free_tries = free_tries_of(p);
    for (int try = 0; try < free_tries + SHARED_TRIES; try++) {
        mw_rewind(a->grid->run, mark);
        begin(a);
        if (try < free_tries ? grow_freely(a, cells) : grow_in_shares(a, cells))
            return;
    }
    mw_rewind(a->grid->run, mark);
    begin(a);
    refuse(a);
}

static struct area ready(struct grid *g, const struct areas *p)
{
    struct area a = {.grid = g, .rng = mw_stream(g->run, algorithms[p->algorithm]), .wanted = p};
    a.pool = MW_NEW(g->run, int32_t, p->area + 2);
    if (p->algorithm == AREAS_WALK) {
        a.back = MW_NEW(g->run, int32_t, g->cells);
        a.next = MW_NEW(g->run, int32_t, g->cells);
        a.seen = MW_NEW(g->run, int32_t, g->cells);
    } else {
        a.stack = MW_NEW(g->run, int32_t, p->area + 1);
    }
    if (p->algorithm == AREAS_COAST)
        areas_new_coast(&a);
    return a;
}

/* ---- what it will take ----------------------------------------------------------------------- */

/* Sides between an area and the rest: those of a fat one are as its root, a walk has nearly all. */
static uint64_t borders_of(const struct areas *p)
{
    uint64_t area = (uint64_t)p->area, sides = p->grid == MW_HEX ? 6 : 4;
    uint64_t round = 3 * sides * ((uint64_t)mw_root(p->area) + 1);
    uint64_t thin = p->algorithm == AREAS_COAST      ? 2 * area
                    : p->algorithm == AREAS_FRONTIER ? area / 4
                                                     : area * sides * 5 / 8;
    return (uint64_t)p->count *
           (uint64_t)mw_min64((int64_t)(round + thin), (int64_t)(sides * area));
}

/*
 * A step or two for each cell of the map and each that is taken; shares, which a crowded map needs
 * at once and a mask may need, take some ten more.
 */
static void forecast(const void *params, struct mw_forecast *f)
{
    struct areas known = *(const struct areas *)params, *p = &known;
    uint64_t n = mw_rimmed(p->width, p->height), count = (uint64_t)p->count;
    /* as `check` completes it, if it has not yet; all is land */
    int32_t most = p->width * p->height / p->count;
    p->area = mw_max(p->area ? mw_min(p->area, most) : most / 3, 1);
    uint64_t taken = (uint64_t)p->area * count;
    bool walks = p->algorithm == AREAS_WALK, shared = is_crowded(p) || p->mask.count;
    f->plan =
        (struct mw_lattice){p->width, p->height, (enum mw_tiling)p->grid, (enum mw_wrap)p->wrap};
    f->cells = n;
    f->land = taken;
    f->borders = borders_of(p);
    f->rows = count;
    f->items = walks ? taken : 0;
    f->steps = (p->mask.count ? 6 : 4) * (n + taken);
    f->nanoseconds = 10000 + 10 * n + 20 * taken + (shared ? 60 * n : 0);
    f->kept = 6 * n + 12 * taken + (90 + MW_NAME_BYTES) * count + (walks ? 12 * n + 8 * taken : 0);
    f->bytes = f->kept + (shared ? 24 * n : 4 * n);
    if (p->algorithm != AREAS_COAST)
        return;
    f->steps += 8 * n + 2 * taken;
    f->nanoseconds += 15 * n + 40 * taken;
    f->bytes += 2 * n + 12 * (uint64_t)mw_min64((int64_t)n, 3 * (int64_t)p->area + 4);
    f->bytes += 40000 + 100 * (uint64_t)p->width;
}

/* ---- making ---------------------------------------------------------------------------------- */

/* Cells of no area are 0 in the result. */
static void keep_ids(struct mw_run *run, int32_t *owner, int32_t cells)
{
    for (int32_t i = 0; i < cells; i++)
        owner[i] = mw_max(owner[i], 0);
    mw_tick(run, (uint64_t)cells);
}

static void write_walks(const struct grid *g, const struct areas *p, const int32_t *cells,
                        struct mw_points *walks)
{
    for (int32_t k = 0; k < p->count; k++, cells += p->area) {
        struct mw_point *at = MW_NEW(g->run, struct mw_point, p->area);
        for (int32_t i = 0; i < p->area; i++)
            at[i] = areas_point(g, cells[i]);
        walks[k] = (struct mw_points){at, p->area};
    }
}

static void make(struct mw_run *run, const void *params, struct mw_map *map)
{
    const struct areas *p = params;
    const struct mw_lattice lattice = {p->width, p->height, (enum mw_tiling)p->grid,
                                       (enum mw_wrap)p->wrap};
    mw_set_int(map, P_WIDTH, p->width);
    mw_set_int(map, P_HEIGHT, p->height);
    mw_set_int(map, P_GRID, p->grid);
    mw_set_int(map, P_WRAP, p->wrap);
    mw_add_table(run, map, P_AREAS, p->count);
    struct grid grid;
    areas_new_grid(&grid, run, p, mw_add_grid(run, map, P_CELLS, &lattice));
    int32_t *cells = MW_NEW(run, int32_t, (int64_t)p->area * p->count);
    struct area area = ready(&grid, p);
    place(&area, cells);
    keep_ids(run, grid.owner, grid.cells);
    for (int32_t k = 0; k < p->count; k++) {
        mw_int_column(map, P_AREAS, C_ID)[k] = k + 1;
        mw_int_column(map, P_AREAS, C_SIZE)[k] = p->area;
        mw_point_column(map, P_AREAS, C_ORIGIN)[k] =
            areas_point(&grid, cells[(int64_t)k * p->area]);
    }
    mw_name_rows(run, p->names, mw_string_column(map, P_AREAS, C_NAME), p->count);
    areas_measure(&grid, p, cells, mw_int_column(map, P_AREAS, C_HOLES),
                  mw_box_column(map, P_AREAS, C_BOUNDS));
    if (p->algorithm == AREAS_WALK)
        write_walks(&grid, p, cells, mw_points_column(map, P_AREAS, C_WALK));
}

const struct mw_generator mw_areas = {
    .name = "areas",
    .version = 5,
    .summary = MW_PROSE("random connected areas of an exact number of cells"),
    .about =
        MW_PROSE("Areas of exact size, random in place and shape, on squares or hexagons: from one "
                 "winding walk over thin and mixed growth to a fat mainland. Several do not "
                 "overlap; on demand none encloses other cells."),
    .fields = fields,
    .parts = parts,
    .params_size = sizeof(struct areas),
    .steps = UINT64_C(4000000000),
    .check = check,
    .forecast = forecast,
    .make = make,
};
