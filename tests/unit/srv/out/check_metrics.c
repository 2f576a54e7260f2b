/* check_metrics.c: what the server counts. */
#include "faults.h"
#include "srv/out/metrics.h"
#include "unit/unit.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static struct strbuf text;

static bool name_route(unsigned route, char name[ROUTE_ROOM])
{
    snprintf(name, ROUTE_ROOM, route ? "other" : "/");
    return route < 2;
}

static void write_all(void)
{
    int64_t gauges[GAUGE_END];
    for (int i = 0; i < GAUGE_END; i++)
        gauges[i] = 1000 + i;
    strbuf_reset(&text, SIZE_MAX);
    metrics_write(&text, gauges, name_route);
    strbuf_char(&text, '\0');
}

/* What stands behind the name in its line; NULL: there is no such line. */
static const char *find_value(const char *name)
{
    char start[200];
    snprintf(start, sizeof start, "\nmapwright_%s ", name);
    const char *line = strstr(text.at, start);
    return line ? line + strlen(start) : NULL;
}

static long long value_of(const char *name)
{
    const char *value = find_value(name);
    ck_assert_msg(value != NULL, "%s", name);
    return atoll(value);
}

/* Counts so far, 0 before the first. */
static double count_of(const char *name)
{
    write_all();
    const char *value = find_value(name);
    return value ? atof(value) : 0;
}

static const struct record map_record = {
    .status = 200, .route = 1, .bytes = 7, .duration = 100, .phases = {4, 5, 6, 7, -1}};

#define DURATION "request_duration_seconds"

/* Every status that a fault has is counted by itself. */
TEST(knows_all_faults)
{
    for (enum fault fault = FAULT_NONE + 1; fault < FAULT_END; fault++) {
        char status[96], reason[96];
        struct record record = map_record;
        record.fault = fault;
        record.status = fault_rows[fault].status;
        snprintf(status, sizeof status,
                 "requests_total{route=\"other\",format=\"none\",status=\"%u\"}", record.status);
        snprintf(reason, sizeof reason, "refusals_total{reason=\"%s\"}", fault_rows[fault].slug);
        double before = count_of(status), refused = count_of(reason);
        metrics_request(&record);
        ck_assert_msg(count_of(status) - before == 1, "%s", status);
        ck_assert_msg(count_of(reason) - refused == 1, "%s", reason);
    }
}

TEST(sorts_times_into_buckets)
{
    static const int64_t times[] = {100, 101, 250, 5000, 5001, 40000000};
    static const struct {
        const char *name;
        int count;
    } expected[] = {
        {DURATION "_bucket{generator=\"islands\",le=\"0.0001\"}", 1},
        {DURATION "_bucket{generator=\"islands\",le=\"0.00025\"}", 3},
        {DURATION "_bucket{generator=\"islands\",le=\"0.005\"}", 4},
        {DURATION "_bucket{generator=\"islands\",le=\"30.0\"}", 5},
        {DURATION "_bucket{generator=\"islands\",le=\"+Inf\"}", 6},
        {DURATION "_count{generator=\"islands\"}", 6},
    };
    double before[COUNT(expected)], sum = count_of(DURATION "_sum{generator=\"islands\"}");
    for (int i = 0; i < COUNT(expected); i++)
        before[i] = count_of(expected[i].name);
    for (int i = 0; i < COUNT(times); i++) {
        struct record record = map_record;
        record.generator = mw_find("islands");
        record.duration = times[i];
        metrics_request(&record);
    }
    for (int i = 0; i < COUNT(expected); i++)
        ck_assert_msg(count_of(expected[i].name) - before[i] == expected[i].count, "%s",
                      expected[i].name);
    sum = count_of(DURATION "_sum{generator=\"islands\"}") - sum;
    ck_assert_msg(fabs(sum - 40.010452) < 1e-6, "%f", sum);
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
    write_all();
    long long before = value_of("connections_total");
    for (int i = 0; i < COUNT(threads); i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, count_many, NULL), 0);
    for (int i = 0; i < COUNT(threads); i++)
        pthread_join(threads[i], NULL);
    write_all();
    ck_assert_int_eq(value_of("connections_total") - before, 20 * 10000 * 2);
}

/* Each metric is told once, before its first value. */
TEST(is_as_prometheus_reads)
{
    write_all();
    ck_assert_int_eq(value_of("queue_length{lane=\"slow\"}"), 1000 + GAUGE_WAITING_SLOW);
    ck_assert_int_eq(value_of("draining"), 1000 + GAUGE_DRAINING);
    ck_assert_int_eq(value_of("cache_evictions_total"), 1000 + GAUGE_CACHE_EVICTED);
    ck_assert(strstr(text.at, "\n# TYPE mapwright_cache_evictions_total counter\n"));
    ck_assert(strstr(text.at, "\n# TYPE mapwright_queue_length gauge\n"));
    char told[64] = "";
    int types = 0;
    for (char *line = strtok(text.at, "\n"); line; line = strtok(NULL, "\n")) {
        if (sscanf(line, "# TYPE %63s", told) == 1)
            types++;
        else if (*line != '#')
            ck_assert_msg(!strncmp(line, told, strlen(told)), "%s", line);
    }
    ck_assert_int_gt(types, 10);
    strbuf_release(&text);
}

/* Half a text is not sent: it says that it failed. */
TEST(survives_without_memory)
{
    int n = 1;
    for (;; n++) {
        struct strbuf own = {0};
        int64_t gauges[GAUGE_END] = {0};
        faults_begin(n);
        metrics_write(&own, gauges, name_route);
        bool more = faults_end();
        strbuf_release(&own);
        if (!more)
            break;
    }
    ck_assert_int_gt(n, 3);
}
