/* check_heap.c: a heap gives the least item, as a search through a list finds it. */
#include "kit/heap.h"
#include "unit/unit.h"

enum { N = 200 };

struct ranks {
    int32_t of[N];
};

static bool before(const void *context, int32_t a, int32_t b)
{
    const struct ranks *ranks = context;
    return ranks->of[a] < ranks->of[b] || (ranks->of[a] == ranks->of[b] && a < b);
}

static int32_t find_first(const struct ranks *ranks, const struct mw_heap *heap)
{
    int32_t first = -1;
    for (int32_t i = 0; i < N; i++)
        if (heap->place[i] >= 0 && (first < 0 || before(ranks, i, first)))
            first = i;
    return first;
}

static void check_places(const struct mw_heap *heap)
{
    int32_t placed = 0;
    for (int32_t i = 0; i < N; i++) {
        ck_assert(heap->place[i] < 0 || heap->at[heap->place[i]] == i);
        placed += heap->place[i] >= 0;
    }
    ck_assert_int_eq(placed, heap->count);
}

TEST(gives_the_first_item, .end = 5)
{
    struct mw_rng rng = unit_rng((uint64_t)_i);
    struct ranks ranks;
    int32_t at[N], place[N];
    struct mw_heap heap = {at, N, place};
    for (int32_t i = 0; i < N; i++) {
        ranks.of[i] = mw_between(&rng, 0, N / 4);
        at[i] = i;
    }
    mw_shuffle(&rng, at, N);
    for (int32_t i = 0; i < N; i++)
        place[at[i]] = i;
    mw_heap_build(&heap, before, &ranks);
    for (int turn = 0; turn < 20 * N || heap.count; turn++) {
        int32_t item = mw_between(&rng, 0, N - 1), by = mw_between(&rng, -9, 9);
        if (turn >= 20 * N || mw_chance(&rng, 400)) {
            int32_t first = find_first(&ranks, &heap);
            if (first >= 0)
                ck_assert_int_eq(mw_heap_pop(&heap, before, &ranks), first);
        } else if (place[item] < 0) {
            mw_heap_push(&heap, item, before, &ranks);
        } else {
            ranks.of[item] += by;
            (by < 0 ? mw_heap_sift_up : mw_heap_sift_down)(&heap, place[item], before, &ranks);
        }
        check_places(&heap);
    }
}
