/*
 * sort.c: stable sorting, the same on every machine (qsort is neither).
 *
 * Radix sort, least digit first. Only as many of the highest bits that differ are sorted by as it
 * takes to tell most keys apart; those that are alike so far lie together then, and are sorted in
 * turn. Digits are as wide as two passes take, unless that were too many places to write to.
 * Few items are sorted by insertion.
 */
#include "gen.h"

enum { FEW = 32, NARROW = 8, WIDE = 10, SPARE = 5, STEPS = 8 };

/* Keys, and what moves with them. */
struct lane {
    uint64_t *keys;
    int32_t *items; /* NULL: nothing */
};

static inline void put(struct lane to, int32_t at, uint64_t key, int32_t item)
{
    to.keys[at] = key;
    if (to.items)
        to.items[at] = item;
}

static inline int32_t item_at(struct lane from, int32_t i)
{
    return from.items ? from.items[i] : 0;
}

static void insertion_sort(struct lane lane, int32_t count)
{
    for (int32_t i = 1; i < count; i++) {
        uint64_t key = lane.keys[i];
        int32_t item = item_at(lane, i), j = i;
        for (; j > 0 && lane.keys[j - 1] > key; j--)
            put(lane, j, lane.keys[j - 1], item_at(lane, j - 1));
        put(lane, j, key, item);
    }
}

/* A digit of that many bits, from a bit on. */
static inline uint32_t digit(uint64_t key, int shift, int width)
{
    return (uint32_t)(key >> shift) & ((1u << width) - 1);
}

static int bits_of(uint64_t n) { return n ? 64 - __builtin_clzll(n) : 0; }

/* How many bits the keys have from the highest that differs. */
static int find_bits(const uint64_t *keys, int32_t count)
{
    uint64_t differ = 0;
    for (int32_t i = 1; i < count; i++)
        differ |= keys[i] ^ keys[0];
    return bits_of(differ);
}

static void radix_pass(struct lane from, struct lane to, int32_t count, int shift, int width)
{
    int32_t counts[1 << (WIDE + 1)];
    memset(counts, 0, sizeof *counts << width);
    for (int32_t i = 0; i < count; i++)
        counts[digit(from.keys[i], shift, width)]++;
    for (int32_t d = 0, sum = 0, n; d < 1 << width; d++, sum += n) {
        n = counts[d];
        counts[d] = sum;
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t at = counts[digit(from.keys[i], shift, width)]++;
        assert(at >= 0 && at < count);
        put(to, at, from.keys[i], item_at(from, i));
    }
}

/* Sorts runs of keys that differ in the lowest bits alone. */
static void sort_runs(struct mw_run *run, uint64_t *keys, int32_t *items, int32_t count, int shift)
{
    for (int32_t i = 1; i < count; i++) {
        if (keys[i - 1] <= keys[i])
            continue;
        int32_t begin = i - 1, end = i + 1;
        while (begin > 0 && keys[begin - 1] >> shift == keys[i] >> shift)
            begin--;
        while (end < count && keys[end] >> shift == keys[i] >> shift)
            end++;
        mw_sort(run, keys + begin, items ? items + begin : NULL, end - begin);
        i = end;
    }
}

void mw_sort(struct mw_run *run, uint64_t *keys, int32_t *items, int32_t count)
{
    assert(count >= 0);
    if (count <= FEW) {
        insertion_sort((struct lane){keys, items}, count);
        return;
    }
    char *mark = mw_mark(run);
    struct lane here = {keys, items};
    struct lane there = {MW_NEW(run, uint64_t, count), items ? MW_NEW(run, int32_t, count) : NULL};
    int bits = find_bits(keys, count), wanted = bits_of((uint64_t)count) + SPARE;
    wanted = bits < wanted ? bits : wanted;
    int passes = 1 + (wanted > NARROW) + (wanted > 2 * WIDE),
        width = (wanted + passes - 1) / passes;
    assert(width <= WIDE + 1);
    int shift = bits > passes * width ? bits - passes * width : 0;
    mw_tick(run, STEPS * (uint64_t)count);
    for (int at = shift; at < bits; at += width) {
        radix_pass(here, there, count, at, width);
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
    if (shift > 0)
        sort_runs(run, keys, items, count, shift);
    assert(keys[0] <= keys[count - 1]);
}
