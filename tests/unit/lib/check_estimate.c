/* check_estimate.c: how far a run is; prop_estimates.c judges what it will take. */
#include "unit/unit.h"

static const uint64_t estimates[] = {0, 1, 7, 1000, 123456789, UINT64_C(1) << 60, UINT64_MAX};

TEST(progress_rises_and_never_ends, .end = COUNT(estimates))
{
    double before = 0;
    ck_assert(mw_progress(0, estimates[_i]) == 0);
    for (uint64_t steps = 0; steps < UINT64_MAX / 3; steps += steps / 7 + 1) {
        double now = mw_progress(steps, estimates[_i]);
        ck_assert(now >= before && now < 1);
        before = now;
    }
    ck_assert(estimates[_i] < 1000 || estimates[_i] > UINT64_MAX / 64 || before > .99);
    ck_assert(mw_progress(300, 1000) > .3 && mw_progress(300, 1000) < .6);
    ck_assert(mw_progress(600, 1000) > .7 && mw_progress(4000, 1000) > .9);
}
