/*
 * unroll.c: a part of the periodic plane of a map that wraps.
 *
 * Code that traces borders or looks for room on a flat map would take a seam for a rim. So the map
 * is repeated on each side: then all neighbors of its cells are there. An even number of
 * rows is added above, so that the same rows of hexagons stay shifted.
 */
#include "atlas.h"
#include "kit/integer.h"

static int32_t wrapped(int32_t n, int32_t period)
{
    assert(period > 0);
    return (int32_t)(n - mw_floor_div(n, period) * period);
}

/* Fills in a row of the result. */
static void unroll_row(const struct unrolled *u, const struct mw_cells *cells, int32_t y)
{
    const struct mw_lattice *l = &cells->lattice;
    int32_t width = u->cells.lattice.width, first = wrapped(y - u->above, l->height) * l->width;
    for (int32_t x = 0, from = wrapped(-u->left, l->width); x < width; x++) {
        u->cells.at[y * width + x] = cells->at[first + from];
        from = from + 1 < l->width ? from + 1 : 0;
    }
}

struct unrolled unroll(struct mw_run *run, const struct mw_cells *cells, int32_t columns,
                       int32_t rows)
{
    const struct mw_lattice *l = &cells->lattice;
    assert(columns >= 0 && rows >= 0);
    struct unrolled u = {.left = l->wrap == MW_WRAP_NONE ? 0 : columns,
                         .above = l->wrap == MW_WRAP_XY ? rows + rows % 2 : 0};
    u.cells.lattice = (struct mw_lattice){l->width + 2 * u.left, l->height + 2 * u.above, l->tiling,
                                          MW_WRAP_NONE};
    int64_t count = (int64_t)u.cells.lattice.width * u.cells.lattice.height;
    u.cells.at = MW_NEW(run, int32_t, count);
    mw_tick(run, (uint64_t)count);
    for (int32_t y = 0; y < u.cells.lattice.height; y++)
        unroll_row(&u, cells, y);
    return u;
}
