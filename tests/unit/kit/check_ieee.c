/* check_ieee.c: fractions, as the processor has them. */
#include "kit/ieee.h"
#include "unit/unit.h"

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

TEST(doubles_are_the_processors)
{
    struct mw_rng rng = unit_rng(1);
    ck_assert_uint_eq(mw_double(0, 1000), 0);
    ck_assert_uint_eq(mw_double(INT64_C(-9007199254740991), 1), bits_of(-9007199254740991.0));
    for (int i = 0; i < 100000; i++) {
        int64_t n = mw_between(&rng, INT32_MIN + 1, INT32_MAX), d = mw_between(&rng, 1, 5000);
        ck_assert_uint_eq(mw_double(n, d), bits_of((double)n / (double)d));
        ck_assert_uint_eq(mw_double(n >> 20, 1000), bits_of((double)(n >> 20) / 1000));
    }
}

/* Halfway between two: to the even one, and up into the next power of two. */
TEST(ties_go_to_the_even)
{
    ck_assert_uint_eq(mw_double(INT64_C(9007199254740993), 1), bits_of(9007199254740992.0));
    ck_assert_uint_eq(mw_double(INT64_C(9007199254740995), 1), bits_of(9007199254740996.0));
    ck_assert_uint_eq(mw_double(INT64_C(18014398509481983), 1), bits_of(18014398509481984.0));
    ck_assert_uint_eq(mw_double(INT64_C(-18014398509481983), 1), bits_of(-18014398509481984.0));
}
