/*
 * levels.c: a map without water, divided level by level.
 *
 *      +---+-----+        _/\-+--\_+        __/\_.-\_.+
 *       \  /\    |       |   \     |       |   \      |
 *      +-\/  \--+  -->  |   /-_/\-+  -->  |   /._/\-'+  -->  every size exact
 *      | /\  /\  |       +-\/   \  |       +-._/  \   |
 *      +---+--+--+       +--\---+--+       +--'\--+---+
 *       grown on a        sweeps at the     twice as fine,
 *       coarse grid       border            and again
 *
 * Levels are grids, each twice as coarse as the one below, the map itself at the bottom; the top is
 * the coarsest on which a country has some fifty cells. Countries are grown (diagram.c) on one
 * level more, if they have a dozen cells there. Then on each level borders are swept (borders.c),
 * sizes settled, and every cell becomes four.
 *
 * What is done where. Growth decides who lives where, and how borders wander from a country's
 * width down to some cells of the top. Sweeps on each level roughen its own scale only, so borders
 * are ragged on all scales alike; the more roughness, the more sweeps. On the map itself a
 * border is held tighter, or it would be frayed by the cell. Sizes are made exact at the
 * bottom; above they need only be about right, so that no surplus has far to go there.
 *
 * Why the promises hold. Countries grown are connected and enclose nothing. Refining keeps both,
 * since the blocks of cells touch just where the coarse cells do. So does every move (board.c).
 * Should growth or settling fail, which takes countries of a cell or two, there is the snake: right
 * by construction. Only where capitals are given, which the snake would pass by, is all tried anew,
 * and in the end refused.
 */
#include "kit/integer.h"
#include "regions.h"

/* Fewest cells of a level: of a country on the mean, of the smallest, of a side. And of a country
   on the mean, and of the smallest, where it is grown; and, on the map itself, for that to be worth
   while. */
enum { ROOMY = 48, SNUG = 4, NARROW = 8, GARDEN = 12, BED = 2, TIGHT = 4 };
enum {
    MOST_LEVELS = 12,
    GROWTHS = 3,
    HELD_GROWTHS = 12, /* from capitals, which need not lie evenly */
    ATTEMPTS = 3,
    SMALL_CELLS = 4096, /* that divide_small() divides in all, again and again */
    ROUNDS = 60,
    SMALL = 256, /* cells of a map, */
    MIDGET = 5,  /* and of its largest country: see divide_small() */
    NEARBY = 64  /* countries that a surplus may have to cross on levels above the map */
};

struct levels {
    struct mw_run *run;
    const struct quota *quota;
    struct balance *balance;
    struct capitals capitals[MOST_LEVELS + 1]; /* where they lie on each level */
    struct borders borders;
    struct mw_rng seats, plane, small, halves; /* the last two: of divide_small() */
    bool varied;                               /* sizes are drawn, not asked for */
    int count, attempt;
    struct mw_lattice lattice[MOST_LEVELS + 1]; /* from the map up; one more for growth */
    struct rows {
        int64_t *left, *inner, *right;
    } rows[MOST_LEVELS + 1];
};

/* ---- what there is on each level ------------------------------------------------------------- */

static int64_t cells_of(const struct mw_lattice *lattice)
{
    return (int64_t)lattice->width * lattice->height;
}

/*
 * What the cells of each row come to on the map: the first and the last to more or less than the
 * others, as blocks of hexagons are shoved and as the last row and column take what is left over.
 * Countries at the rim get their quotas by that. Else they would have too much, or too little, on
 * the next level, and what one side has too much the other lacks, a whole map away.
 */
static struct rows new_rows(struct mw_run *run, int32_t height)
{
    return (struct rows){MW_NEW0(run, int64_t, height), MW_NEW0(run, int64_t, height),
                         MW_NEW0(run, int64_t, height)};
}

/* Those of the map itself. */
static struct rows count_rows(struct mw_run *run, int32_t height)
{
    struct rows rows = new_rows(run, height);
    for (int32_t y = 0; y < height; y++)
        rows.left[y] = rows.inner[y] = rows.right[y] = 1;
    return rows;
}

