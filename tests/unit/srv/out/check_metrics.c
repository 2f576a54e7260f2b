/* check_metrics.c: what the server counts. */
#include "faults.h"
#include "srv/out/metrics.h"
#include "unit/unit.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static struct strbuf text;

static void put_route(struct strbuf *to, size_t route) { strbuf_add(to, route ? "other" : "/"); }

static void write_all(void)
{
    int64_t gauges[GAUGE_END];
    for (int i = 0; i < GAUGE_END; i++)
        gauges[i] = 1000 + i;
    strbuf_clear(&text);
    metrics_write(&text, gauges, put_route);
    strbuf_char(&text, '\0');
}

/* The value that is written now; 0: none is. */
static double value_of(const char *name)
{
    char start[200];
    write_all();
    snprintf(start, sizeof start, "\nmapwright_%s ", name);
    const char *line = strstr(text.at, start);
    return line ? atof(line + strlen(start)) : 0;
}

static const struct record map_record = {
    .status = 200, .route = 1, .bytes = 7, .duration = 100, .phases = {4, 5, 6, 7, -1}};

/* Every status that a fault has is counted by itself. */
TEST(knows_all_faults, .first = FAULT_NONE + 1, .end = FAULT_END)
{
    char status[96], reason[96];
    struct record record = map_record;
    record.fault = (enum fault)_i;
    record.status = fault_rows[_i].status;
    snprintf(status, sizeof status, "requests_total{route=\"other\",format=\"none\",status=\"%u\"}",
             record.status);
    snprintf(reason, sizeof reason, "refusals_total{reason=\"%s\"}", fault_rows[_i].slug);
    double before = value_of(status), refused = value_of(reason);
    metrics_request(&record);
    ck_assert_msg(value_of(status) - before == 1, "%s", status);
    ck_assert_msg(value_of(reason) - refused == 1, "%s", reason);
}

#define DURATION(end) "request_duration_seconds_" end

TEST(sorts_times_into_buckets)
{
    static const int64_t times[] = {100, 101, 250, 5000, 5001, 40000000};
    static const struct {
        const char *name;
        double change;
    } expected[] = {
        {DURATION("bucket{generator=\"islands\",le=\"0.0001\"}"), 1},
        {DURATION("bucket{generator=\"islands\",le=\"0.00025\"}"), 3},
        {DURATION("bucket{generator=\"islands\",le=\"0.005\"}"), 4},
        {DURATION("bucket{generator=\"islands\",le=\"30.0\"}"), 5},
        {DURATION("bucket{generator=\"islands\",le=\"+Inf\"}"), 6},
        {DURATION("count{generator=\"islands\"}"), 6},
        {DURATION("sum{generator=\"islands\"}"), 40.010452},
    };
    double before[COUNT(expected)];
    for (int i = 0; i < COUNT(expected); i++)
        before[i] = value_of(expected[i].name);
    for (int i = 0; i < COUNT(times); i++) {
        struct record record = map_record;
        record.generator = mw_find("islands");
        record.duration = times[i];
        metrics_request(&record);
    }
    for (int i = 0; i < COUNT(expected); i++)
        ck_assert_msg(fabs(value_of(expected[i].name) - before[i] - expected[i].change) < 1e-6,
                      "%s", expected[i].name);
}

static void *count_many(void *arg)
{
    for (int i = 0; i < 10000; i++)
        metrics_count(COUNT_CONNECTIONS, 2);
    return arg;
}

TEST(counts_on_all_threads)
{
    pthread_t threads[20];
    double before = value_of("connections_total");
    for (int i = 0; i < COUNT(threads); i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, count_many, NULL), 0);
    for (int i = 0; i < COUNT(threads); i++)
        pthread_join(threads[i], NULL);
    ck_assert_double_eq(value_of("connections_total") - before, 20 * 10000 * 2);
}

/* promtool reads the whole text in the tests over HTTP. */
TEST(writes_gauges)
{
    ck_assert_double_eq(value_of("queue_length{lane=\"slow\"}"), 1000 + GAUGE_WAITING_SLOW);
    ck_assert_double_eq(value_of("draining"), 1000 + GAUGE_DRAINING);
    ck_assert(strstr(text.at, "\n# TYPE mapwright_cache_evictions_total counter\n"));
    ck_assert(strstr(text.at, "\n# TYPE mapwright_queue_length gauge\n"));
}

/* Half a text is not sent: it says that it failed. */
TEST(fails_without_memory)
{
    struct strbuf own = {0};
    int64_t gauges[GAUGE_END] = {0};
    faults_begin(3);
    metrics_write(&own, gauges, put_route);
    ck_assert(faults_end() && own.failed);
    strbuf_release(&own);
}

static void clear(void) { strbuf_release(&text); }

FIXTURE(NULL, clear)
