/*
 * sort.c: stable sorting, the same on every machine (qsort is neither).
 *
 * Radix sort, eight bits a pass, least first. A first look at the keys finds the passes in which
 * they differ at all, so small keys cost few; each of them looks once to count the digits. Few
 * items are sorted by insertion.
 */
#include "gen.h"

enum { FEW = 32, DIGITS = 256, PASSES = 8 };

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

static inline uint32_t digit(uint64_t key, int pass)
{
    return (uint32_t)(key >> 8 * pass) & (DIGITS - 1);
}

static int find_passes(const uint64_t *keys, int32_t count, int passes[PASSES])
{
    uint64_t differ = 0;
    for (int32_t i = 1; i < count; i++)
        differ |= keys[i] ^ keys[0];
    int n = 0;
    for (int pass = 0; pass < PASSES; pass++)
        if (digit(differ, pass))
            passes[n++] = pass;
    return n;
}

static void count_digits(const uint64_t *keys, int32_t count, int pass, int32_t counts[DIGITS])
{
    memset(counts, 0, DIGITS * sizeof *counts);
    for (int32_t i = 0; i < count; i++)
        counts[digit(keys[i], pass)]++;
}

/* Turns the counts into where each digit begins. */
static void radix_pass(struct lane from, struct lane to, int32_t count, int pass, int32_t *counts)
{
    for (int32_t d = 0, sum = 0, n; d < DIGITS; d++, sum += n) {
        n = counts[d];
        counts[d] = sum;
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t at = counts[digit(from.keys[i], pass)]++;
        to.keys[at] = from.keys[i];
        if (from.items)
            to.items[at] = from.items[i];
    }
}

void mw_sort(struct mw_run *run, uint64_t *keys, int32_t *items, int32_t count)
{
    assert(count >= 0);
    if (count <= FEW) {
        insertion_sort(keys, items, count);
        return;
    }
    char *mark = mw_mark(run);
    struct lane here = {keys, items};
    struct lane there = {MW_NEW(run, uint64_t, count), items ? MW_NEW(run, int32_t, count) : NULL};
    int32_t counts[DIGITS];
    int passes[PASSES], n = find_passes(keys, count, passes);
    mw_tick(run, PASSES * (uint64_t)count);
    for (int i = 0; i < n; i++) {
        count_digits(here.keys, count, passes[i], counts);
        radix_pass(here, there, count, passes[i], counts);
        struct lane swap = here;
        here = there;
        there = swap;
    }
    if (here.keys != keys) {
        memcpy(keys, here.keys, (size_t)count * sizeof *keys);
        if (items)
            memcpy(items, here.items, (size_t)count * sizeof *items);
    }
    mw_rewind(run, mark);
}
