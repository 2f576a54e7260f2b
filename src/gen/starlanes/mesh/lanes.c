/*
 * lanes.c: the order of pairs, by length, then by the coordinates of their ends.
 *
 * Squared lengths are sorted as the bits of doubles, which have the order of those: few high bits
 * tell long and short apart.
 */
#include "lanes.h"
#include "kit/plane.h"

/* Sorts what is alike by length. */
static void sort_alike(struct mw_run *run, const struct mw_edge *pair, uint64_t *keys,
                       int32_t *order, int32_t count)
{
    assert(count > 1);
    for (int32_t k = 0; k < count; k++)
        keys[k] = (uint64_t)pair[order[k]].a << 32 | (uint32_t)pair[order[k]].b;
    mw_sort(run, keys, order, count);
}

int32_t *lanes_order(struct mw_run *run, const struct mw_point *at, const struct lanes *lanes)
{
    int32_t count = lanes->count, *order = MW_NEW(run, int32_t, count);
    char *mark = mw_mark(run);
    uint64_t *keys = MW_NEW(run, uint64_t, count);
    assert(count >= 0);
    mw_tick(run, (uint64_t)count);
    for (int32_t i = 0; i < count; i++) {
        double length = (double)square(ray_to(at[lanes->at[i].a], at[lanes->at[i].b]));
        memcpy(&keys[i], &length, sizeof length);
        order[i] = i;
    }
    mw_sort(run, keys, order, count);
    for (int32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && keys[end] == keys[i];)
            end++;
        assert(end == count || keys[end] > keys[i]);
        if (end > i + 1)
            sort_alike(run, lanes->at, keys + i, order + i, end - i);
    }
    mw_rewind(run, mark);
    return order;
}
