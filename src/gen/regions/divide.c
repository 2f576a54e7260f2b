/*
 * divide.c: the driver: from land without countries to countries of exact sizes.
 *
 *      +---+-----+        _/\-+--\_+        __/\_.-\_.+
 *       \  /\    |       |   \     |       |   \      |
 *      +-\/  \--+  -->  |   /-_/\-+  -->  |   /._/\-'+  -->  every size exact
 *      | /\  /\  |       +-\/   \  |       +-._/  \   |
 *      +---+--+--+       +--\---+--+       +--'\--+---+
 *       grown on a        sweeps at the     twice as fine,
 *       coarse grid       border            and again
 *
 * The files, in the order in which a map passes through them:
 *
 *   regions.c       reads and checks parameters, and makes the grid
 *   label_grid.c    the grid: the label of each cell, the boundary, moves that keep countries whole
 *   seats.c         finds the connected pieces of land, how many cells each country is to have, and
 *                   on which piece it lives. Without water there is one piece
 *   capitals.c      cells that certain countries hold on every level
 *   terrain.c       makes land coarser, 2 x 2 cells to a place, then 4 x 4, and so on, as long as
 *                   every country has some fifty places and most of the land is seen
 *   diagram.c       on the coarsest level, or one above, scatters seats, and grows countries from
 *                   them, several times over
 *   label_grid.c    on each level, down to the map: sweeps bend the borders and even out sizes
 *   balance.c       evens out sizes between neighbours; on the map it makes them exact
 *   connected.c     where there is water, searches whether a move would tear a country
 *   bisect.c        where that fails, cuts the land in two, and each part again
 *   region_result.c measures borders, neighbours and capitals, and writes the map
 *
 * Why a map without water is never refused but for its capitals: countries grown are connected and
 * enclose nothing; handing down keeps both, since squares touch just where their cells do; so does
 * every move (label_grid.c). If growth or balance fails, as it may where countries have a cell or
 * two, there is the snake: one path through all cells, cut into stretches, which are right by
 * construction.
 *
 * To divide land with water exactly is NP-complete, even for two countries on a grid with holes. So
 * the last step is bounded and gives up with the numbers: that no way was found does not prove that
 * there is none. With capitals there is less room, so with them all steps are tried again; where
 * sizes may vary the sizes that came out are accepted. On every level the cell that holds a capital
 * stays its country's (capitals.c): what may fail is sizes, never that.
 */
#include "kit/integer.h"
#include "regions.h"

/* Fewest places on a level: of a country on average, of the smallest, of a side. Countries grow one
   level higher, with GARDEN places on average, where the highest has more than one for SLOW_TOP
   cells of the map. SEEN eighths of the land must be represented on every level. */
enum { ROOMY = 48, SNUG = 4, NARROW = 4, GARDEN = 12, SLOW_TOP = 80, SEEN = 7 };
enum { MOST_LEVELS = 12, BREATHS = 100 };
/* Fewest rounds of growth; and most, on at most MANY places, with water, or with capitals. */
enum { GROWTHS = 3, MOST_GROWTHS = 8, MANY = 1 << 11 };
/* Most attempts to roughen the borders of a country that is too round. */
enum { ROUGHENINGS = 6 };
/* Cells of a small map, and how often bisection is tried there. Average cells of a country below
   which borders have no room to move; most cells of one that cannot enclose another. */
enum { SMALL = 256, SMALL_TRIES = 16, TIGHT = 4, MIDGET = 5 };
/* Steps of the last resort: for all pieces; for one, at least, and for each of its cells. */
enum { ALL_STEPS = 1 << 26, PIECE_STEPS = 1 << 24, CELL_STEPS = 1024 };

struct division {
    struct mw_run *run;
    struct label_grid *grid;
    struct country_quota *quota;
    struct border_style borders;
    struct mw_rng seats, plane, halves;
    struct label_grid *level[MOST_LEVELS + 1]; /* from the map up */
    int count;                                 /* of levels on which sizes are settled */
    bool water;
    bool whole; /* all land was given to countries by the last attempt */
};

/* Whether no sizes will do but those wanted. */
static bool is_exact(const struct country_quota *q) { return !q->variation || q->sizes.count; }

