/*
 * metrics.h: what the server counts and measures.
 *
 * COUNTER(name, metric, labels, help): rows of one metric stand together. Each thread counts in a
 * shard of its own, so that counting never waits. GAUGE(name, metric, help): a value that whoever
 * asks for the metrics has just measured.
 */
#ifndef MAPWRIGHT_METRICS_H
#define MAPWRIGHT_METRICS_H

#include "srv/base/strbuf.h"

#include <stdint.h>

#define COUNTERS(COUNTER) \
    COUNTER(STATUS_2XX, "requests_total", "status=\"2xx\"", "Requests answered") \
    COUNTER(STATUS_3XX, "requests_total", "status=\"3xx\"", "") \
    COUNTER(STATUS_4XX, "requests_total", "status=\"4xx\"", "") \
    COUNTER(STATUS_5XX, "requests_total", "status=\"5xx\"", "") \
    COUNTER(CACHE_HIT, "cache_claims_total", "result=\"hit\"", \
            "Maps asked for: kept, being made for another request, or to be made") \
    COUNTER(CACHE_WAIT, "cache_claims_total", "result=\"wait\"", "") \
    COUNTER(CACHE_MISS, "cache_claims_total", "result=\"miss\"", "") \
    COUNTER(RECALLED, "recalled_total", "", "Requests whose very bytes were known") \
    COUNTER(NOT_MODIFIED, "not_modified_total", "", "Requests answered by the ETag alone") \
    COUNTER(MADE, "maps_total", "outcome=\"made\"", "Runs ended") \
    COUNTER(REFUSED, "maps_total", "outcome=\"refused\"", "") \
    COUNTER(STOPPED, "maps_total", "outcome=\"stopped\"", "") \
    COUNTER(MAKE_MICROSECONDS, "make_microseconds_total", "", "Time of workers spent on maps") \
    COUNTER(QUEUE_MICROSECONDS, "queue_microseconds_total", "", \
            "Time that requests waited for a worker") \
    COUNTER(BODY_BYTES, "body_bytes_total", "", "Bytes of bodies sent") \
    COUNTER(CONNECTIONS, "connections_total", "", "Connections accepted") \
    COUNTER(CLIENTS_LEFT, "clients_left_total", "", "Clients that left before their answer") \
    COUNTER(OVERDUE, "connections_overdue_total", "", "Connections closed past a time limit") \
    COUNTER(LOG_LOST, "log_lines_lost_total", "", "Log lines dropped because nobody took them")

#define GAUGES(GAUGE) \
    GAUGE(WAITING, "queue_length", "Requests waiting for a worker") \
    GAUGE(RUNNING, "workers_busy", "Workers making a map") \
    GAUGE(WORKERS, "workers", "Workers") \
    GAUGE(CACHE_BYTES, "cache_bytes", "Bytes of answers kept") \
    GAUGE(CACHE_ENTRIES, "cache_entries", "Answers kept or under way") \
    GAUGE(CACHE_EVICTED, "cache_evicted", "Answers dropped to make room, since the start") \
    GAUGE(OPEN, "connections", "Connections open") \
    GAUGE(DRAINING, "draining", "1 while the server shuts down")

enum counter {
#define COUNTER(name, metric, labels, help) COUNT_##name,
    COUNTERS(COUNTER)
#undef COUNTER
        COUNTER_END
};

enum gauge {
#define GAUGE(name, metric, help) GAUGE_##name,
    GAUGES(GAUGE)
#undef GAUGE
        GAUGE_END
};

void metrics_count(enum counter, uint64_t n);
/* A request was answered with that status after so long. */
void metrics_request(unsigned status, int64_t microseconds);
/* All of it in Prometheus's text format. */
void metrics_write(struct strbuf *, const int64_t gauges[GAUGE_END]);

#endif
