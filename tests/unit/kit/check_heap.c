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

static int32_t first_of(const struct ranks *ranks, const bool *in)
{
    int32_t first = -1;
    for (int32_t i = 0; i < N; i++)
        if (in[i] && (first < 0 || before(ranks, i, first)))
            first = i;
    return first;
}

static void check_places(const struct mw_heap *heap, const bool *in)
{
    for (int32_t i = 0; i < N; i++) {
        ck_assert_int_eq(heap->place[i] >= 0, in[i]);
        ck_assert(!in[i] || heap->at[heap->place[i]] == i);
    }
}

TEST(gives_the_first_of_what_is_in_it, .end = 5)
{
    struct mw_rng rng = unit_rng((uint64_t)_i);
    struct ranks ranks;
    int32_t at[N], place[N];
    bool in[N] = {false};
    struct mw_heap heap = {at, 0, place};
    for (int32_t i = 0; i < N; i++) {
        ranks.of[i] = mw_between(&rng, 0, N / 4);
        place[i] = -1;
    }
    for (int turn = 0; turn < 20 * N; turn++) {
        int32_t item = mw_between(&rng, 0, N - 1);
        if (!in[item]) {
            mw_heap_push(&heap, item, before, &ranks);
            in[item] = true;
        } else if (mw_chance(&rng, 500)) {
            ranks.of[item] -= mw_between(&rng, 0, 9);
            mw_heap_sift_up(&heap, place[item], before, &ranks);
        } else {
            ranks.of[item] += mw_between(&rng, 0, 9);
            mw_heap_sift_down(&heap, place[item], before, &ranks);
        }
        if (mw_chance(&rng, 400)) {
            int32_t first = first_of(&ranks, in);
            ck_assert_int_eq(mw_heap_pop(&heap, before, &ranks), first);
            in[first] = false;
        }
        check_places(&heap, in);
    }
}

TEST(is_built_from_any_order, .end = 5)
{
    struct mw_rng rng = unit_rng((uint64_t)_i);
    struct ranks ranks;
    int32_t at[N];
    bool in[N];
    struct mw_heap heap = {at, N, NULL};
    for (int32_t i = 0; i < N; i++) {
        ranks.of[i] = mw_between(&rng, 0, N / 4);
        at[i] = i;
        in[i] = true;
    }
    mw_shuffle(&rng, at, N);
    mw_heap_build(&heap, before, &ranks);
    while (heap.count) {
        int32_t first = first_of(&ranks, in);
        ck_assert_int_eq(mw_heap_pop(&heap, before, &ranks), first);
        in[first] = false;
    }
}
