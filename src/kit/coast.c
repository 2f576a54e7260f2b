/* coast.c: see coast.h. */
#include "coast.h"

enum { RISE = MW_FRACTAL_UNIT / 2 }; /* of the relief towards the rim of the map */

/* Of 1024 lands so many are shaped by the relief alone. Others have a slope from SLOPE on: how far
   the ground rises within the radius, in 1024ths of the relief's range. */
enum { WILD = 600, SLOPE = 300, SLOPES = 1500 };
enum { LONGEST = 5 }; /* a disc would become an ellipse so many times as long as wide, at most */

void mw_draw_coast(struct mw_coast *c, struct mw_rng *rng, int32_t radius, int32_t range, int shift)
{
    int32_t wild = mw_between(rng, 0, 1023);
    int64_t x = mw_between(rng, -64, 64), y = mw_between(rng, 1, 64);
    int64_t longest = mw_between(rng, 256, 256 * LONGEST);
    int64_t stretch = mw_between(rng, 256, (int32_t)longest), squeeze = 256 * 256 / stretch;
    int64_t less = (stretch - squeeze) * 256, norm = x * x + y * y;
    assert(radius > 0 && range > 0);
    c->along = stretch * 256 - less * x * x / norm;
    c->both = -2 * less * x * y / norm;
    c->down = stretch * 256 - less * y * y / norm;
    c->slope = wild < WILD ? 0 : (int64_t)range * (SLOPE + wild * SLOPES / 1024) / radius;
    c->delay = (range >> shift) * 512 / radius;
    assert(4 * c->along * c->down > c->both * c->both); /* an ellipse */
}

/* ---- the rim --------------------------------------------------------------------------------- */

/* What the first and last `reach` of n lines are raised by. */
static int32_t *slope_up(struct mw_run *run, int32_t n, int32_t reach)
{
    int32_t *rise = MW_NEW0(run, int32_t, n);
    reach = mw_min(reach, n / 4);
    for (int32_t i = 0; i < reach; i++) {
        int32_t square = (reach - i) * (reach - i);
        rise[i] = rise[n - 1 - i] = RISE * square / (reach * reach);
    }
    return rise;
}

void mw_raise_rim(struct mw_run *run, const struct mw_lattice *l, bool sides, bool ends,
                  int32_t radius, uint16_t *height)
{
    char *mark = mw_mark(run);
    int32_t reach = mw_min(radius / 64 + 2, 1024);
    const int32_t *by_x = slope_up(run, l->width, sides ? reach : 0);
    const int32_t *by_y = slope_up(run, l->height, ends ? reach : 0);
    for (int32_t y = 0; y < l->height; y++) {
        uint16_t *row = height + (int64_t)y * l->width;
        for (int32_t x = 0; x < l->width; x++) {
            row[x] = (uint16_t)(row[x] + by_x[x] + by_y[y]);
            assert(row[x] < 0x8000);
        }
    }
    mw_tick(run, (uint64_t)l->width * (uint64_t)l->height);
    mw_rewind(run, mark);
}
