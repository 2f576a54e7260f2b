/*
 * heights.c: land that rises from its shores to summits.
 *
 * Land is at least one layer high. A cell is no higher than its steps from the shore, than one
 * layer above its lowest neighbour, and than a bound of its own, by a relief of fractal noise
 * (kit/fractal.h): so there are plains and valleys, hills and peaks, and nowhere a step of two
 * layers. Two passes over the map, from both corners, find the highest land that keeps all this.
 *
 * An island of 300 cells or more has two summits at least: places of two layers or more that no way
 * leads up from. Where the relief gave it one alone, the first cell of two layers, row by row, is
 * parted from the others:
 *
 *     1 1 1 1 1 1 1 1      Only the cells to its right and below it can be as high, and these are
 *     1 1 1 2 1 2 2 1      lowered to one layer. Other cells of two layers are left, and the
 *     1 2 2 1 2 3 2 1      highest of them are a second summit. If there are none, hillocks are
 *     1 1 2 2 2 2 1 1      put on cells that are not beside such.
 *
 * Cost: linear, some passes. It ends: each pass goes over the map once.
 */
#include "islands.h"
#include "kit/fractal.h"
#include "kit/lattice.h"

enum { LARGE = 300 }; /* cells of an island that has two summits */
enum { SEEN = 0x8000 };
enum { FINEST = 64, SMALLEST = 16 * 12 }; /* hills: sixteenths of a cell */

struct ground {
    struct mw_run *run;
    struct mw_lattice lattice;
    int32_t count, layers; /* of the lattice's cells */
    const int32_t *cells;
    int32_t *heights;
    uint16_t *relief;
};

/* Of an island. */
struct peaks {
    int32_t summits, tall; /* of two layers or more; cells of two layers or more */
};

/* ---- the highest land within bounds ---------------------------------------------------------- */

static void bound_by_relief(const struct ground *g)
{
    const int32_t middle = MW_FRACTAL_MOST / 2, low = middle - 3 * MW_FRACTAL_UNIT / 8;
    for (int32_t i = 0; i < g->count; i++) {
        int32_t bound = (g->relief[i] - low) * g->layers / (MW_FRACTAL_UNIT / 2);
        g->heights[i] = g->cells[i] > 0 ? mw_clamp(bound + 1, 1, g->layers) : 0;
    }
    mw_tick(g->run, (uint64_t)g->count);
}

/* Lowers cells to one layer above their lowest neighbour; beyond the map lies air. */
static void lower(const struct ground *g)
{
    int32_t w = g->lattice.width, h = g->lattice.height, *heights = g->heights;
    for (int32_t y = 0; y < h; y++)
        for (int32_t x = 0, left = 0; x < w; x++) {
            int32_t *at = heights + (int64_t)y * w + x, up = y ? at[-w] : 0;
            left = *at = mw_min(*at, mw_min(left, up) + 1);
        }
    for (int32_t y = h - 1; y >= 0; y--)
        for (int32_t x = w - 1, right = 0; x >= 0; x--) {
            int32_t *at = heights + (int64_t)y * w + x, down = y < h - 1 ? at[w] : 0;
            right = *at = mw_min(*at, mw_min(right, down) + 1);
        }
    mw_tick(g->run, (uint64_t)g->count * 2);
}

/* ---- summits --------------------------------------------------------------------------------- */

/* Marks the level place of two layers or more that a cell lies in; whether no way leads up from it.
   What lies beside it is of the same island, as it is no shore. */
static bool is_summit(const struct ground *g, int32_t start, int32_t *queue)
{
    const int32_t side[4] = {1, g->lattice.width, -1, -g->lattice.width};
    bool highest = true;
    int32_t n = 0;
    queue[n++] = start;
    g->relief[start] |= SEEN;
    for (int32_t i = 0; i < n; i++)
        for (int k = 0; k < 4; k++) {
            int32_t to = queue[i] + side[k];
            assert(g->cells[to] == g->cells[start]);
            highest &= g->heights[to] <= g->heights[start];
            if (g->heights[to] != g->heights[start] || g->relief[to] & SEEN)
                continue;
            g->relief[to] |= SEEN;
            queue[n++] = to;
        }
    mw_tick(g->run, (uint64_t)n * 4);
    return highest;
}

