/*
 * regions.c: a map divided among countries.
 *
 * Every country is connected, has its number of cells to the cell, and has borders as ragged as
 * those of real countries. On a map without water and seam none encloses another, or a hole.
 *
 * The idea is that of an answer to «how do I split a hex map into N countries»: begin with rough
 * straight cuts, then let cells along the borders change sides at random, the larger country
 * giving to the smaller, less and less often, as in simulated annealing. Swaps by coin flip alone
 * have no surface tension, though: borders fray without end, and sizes agree between neighbours
 * at best. So a move that makes borders longer is made the more rarely the longer it makes them
 * (Metropolis's rule, for the energy of Ising's magnet); how rarely is the roughness. And what
 * that answer promises, sizes within one, is not left to chance but settled at the end.
 *
 * In stages, for a map without water:
 *
 *      +---+-----+        _/\-+--\_+        __/\_.-\_.+
 *      |   |     |       |   \     |       |   \      |
 *      |   +--+--+  -->  |   /-_/\-+  -->  |   /._/\-'+  -->  every size exact
 *      +---+  |  |       +-\/   \  |       +-._/  \   |
 *      +---+--+--+       +--\---+--+       +--'\--+---+
 *       a mosaic on       sweeps at the     twice as fine,
 *       a coarse grid     border            and again
 *
 *   1. On a grid so coarse that a country has some fifty cells, the map is cut into
 *      rectangles (lay_mosaic), one for each country, about as large as it is to be.
 *   2. Sweeps along the borders roughen them and even out sizes (board.c): the price
 *      of a move counts border and «pressure», by how much a country is too large for its taste.
 *   3. Chains of single moves, from countries with a cell too many to such with one too few,
 *      make sizes exact for this grid (settle.c).
 *   4. Every cell becomes four (refine), and 2 and 3 are done again, until the cells are the
 *      map's own. So each level has to roughen its own scale only, and borders are ragged on all
 *      scales alike, as coasts are.
 *
 * A mask with water needs another beginning and a harder end: see land.c.
 *
 * Why the promises hold. Rectangles are connected and enclose nothing. Refining keeps both, since
 * the blocks of cells touch just where the coarse cells do. So does every move, by two tests of
 * the ring of cells around the one that changes sides (board.c has the proof). Nothing
 * else changes a label. The sizes are exact as the chains do not end before; and if they get
 * stuck, as they may where countries have but a cell or two, there is the snake (lay_snake): one
 * path through all cells, cut into stretches, which are right by construction. So a request
 * without water is never refused.
 *
 * Why it ends. Sweeps are a fixed number of steps for each cell of border. A chain either brings
 * a cell home or closes a way for its round, and rounds are counted.
 *
 * What it costs. Cells are touched a few times for each level (copied, searched for borders,
 * written out, measured for capitals), all levels together a third more than the finest; the
 * work proper is by length of border. Some 25 ns a cell for countries of 10,000 cells, 100 ns for
 * 1000; 16 bytes a cell, 40 with water.
 *
 * What it does not do. Borders follow nothing (no rivers, no ridges), and where the mosaic
 * has four corners close together, the countries may still remember it. With water or a seam,
 * countries may close rings where there is no other way.
 */
#include "regions.h"
#include "kit/integer.h"
#include "kit/mask.h"

struct regions {
    int32_t width, height, grid, wrap, count, variation;
    struct mw_ints sizes;
    int32_t roughness;
    struct mw_rows mask;
};

enum { MOST_COUNTRIES = 65535, MOST_CELLS = 4096 * 4096 };

static const struct mw_field fields[] = {
    MW_INT(struct regions, width, 1, 4096, 40, "Cells across"),
    MW_INT(struct regions, height, 1, 4096, 30, "Cells down"),
    MW_CHOICE(struct regions, grid, mw_tilings, MW_HEX,
              "Hexagons with odd rows shoved right, or squares"),
    MW_CHOICE(struct regions, wrap, mw_wraps, MW_WRAP_NONE, "Which edges of the map meet"),
    MW_INT(struct regions, count, 1, MOST_COUNTRIES, 6, "How many countries"),
    MW_DEC(struct regions, variation, 0, 1000, 0,
           "0: sizes differ by at most one cell; 1: as much as the real countries of a continent"),
    MW_LIST(struct regions, sizes, 1, MOST_COUNTRIES, 1, MOST_CELLS,
            "The exact cells of each country instead, in order of id"),
    MW_DEC(struct regions, roughness, 0, 1000, 500,
           "0: short, smooth borders; 1: ragged ones; 0.5: like real countries"),
    MW_ROW_LIST(struct regions, mask, 4096, "#.", "Rows of # for land and . for none",
                .optional = true),
    MW_END,
};
enum { WIDTH, HEIGHT, GRID, WRAP, COUNT, VARIATION, SIZES, ROUGHNESS, MASK };

