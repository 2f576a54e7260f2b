/* check_sort.c: in order, stable, nothing lost. */
#include "unit/unit.h"

/* How many items, and how many bits of their keys are drawn, at which place. */
static const struct {
    int32_t count;
    int bits, shift;
} rows[] = {{0, 8, 0},     {1, 8, 0},      {2, 1, 0},     {31, 2, 0},    {32, 3, 0},
            {33, 3, 0},    {33, 64, 0},    {100, 0, 0},   {1000, 1, 0},  {1000, 1, 63},
            {1000, 8, 20}, {1000, 12, 50}, {5000, 64, 0}, {5000, 16, 0}, {70000, 64, 0}};

TEST(sorts_stably, .end = COUNT(rows))
{
    enum { MOST = 70000 };
    static uint64_t keys[MOST], before[MOST];
    static int32_t items[MOST];
    static bool met[MOST];
    memset(met, 0, sizeof met);
    int32_t n = rows[_i].count;
    struct mw_rng rng = unit_rng((uint64_t)_i);
    uint64_t mask = rows[_i].bits == 64 ? UINT64_MAX : (UINT64_C(1) << rows[_i].bits) - 1;
    for (int32_t i = 0; i < n; i++) {
        keys[i] = before[i] = (mw_next(&rng) & mask) << rows[_i].shift;
        items[i] = i;
    }
    struct mw_run *run = unit_open();
    char *mark = mw_mark(run);
    mw_sort(run, keys, items, n);
    ck_assert_msg(mw_mark(run) == mark, "it keeps memory");
    for (int32_t i = 0; i < n; i++) {
        ck_assert_msg(!met[items[i]], "an item comes twice");
        met[items[i]] = true;
        ck_assert_uint_eq(keys[i], before[items[i]]);
        if (i && keys[i - 1] == keys[i])
            ck_assert_int_lt(items[i - 1], items[i]);
        if (i)
            ck_assert(keys[i - 1] <= keys[i]);
    }
}

TEST(sorts_keys_alone)
{
    enum { N = 777 };
    static uint64_t keys[N], with[N];
    static int32_t items[N];
    struct mw_rng rng = unit_rng(9);
    for (int i = 0; i < N; i++)
        keys[i] = with[i] = mw_next(&rng) >> 40;
    struct mw_run *run = unit_open();
    mw_sort(run, keys, NULL, N);
    mw_sort(run, with, items, N);
    ck_assert_mem_eq(keys, with, sizeof keys);
}
