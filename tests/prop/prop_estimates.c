/* prop_estimates.c: what was estimated of a request bounds what it takes, whatever is asked. */
#include "rounds.h"
#include "test.h"
#include "weigh.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps that nobody counts: of requests so small, estimates need only be small. */
enum { FEW = 1000 };

/* A generator that searches is cut off here; what is cut off is not judged. */
static const uint64_t most_steps = UINT64_C(20000000);

/*
 * How many of a hundred requests may take more than four times the steps, fewer than a tenth, or
 * more memory. What searches may take far longer, so is their memory: a run that does not fit is
 * too big, and may be tried with more. Boards drawn at random are mostly unsolvable at once.
 */
static const struct bound {
    const char *generator;
    int dear, cheap, hungry;
} bounds[] = {
    {"regions", 3, 5, 1},          {"areas", 3, 5, 1}, {"puzzle/solve", 15, 75, 5},
    {"puzzle/generate", 10, 5, 5}, {NULL, 1, 5, 1}, /* all others, which do not search */
};

struct tally {
    int all, made, dear, cheap, hungry;
};

static void observe(void *context, const struct weighing *w)
{
    struct tally *t = context;
    bool made = w->fault == MW_OK;
    t->all++;
    t->made += made;
    t->dear += w->real.steps > 4 * w->estimate.steps + FEW;
    t->cheap += made && w->real.steps + FEW < w->estimate.steps / 10;
    t->hungry += w->real.bytes > w->estimate.bytes;
    ck_assert_uint_gt(w->estimate.nanoseconds, 0);
    if (getenv("MAPWRIGHT_SHOW") && w->real.bytes > w->estimate.bytes)
        printf("hungry: %s %.3f %.200s\n", w->encoder->name,
               (double)w->real.bytes / (double)w->estimate.bytes, w->address);
}

static int some(int percent, int of) { return (percent * of + 99) / 100; }

static int count_generators(void)
{
    int count = 0;
    while (mw_generators[count])
        count++;
    return count;
}

TEST(estimates_bound_what_is_taken, .end = count_generators(), .measures = true)
{
    const struct mw_generator *generator = mw_generators[_i];
    const struct bound *bound = bounds;
    while (bound->generator && strcmp(bound->generator, generator->name))
        bound++;
    struct tally t = {0};
    uint64_t requests = (uint64_t)rounds(150);
    for (uint64_t i = 0; i < requests; i++)
        weigh(generator, i, most_steps, observe, &t);
    printf("%s: of %d written, %d took more than 4 times the steps, %d less than a tenth, %d more "
           "memory\n",
           generator->name, t.all, t.dear, t.cheap, t.hungry);
    ck_assert_int_gt(t.made, 20);
    ck_assert_int_le(t.dear, some(bound->dear, t.all));
    ck_assert_int_le(t.cheap, some(bound->cheap, t.made));
    ck_assert_int_le(t.hungry, some(bound->hungry, t.all));
}

