/* check_dsf.c: disjoint sets, against labels that are painted over. */
#include "kit/dsf.h"
#include "kit/integer.h"
#include "unit/unit.h"

enum { N = 300 };

TEST(sets_are_those_of_painting_and_their_root_is_the_least, .end = 5)
{
    static int32_t parent[N], paint[N];
    struct mw_rng rng = unit_rng((uint64_t)_i);
    mw_dsf_init(parent, N);
    for (int32_t i = 0; i < N; i++)
        paint[i] = i;
    for (int joins = 0; joins < N; joins++) {
        int32_t a = mw_between(&rng, 0, N - 1), b = mw_between(&rng, 0, N - 1);
        int32_t low = mw_min(paint[a], paint[b]), high = mw_max(paint[a], paint[b]);
        ck_assert_int_eq(mw_dsf_join(parent, a, b), low != high);
        for (int32_t i = 0; i < N; i++)
            paint[i] = paint[i] == high ? low : paint[i];
    }
    for (int32_t i = 0; i < N; i++)
        ck_assert_int_eq(mw_dsf_find(parent, i), paint[i]);
}
