/* check_dsf.c: disjoint sets, against labels that are painted over. */
#include "kit/dsf.h"
#include "unit/unit.h"

enum { N = 300 };

TEST(keeps_the_same_sets_as_painting, .end = 5)
{
    static int32_t parent[N], paint[N];
    struct mw_rng rng = unit_rng((uint64_t)_i);
    mw_dsf_init(parent, N);
    for (int32_t i = 0; i < N; i++)
        paint[i] = i;
    for (int joins = 0; joins < N; joins++) {
        int32_t a = mw_between(&rng, 0, N - 1), b = mw_between(&rng, 0, N - 1);
        int32_t old = paint[a], fresh = paint[b];
        ck_assert_int_eq(mw_dsf_join(parent, a, b), old != fresh);
        for (int32_t i = 0; i < N; i++)
            paint[i] = paint[i] == old ? fresh : paint[i];
    }
    for (int32_t i = 0; i < N; i++)
        for (int32_t j = 0; j < i; j++)
            ck_assert_int_eq(mw_dsf_find(parent, i) == mw_dsf_find(parent, j),
                             paint[i] == paint[j]);
}

TEST(the_root_is_the_least_of_its_set)
{
    static int32_t parent[N];
    struct mw_rng rng = unit_rng(77);
    mw_dsf_init(parent, N);
    for (int joins = 0; joins < 2 * N / 3; joins++)
        mw_dsf_join(parent, mw_between(&rng, 0, N - 1), mw_between(&rng, 0, N - 1));
    for (int32_t i = 0; i < N; i++)
        ck_assert_int_le(mw_dsf_find(parent, i), i);
}
