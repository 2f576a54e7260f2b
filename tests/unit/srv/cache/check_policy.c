/* check_policy.c: which answers the cache keeps, by traces of requests, against the least recently
   used. */
#include "claims.h"
#include "srv/base/hash.h"
#include "unit/unit.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 200000 };

struct trace {
    size_t *lru_used; /* when, by number; 0: not kept */
    size_t lru_bytes, limit, now;
    uint64_t hits, lru_hits;     /* since trace_count */
    uint64_t worked, lru_worked; /* costs of what was made */
    uint64_t random;
};

static struct trace trace_begin(size_t limit)
{
    cache = cache_new(limit);
    return (struct trace){.lru_used = calloc(MOST, sizeof(size_t)), .limit = limit, .random = 7};
}

static void trace_end(struct trace *trace)
{
    free(trace->lru_used);
    cache_drop(cache);
}

static void trace_count(struct trace *trace)
{
    trace->hits = trace->lru_hits = trace->worked = trace->lru_worked = 0;
}

/* The simplest that can be right: what was used longest ago goes. */
static void ask_lru(struct trace *trace, int number, uint64_t cost, size_t weight)
{
    static int order[MOST]; /* numbers by use, lazily */
    static size_t stamp[MOST], weights[MOST], first, last;
    if (trace->now == 1)
        first = last = 0;
    weights[number] = weight;
    trace->lru_hits += trace->lru_used[number] != 0;
    trace->lru_worked += trace->lru_used[number] ? 0 : cost;
    trace->lru_bytes += trace->lru_used[number] ? 0 : weight;
    trace->lru_used[number] = trace->now;
    order[last % MOST] = number;
    stamp[last++ % MOST] = trace->now;
    while (trace->lru_bytes > trace->limit || last - first == MOST) {
        int oldest = order[first % MOST];
        if (trace->lru_used[oldest] == stamp[first++ % MOST]) {
            trace->lru_used[oldest] = 0;
            trace->lru_bytes -= weights[oldest];
        }
    }
}

/* Whether it was there. */
static bool want(int number, uint64_t cost, size_t length)
{
    struct key key = key_number(number);
    struct asked asked;
    claim(&asked, key);
    if (asked.claim == CLAIM_HIT)
        return true;
    asked.entry->took = cost;
    cache_settle(cache, asked.entry, blob_reserve(length, "text/plain"));
    return false;
}

static void ask(struct trace *trace, int number, uint64_t cost, size_t length)
{
    trace->now++;
    ask_lru(trace, number, cost, length + sizeof(struct entry) + sizeof(struct blob));
    bool hit = want(number, cost, length);
    trace->hits += hit;
    trace->worked += hit ? 0 : cost;
    ck_assert_uint_le(measured(GAUGE_HELD_CACHE), trace->limit);
}

static double uniform(struct trace *trace)
{
    return (double)(random_next(&trace->random) >> 11) / 9007199254740992.0;
}

/* A number below `most`, the first twice as often as the second, and so on (Zipf, exponent 1). */
static int zipf(struct trace *trace, int most) { return (int)exp(uniform(trace) * log(most)) - 1; }

enum { SMALL = 4 << 10, MAKES_SMALL = 280000, LARGE = 94 << 20 };

/* Two thousand small maps, then nine of 4096 x 4096, of the cost that a run of them takes. */
TEST(small_maps_outlive_nine_giants)
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
TEST(popular_maps_outlive_scans)
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
TEST(saves_work)
{
    struct trace trace = trace_begin((size_t)4 << 20);
    for (int i = 0; i < 400000; i++) {
        if (i == 100000)
            trace_count(&trace);
        int number = zipf(&trace, MOST);
        uint64_t bits = hash_fold((uint64_t)number + 1, 0x9e3779b97f4a7c15u);
        size_t length = (size_t)32 << (bits % 12);
        ask(&trace, number, (length << (bits >> 8) % 8), length);
    }
    ck_assert_uint_lt(trace.worked * 10, trace.lru_worked * 9);
    trace_end(&trace);
}

/* What has just come is asked for again at once, and never more, as by an id that was given out. */
TEST(keeps_the_recent)
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

/* What was popular goes when it is not any more. */
TEST(follows_fashion)
{
    struct trace trace = trace_begin((size_t)4 << 20);
    for (int fashion = 0; fashion < 4; fashion++) {
        for (int i = 0; i < 100000; i++) {
            if (i == 50000)
                trace_count(&trace);
            ask(&trace, fashion * 5000 + zipf(&trace, 5000), MAKES_SMALL, SMALL);
        }
        ck_assert_uint_ge(trace.hits * 100, trace.lru_hits * 102);
        trace_count(&trace);
        for (int i = 0; i < 300; i++)
            ask(&trace, fashion * 5000 + i, MAKES_SMALL, SMALL);
        ck_assert_uint_ge(trace.hits, 290);
    }
    trace_end(&trace);
}

/* One that is heavy is the next to go, unless it is asked for again. */
TEST(heavy_maps_make_room_for_each_other)
{
    struct trace trace = trace_begin(10000);
    ck_assert(!want(1, 1, 0) && !want(2, 1, 5000) && !want(3, 1, 5000));
    ck_assert(want(1, 1, 0) && want(3, 1, 5000) && !want(2, 1, 5000));
    ck_assert(want(1, 1, 0) && measured(GAUGE_CACHE_ENTRIES) == 2);
    ck_assert_uint_eq(measured(GAUGE_CACHE_EVICTED), 2);
    ck_assert(!want(4, 1, 10000) && !want(4, 1, 10000) && want(1, 1, 0));
    trace_end(&trace);
}

/* A request for what took long to make for its size keeps it for more rounds. */
TEST(prefers_what_cost_much_by_the_byte)
{
    struct trace trace = trace_begin(100000);
    int kept[2] = {0};
    for (int i = 0; i < 20; i++)
        for (int again = 0; again < 2; again++)
            want(i, i % 2 ? 9999999 : 1, 2000);
    for (int i = 100; i < 160; i++)
        for (int again = 0; again < 2; again++)
            want(i, 1, 2000);
    for (int i = 0; i < 20; i++)
        kept[i % 2] += want(i, 1, 0);
    ck_assert_msg(kept[1] == 10 && !kept[0], "%d %d", kept[1], kept[0]);
    trace_end(&trace);
}