/* How often all is tried before there must be something better. */
static int attempts(const struct division *d)
{
    if (!d->grid->capitals.count || !is_exact(d->quota))
        return d->water ? 1 : 2;
    return d->grid->land <= SMALL ? 8 : 2;
}

/* ---- levels ---------------------------------------------------------------------------------- */

/* Whether most of the land is seen on a level, with some places for every country. */
static bool has_room(const struct division *d, const struct label_grid *g, int32_t roomy)
{
    assert(g->land > 0 && roomy > 0);
    const struct country_quota *q = d->quota;
    char *mark = mw_mark(d->run);
    int32_t *places = MW_NEW0(d->run, int32_t, q->pieces), seats = 0, some = 0;
    int64_t cells = 0, seen = 0;
    if (!d->water) {
        places[0] = g->land;
        seen = d->grid->land;
    }
    for (int32_t i = 0; g->sides && i < g->land; i++) {
        int32_t at = g->place[i] >> 1;
        int32_t piece = regions_piece_at(q, g->cell[at]);
        places[piece]++;
        seen += q->piece[piece].seats > 1 ? g->weight[at] : 0;
    }
    bool room = true;
    for (int32_t i = 0; i < q->pieces; i++) {
        const struct land_piece *p = &q->piece[i];
        if (p->seats == 1)
            continue;
        cells += p->cells;
        seats += p->seats;
        some += places[i];
        for (int32_t s = 0; s < p->seats; s++)
            room &= (int64_t)q->low[q->order[p->first + s]] * places[i] >= SNUG * (int64_t)p->cells;
    }
    mw_tick(d->run, (uint64_t)g->width * (uint64_t)g->height);
    mw_rewind(d->run, mark);
    return room && some >= (int64_t)roomy * seats && seen * 8 >= cells * SEEN;
}

/* Builds levels while they may have room. Returns the level on which countries grow. */
static int build_levels(struct division *d)
{
    struct label_grid **level = d->level;
    int built = 0;
    while (built + 1 < MOST_LEVELS && level[built]->land >= 2 * GARDEN * d->quota->count &&
           mw_min(level[built]->width, level[built]->height) >= 2 * NARROW &&
           (level[built + 1] = regions_coarsen(level[built])))
        built++;
    int top = built;
    while (top && !has_room(d, level[top], ROOMY))
        top--;
    d->count = top + 1;
    bool slow = (int64_t)level[top]->land * SLOW_TOP > d->grid->land;
    return top + (top < built && slow && has_room(d, level[top + 1], GARDEN));
}

/* Sets the sizes that are wanted on a level, by the places that countries hold now: some of them
   stand for more cells than usual, and some for fewer. */
static void set_quotas(struct division *d, const struct label_grid *g)
{
    struct balance *c = d->grid->balance;
    const struct country_quota *q = d->quota;
    char *mark = mw_mark(d->run);
    int32_t *lack = MW_NEW0(d->run, int32_t, q->count + 1);
    int32_t *want = MW_NEW(d->run, int32_t, q->count), *share = MW_NEW(d->run, int32_t, q->count);
    for (int32_t i = 0; i < g->unusuals; i++)
        lack[g->label[g->unusual[i]]] += g->usual - g->weight[g->unusual[i]];
    mw_tick(d->run, (uint64_t)g->unusuals);
    memset(c->low, 0, ((size_t)q->count + 1) * sizeof *c->low);
    for (int32_t i = 0; i < q->pieces; i++) {
        const struct land_piece *p = &q->piece[i];
        const int32_t *country = q->order + p->first;
        int32_t places = 0;
        if (p->seats == 1)
            continue;
        for (int32_t s = 0; s < p->seats; s++) {
            want[s] = mw_max(q->low[country[s]] + lack[country[s]], 1);
            places += c->size[country[s]];
        }
        regions_share_out(want, p->seats, places, share);
        for (int32_t s = 0; s < p->seats; s++)
            c->low[country[s]] = mw_max(share[s], 1);
    }
    memcpy(c->high, c->low, ((size_t)q->count + 1) * sizeof *c->high);
    mw_rewind(d->run, mark);
}

/* ---- from level to level --------------------------------------------------------------------- */

