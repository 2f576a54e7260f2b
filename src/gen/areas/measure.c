/*
 * measure.c: the holes and the bounds of finished areas.
 *
 * Holes need no search. Cut an area into the runs of its rows: runs and their contacts with runs of
 * the next row are the vertices and edges of a graph that has the area's shape, with a cycle for
 * each hole. An area is connected, so
 *
 *     holes = 1 - runs + contacts          (Euler)
 *
 * for all areas in one pass. Where the map wraps there is no outside, and so there are no holes.
 */
#include "areas.h"

/* ---- on a plane ------------------------------------------------------------------------------ */

struct stretch {
    int32_t from, to, id; /* cells from .. to - 1 of a row */
};

static int32_t runs_of(const int32_t *row, int32_t width, struct stretch *runs)
{
    int32_t n = 0;
    for (int32_t x = 0; x < width;) {
        int32_t id = row[x], from = x;
        while (++x < width && row[x] == id)
            ;
        if (id > 0)
            runs[n++] = (struct stretch){from, x, id};
    }
    return n;
}

static void count_contacts(const struct stretch *above, int32_t n, const struct stretch *below,
                           int32_t m, int32_t reach_left, int32_t reach_right, int32_t *holes)
{
    for (int32_t i = 0, first = 0; i < m; i++) {
        int32_t left = below[i].from - reach_left, right = below[i].to + reach_right;
        while (first < n && above[first].to <= left)
            first++;
        for (int32_t j = first; j < n && above[j].from < right; j++)
            holes[below[i].id - 1] += above[j].id == below[i].id;
    }
}

static void measure_plane(const struct grid *g, int32_t count, int32_t *holes,
                          struct mw_box *bounds)
{
    int32_t w = g->lattice.width, n = 0;
    bool hex = g->lattice.tiling == MW_HEX;
    struct stretch *runs = MW_NEW(g->run, struct stretch, 2 * (int64_t)w);
    for (int32_t k = 0; k < count; k++) {
        holes[k] = 1;
        bounds[k] = (struct mw_box){INT32_MAX, INT32_MAX, -1, -1};
    }
    for (int32_t y = 0; y < g->lattice.height; y++) {
        struct stretch *above = runs + (y & 1 ? w : 0), *below = runs + (y & 1 ? 0 : w);
        int32_t m = runs_of(g->owner + (int64_t)y * w, w, below);
        for (int32_t i = 0; i < m; i++) {
            struct mw_box *b = &bounds[below[i].id - 1];
            *b = (struct mw_box){mw_min(b->x0, below[i].from), mw_min(b->y0, y),
                                 mw_max(b->x1, below[i].to - 1), y};
            holes[below[i].id - 1]--;
        }
        count_contacts(above, n, below, m, hex && !(y & 1), hex && y & 1, holes);
        n = m;
        mw_tick(g->run, (uint64_t)w);
    }
}

/* ---- on a ring ------------------------------------------------------------------------------- */

/* The stretch of marked places around `at`, on a line of n or on a ring. Begins in 0 .. n-1. */
static void stretch_around(const int32_t *mark, int32_t id, int32_t at, int32_t n, bool ring,
                           int32_t *low, int32_t *high)
{
    int32_t from = at, to = at;
    while (to - from < n - 1 && (ring || from > 0) && mark[(from - 1 + n) % n] == id)
        from--;
    while (to - from < n - 1 && (ring || to < n - 1) && mark[(to + 1) % n] == id)
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
        stretch_around(column, k + 1, cells[0] % w, w, true, &b->x0, &b->x1);
        stretch_around(row, k + 1, cells[0] / w, h, g->lattice.wrap == MW_WRAP_XY, &b->y0, &b->y1);
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