static const struct mw_column columns[] = {
    [REGION_ID] = MW_COLUMN("id", MW_INTEGER, "From 1; what the cells say"),
    [REGION_SIZE] = MW_COLUMN("size", MW_INTEGER, "Its cells"),
    [REGION_CAPITAL] =
        MW_COLUMN("capital", MW_POINT,
                  "A cell with the most steps to the nearest cell that is not of the country",
                  .role = MW_MARK),
    [REGION_BORDER] = MW_COLUMN(
        "border", MW_INTEGER, "Cell edges that face another country, water or the edge of the map"),
    [REGION_NEIGHBOURS] =
        MW_COLUMN("neighbours", MW_INTEGERS, "Ids of those it has a border with", .role = MW_LINKS),
    MW_END_COLUMNS,
};

static const struct mw_part parts[] = {
    [REGIONS_WIDTH] = MW_VALUE_PART("width", MW_INTEGER, "Cells across"),
    [REGIONS_HEIGHT] = MW_VALUE_PART("height", MW_INTEGER, "Cells down"),
    [REGIONS_GRID] = MW_CHOICE_PART("grid", mw_tilings, "Shape of the cells"),
    [REGIONS_WRAP] = MW_CHOICE_PART("wrap", mw_wraps, "Which edges of the map meet"),
    [REGIONS_TABLE] = MW_TABLE_PART("regions", columns, "The countries"),
    [REGIONS_CELLS] = MW_GRID_PART("cells", MW_LABEL_GRID,
                                   "Rows of cells: 0 for no land, else the id of a country"),
    MW_END_PARTS,
};

/* ---- checks ---------------------------------------------------------------------------------- */

static void check(struct mw_run *run, void *params, mw_given given)
{
    struct regions *p = params;
    mw_fit_mask(run, &p->mask, given >> WIDTH & 1, given >> HEIGHT & 1, &p->width, &p->height);
    if (p->grid == MW_HEX && p->wrap == MW_WRAP_XY && p->height % 2)
        mw_complain(run, MW_NO_RESULT, "/height",
                    "%d rows of hexagons cannot wrap from top to bottom: an even number can",
                    p->height);
    if (p->sizes.count && given >> COUNT & 1 && p->count != p->sizes.count)
        mw_complain(run, MW_NO_RESULT, "/count",
                    "is %d, but there are %d sizes: leave it out, or make them equal", p->count,
                    p->sizes.count);
    if (p->sizes.count)
        p->count = p->sizes.count;
    int64_t land = mw_count_land(&p->mask, p->width, p->height), sum = 0;
    for (int32_t i = 0; i < p->sizes.count; i++)
        sum += p->sizes.at[i];
    if (p->sizes.count && sum != land)
        mw_complain(run, MW_NO_RESULT, "/sizes", "add up to %lld cells, but the land has %lld",
                    (long long)sum, (long long)land);
    else if (p->count > land)
        mw_complain(run, MW_NO_RESULT, "/count",
                    "%d countries need at least %d cells of land, there are %lld", p->count,
                    p->count, (long long)land);
}

/* ---- the coarsest level: a mosaic of rectangles ---------------------------------------------- */

struct rectangle {
    int32_t x, y, width, height;
    int32_t first, count; /* of the countries in order */
};

/* Cuts a rectangle across its longer side, near the middle of its weight; the rest of it comes
   back. */
