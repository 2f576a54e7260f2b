/* check_coast.c: the delays of a coast's front. */
#include "kit/coast.h"
#include "unit/unit.h"

#include <math.h>

enum { CELLS = 1 << 15, FARTHEST = 300 };

/* Cells beside each other, and those of the next rows at any usual width, have nothing to do with
   each other: else fronts become straight lines. */
TEST(delays_have_no_pattern)
{
    static double delay[CELLS + FARTHEST];
    const struct mw_coast shape = {.delay = 1 << 10};
    double mean = 0, variance = 0;
    for (int32_t cell = 0; cell < CELLS + FARTHEST; cell++) {
        delay[cell] = mw_coast_delay(&shape, cell);
        mean += delay[cell] / (CELLS + FARTHEST);
    }
    for (int32_t cell = 0; cell < CELLS; cell++)
        variance += (delay[cell] - mean) * (delay[cell] - mean) / CELLS;
    ck_assert_double_gt(variance, 0);
    for (int32_t apart = 1; apart <= FARTHEST; apart++) {
        double both = 0;
        for (int32_t cell = 0; cell < CELLS; cell++)
            both += (delay[cell] - mean) * (delay[cell + apart] - mean) / CELLS;
        ck_assert_msg(fabs(both) < .05 * variance, "%d cells apart: %.3f", apart, both / variance);
    }
}
