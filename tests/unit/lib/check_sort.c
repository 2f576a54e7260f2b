/* check_sort.c: in order, stable, nothing lost. */
#include "unit/unit.h"

/* How many items, and how many bits of their keys are drawn, at which place. */
static const struct {
    int32_t count;
    int bits, shift;
} rows[] = {{0, 8, 0},     {1, 8, 0},     {32, 3, 0},    {33, 3, 0},    {33, 64, 0},
            {100, 0, 0},   {1000, 1, 0},  {1000, 1, 63}, {1000, 8, 20}, {1000, 12, 50},
            {5000, 64, 0}, {5000, 16, 0}, {70000, 64, 0}};

TEST(sorts_stably_with_items_and_without, .end = COUNT(rows))
{
    enum { MOST = 70000 };
    static uint64_t keys[MOST], alone[MOST], before[MOST];
    static int32_t items[MOST];
    static bool met[MOST];
    memset(met, 0, sizeof met);
    int32_t n = rows[_i].count;
    struct mw_rng rng = unit_rng((uint64_t)_i);
    uint64_t mask = rows[_i].bits == 64 ? UINT64_MAX : (UINT64_C(1) << rows[_i].bits) - 1;
    for (int32_t i = 0; i < n; i++) {
        keys[i] = alone[i] = before[i] = (mw_next(&rng) & mask) << rows[_i].shift;
        items[i] = i;
    }
    struct mw_run *run = unit_open();
    char *mark = mw_mark(run);
    mw_sort(run, keys, items, n);
    mw_sort(run, alone, NULL, n);
    ck_assert_msg(mw_mark(run) == mark, "it keeps memory");
    for (int32_t i = 0; i < n; i++) {
        ck_assert(!met[items[i]] && keys[i] == before[items[i]] && keys[i] == alone[i]);
        met[items[i]] = true;
        ck_assert(!i || keys[i - 1] < keys[i] ||
                  (keys[i - 1] == keys[i] && items[i - 1] < items[i]));
    }
}