static struct rectangle cut_rectangle(struct rectangle *p, const struct balance *c,
                                      const int32_t *order, struct mw_rng *rng, bool hex)
{
    int64_t total = 0, part = 0;
    for (int32_t i = 0; i < p->count; i++)
        total += c->low[order[p->first + i]];
    int64_t goal = total * mw_between(rng, 35, 65) / 100;
    int32_t some = 0;
    while (some < p->count - 1 && (!some || part < goal))
        part += c->low[order[p->first + some++]];
    bool upright = p->width < 2 || (p->height > 1 && p->height * (hex ? 7 : 8) > p->width * 8);
    int32_t side = upright ? p->height : p->width, other = upright ? p->width : p->height;
    assert(p->count > 1 && side > 1 && (int64_t)side * other >= p->count);
    int32_t at = mw_clamp((int32_t)((2 * side * part + total) / (2 * total)), 1, side - 1);
    some = mw_clamp(some, p->count - (side - at) * other, at * other); /* a cell for everyone */
    some = mw_clamp(some, 1, p->count - 1);
    struct rectangle q = *p;
    *(upright ? &p->height : &p->width) = at;
    *(upright ? &q.y : &q.x) += at;
    *(upright ? &q.height : &q.width) -= at;
    p->count = some;
    q.first += some;
    q.count -= some;
    return q;
}

static void fill_rectangle(const struct board *b, const struct rectangle *p, int32_t country)
{
    for (int32_t y = p->y; y < p->y + p->height; y++) {
        uint16_t *row = b->g.label + regions_at(b, p->x, y);
        for (int32_t x = 0; x < p->width; x++)
            row[x] = (uint16_t)country;
    }
}

/* Every country a rectangle, of about its size; needs no fewer cells than countries. */
static void lay_mosaic(struct board *b, struct mw_rng *rng)
{
    int32_t count = b->g.balance->count, rectangles = 1;
    char *mark = mw_mark(b->g.run);
    struct rectangle *rectangle = MW_NEW(b->g.run, struct rectangle, count);
    int32_t *order = MW_NEW(b->g.run, int32_t, count);
    for (int32_t i = 0; i < count; i++)
        order[i] = i + 1;
    mw_shuffle(rng, order, count);
    rectangle[0] = (struct rectangle){0, 0, b->width, b->height, 0, count};
    while (rectangles) {
        struct rectangle *p = &rectangle[rectangles - 1];
        mw_tick(b->g.run, (uint64_t)p->count);
        if (p->count == 1) {
            mw_tick(b->g.run, (uint64_t)p->width * (uint64_t)p->height);
            fill_rectangle(b, p, order[p->first]);
            rectangles--;
        } else {
            rectangle[rectangles] = cut_rectangle(p, b->g.balance, order, rng, b->hex);
            rectangles++;
        }
    }
    mw_rewind(b->g.run, mark);
}

/* ---- from level to level --------------------------------------------------------------------- */

/* Fewest cells of a level: of a country on the mean, of the smallest, of a side; and, on the
   map itself, of a country on the mean for a mosaic to be worth while. */
enum { ROOMY = 48, SNUG = 4, NARROW = 8, TIGHT = 4 };

/* The level above: every cell stands for four, 2 x 2; what is left over goes to the last. */
static bool coarsen(const struct mw_lattice *fine, const struct quota *quota, int64_t cells,
                    struct mw_lattice *coarse)
{
    *coarse = *fine;
    coarse->width = fine->width / 2;
    coarse->height = fine->height / 2;
    if (fine->tiling == MW_HEX && fine->wrap == MW_WRAP_XY)
        coarse->height &= ~1;
    int64_t n = (int64_t)coarse->width * coarse->height, least = cells;
    for (int32_t k = 1; k <= quota->count; k++)
        least = mw_min64(quota->low[k], least);
    return coarse->width >= NARROW && coarse->height >= NARROW &&
           n >= (int64_t)ROOMY * quota->count && least * n >= SNUG * cells;
}

/* What the countries are to have on a level of `cells` cells. */
static void scale_quotas(const struct quota *quota, int64_t all, int64_t cells,
                         struct balance *level)
{
    size_t size = ((size_t)quota->count + 1) * sizeof *quota->low;
    if (cells == all) {
        memcpy(level->low, quota->low, size);
        memcpy(level->high, quota->high, size);
        return;
    }
    regions_share_out(quota->low + 1, quota->count, (int32_t)cells, level->low + 1);
    memcpy(level->high, level->low, size);
}