/* What is usual, to the byte and more: nothing that people ask for every day is off. */
static const char *const usual[] = {
    "/regions?seed=1",
    "/regions?width=400&height=300&count=50&seed=1",
    "/regions?width=1024&height=1024&count=1000&seed=2",
    "/regions?width=100&height=100&count=4500&seed=1",              /* of two cells, or three */
    "/regions?width=150&height=150&grid=square&count=11250&seed=1", /* of two each */
    "/areas?seed=1",
    "/areas?width=500&height=500&count=5&algorithm=dfs-backtrack&seed=1",
    "/islands?seed=1",
    "/islands?width=600&height=600&islands=100,2000&seed=1",
    "/starlanes?seed=1",
    "/starlanes?stars=20000&width=100000&height=100000&seed=1",
    "/starlanes?stars=5&shape=clusters&seed=1",
    "/starlanes?stars=20000&shape=spiral&seed=1",
    "/starlanes?stars=3000&shape=disc&homeworlds=12&seed=1",
    "/starlanes?stars=3000&shape=spiral&homeworlds=32&seed=1",
    "/starlanes?stars=3000&shape=ring&homeworlds=300&seed=1",
    "/starlanes?stars=3000&shape=clusters&graphs=true&seed=1",
    "/starlanes?stars=24&homeworlds=12&seed=1",
    "/puzzle/generate?seed=1",
    "/puzzle/generate?maps=12&seed=1",
    "/puzzle/generate?unique=false&seed=1",
    "/puzzle/generate?width=64&height=64&colors=40&unique=false&seed=3",
    "/puzzle/generate?width=6&height=6&difficulty=hard&seed=1",
    "/puzzle/generate?width=6&height=7&difficulty=extreme&seed=103",
    "/puzzle/generate?width=6&height=7&rule=flow&difficulty=extreme&seed=1",
    "/regions?wrap=xy&margin=0&seed=1",
    "/areas?wrap=xy&width=500&height=500&count=5&margin=0&seed=1",
    "/puzzle/solve?grid=A..B/..../..../A..B&rule=strict",
    /* on others */
    "/regions?mask=/areas?seed=4%26count=3&count=9&seed=1",
    "/regions?mask=/areas?width=400%26height=300%26seed=4%26count=3&count=60&seed=1",
    "/areas?mask=/regions?width=300%26height=300%26seed=4%26of=2,3&area=900&seed=1",
    "/areas?mask=/islands?width=200%26height=200%26order=false%26land=0.6%26seed=4&seed=1",
    "/regions?mask=/islands?width=60%26height=60%26islands=9,900%26seed=4&count=200&seed=1",
    "/starlanes?positions=/regions?count=90%26seed=4&seed=1",
    "/starlanes?positions=/regions?width=400%26height=400%26count=3000%26seed=4&seed=1",
    "/starlanes?positions=/starlanes?stars=20000%26seed=4&seed=1",
    "/starlanes?positions=/islands?width=300%26height=300%26islands=9,3000%26seed=4&seed=1",
    "/starlanes?positions=/regions?count=48%26mask=/areas?width=110%2526height=64%2526count=3"
    "&seed=7",
    "/regions?capitals=/areas?count=9%26area=60%26seed=1&count=20&seed=1",
    "/starlanes?stars=500&homes=/starlanes?stars=400%26homeworlds=20%26seed=3&seed=1",
    "/puzzle/solve?grid=/puzzle/generate?width=9%26height=9%26seed=3",
    "/puzzle/solve?grid=/puzzle/generate?width=20%26height=20%26unique=false%26seed=3&rule=strict",
};

static void observe_usual(void *context, const struct weighing *w)
{
    int *met = context;
    ++*met;
    ck_assert_msg(w->fault == MW_OK, "%s", w->address);
    ck_assert_msg(w->real.bytes <= w->estimate.bytes, "%s as %s: %" PRIu64 " bytes of %" PRIu64,
                  w->address, w->encoder->name, w->real.bytes, w->estimate.bytes);
    ck_assert_msg(w->real.steps <= 4 * w->estimate.steps + FEW &&
                      w->real.steps + FEW >= w->estimate.steps / 10,
                  "%s as %s: %" PRIu64 " steps of %" PRIu64, w->address, w->encoder->name,
                  w->real.steps, w->estimate.steps);
}

TEST(what_is_usual_is_known, .end = COUNT(usual), .measures = true)
{
    int met = 0;
    ck_assert(weigh_address(usual[_i], UINT64_MAX, observe_usual, &met));
    ck_assert_int_gt(met, 3);
}

/* By which progress is told: it neither stops half-way nor waits at its end. */
static const char *const told[] = {
    "/islands?width=1500&height=1500&seed=1",
    "/islands?width=1500&height=1500&islands=33000,49000&seed=1",
    "/islands?width=1500&height=1500&islands=1,5&size=10000,90000&bridges=false&seed=1",
    "/islands?width=1500&height=1500&order=false&land=0.5&iterations=200&seed=1",
};

static void observe_told(void *context, const struct weighing *w)
{
    int *met = context;
    if (strcmp(w->encoder->name, "json") != 0)
        return;
    ++*met;
    double share = (double)w->real.steps / (double)w->estimate.steps;
    ck_assert_msg(share > .75 && share < 1.35, "%s: %.3f of the steps", w->address, share);
}

TEST(progress_of_large_maps_ends_near_one, .end = COUNT(told), .measures = true)
{
    int met = 0;
    ck_assert(weigh_address(told[_i], UINT64_MAX, observe_told, &met));
    ck_assert_int_eq(met, 1);
}