/* Sets the sizes that are wanted on a level before countries have grown. */
static void share_quotas(struct division *d, int level)
{
    const struct country_quota *q = d->quota;
    struct balance *c = d->grid->balance;
    for (int32_t k = 1; k <= q->count; k++)
        c->low[k] = c->high[k] = mw_max(q->low[k] >> 2 * level, 1);
}

/* Lets countries grow on a level; false: land is left over, as there may be on tight maps. */
static bool grow(struct division *d, int level)
{
    assert(0 <= level && level <= MOST_LEVELS);
    struct label_grid *g = d->level[level];
    char *mark = mw_mark(d->run);
    share_quotas(d, level);
    struct diagram *diagram = regions_new_diagram(g, &d->plane);
    regions_strew(diagram, d->quota, &d->seats);
    int most = d->water || g->capitals.count || g->land <= MANY ? MOST_GROWTHS : GROWTHS;
    bool even = false, whole = true;
    for (int growth = 0; growth < GROWTHS || (!even && growth < most); growth++) {
        if (growth)
            regions_adjust_diagram(diagram);
        whole = regions_grow_diagram(diagram);
        if (!whole && !d->water)
            break;
        if (level)
            set_quotas(d, g);
        even = regions_excess(g->balance) * 10 < g->land;
    }
    if (d->water)
        regions_spread(g);
    mw_rewind(d->run, mark);
    return whole || d->water;
}

/*
 * Countries as stretches of one path through all cells, row by row to and fro: of any sizes at
 * all, connected, and enclosing nothing. For maps so tight that the borders have no room to
 * move.
 */
static void lay_snake(struct label_grid *g)
{
    struct balance *c = g->balance;
    int32_t country = 0, left = 0;
    int64_t spare = (int64_t)g->width * g->height;
    for (int32_t k = 1; k <= c->count; k++)
        spare -= c->low[k];
    for (int32_t y = 0; y < g->height; y++)
        for (int32_t x = 0; x < g->width; x++) {
            if (!left) {
                country++;
                left = c->low[country] + (spare > 0);
                spare -= spare > 0;
            }
            assert(country <= c->count && left > 0);
            g->label[regions_at(g, y & 1 ? g->width - 1 - x : x, y)] = (uint16_t)country;
            left--;
        }
}

/* Sets what the countries are to have now: on the map, or on a level above. */
static void want(struct division *d, int level)
{
    struct balance *c = d->grid->balance;
    size_t size = ((size_t)d->quota->count + 1) * sizeof *c->low;
    if (level) {
        set_quotas(d, d->level[level]);
        return;
    }
    memcpy(c->low, d->quota->low, size);
    memcpy(c->high, d->quota->high, size);
}

static void blow_up(struct division *d, struct label_grid *g, int level)
{
    int64_t most = g->land / 8;
    for (int i = 0; i < BREATHS && regions_excess(g->balance) > most; i++) {
        regions_blow_up(g, &d->borders);
        want(d, level);
    }
}

/* Begins a level that has been given its countries: lists and sweeps their borders. */
static void begin_level(struct division *d, int level)
{
    struct label_grid *g = d->level[level];
    regions_find_boundary(g);
    regions_hold_capitals(g);
    want(d, level);
    if (g->capitals.count && level >= d->count - 1)
        blow_up(d, g, level);
    regions_sweep_level(g, &d->borders, !level);
}

/* Settles a level above the map, and hands its countries down. */
static void work_level(struct division *d, int level)
{
    assert(0 < level && level <= MOST_LEVELS);
    struct label_grid *g = d->level[level];
    begin_level(d, level);
    set_quotas(d, g);
    if (level < d->count)
        regions_even_out(g, &d->borders.rng, false);
    regions_hand_down(g, d->level[level - 1]);
}

/* Divides the grid by growth and sweeps, and not exactly yet; false: land is left over. */
static bool divide_levels(struct division *d)
{
    bool tight = d->grid->land < TIGHT * (int64_t)d->quota->count;
    if (!d->water && tight && !d->grid->capitals.count) {
        want(d, 0);
        lay_snake(d->grid);
        return true;
    }
    char *mark = mw_mark(d->run);
    int top = build_levels(d);
    bool whole = grow(d, top);
    for (; whole && top > 0; top--)
        work_level(d, top);
    mw_rewind(d->run, mark);
    return whole;
}

/* ---- exact sizes ----------------------------------------------------------------------------- */