/*
 * Copies labels down. The block of a coarse cell is shoved by one in odd coarse rows of
 * hexagons, so that blocks touch just where coarse cells do; so nothing comes apart and nothing
 * gets enclosed.
 */
static void refine(const struct board *coarse, struct board *fine)
{
    for (int32_t y = 0; y < fine->height; y++) {
        int32_t above = mw_min(y / 2, coarse->height - 1);
        const uint16_t *from = coarse->g.label + regions_at(coarse, 0, above);
        uint16_t *to = fine->g.label + regions_at(fine, 0, y);
        int32_t shove = fine->hex ? above & 1 : 0, whole = coarse->width;
        if (shove)
            *to++ = from[fine->across ? coarse->width - 1 : 0];
        if (shove + 2 * whole > fine->width)
            whole--;
        for (int32_t x = 0; x < whole; x++)
            to[2 * x] = to[2 * x + 1] = from[x];
        for (int32_t x = shove + 2 * whole; x < fine->width; x++)
            to[x - shove] = from[coarse->width - 1];
    }
    mw_tick(fine->g.run, (uint64_t)fine->width * (uint64_t)fine->height);
}

/* ---- the last resort: a snake ---------------------------------------------------------------- */

/*
 * Countries as stretches of one path through all cells, row by row to and fro: of any sizes at
 * all, connected, and enclosing nothing. For maps so tight that the borders have no room to
 * move.
 */
static void lay_snake(struct board *b)
{
    struct balance *c = b->g.balance;
    int32_t country = 0, left = 0;
    int64_t spare = (int64_t)b->width * b->height;
    for (int32_t k = 1; k <= c->count; k++)
        spare -= c->low[k];
    for (int32_t y = 0; y < b->height; y++)
        for (int32_t x = 0; x < b->width; x++) {
            if (!left) {
                country++;
                left = c->low[country] + (spare > 0);
                spare -= spare > 0;
            }
            assert(country <= c->count && left > 0);
            b->g.label[regions_at(b, y & 1 ? b->width - 1 - x : x, y)] = (uint16_t)country;
            left--;
        }
}

/* ---- the whole map --------------------------------------------------------------------------- */

enum { MOST_LEVELS = 12, ROUNDS = 60, TIGHT_ROUNDS = 6, FIRST_SWEEPS = 20 };

/*
 * Border tension at roughness 0, 0.25 .. 1, in 2^-16 for a side; measured, so that at 0.5
 * borders are as ragged as those of real countries, and that it makes no odds which grid they
 * lie on.
 */
static const int32_t tensions[2][5] = {
    [MW_HEX] = {160000, 74000, 53000, 42000, 34000},
    [MW_SQUARE] = {160000, 94000, 72000, 59000, 49000},
};

static int32_t tension_of(const struct regions *p)
{
    int32_t i = p->roughness < 1000 ? p->roughness / 250 : 3;
    const int32_t *t = &tensions[p->grid][i];
    return t[0] + (t[1] - t[0]) * (p->roughness - 250 * i) / 250;
}

static void divide(struct mw_run *run, const struct regions *p, const struct mw_lattice *lattice,
                   const struct quota *quota, struct balance *balance, struct board *b)
{
    struct mw_rng rng = mw_stream(run, "borders");
    struct mw_lattice level[MOST_LEVELS] = {*lattice};
    int64_t all = (int64_t)lattice->width * lattice->height;
    bool tight = all < TIGHT * (int64_t)p->count;
    int32_t tension = tension_of(p), levels = 1;
    while (levels < MOST_LEVELS && coarsen(&level[levels - 1], quota, all, &level[levels]))
        levels++;
    struct board boards[2];
    for (int32_t i = levels - 1; i >= 0; i--) {
        struct board *now = &boards[i & 1];
        bool top = i == levels - 1;
        regions_new_board(run, now, &level[i], balance);
        scale_quotas(quota, all, (int64_t)level[i].width * level[i].height, balance);
        if (tight)
            lay_snake(now);
        else if (top)
            lay_mosaic(now, &rng);
        else
            refine(&boards[~i & 1], now);
        regions_find_boundary_and_sizes(now);
        regions_weigh(balance, 65536);
        int64_t sweeps = top ? FIRST_SWEEPS : 1;
        now->g.sweep(&now->g, &rng, top ? 2 * tension : tension, sweeps * now->g.boundary_count);
        if (i == 0) {
            regions_weigh(balance, 4 * 65536);
            now->g.sweep(&now->g, &rng, tension, now->g.boundary_count / 2);
        }
        if (!regions_settle(&now->g, &rng, tension, tight ? TIGHT_ROUNDS : ROUNDS) && i == 0) {
            lay_snake(now);
            regions_find_boundary_and_sizes(now);
        }
    }
    assert(!regions_excess(balance)); /* the snake, if nothing else, was exact */
    *b = boards[0];
}