/* Counts the summits of large islands; whether one of them has less than two. */
static bool count_summits(const struct ground *g, const struct island_map *s, struct peaks *of)
{
    int32_t *queue = MW_NEW(g->run, int32_t, s->width * s->height);
    for (int32_t i = 0; i < g->count; i++) {
        int32_t id = g->cells[i];
        if (id <= 0 || s->size[id] < LARGE || g->heights[i] < 2)
            continue;
        of[id].tall++;
        if (!(g->relief[i] & SEEN))
            of[id].summits += is_summit(g, i, queue);
    }
    mw_tick(g->run, (uint64_t)g->count);
    for (int32_t id = 1; id <= s->count; id++)
        if (s->size[id] >= LARGE && of[id].summits < 2)
            return true;
    return false;
}

/* ---- a second one ---------------------------------------------------------------------------- */

/* Parts the first tall cell from the others, which must be more than those beside it. */
static void part_summits(const struct ground *g, struct peaks *of)
{
    for (int32_t i = 0; i < g->count; i++) {
        struct peaks *p = &of[g->cells[i]];
        if (g->heights[i] < 2 || p->summits != 1 || p->tall < 4)
            continue;
        p->summits++;
        g->heights[i + 1] = g->heights[i + g->lattice.width] = 1;
        assert(g->heights[i] == 2);
    }
    lower(g);
}

/* Raises cells of one layer that lie beside none of two, until there are two summits. */
static void put_hillocks(const struct ground *g, const struct island_map *s, struct peaks *of)
{
    for (int32_t i = 0; i < g->count; i++) {
        int32_t id = g->cells[i];
        if (id <= 0 || s->size[id] < LARGE || of[id].summits > 1 || g->heights[i] > 1)
            continue;
        bool level = true;
        for (int side = 0; side < 4; side++) {
            int32_t to = mw_neighbour(&g->lattice, i, side);
            level &= to < 0 || g->heights[to] < 2;
        }
        g->heights[i] += level;
        of[id].summits += level;
    }
}

static void give_second_summits(const struct ground *g, const struct island_map *s)
{
    char *mark = mw_mark(g->run);
    struct peaks *of = MW_NEW0(g->run, struct peaks, s->count + 1);
    if (count_summits(g, s, of)) {
        part_summits(g, of);
        put_hillocks(g, s, of);
        mw_tick(g->run, (uint64_t)g->count * 4);
        for (int32_t id = 1; id <= s->count; id++)
            assert(s->size[id] < LARGE || of[id].summits > 1);
    }
    mw_rewind(g->run, mark);
}

void islands_raise(struct island_map *s, const int32_t *cells, int32_t layers, int32_t *heights)
{
    struct mw_lattice l = {s->width + 2 * s->inset, s->height + 2 * s->inset, MW_SQUARE,
                           MW_WRAP_NONE};
    struct ground g = {s->run, l, l.width * l.height, layers, cells, heights, NULL};
    char *mark = mw_mark(s->run);
    int32_t largest = 1;
    for (int32_t id = 1; id <= s->count; id++)
        largest = mw_max(largest, s->size[id]);
    int32_t hills = mw_min(mw_disc_radius(largest), 16 * 4 * layers);
    g.relief = MW_NEW(s->run, uint16_t, g.count);
    mw_fractal(s->run, &s->rng, &l, mw_max(hills, SMALLEST), FINEST, g.relief);
    bound_by_relief(&g);
    lower(&g);
    if (largest >= LARGE && layers > 1)
        give_second_summits(&g, s);
    mw_rewind(s->run, mark);
}
