/*
 * sort.c: stable sorting, the same on every machine (qsort is neither).
 *
 * Radix sort, eight bits a pass, least first; passes in which all keys share the byte are skipped, so
 * small keys cost few passes. Few items are sorted by insertion.
 */
#include "gen.h"

enum { FEW = 32, DIGITS = 256 };

static void insertion_sort(uint64_t *keys, int32_t *items, int32_t count)
{
    for (int32_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        int32_t item = items ? items[i] : 0, j = i;
        for (; j > 0 && keys[j - 1] > key; j--) {
            keys[j] = keys[j - 1];
            if (items)
                items[j] = items[j - 1];
        }
        keys[j] = key;
        if (items)
            items[j] = item;
    }
}

struct lane {
    uint64_t *keys;
    int32_t *items;
};

static bool radix_pass(struct lane from, struct lane to, int32_t count, int shift)
{
    int32_t start[DIGITS + 1] = {0};
    for (int32_t i = 0; i < count; i++)
        start[((from.keys[i] >> shift) & (DIGITS - 1)) + 1]++;
    if (start[((from.keys[0] >> shift) & (DIGITS - 1)) + 1] == count)
        return false;
    for (int d = 0; d < DIGITS; d++)
        start[d + 1] += start[d];
    for (int32_t i = 0; i < count; i++) {
        int32_t at = start[(from.keys[i] >> shift) & (DIGITS - 1)]++;
        to.keys[at] = from.keys[i];
        if (from.items)
            to.items[at] = from.items[i];
    }
    return true;
}

void mw_sort(struct mw_run *run, uint64_t *keys, int32_t *items, int32_t count)
{
    if (count <= FEW) {
        insertion_sort(keys, items, count);
        return;
    }
    char *mark = mw_mark(run);
    struct lane here = {keys, items};
    struct lane there = {MW_NEW(run, uint64_t, count), items ? MW_NEW(run, int32_t, count) : NULL};
    for (int shift = 0; shift < 64; shift += 8) {
        mw_tick(run, (uint64_t)count);
        if (radix_pass(here, there, count, shift)) {
            struct lane swap = here;
            here = there;
            there = swap;
        }
    }
    if (here.keys != keys) {
        memcpy(keys, here.keys, (size_t)count * sizeof *keys);
        if (items)
            memcpy(items, here.items, (size_t)count * sizeof *items);
    }
    mw_rewind(run, mark);
}
