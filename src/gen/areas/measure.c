/*
 * measure.c: the holes and the bounds of finished areas.
 *
 * Holes need no search. Cut an area into the runs of its rows: runs and their contacts with runs of
 * the row above are the vertices and edges of a graph that has the area's shape, with a cycle for
 * each hole. An area is connected, so
 *
 *     holes = 1 - runs + contacts          (Euler)
 *
 * for all areas in one pass. Where the map wraps there is no outside, and so there are no holes.
 */
#include "areas.h"

/* ---- on a plane ------------------------------------------------------------------------------ */

/* Runs of area `id` from one cell of a row to before another. */
static int32_t count_runs(const int32_t *row, int32_t id, int32_t from, int32_t to)
{
    int32_t n = row[from] == id;
    for (int32_t x = from + 1; x < to; x++)
        n += (row[x] == id) & (row[x - 1] != id);
    return n;
}

static void measure_plane(const struct grid *g, int32_t count, int32_t *holes,
                          struct mw_box *bounds)
{
    int32_t w = g->lattice.width;
    bool hex = g->lattice.tiling == MW_HEX;
    for (int32_t k = 0; k < count; k++) {
        holes[k] = 1;
        bounds[k] = (struct mw_box){INT32_MAX, INT32_MAX, -1, -1};
    }
    for (int32_t y = 0; y < g->lattice.height; y++) {
        const int32_t *row = g->owner + (int64_t)y * w;
        int32_t left = hex && !(y & 1), right = hex && y & 1; /* cells above beyond a run's ends */
        for (int32_t x = 0, id; x < w;) {
            int32_t from = x;
            for (id = row[x]; x < w && row[x] == id;)
                x++;
            if (id <= 0)
                continue;
            struct mw_box *b = &bounds[id - 1];
            *b = (struct mw_box){mw_min(b->x0, from), mw_min(b->y0, y), mw_max(b->x1, x - 1), y};
            int32_t first = mw_max(from - left, 0), end = mw_min(x + right, w);
            holes[id - 1] += (y ? count_runs(row - w, id, first, end) : 0) - 1;
        }
        mw_tick(g->run, (uint64_t)w);
    }
}

/* ---- on a ring ------------------------------------------------------------------------------- */

/* The stretch of marked places around `at` on a ring of n, which begins in 0 .. n-1. On a line none
   goes on beyond an end, unless it is all of it. */
static void stretch_around(const int32_t *mark, int32_t id, int32_t at, int32_t n, int32_t *low,
                           int32_t *high)
{
    int32_t from = at, to = at;
    while (to - from < n - 1 && mark[(from - 1 + n) % n] == id)
        from--;
    while (to - from < n - 1 && mark[(to + 1) % n] == id)
        to++;
    bool whole = to - from == n - 1;
    *low = whole ? 0 : (from + n) % n;
    *high = *low + to - from;
}

/* Columns and rows of an area are unbroken: on a ring their ends are found from within. */
static void measure_ring(const struct grid *g, const struct areas *p, const int32_t *cells,
                         struct mw_box *bounds)
{
    int32_t w = g->lattice.width, h = g->lattice.height;
    int32_t *column = MW_NEW0(g->run, int32_t, w), *row = MW_NEW0(g->run, int32_t, h);
    for (int32_t k = 0; k < p->count; k++, cells += p->area) {
        for (int32_t i = 0; i < p->area; i++) {
            struct mw_point at = areas_point(g, cells[i]);
            column[at.x] = row[at.y] = k + 1;
        }
        struct mw_box *b = &bounds[k];
        stretch_around(column, k + 1, cells[0] % w, w, &b->x0, &b->x1);
        stretch_around(row, k + 1, cells[0] / w, h, &b->y0, &b->y1);
        mw_tick(g->run, (uint64_t)p->area);
    }
}

void areas_measure(const struct grid *g, const struct areas *p, const int32_t *cells,
                   int32_t *holes, struct mw_box *bounds)
{
    if (g->lattice.wrap == MW_WRAP_NONE) {
        measure_plane(g, p->count, holes, bounds);
        for (int32_t k = 0; k < p->count; k++)
            assert(p->holes ? holes[k] >= 0 : holes[k] == 0);
        return;
    }
    for (int32_t k = 0; k < p->count; k++)
        holes[k] = MW_NULL;
    measure_ring(g, p, cells, bounds);
}