static struct rows add_up_rows(struct mw_run *run, const struct rows *below,
                               const struct mw_lattice *fine, const struct mw_lattice *coarse)
{
    struct rows rows = new_rows(run, coarse->height);
    bool across = fine->wrap != MW_WRAP_NONE;
    for (int32_t y = 0; y < fine->height; y++) {
        int32_t above = mw_min(y / 2, coarse->height - 1);
        int32_t shove = fine->tiling == MW_HEX ? above & 1 : 0;
        int32_t rest = fine->width - shove - 2 * (coarse->width - 1);
        rows.left[above] += below->left[y] + (1 + (across ? 0 : shove)) * below->inner[y];
        rows.inner[above] += 2 * below->inner[y];
        rows.right[above] += below->right[y] + (rest - 1 + (across ? shove : 0)) * below->inner[y];
    }
    return rows;
}

/* What the countries are to have on a level above the map, as it is divided now. */
static void set_quotas(const struct board *b, const struct quota *quota, const struct rows *rows)
{
    struct balance *level = b->g.balance;
    int64_t usual = rows->inner[0];
    memcpy(level->high, quota->low, ((size_t)quota->count + 1) * sizeof *level->high);
    for (int32_t y = 0; y < b->height; y++) {
        const uint16_t *row = b->g.label + regions_at(b, 0, y);
        level->high[row[0]] -= (int32_t)(rows->left[y] - usual);
        level->high[row[b->width - 1]] -= (int32_t)(rows->right[y] - usual);
        for (int32_t x = 1; rows->inner[y] != usual && x < b->width - 1; x++)
            level->high[row[x]] -= (int32_t)(rows->inner[y] - usual);
    }
    for (int32_t k = 1; k <= quota->count; k++)
        level->high[k] = mw_max(level->high[k], 1);
    regions_share_out(level->high + 1, quota->count, b->width * b->height, level->low + 1);
    memcpy(level->high, level->low, ((size_t)quota->count + 1) * sizeof *level->high);
}

/* What the countries are to have on a level before they are anywhere: a cell at least. */
static void share_quotas(const struct quota *quota, int64_t cells, struct balance *level)
{
    regions_share_out(quota->low + 1, quota->count, (int32_t)cells, level->low + 1);
    for (int32_t k = 1; k <= quota->count; k++)
        level->low[k] = level->high[k] = mw_max(level->low[k], 1);
}

static void copy_quotas(const struct quota *quota, struct balance *level)
{
    size_t size = ((size_t)quota->count + 1) * sizeof *quota->low;
    memcpy(level->low, quota->low, size);
    memcpy(level->high, quota->high, size);
}

/* Whether a level has so many cells for a country on the mean, and for the smallest. */
static bool has_room(const struct levels *l, const struct mw_lattice *lattice, int mean, int least)
{
    int64_t all = cells_of(&l->lattice[0]), cells = cells_of(lattice), smallest = all;
    for (int32_t k = 1; k <= l->quota->count; k++)
        smallest = mw_min64(l->quota->low[k], smallest);
    return lattice->width >= NARROW && lattice->height >= NARROW &&
           cells >= (int64_t)mean * l->quota->count && smallest * cells >= least * all;
}

/* Finds the levels on which sizes are settled; the one on which countries grow. */
static int find_levels(struct levels *l)
{
    l->rows[0] = count_rows(l->run, l->lattice[0].height);
    for (l->count = 1;; l->count++) {
        const struct mw_lattice *below = &l->lattice[l->count - 1];
        struct mw_lattice above = regions_halve(below);
        bool room = l->count < MOST_LEVELS && has_room(l, &above, ROOMY, SNUG);
        if (!has_room(l, &above, GARDEN, BED) ||
            !regions_raise_capitals(l->run, below, &above, &l->capitals[l->count - 1],
                                    &l->capitals[l->count]))
            return l->count - 1;
        l->lattice[l->count] = above;
        l->rows[l->count] = add_up_rows(l->run, &l->rows[l->count - 1], below, &above);
        if (!room)
            return l->count;
    }
}

/* ---- from level to level --------------------------------------------------------------------- */

