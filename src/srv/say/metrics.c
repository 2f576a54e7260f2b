/* metrics.c: what the server counts. */
#include "metrics.h"

#include <assert.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

enum { SHARDS = 16, BUCKETS = 12 };

/* Upper bounds of the histogram of durations. */
static const struct {
    int64_t microseconds;
    const char *seconds;
} bounds[BUCKETS] = {{100, "0.0001"},  {250, "0.00025"}, {500, "0.0005"}, {1000, "0.001"},
                     {2500, "0.0025"}, {5000, "0.005"},  {10000, "0.01"}, {50000, "0.05"},
                     {250000, "0.25"}, {1000000, "1"},   {5000000, "5"},  {30000000, "30"}};

static const struct {
    const char *metric, *labels, *help;
} rows[COUNTER_END] = {
#define COUNTER(name, metric, labels, help) {metric, labels, help},
    COUNTERS(COUNTER)
#undef COUNTER
};

static const struct {
    const char *metric, *help;
} gauge_rows[GAUGE_END] = {
#define GAUGE(name, metric, help) {metric, help},
    GAUGES(GAUGE)
#undef GAUGE
};

static struct shard {
    _Alignas(64) atomic_uint_least64_t counts[COUNTER_END];
    atomic_uint_least64_t buckets[BUCKETS + 1], microseconds;
} shards[SHARDS];

static struct shard *own_shard(void)
{
    static atomic_uint threads;
    static _Thread_local struct shard *shard;
    if (!shard)
        shard = &shards[atomic_fetch_add(&threads, 1) % SHARDS];
    return shard;
}

static void add(atomic_uint_least64_t *to, uint64_t n)
{
    atomic_fetch_add_explicit(to, n, memory_order_relaxed);
}

void metrics_count(enum counter counter, uint64_t n)
{
    assert(counter < COUNTER_END);
    add(&own_shard()->counts[counter], n);
}

static enum counter status_class(unsigned status)
{
    return status < 300   ? COUNT_STATUS_2XX
           : status < 400 ? COUNT_STATUS_3XX
           : status < 500 ? COUNT_STATUS_4XX
                          : COUNT_STATUS_5XX;
}

void metrics_request(unsigned status, int64_t microseconds)
{
    assert(microseconds >= 0);
    struct shard *shard = own_shard();
    int bucket = 0;
    while (bucket < BUCKETS && microseconds > bounds[bucket].microseconds)
        bucket++;
    add(&shard->counts[status_class(status)], 1);
    add(&shard->buckets[bucket], 1);
    add(&shard->microseconds, (uint64_t)microseconds);
}

/* Sums the value at that place over all shards. */
static uint64_t total(size_t offset)
{
    uint64_t sum = 0;
    for (int i = 0; i < SHARDS; i++) {
        const char *at = (const char *)&shards[i] + offset;
        sum += atomic_load_explicit((const atomic_uint_least64_t *)(const void *)at,
                                    memory_order_relaxed);
    }
    return sum;
}

static void write_head(struct strbuf *to, const char *metric, const char *type, const char *help)
{
    strbuf_format(to, "# HELP mapwright_%s %s\n# TYPE mapwright_%s %s\n", metric, help, metric,
                  type);
}

static void write_counters(struct strbuf *to)
{
    for (size_t i = 0; i < COUNTER_END; i++) {
        if (!i || strcmp(rows[i].metric, rows[i - 1].metric) != 0)
            write_head(to, rows[i].metric, "counter", rows[i].help);
        bool labels = *rows[i].labels;
        strbuf_format(to, "mapwright_%s%s%s%s %" PRIu64 "\n", rows[i].metric, labels ? "{" : "",
                      rows[i].labels, labels ? "}" : "",
                      total(offsetof(struct shard, counts) + i * sizeof(atomic_uint_least64_t)));
    }
}

static void write_durations(struct strbuf *to)
{
    uint64_t below = 0;
    write_head(to, "request_duration_seconds", "histogram",
               "Time from a request's first line to its answer taken");
    for (size_t i = 0; i <= BUCKETS; i++) {
        below += total(offsetof(struct shard, buckets) + i * sizeof(atomic_uint_least64_t));
        strbuf_format(to, "mapwright_request_duration_seconds_bucket{le=\"%s\"} %" PRIu64 "\n",
                      i < BUCKETS ? bounds[i].seconds : "+Inf", below);
    }
    uint64_t sum = total(offsetof(struct shard, microseconds));
    strbuf_format(to, "mapwright_request_duration_seconds_sum %" PRIu64 ".%06" PRIu64 "\n",
                  sum / 1000000, sum % 1000000);
    strbuf_format(to, "mapwright_request_duration_seconds_count %" PRIu64 "\n", below);
}

static void write_gauges(struct strbuf *to, const int64_t gauges[GAUGE_END])
{
    for (size_t i = 0; i < GAUGE_END; i++) {
        write_head(to, gauge_rows[i].metric, "gauge", gauge_rows[i].help);
        strbuf_format(to, "mapwright_%s %" PRId64 "\n", gauge_rows[i].metric, gauges[i]);
    }
}

void metrics_write(struct strbuf *to, const int64_t gauges[GAUGE_END])
{
    write_counters(to);
    write_durations(to);
    write_gauges(to, gauges);
}
