/* check_fractal.c: noise without seams, of the range that it promises, alike at all scales. */
#include "kit/coast.h"
#include "unit/unit.h"

#include <stdlib.h>

enum { SIDE = 96 };

static uint16_t *draw(struct mw_lattice l, int32_t coarsest, int32_t finest, uint64_t seed)
{
    struct mw_run *run = unit_open();
    struct mw_rng rng = unit_rng(seed);
    run->ticks = INT64_MAX;
    uint16_t *noise = MW_NEW(run, uint16_t, l.width * l.height);
    mw_fractal(run, &rng, &l, coarsest, finest, noise);
    return noise;
}

/* The greatest step between a cell and the next to the right, or below. */
static int32_t steepest(const uint16_t *noise, struct mw_lattice l, bool seam)
{
    int32_t most = 0;
    for (int32_t y = 0; y < l.height; y++)
        for (int32_t x = 0; x < l.width; x++) {
            int32_t own = noise[y * l.width + x];
            int32_t right = noise[y * l.width + (x + 1) % l.width];
            int32_t below = noise[(y + 1) % l.height * l.width + x];
            if (seam || x + 1 < l.width)
                most = mw_max(most, mw_abs(own - right));
            if ((seam && l.wrap == MW_WRAP_XY) || y + 1 < l.height)
                most = mw_max(most, mw_abs(own - below));
        }
    return most;
}

TEST(noise_goes_on_across_seams, .end = 4)
{
    const struct mw_lattice l = {SIDE, SIDE - 2 * _i, _i % 2 ? MW_HEX : MW_SQUARE,
                                 _i < 2 ? MW_WRAP_X : MW_WRAP_XY};
    for (uint64_t seed = 0; seed < 10; seed++) {
        const uint16_t *noise = draw(l, 16 * 24, 16 * 6, seed);
        ck_assert_int_le(steepest(noise, l, true), 1300);
        ck_assert_int_le(steepest(noise, l, true), 2 * steepest(noise, l, false));
    }
}

/* On maps of any size, with features of any; and on others it is neither level nor cut off. */
TEST(noise_keeps_its_range_about_its_middle)
{
    int64_t sum = 0, cut = 0, level = 0, cells = 0;
    for (int32_t width = 1; width <= SIDE; width += 19)
        for (int32_t height = 1; height <= SIDE; height += 19)
            for (int32_t size = 9; size < 100000; size *= 5) {
                const struct mw_lattice l = {width, height, MW_SQUARE, (enum mw_wrap)(width % 3)};
                const uint16_t *noise = draw(l, size, 52, (uint64_t)size);
                for (int32_t i = 0; i < width * height; i++) {
                    ck_assert_int_lt(noise[i], MW_FRACTAL_MOST);
                    sum += noise[i];
                    cut += noise[i] == 0 || noise[i] == MW_FRACTAL_MOST - 1;
                    level += mw_abs(noise[i] - MW_FRACTAL_MOST / 2) < 100;
                    cells++;
                }
            }
    ck_assert_int_le(llabs(sum / cells - MW_FRACTAL_MOST / 2), 150);
    ck_assert_int_lt(cut * 100, cells);
    ck_assert_int_lt(level * 3, cells);
}

/* Only the lines before the chosen rims are raised, and the outermost most. */
TEST(the_rim_is_raised)
{
    const struct mw_lattice l = {SIDE, SIDE, MW_SQUARE, MW_WRAP_NONE};
    struct mw_run *run = unit_open();
    run->ticks = INT64_MAX;
    for (int which = 0; which < 4; which++) {
        uint16_t *height = MW_NEW0(run, uint16_t, SIDE * SIDE);
        mw_raise_rim(run, &l, which & 1, which & 2, 16 * 40, height);
        ck_assert_int_eq(height[SIDE / 2 * SIDE] > 0, which & 1);
        ck_assert_int_eq(height[SIDE / 2] > 0, which / 2);
        ck_assert_int_eq(height[SIDE / 2 * SIDE + SIDE / 2], 0);
        ck_assert_int_ge(height[SIDE / 2 * SIDE], height[SIDE / 2 * SIDE + 1]);
        ck_assert_int_eq(height[SIDE / 2], height[SIDE * SIDE - SIDE / 2]);
    }
}
