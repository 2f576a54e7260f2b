/* check_integer.c: roots, quotients, bits and bytes, against their definitions. */
#include "kit/integer.h"
#include "unit/unit.h"

TEST(a_root_is_the_greatest_whose_square_is_not_above)
{
    struct mw_rng rng = unit_rng(5);
    for (int i = 0; i < 20000; i++) {
        int64_t n = (int64_t)(mw_next(&rng) >> (1 + i % 63)), root = mw_root(n);
        n -= i % 2 ? 0 : n - root * root; /* squares, too, and what is below them */
        ck_assert_int_eq(mw_root(n), root);
        ck_assert(root >= 0 && root <= 3037000499); /* the root of 2^63 - 1 */
        ck_assert(root * root <= n && (uint64_t)(root + 1) * (uint64_t)(root + 1) > (uint64_t)n);
        ck_assert(!root || mw_root(root * root - 1) == root - 1);
    }
    ck_assert_int_eq(mw_root(INT64_MAX), 3037000499);
    ck_assert_int_eq(mw_root(-1), 0);
    ck_assert_int_eq(mw_root(0), 0);
}

TEST(quotients_go_to_their_infinity)
{
    for (int64_t a = -50; a <= 50; a++)
        for (int64_t b = 1; b <= 12; b++) {
            int64_t floor = mw_floor_div(a, b), ceiling = mw_ceil_div(a, b);
            ck_assert(floor * b <= a && a < (floor + 1) * b);
            ck_assert((ceiling - 1) * b < a && a <= ceiling * b);
        }
}

TEST(bits_and_bytes_are_found)
{
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++)
            ck_assert_int_eq(mw_count_bits(UINT64_C(1) << i | UINT64_C(1) << j), 1 + (i != j));
    ck_assert_int_eq(mw_count_bits(UINT64_MAX), 64);
    for (int32_t n = 0; n < 30; n++)
        for (int32_t set = 0; set <= n; set++) {
            uint8_t bytes[30] = {0};
            bytes[set] = 1; /* at n it is beyond */
            for (int32_t i = 0; i <= n; i++)
                ck_assert_int_eq(mw_next_byte(bytes, i, n), i <= set ? set : n);
        }
}