/* ---- what it will take ----------------------------------------------------------------------- */

/*
 * Cells are copied and looked at some eight times; the work proper is along borders, which are as
 * the root of cells times countries, and it is many times as much where countries have a few cells
 * each and chains must be long. Where each has one there is the snake, which is nothing. On land
 * with water it is a search for the last cells, which now and then takes a hundred times as long.
 */
static void forecast(const void *params, struct mw_forecast *f)
{
    const struct regions *p = params;
    uint64_t n = mw_rimmed(p->width, p->height), count = (uint64_t)p->count;
    uint64_t line = (uint64_t)mw_root((int64_t)(n * count)), sides = p->grid == MW_HEX ? 6 : 4;
    bool water = p->mask.count;
    f->plan = (struct mw_lattice){p->width, p->height, (enum mw_tiling)p->grid, MW_WRAP_NONE};
    f->cells = f->land = n;
    f->rows = count;
    f->items = 6 * count; /* on the plane, and on a torus */
    uint64_t rim = 4 * (uint64_t)(p->width + p->height), coast = water ? 2 * n : 0;
    f->borders =
        (uint64_t)mw_min64((int64_t)(sides * n), (int64_t)(line * sides * 9 / 4 + rim + coast));
    f->steps = 8 * n + (uint64_t)mw_min64((int64_t)(1600 * count), (int64_t)(250 * n));
    f->nanoseconds =
        10000 + (p->width * p->height <= p->count ? 500 * n : 10 * n + 1700 * line + 3000 * count);
    f->steps *= water ? 2 : 1;
    f->nanoseconds *= water ? 2 : 1;
    f->kept = 16 * n + 200 * count + (water ? 22 * n : 0);
    f->bytes = 21 * n + 220 * count + (water ? 70 * n : 0);
}

/* ---- making ---------------------------------------------------------------------------------- */

static void make(struct mw_run *run, const void *params, struct mw_map *map)
{
    const struct regions *p = params;
    const struct mw_lattice lattice = {p->width, p->height, (enum mw_tiling)p->grid,
                                       (enum mw_wrap)p->wrap};
    int32_t land = mw_count_land(&p->mask, p->width, p->height);
    struct quota quota = {.sizes = p->sizes, .variation = p->variation, .count = p->count};
    quota.low = MW_NEW0(run, int32_t, p->count + 1);
    quota.high = MW_NEW0(run, int32_t, p->count + 1);
    struct balance balance;
    regions_new_balance(run, &balance, p->count);
    struct board board;
    if (land < p->width * p->height) {
        regions_new_board(run, &board, &lattice, &balance);
        regions_set_land(&board, &p->mask, land);
        regions_divide_land(&board, &quota, tension_of(p));
    } else {
        quota.piece = &(struct piece){.cells = land, .seats = p->count};
        quota.pieces = 1;
        regions_set_quotas(run, &quota);
        divide(run, p, &lattice, &quota, &balance, &board);
    }
    regions_write_result(&board, &lattice, map);
}

const struct mw_generator mw_regions = {
    .name = "regions",
    .version = 1,
    .summary = "a map divided among contiguous countries of balanced size",
    .about =
        "Divides a map of hexagons or squares, all of it or the land of a mask, among countries. "
        "Every country is connected, sizes are exact, and borders are as ragged as asked.",
    .fields = fields,
    .parts = parts,
    .params_size = sizeof(struct regions),
    .steps = UINT64_C(1) << 36,
    .check = check,
    .forecast = forecast,
    .make = make,
};
