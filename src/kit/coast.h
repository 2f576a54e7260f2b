/*
 * coast.h: what coasts of all sorts share: a relief that rises towards the rim of the map, and how
 * the distance from an origin counts beside it.
 *
 * Land grows by taking the lowest cell beside it first. Some lands are shaped by the relief alone
 * and sprawl. Others have a slope: for them the ground rises from the origin outward, less along
 * one axis than across it, so they are compact, or long.
 */
#ifndef MAPWRIGHT_COAST_H
#define MAPWRIGHT_COAST_H

#include "kit/fractal.h"
#include "kit/integer.h"

struct mw_coast {
    int64_t along, both, down; /* squares of distances: along x^2 + both x y + down y^2 */
    int64_t slope;             /* for each sixteenth of a cell, times 1024 */
    int32_t delay;             /* two thirds of the mean, in 1024ths of a bucket */
};

/* Draws the shape of a land whose disc has that radius, on a relief of that range at this scale. A
   height, shifted right by `shift`, is a bucket. */
void mw_draw_coast(struct mw_coast *, struct mw_rng *, int32_t radius, int32_t range, int shift);

/* How much higher a place counts, which lies so far from the origin, in sixteenths of a cell. */
static inline int64_t mw_coast_rise(const struct mw_coast *c, int64_t x, int64_t y)
{
    if (!c->slope)
        return 0;
    return mw_root((c->along * x * x + c->both * x * y + c->down * y * y) >> 16) * c->slope >> 10;
}

/*
 * How much later than its neighbour a cell has its turn at least, in buckets: random, with many
 * small delays and few large ones. So a hollow fills from its inlet by a ragged front; otherwise a
 * thread would run down to its bottom and be left there when the land has its size. The hash must
 * be a good one: with cell * constant alone fronts become straight lines.
 */
static inline int32_t mw_coast_delay(const struct mw_coast *c, int32_t cell)
{
    uint32_t random = (uint32_t)cell * UINT32_C(0x9e3779b1);
    random = (random ^ random >> 15) * UINT32_C(0x85ebca6b);
    random = random >> 15 | 512;
    int32_t octave = __builtin_ctz(random), within = (int32_t)(random >> 10 & 63);
    return c->delay * (64 * octave + within) >> 16;
}

/* Raises the last lines before the left and right rim, and before the upper and lower. */
void mw_raise_rim(struct mw_run *, const struct mw_lattice *, bool sides, bool ends, int32_t radius,
                  uint16_t *height);

#endif
