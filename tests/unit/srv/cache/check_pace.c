/* check_pace.c: how long work takes here. */
#include "srv/cache/pace.h"
#include "unit/unit.h"

/* The expectation comes to rest at the mean, from far above and far below. */
TEST(learns_the_mean)
{
    for (uint64_t takes = 2000; takes <= 200000; takes *= 100) {
        struct pace pace;
        pace_init(&pace);
        ck_assert_uint_eq(pace_expect(&pace, 3, 20000), 20000);
        for (int i = 0; i < 200; i++)
            pace_learn(&pace, 3, 20000, i % 2 ? takes / 2 : takes * 3 / 2);
        uint64_t expected = pace_expect(&pace, 3, 20000);
        ck_assert(expected > takes * 3 / 4 && expected < takes * 4 / 3);
        ck_assert_uint_eq(pace_expect(&pace, 2, 20000), 20000); /* of its kind alone */
    }
}

/* A run that took ages, as the machine slept, is one among many; and many do not lead astray. */
TEST(stays_within_bounds)
{
    struct pace pace;
    pace_init(&pace);
    pace_learn(&pace, 0, 1000, UINT64_C(3600000000000));
    ck_assert_uint_le(pace_expect(&pace, 0, 1000), 1500);
    for (int i = 0; i < 1000; i++) {
        pace_learn(&pace, 0, 1000, 1000000000);
        pace_learn(&pace, PACE_KINDS + 7, 1000, 0);
    }
    ck_assert_uint_le(pace_expect(&pace, 0, 1000), 300000);
    ck_assert_uint_ge(pace_expect(&pace, PACE_KINDS - 1, 1000), 10);
    ck_assert_uint_ge(pace_expect(&pace, 0, UINT64_MAX / 512), UINT64_MAX / 512);
}
