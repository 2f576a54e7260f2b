/*
 * check_lanes.c: lengths of lanes. Maps are judged against the naive way by
 * tests/prop/check_starlanes.c.
 */
#include "gen/starlanes/starlanes.h"
#include "unit/unit.h"

__extension__ typedef __int128 big;

static void check_root(int64_t n)
{
    int64_t root = starlanes_root(n);
    ck_assert((big)(2 * root - 1) * (2 * root - 1) < (big)n << 42);
    ck_assert((big)(2 * root + 1) * (2 * root + 1) > (big)n << 42);
}

TEST(roots_are_rounded_to_the_nearest)
{
    struct mw_rng rng = unit_rng(1);
    for (int64_t n = 1; n < 3000; n++)
        check_root(n);
    for (int bit = 11; bit < 49; bit++)
        for (int i = 0; i < 2000; i++)
            check_root((INT64_C(1) << bit) - 1 -
                       (int64_t)(mw_next(&rng) % ((uint64_t)INT64_C(1) << (bit - 1))));
    for (int64_t side = 1; side < INT64_C(23726566); side += 9973)
        for (int64_t off = side > 1 ? -1 : 0; off <= 1; off++)
            check_root(side * side + off);
}
