/* check_policy.c: which answers stay, by traces of requests, against the least recently used. */
#include "faults.h"
#include "srv/base/hash.h"
#include "srv/keep/policy.h"
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
        policy_ask(trace->policy, &thing->rated);
        return;
    }
    trace->worked += cost;
    thing->rated.mark = hash_fold((uint64_t)name * 0x9e3779b97f4a7c15u, 0xd1b54a32d192ed03u);
    policy_begin(trace->policy, &thing->rated);
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

static bool admit(struct policy *policy, struct thing *thing, uint64_t cost, size_t weight)
{
    thing->rated.cost = cost;
    thing->rated.weight = weight;
    policy_begin(policy, &thing->rated);
    thing->kept = true;
    for (struct rated *gone = policy_admit(policy, &thing->rated); gone; gone = gone->next)
        ((struct thing *)(void *)gone)->kept = false;
    return thing->kept;
}

/* All are too heavy for the window, and two fill the shelves: what comes must be worth more than
   all that go for it, and the least by the byte go first. */
TEST(weigh_newcomers)
{
    struct policy *policy = policy_new(16000);
    struct thing poor = {.rated.mark = 1}, rich = {.rated.mark = 2}, light = {.rated.mark = 3},
                 dear = {.rated.mark = 4}, whale = {.rated.mark = 5}, other = {.rated.mark = 6},
                 huge = {.rated.mark = 7};
    ck_assert(admit(policy, &poor, 1000000, 6000));
    ck_assert(admit(policy, &rich, 4000000, 6000));
    ck_assert(!admit(policy, &light, 1000000, 6000));
    ck_assert(!admit(policy, &whale, 5000000, 12000));
    ck_assert(poor.kept && rich.kept);
    ck_assert(admit(policy, &dear, 1000001, 6000));
    ck_assert(!poor.kept && rich.kept);
    ck_assert(admit(policy, &other, 5000002, 12000));
    ck_assert(!rich.kept && !dear.kept);
    ck_assert(!admit(policy, &huge, UINT64_MAX, 12001));
    ck_assert_uint_eq(policy_state(policy).bytes, 12000);
    ck_assert_uint_eq(policy_state(policy).entries, 1);
    ck_assert_uint_eq(policy_state(policy).evicted, 6);
    policy_drop(policy);
}

/* One that was sent away is remembered: asked for often enough, it gets its place. */
TEST(remember_who_asked)
{
    struct policy *policy = policy_new(16000);
    struct thing kept = {.rated.mark = 1}, other = {.rated.mark = (uint64_t)0x1234567890abcdef};
    ck_assert(admit(policy, &kept, 5000000, 12000));
    int asks = 1;
    while (!admit(policy, &other, 1000000, 12000))
        asks++;
    ck_assert_int_eq(asks, 6);
    ck_assert(!kept.kept);
    policy_remove(policy, &other.rated);
    ck_assert_uint_eq(policy_state(policy).bytes, 0);
    ck_assert_uint_eq(policy_state(policy).entries, 0);
    policy_drop(policy);
}

/* Heat halves with every epoch, so that what nobody asks for any more is worth less than anything
   that somebody does. */
TEST(fade)
{
    struct policy *policy = policy_new(16000);
    struct thing old = {.rated.mark = 1}, fresh = {.rated.mark = 2}, asked = {.rated.mark = 3};
    ck_assert(admit(policy, &old, 1000000000, 12000));
    for (int i = 0; i < 100; i++)
        policy_ask(policy, &old.rated);
    ck_assert(admit(policy, &asked, 1, 100));
    for (int i = 0; i < 16 * 1024 * 40; i++)
        policy_ask(policy, &asked.rated);
    ck_assert(admit(policy, &fresh, 1000, 12000));
    ck_assert(!old.kept);
    policy_drop(policy);
}

TEST(begins_whole_or_not_at_all)
{
    faults_begin(1);
    ck_assert_ptr_null(policy_new(1 << 20));
    ck_assert(faults_end());
    policy_drop(NULL);
}
