/* check_policy.c: which answers stay, by traces of requests, against the least recently used. */
#include "faults.h"
#include "srv/base/hash.h"
#include "srv/cache/policy.h"
#include "unit/unit.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 200000 };

/* ---- a cache of names alone ------------------------------------------------------------------ */

struct thing {
    struct rated rated; /* first: the policy knows things by it */
    bool kept;
};

struct trace {
    struct thing *things; /* by name */
    struct policy *policy;
    size_t *lru_used; /* when, by name; 0: not kept */
    size_t lru_bytes, limit, now;
    uint64_t asks, hits, lru_hits; /* since trace_count */
    uint64_t worked, lru_worked;   /* costs of what was made */
    uint64_t random;
};

static struct trace trace_begin(size_t limit)
{
    return (struct trace){.things = calloc(MOST, sizeof(struct thing)),
                          .lru_used = calloc(MOST, sizeof(size_t)),
                          .policy = policy_new(limit),
                          .limit = limit,
                          .random = 7};
}

static void trace_end(struct trace *trace)
{
    free(trace->things);
    free(trace->lru_used);
    policy_drop(trace->policy);
}

static void trace_count(struct trace *trace)
{
    trace->asks = trace->hits = trace->lru_hits = trace->worked = trace->lru_worked = 0;
}

/* The simplest that can be right: who was used longest ago goes. */
static void ask_lru(struct trace *trace, int name, uint64_t cost, size_t weight)
{
    static int order[MOST]; /* names by use, lazily */
    static size_t stamp[MOST], first, last;
    if (trace->now == 1)
        first = last = 0;
    trace->lru_hits += trace->lru_used[name] != 0;
    trace->lru_worked += trace->lru_used[name] ? 0 : cost;
    trace->lru_bytes += trace->lru_used[name] ? 0 : weight;
    trace->lru_used[name] = trace->now;
    order[last % MOST] = name;
    stamp[last++ % MOST] = trace->now;
    while (trace->lru_bytes > trace->limit || last - first == MOST) {
        int oldest = order[first % MOST];
        if (trace->lru_used[oldest] == stamp[first++ % MOST]) {
            trace->lru_used[oldest] = 0;
            trace->lru_bytes -= trace->things[oldest].rated.weight;
        }
    }
}

static void ask_policy(struct trace *trace, int name, uint64_t cost)
{
    struct thing *thing = &trace->things[name];
    if (thing->kept) {
        trace->hits++;
        policy_ask(&thing->rated);
        return;
    }
    trace->worked += cost;
    thing->rated.mark = hash_fold((uint64_t)name * 0x9e3779b97f4a7c15u, 0xd1b54a32d192ed03u);
    thing->rated.credits = 0;
    thing->rated.cost = cost;
    thing->kept = true;
    for (struct rated *gone = policy_admit(trace->policy, &thing->rated); gone; gone = gone->next)
        ((struct thing *)(void *)gone)->kept = false;
    ck_assert_uint_le(policy_state(trace->policy).bytes, trace->limit);
}

static void ask(struct trace *trace, int name, uint64_t cost, size_t weight)
{
    trace->now++;
    trace->asks++;
    trace->things[name].rated.weight = weight;
    ask_lru(trace, name, cost, weight);
    ask_policy(trace, name, cost);
}

static double uniform(struct trace *trace)
{
    return (double)(random_next(&trace->random) >> 11) / 9007199254740992.0;
}

/* A name below `names`, the first twice as often as the second, and so on (Zipf, exponent 1). */
static int zipf(struct trace *trace, int names)
{
    return (int)exp(uniform(trace) * log(names)) - 1;
}

static int count_kept(const struct trace *trace, int from, int to)
{
    int kept = 0;
    for (int i = from; i < to; i++)
        kept += trace->things[i].kept;
    return kept;
}

/* ---- what is promised ------------------------------------------------------------------------ */

enum { SMALL = 4 << 10, MAKES_SMALL = 280000, LARGE = 94 << 20 };

/* Two thousand small maps, then nine of 4096 x 4096, of the cost that a run of them takes. */
TEST(outlive_nine_giants)
{
    static const uint64_t costs[] = {400000000, 2000000000};
    for (int which = 0; which < COUNT(costs); which++) {
        struct trace trace = trace_begin((size_t)256 << 20);
        for (int i = 0; i < 2000; i++)
            ask(&trace, i, MAKES_SMALL, SMALL);
        for (int i = 0; i < 9; i++)
            ask(&trace, 10000 + i, costs[which], LARGE >> which);
        trace_count(&trace);
        for (int i = 0; i < 2000; i++)
            ask(&trace, i, MAKES_SMALL, SMALL);
        ck_assert_uint_ge(trace.hits, 1800);
        ck_assert_uint_eq(trace.lru_hits, 0);
        trace_end(&trace);
    }
}

