/*
 * starlanes_order.c: the lanes in the order of pairs.
 *
 * The squares of lengths are squeezed into 22 bits, as floats of 17 digits, and sorted by two
 * passes of eleven bits. Few are alike after that, and those are put in order by insertion. Where
 * many are alike, as on lattices, the stable sort of all keys does it, by stars first and then by
 * length.
 */
#include "search.h"

enum { FEW = 32 };

/* Numbers in their order, squeezed into 22 bits: all of a small one, 17 bits of a large one. */
static uint32_t squeeze(int64_t n)
{
    int over = 47 - __builtin_clzll((unsigned long long)n | 1);
    return over <= 0 ? (uint32_t)n : ((uint32_t)over << 16) + (uint32_t)(n >> over);
}

enum { HALF = 11, HALVES = 1 << HALF };

static void scatter_places(const struct place *from, struct place *to, int32_t count, int shift)
{
    int32_t begin[HALVES] = {0};
    for (int32_t i = 0; i < count; i++)
        begin[squeeze(from[i].square) >> shift & (HALVES - 1)]++;
    for (int32_t d = 0, sum = 0, n; d < HALVES; d++, sum += n) {
        n = begin[d];
        begin[d] = sum;
    }
    for (int32_t i = 0; i < count; i++)
        to[begin[squeeze(from[i].square) >> shift & (HALVES - 1)]++] = from[i];
}

/* Puts many places in order. */
static void sort_many(struct mw_run *run, struct place *at, int32_t count)
{
    char *mark = mw_mark(run);
    uint64_t *keys = MW_NEW(run, uint64_t, count);
    int32_t *order = MW_NEW(run, int32_t, count);
    struct place *old = MW_NEW(run, struct place, count);
    memcpy(old, at, (size_t)count * sizeof *at);
    for (int32_t i = 0; i < count; i++) {
        keys[i] = (uint64_t)at[i].a << 32 | (uint32_t)at[i].b;
        order[i] = i;
    }
    mw_sort(run, keys, order, count);
    for (int32_t i = 0; i < count; i++)
        keys[i] = (uint64_t)old[order[i]].square;
    mw_sort(run, keys, order, count);
    for (int32_t i = 0; i < count; i++)
        at[i] = old[order[i]];
    mw_rewind(run, mark);
}

static void sort_few(struct place *at, int32_t count)
{
    for (int32_t i = 1; i < count; i++) {
        struct place place = at[i];
        int32_t k = i;
        for (; k > 0 && place_before(place, at[k - 1]); k--)
            at[k] = at[k - 1];
        at[k] = place;
    }
}

void starlanes_sort(struct mw_run *run, struct place *at, struct place *spare, int32_t count)
{
    mw_tick(run, 8 * (uint64_t)count);
    scatter_places(at, spare, count, 0);
    scatter_places(spare, at, count, HALF);
    for (int32_t i = 0, end; i < count; i = end) {
        uint32_t key = squeeze(at[i].square);
        for (end = i + 1; end < count && squeeze(at[end].square) == key;)
            end++;
        if (end - i > FEW)
            sort_many(run, at + i, end - i);
        else
            sort_few(at + i, end - i);
    }
}