static void refine(const struct board *coarse, struct board *fine)
{
    for (int32_t y = 0; y < fine->height; y++)
        regions_refine_row(coarse, mw_min(y / 2, coarse->height - 1), fine,
                           fine->g.label + regions_at(fine, 0, y));
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

/* Countries grown as a diagram; false when that did not come out. */
static bool grow(struct levels *l, struct board *b, int level)
{
    char *mark = mw_mark(l->run);
    int32_t scale = (int32_t)mw_root(l->rows[level].inner[0]);
    struct diagram *diagram =
        regions_new_diagram(b, &l->seats, &l->plane, &l->lattice[0], scale, &l->capitals[level]);
    bool grown = regions_grow_diagram(diagram);
    int growths = l->capitals[level].count ? HELD_GROWTHS : GROWTHS;
    for (int growth = 1; grown && growth < growths; growth++) {
        set_quotas(b, l->quota, &l->rows[level]);
        regions_adjust_diagram(diagram);
        if (growth == growths - 1)
            regions_roughen_diagram(diagram, l->borders.roughness);
        grown = regions_grow_diagram(diagram);
    }
    mw_rewind(l->run, mark);
    return grown;
}

/* Where countries begin; false when they cannot begin at their capitals. */
static bool begin(struct levels *l, struct board *b, int level)
{
    bool grown = false, held = l->capitals[level].count;
    bool tight = cells_of(&l->lattice[0]) < TIGHT * (int64_t)l->quota->count;
    int attempts = tight && !held ? 0 : ATTEMPTS;
    for (int i = 0; i < attempts && !grown; i++)
        grown = grow(l, b, level);
    if (!grown && !held)
        lay_snake(b);
    return grown || !held;
}

static void blow_up(struct levels *l, struct board *b, int level)
{
    int64_t most = cells_of(&l->lattice[level]) / 8;
    for (int i = 0; i < REGIONS_BREATHS && regions_excess(l->balance) > most; i++) {
        regions_blow_up(&b->g, &l->borders);
        set_quotas(b, l->quota, &l->rows[level]);
    }
}

static bool finish(struct levels *l, struct board *b, int level)
{
    int32_t tension = regions_tension_at(&l->borders, level, l->count);
    regions_find_boundary_and_sizes(b);
    regions_hold_capitals(b, &l->capitals[level]);
    if (level)
        set_quotas(b, l->quota, &l->rows[level]);
    else
        copy_quotas(l->quota, l->balance);
    if (l->capitals[level].count && level >= l->count - 1)
        blow_up(l, b, level);
    regions_sweep_level(&b->g, &l->borders, level, l->count);
    if (level == l->count)
        return true;
    if (level) {
        set_quotas(b, l->quota, &l->rows[level]);
        regions_even_out(&b->g, &l->borders.rng, NEARBY);
        return true;
    }
    /* On maps that wrap rings may help, and in the end searches: what lies round a cell does not
       tell who hangs together past the seam, least of all where both rows beside it are one. */
    bool held = l->capitals[0].count;
    int ways = b->across && held ? 2 + (l->attempt == ATTEMPTS) : 1;
    for (int way = 0; way < ways; way++) {
        b->rings = way > 0;
        if (way > 1) {
            b->g.count = b->width * b->height;
            regions_prepare_search(&b->g);
        }
        if (regions_settle(&b->g, &l->borders.rng, tension, ROUNDS))
            return true;
    }
    if (held)
        return l->varied && l->attempt == ATTEMPTS;
    lay_snake(b);
    regions_find_boundary_and_sizes(b);
    return true;
}

/* From the top down; false when countries could not have their capitals. */
static bool divide(struct levels *l, int top, struct board *b)
{
    struct board boards[2];
    bool good = true;
    for (int level = top; level >= 0 && good; level--) {
        struct board *now = &boards[level & 1];
        regions_new_board(l->run, now, &l->lattice[level], l->balance);
        share_quotas(l->quota, cells_of(&l->lattice[level]), l->balance);
        if (level == top)
            good = begin(l, now, level);
        else
            refine(&boards[~level & 1], now);
        good = good && finish(l, now, level);
    }
    *b = boards[0];
    return good;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/*
 * While a map is made countries are numbered as the plane is cut up for their seats (diagram.c), so
 * that those who live near each other stand near each other in memory; only when it is done does
 * each get the id by which the client knows it, which chance has dealt out.
 */
static int32_t *deal_ids(struct levels *l)
{
    int32_t *id = MW_NEW(l->run, int32_t, l->quota->count + 1);
    for (int32_t k = 0; k <= l->quota->count; k++)
        id[k] = k;
    mw_shuffle(&l->seats, id + 1, l->quota->count);
    return id;
}

/* The quotas of countries by their number. */
static struct quota by_number(struct mw_run *run, const struct quota *quota, const int32_t *id)
{
    struct quota q = {.count = quota->count,
                      .low = MW_NEW0(run, int32_t, quota->count + 1),
                      .high = MW_NEW0(run, int32_t, quota->count + 1)};
    for (int32_t k = 1; k <= q.count; k++) {
        q.low[k] = quota->low[id[k]];
        q.high[k] = quota->high[id[k]];
    }
    return q;
}

static void name_countries(struct board *b, const int32_t *id)
{
    struct balance *c = b->g.balance;
    char *mark = mw_mark(b->g.run);
    int32_t *size = MW_NEW(b->g.run, int32_t, c->count + 1);
    memcpy(size, c->size, ((size_t)c->count + 1) * sizeof *size);
    for (int32_t k = 1; k <= c->count; k++)
        c->size[id[k]] = size[k];
    for (int32_t i = 0; i < b->g.indices; i++)
        b->g.label[i] = (uint16_t)id[b->g.label[i]];
    mw_tick(b->g.run, (uint64_t)b->g.indices);
    mw_rewind(b->g.run, mark);
}

/* The capitals by the numbers of their countries. */
static struct capitals number_capitals(struct mw_run *run, const struct quota *quota,
                                       const int32_t *id)
{
    const struct mw_points *capitals = &quota->capitals;
    uint16_t *country = MW_NEW(run, uint16_t, capitals->count);
    for (int32_t k = 1; k <= quota->count; k++)
        if (id[k] <= capitals->count)
            country[id[k] - 1] = (uint16_t)k;
    return (struct capitals){capitals->count, capitals->at, country, true};
}

/*
 * Where countries have a few cells each, capitals may leave no room for moves, and yet a way: on
 * maps so small it is sought as on land with water. That may close rings, for which nobody here has
 * cells enough: one around a square takes seven, around a hexagon six.
 *
 * An attempt fails by chance, on some maps nine times of ten, and costs next to nothing: so many
 * are made. Of maps of 3 x 3 to 6 x 6 with capitals that leave a way, one attempt finds it for 98
 * of 100 seeds, and for some maps hardly ever; so many for all seeds of thousands of maps.
 */
static bool has_midgets(const struct levels *l)
{
    int32_t largest = 0;
    for (int32_t k = 1; k <= l->quota->count; k++)
        largest = mw_max(largest, l->quota->high[k]);
    return cells_of(&l->lattice[0]) <= SMALL && largest <= MIDGET;
}

static bool divide_small(struct levels *l, struct quota *quota, struct board *b)
{
    struct balance balance;
    bool done = false;
    char *mark = mw_mark(l->run);
    int32_t cells = (int32_t)cells_of(&l->lattice[0]);
    for (int32_t left = SMALL_CELLS; left > 0 && !done; left -= cells) {
        mw_rewind(l->run, mark);
        regions_new_balance(l->run, &balance, quota->count);
        regions_new_board(l->run, b, &l->lattice[0], &balance);
        regions_set_land(b, NULL, cells);
        done = regions_divide_small(b, quota, &l->small, &l->halves);
    }
    if (done) {
        *l->balance = balance;
        b->g.balance = l->balance;
    }
    return done;
}

void regions_divide_levels(struct mw_run *run, const struct mw_lattice *map, struct quota *quota,
                           struct balance *balance, int32_t roughness, int32_t tension,
                           struct board *b)
{
    struct levels l = {.run = run,
                       .quota = quota,
                       .balance = balance,
                       .seats = mw_stream(run, "seats"),
                       .plane = mw_stream(run, "plane"),
                       .small = mw_stream(run, "borders"),
                       .halves = mw_stream(run, "halves"),
                       .borders = {mw_stream(run, "borders"), roughness, tension},
                       .varied = quota->variation && !quota->sizes.count,
                       .lattice[0] = *map};
    const int32_t *id = deal_ids(&l);
    const struct quota numbered = by_number(run, quota, id);
    l.quota = &numbered;
    l.capitals[0] = number_capitals(run, quota, id);
    int top = find_levels(&l);
    char *mark = mw_mark(run);
    for (; !divide(&l, top, b); l.attempt++) {
        if (l.attempt == ATTEMPTS && has_midgets(&l) && divide_small(&l, quota, b))
            return;
        if (l.attempt == ATTEMPTS)
            regions_refuse_capitals(run, quota, &l.capitals[0], balance, id);
        mw_rewind(run, mark);
        for (int level = 0; level <= top; level++)
            l.capitals[level].shield = false;
    }
    assert(l.varied || !regions_excess(balance)); /* the snake, if nothing else, was exact */
    name_countries(b, id);
}
