/* check_metrics.c: what the server counts. */
#include "srv/say/metrics.h"
#include "unit/unit.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static struct strbuf text;

static void write_all(void)
{
    int64_t gauges[GAUGE_END];
    for (int i = 0; i < GAUGE_END; i++)
        gauges[i] = 1000 + i;
    strbuf_reset(&text, SIZE_MAX);
    metrics_write(&text, gauges);
    strbuf_char(&text, '\0');
}

/* The value of a line that begins so. */
static long long value_of(const char *name)
{
    char start[200];
    snprintf(start, sizeof start, "\nmapwright_%s ", name);
    const char *line = strstr(text.at, start);
    ck_assert_msg(line != NULL, "%s", name);
    return atoll(line + strlen(start));
}

START_TEST(counts_by_status_and_time)
{
    static const struct {
        unsigned status;
        int64_t microseconds;
    } requests[] = {{200, 100}, {204, 101}, {304, 250}, {404, 5000}, {422, 5001}, {503, 40000000}};
    write_all();
    long long before = value_of("request_duration_seconds_count");
    for (int i = 0; i < COUNT(requests); i++)
        metrics_request(requests[i].status, requests[i].microseconds);
    write_all();
    ck_assert_int_eq(value_of("request_duration_seconds_count") - before, COUNT(requests));
    ck_assert_int_ge(value_of("requests_total{status=\"2xx\"}"), 2);
    ck_assert_int_ge(value_of("requests_total{status=\"3xx\"}"), 1);
    ck_assert_int_ge(value_of("requests_total{status=\"4xx\"}"), 2);
    ck_assert_int_ge(value_of("requests_total{status=\"5xx\"}"), 1);
    if (before)
        return;
    ck_assert_int_eq(value_of("request_duration_seconds_bucket{le=\"0.0001\"}"), 1);
    ck_assert_int_eq(value_of("request_duration_seconds_bucket{le=\"0.00025\"}"), 3);
    ck_assert_int_eq(value_of("request_duration_seconds_bucket{le=\"0.005\"}"), 4);
    ck_assert_int_eq(value_of("request_duration_seconds_bucket{le=\"30\"}"), 5);
    ck_assert_int_eq(value_of("request_duration_seconds_bucket{le=\"+Inf\"}"), 6);
    ck_assert_int_eq(value_of("request_duration_seconds_sum"), 40);
}
END_TEST

static void *count_many(void *arg)
{
    for (int i = 0; i < 10000; i++)
        metrics_count(COUNT_RECALLED, 2);
    return arg;
}

START_TEST(counts_on_all_threads)
{
    pthread_t threads[20];
    write_all();
    long long before = value_of("recalled_total");
    for (int i = 0; i < COUNT(threads); i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, count_many, NULL), 0);
    for (int i = 0; i < COUNT(threads); i++)
        pthread_join(threads[i], NULL);
    write_all();
    ck_assert_int_eq(value_of("recalled_total") - before, 20 * 10000 * 2);
}
END_TEST

/* Each metric is told once, before its first value. */
START_TEST(is_as_prometheus_reads)
{
    write_all();
    ck_assert_int_eq(value_of("queue_length"), 1000 + GAUGE_WAITING);
    ck_assert_int_eq(value_of("draining"), 1000 + GAUGE_DRAINING);
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
END_TEST

Suite *suite_metrics(void)
{
    Suite *suite = suite_create("metrics");
    TCase *all = tcase_create("all");
    tcase_add_test(all, counts_by_status_and_time);
    tcase_add_test(all, counts_on_all_threads);
    tcase_add_test(all, is_as_prometheus_reads);
    suite_add_tcase(suite, all);
    return suite;
}