/* Makes sizes exact by moves; false: it gave up. */
static bool settle(struct division *d)
{
    struct label_grid *g = d->grid;
    g->rings = false;
    bool done = regions_settle(g, &d->borders);
    g->rings = d->water || (g->across && d->grid->capitals.count);
    return done || (g->rings && regions_settle(g, &d->borders));
}

/*
 * A large country in a corner of a small map may be nearly a quarter of a disc. Where the largest
 * is too round, and has 1.5 times the mean size or more, it gets rougher borders, a few times if
 * need be. Sizes are made exact again after each time; false: that failed.
 */
static bool roughen_largest(struct division *d)
{
    struct label_grid *g = d->grid;
    const int32_t *cells = g->balance->size;
    uint16_t largest = 1;
    for (int32_t k = 1; k <= g->balance->count; k++)
        largest = cells[k] > cells[largest] ? (uint16_t)k : largest;
    bool large = 2 * (int64_t)cells[largest] * g->balance->count >= 3 * (int64_t)g->land;
    bool settled = true;
    for (int i = 0; i < ROUGHENINGS && large && settled; i++) {
        if (!regions_is_too_round(g, &d->borders, largest))
            break;
        regions_roughen(g, &d->borders, largest);
        settled = settle(d);
    }
    return settled;
}

/* From levels, and by moves. */
static bool attempt(struct division *d)
{
    struct label_grid *g = d->grid;
    regions_clear_labels(g);
    d->whole = divide_levels(d);
    if (!d->whole)
        return false;
    if (d->water)
        regions_give_pieces(d->grid, d->quota);
    begin_level(d, 0);
    return settle(d) && roughen_largest(d);
}

static bool is_in_range(const struct balance *c, int32_t k)
{
    assert(0 < k && k <= c->count && c->low[k] <= c->high[k]);
    return c->low[k] <= c->size[k] && c->size[k] <= c->high[k];
}

/* Cuts pieces whose countries have wrong sizes; false when some still have. Gives up after the
   first such piece unless `all` are to be tried. */
static bool cut_pieces(struct division *d, bool all)
{
    assert(d->grid->sides && d->grid->stamp);
    const struct label_grid *g = d->grid;
    const struct balance *c = g->balance;
    char *mark = mw_mark(d->run);
    uint64_t end = mw_steps(d->run) + ALL_STEPS;
    int32_t *root = MW_NEW(d->run, int32_t, c->count + 1); /* a place of every country */
    for (int32_t i = 0; i < g->land; i++)
        root[regions_country(g, g->place[i])] = g->place[i];
    bool good = true;
    for (int32_t i = 0; i < d->quota->pieces && (good || all) && mw_steps(d->run) < end; i++) {
        const struct land_piece *p = &d->quota->piece[i];
        const int32_t *country = d->quota->order + p->first;
        int64_t steps = mw_max64(PIECE_STEPS, (int64_t)p->cells * CELL_STEPS);
        steps = mw_min64(steps, ALL_STEPS);
        int32_t s = 0;
        while (s < p->seats && is_in_range(c, country[s]))
            s++;
        if (s < p->seats)
            good &=
                regions_bisect(d->grid, d->quota, p, &d->halves, root[country[s]], (uint64_t)steps);
    }
    mw_rewind(d->run, mark);
    return good && !regions_excess(c);
}

static _Noreturn void refuse(struct division *d)
{
    const struct label_grid *g = d->grid;
    bool held = d->grid->capitals.count, given = d->quota->sizes.count;
    mw_fail(d->run, MW_NO_RESULT,
            held    ? "/capitals"
            : given ? "/sizes"
                    : "/count",
            "found no way to divide this land (cells: %d, pieces: %d) among %d connected countries "
            "of these exact sizes%s: the nearest is off by %lld; %s",
            g->land, d->quota->pieces, g->balance->count, held ? " that hold these capitals" : "",
            (long long)regions_excess(g->balance),
            given ? "other sizes may do, or a count of countries with a variation above 0"
                  : "a variation above 0 lets the sizes differ");
}

