/*
 * heap.h: a binary heap of numbers (Williams 1964), with the first on top, by the caller's order.
 *
 * The order is a function known at compile time, so that it is inlined. Where `place` is given,
 * place[item] is kept at the item's index, and set to -1 when it leaves: an item whose rank has
 * changed can then be sifted from where it is.
 */
#ifndef MAPWRIGHT_HEAP_H
#define MAPWRIGHT_HEAP_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef bool mw_heap_order(const void *context, int32_t a, int32_t b); /* a comes before b */

struct mw_heap {
    int32_t *at; /* the caller's, with room for all that is pushed */
    int32_t count;
    int32_t *place; /* or NULL */
};

static inline void mw_heap_put(struct mw_heap *heap, int32_t i, int32_t item)
{
    heap->at[i] = item;
    if (heap->place)
        heap->place[item] = i;
}

/* The item at i goes up to where it belongs. */
static inline void mw_heap_sift_up(struct mw_heap *heap, int32_t i, mw_heap_order *before,
                                   const void *context)
{
    assert(i >= 0 && i < heap->count);
    int32_t item = heap->at[i];
    for (int32_t up; i > 0 && before(context, item, heap->at[up = (i - 1) / 2]); i = up)
        mw_heap_put(heap, i, heap->at[up]);
    mw_heap_put(heap, i, item);
}

/* The item at i goes down to where it belongs. */
static inline void mw_heap_sift_down(struct mw_heap *heap, int32_t i, mw_heap_order *before,
                                     const void *context)
{
    assert(i >= 0 && i < heap->count);
    int32_t item = heap->at[i];
    for (int32_t child; (child = 2 * i + 1) < heap->count; i = child) {
        child += child + 1 < heap->count && before(context, heap->at[child + 1], heap->at[child]);
        if (!before(context, heap->at[child], item))
            break;
        mw_heap_put(heap, i, heap->at[child]);
    }
    mw_heap_put(heap, i, item);
}

/* Makes a heap of items in any order, in linear time. */
static inline void mw_heap_build(struct mw_heap *heap, mw_heap_order *before, const void *context)
{
    for (int32_t i = heap->count / 2 - 1; i >= 0; i--)
        mw_heap_sift_down(heap, i, before, context);
}

static inline void mw_heap_push(struct mw_heap *heap, int32_t item, mw_heap_order *before,
                                const void *context)
{
    heap->at[heap->count++] = item;
    mw_heap_sift_up(heap, heap->count - 1, before, context);
}

/* Takes the first; there is one. */
static inline int32_t mw_heap_pop(struct mw_heap *heap, mw_heap_order *before, const void *context)
{
    assert(heap->count > 0);
    int32_t first = heap->at[0];
    if (--heap->count > 0) {
        heap->at[0] = heap->at[heap->count];
        mw_heap_sift_down(heap, 0, before, context);
    }
    if (heap->place)
        heap->place[first] = -1;
    return first;
}

#endif