/* What is popular is kept from all that is asked for once, be there ever so much of it. */
TEST(outlive_scans)
{
    struct trace trace = trace_begin((size_t)8 << 20);
    for (int round = 0, fresh = 20000; round < 40; round++) {
        if (round == 10)
            trace_count(&trace);
        for (int i = 0; i < 5000; i++)
            ask(&trace, zipf(&trace, 20000), MAKES_SMALL, SMALL);
        for (int i = 0; i < 4000; i++)
            ask(&trace, fresh++, MAKES_SMALL, SMALL);
    }
    ck_assert_uint_gt(trace.hits * 10, trace.lru_hits * 11);
    trace_end(&trace);
}

/* Costs and sizes of all kinds: it is work that is to be saved. */
TEST(save_work)
{
    struct trace trace = trace_begin((size_t)64 << 20);
    for (int i = 0; i < 400000; i++) {
        if (i == 100000)
            trace_count(&trace);
        int name = zipf(&trace, MOST);
        uint64_t bits = hash_fold((uint64_t)name + 1, 0x9e3779b97f4a7c15u);
        size_t weight = (size_t)512 << (bits % 12);
        ask(&trace, name, (weight << (bits >> 8) % 8), weight);
    }
    ck_assert_uint_lt(trace.worked * 10, trace.lru_worked * 9);
    trace_end(&trace);
}

/* What has just come is asked for again at once, and never more, as by an id that was given out. */
TEST(keep_the_recent)
{
    struct trace trace = trace_begin((size_t)8 << 20);
    for (int i = 0; i < 100000; i++) {
        if (i == 20000)
            trace_count(&trace);
        ask(&trace, i, MAKES_SMALL, SMALL);
        for (int again = 0; again < 2; again++)
            ask(&trace, i - (int)(uniform(&trace) * (i < 200 ? i : 200)), MAKES_SMALL, SMALL);
    }
    ck_assert_uint_ge(trace.hits * 100, trace.lru_hits * 99);
    trace_end(&trace);
}

/* What was loved goes when it is not any more. */
TEST(follow_fashion)
{
    struct trace trace = trace_begin((size_t)4 << 20);
    for (int fashion = 0; fashion < 4; fashion++) {
        for (int i = 0; i < 100000; i++) {
            if (i == 50000)
                trace_count(&trace);
            ask(&trace, fashion * 5000 + zipf(&trace, 5000), MAKES_SMALL, SMALL);
        }
        ck_assert_uint_ge(trace.hits * 100, trace.lru_hits * 102);
        ck_assert_int_ge(count_kept(&trace, fashion * 5000, fashion * 5000 + 300), 290);
    }
    trace_end(&trace);
}

/* ---- one by one ------------------------------------------------------------------------------ */

/* Whether it is kept. */
static bool admit(struct policy *policy, struct thing *thing, size_t weight, uint64_t cost)
{
    thing->rated.weight = weight;
    thing->rated.cost = cost;
    thing->kept = true;
    for (struct rated *gone = policy_admit(policy, &thing->rated); gone; gone = gone->next)
        ((struct thing *)(void *)gone)->kept = false;
    return thing->kept;
}

/* One too heavy for the small queue needs free room, or a second request. */
TEST(keep_the_heavy_that_are_made_again)
{
    struct policy *policy = policy_new(10000);
    struct thing first = {.rated.mark = 1}, second = {.rated.mark = 2}, huge = {.rated.mark = 3};
    ck_assert(admit(policy, &first, 6000, 1));
    ck_assert(!admit(policy, &second, 6000, 1) && first.kept);
    ck_assert(admit(policy, &second, 6000, 1) && !first.kept);
    ck_assert(!admit(policy, &huge, 10001, 1) && !admit(policy, &huge, 10001, 1));
    ck_assert_uint_eq(policy_state(policy).bytes, 6000);
    ck_assert_uint_eq(policy_state(policy).evicted, 4);
    policy_remove(policy, &second.rated);
    ck_assert(!policy_state(policy).bytes && !policy_state(policy).entries);
    policy_drop(policy);
}

/* An ask for what took long to make for its size keeps it for more rounds. */
TEST(prefer_what_cost_much_by_the_byte)
{
    struct rated cheap = {.cost = 1000, .weight = 1000}, costly = {.cost = 999999, .weight = 1000};
    policy_ask(&cheap);
    policy_ask(&costly);
    ck_assert_uint_eq(cheap.credits, 1);
    ck_assert_uint_gt(costly.credits, 3 * cheap.credits);
    for (int i = 0; i < 1000; i++)
        policy_ask(&cheap);
    ck_assert_uint_lt(cheap.credits, 100);
}

TEST(begins_whole_or_not_at_all)
{
    faults_begin(1);
    ck_assert_ptr_null(policy_new(1 << 20));
    ck_assert(faults_end());
    policy_drop(NULL);
}