/* Divides land by levels; without water nothing is refused but for its capitals. */
static void divide(struct division *d)
{
    bool exact = is_exact(d->quota), done = false;
    for (int i = 0; i < attempts(d) && !done; i++) {
        done = attempt(d);
        d->grid->capitals.shield = false;
    }
    if (done)
        return;
    if (d->water) {
        for (int left = d->grid->land <= SMALL ? SMALL_TRIES : 1; left > 0 && !done; left--)
            done = cut_pieces(d, !exact);
    } else if (d->grid->capitals.count) {
        done = d->whole && !exact;
    } else {
        want(d, 0);
        lay_snake(d->grid);
        regions_find_boundary(d->grid);
        done = true;
    }
    if (!done && (exact || !d->whole))
        refuse(d);
}

/* ---- pieces and capitals --------------------------------------------------------------------- */

/* Finds the pieces that capitals lie on. */
static void find_homes(struct division *d)
{
    struct country_quota *q = d->quota;
    q->home = MW_NEW(d->run, int32_t, q->capitals.count);
    for (int32_t i = 0; i < q->capitals.count; i++) {
        struct mw_point at = q->capitals.at[i];
        q->home[i] = regions_piece_at(q, regions_at(d->grid, at.x, at.y));
        q->piece[q->home[i]].held++;
    }
    mw_tick(d->run, (uint64_t)q->capitals.count * 8);
}

/* Lists the capitals that must be kept: those on pieces of several countries. */
static void note_capitals(struct division *d)
{
    const struct country_quota *q = d->quota;
    struct label_grid *g = d->grid;
    if (!q->capitals.count)
        return;
    int32_t *place = MW_NEW(d->run, int32_t, q->capitals.count);
    uint16_t *country = MW_NEW(d->run, uint16_t, q->capitals.count);
    int32_t n = 0;
    g->town = MW_NEW0(d->run, uint16_t, g->indices);
    for (int32_t i = 0; i < q->capitals.count; i++) {
        if (q->piece[q->home[i]].seats == 1)
            continue;
        int32_t at = regions_at(g, q->capitals.at[i].x, q->capitals.at[i].y);
        place[n] = at * 2 + (q->capitals.at[i].y & 1);
        country[n] = g->town[at] = (uint16_t)(i + 1);
        n++;
    }
    d->grid->capitals = (struct capitals){n, place, country, true};
}

/*
 * Countries of a few cells may have no room to move around their capitals, and yet there is a way.
 * Such a small map is divided as land with water is, where cuts in two make sizes exact. A cut may
 * leave a country around others, which takes seven cells around a square and six around a hexagon;
 * none has so many, or the map has a seam, where countries around others are allowed.
 */
static void treat_small_as_land(struct division *d)
{
    struct country_quota *q = d->quota;
    int32_t largest = 0;
    for (int32_t k = 1; k <= q->count; k++)
        largest = mw_max(largest, q->high[k]);
    if (!q->capitals.count || d->grid->land > SMALL || (!d->grid->across && largest > MIDGET))
        return;
    d->water = true;
    regions_set_land(d->grid, NULL, d->grid->land);
}

/* Finds the pieces of land, their countries, and the sizes that are wanted. */
static void begin(struct division *d)
{
    struct country_quota *quota = d->quota;
    struct label_grid *g = d->grid;
    quota->piece = MW_NEW(d->run, struct land_piece, quota->count);
    quota->piece[0] = (struct land_piece){.cells = d->grid->land};
    quota->pieces = 1;
    if (d->water)
        regions_find_pieces(g, quota);
    find_homes(d);
    regions_deal_seats(d->run, quota, &d->borders.rng);
    regions_set_quotas(d->run, quota);
    if (!d->water)
        treat_small_as_land(d);
    d->level[0] = g;
    d->count = 1;
    note_capitals(d);
    if (d->water) {
        regions_prepare_search(g, d->grid->land);
        g->reach = 0; /* sweeps and growth make no searches on the map itself */
    }
}

void regions_divide(struct label_grid *g, struct country_quota *quota, int32_t roughness)
{
    assert(quota->count > 0 && quota->count == g->balance->count);
    struct mw_run *run = g->run;
    struct division d = {.run = run,
                         .grid = g,
                         .quota = quota,
                         .water = g->sides,
                         .seats = mw_stream(run, "seats"),
                         .plane = mw_stream(run, "plane"),
                         .halves = mw_stream(run, "halves")};
    regions_new_style(run, &d.borders, quota->count, roughness);
    begin(&d);
    divide(&d);
}
