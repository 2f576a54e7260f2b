/*
 * metrics.h: what the server counts and measures, in seconds, bytes and pieces.
 *
 * Counting never waits, and memory is the same whatever clients do: a label has a closed set of
 * values, and none of them is a client's.
 *
 * COUNTER(name, metric, labels, help): rows of one metric stand together; the first has its help.
 * GAUGE(name, metric, labels, help): a value that is measured when the metrics are read; where the
 * metric ends in `_total` it was counted elsewhere. Metrics of requests and runs are in metrics.c.
 */
#ifndef MAPWRIGHT_METRICS_H
#define MAPWRIGHT_METRICS_H

#include "api/fault.h"
#include "srv/base/strbuf.h"

#include <stddef.h>
#include <stdint.h>

/* ---- a request that is over, for metrics and log --------------------------------------------- */

/* Where the time of a request goes. All but the last are shared by all requests that wait for the
   same map. */
enum phase { PHASE_STORE, PHASE_QUEUE, PHASE_MAKE, PHASE_ENCODE, PHASE_SEND, PHASE_END };

/* By enum phase. */
extern const char *const phase_names[PHASE_END];

enum { RECORD_SELF = 1600 };

/* Texts live as long as the record; one that is not known is NULL. */
struct record {
    const char *id, *method, *path, *query, *client;
    const char *self; /* the first RECORD_SELF bytes of the map's address, or all */
    size_t self_length;
    const char *cache; /* hit, miss, wait or none */
    const char *traceparent;
    const struct mw_generator *generator; /* NULL: not the request of a map, */
    const struct mw_encoder *encoder;     /* or its format is not known */
    unsigned route;                       /* its name: see metrics_write */
    unsigned status;
    enum fault fault;
    uint64_t bytes; /* of the body */
    /* microseconds, -1 where there was none */
    int64_t duration, phases[PHASE_END];
};

/* ---- what is counted ------------------------------------------------------------------------- */

#define COUNTERS(COUNTER) \
    COUNTER(CACHE_HIT, "cache_claims_total", "{result=\"hit\"}", \
            "Maps asked for: kept, being made for another request, or to be made") \
    COUNTER(CACHE_WAIT, "cache_claims_total", "{result=\"wait\"}", "") \
    COUNTER(CACHE_MISS, "cache_claims_total", "{result=\"miss\"}", "") \
    COUNTER(MADE, "maps_total", "{outcome=\"made\"}", \
            "Runs ended; found: with what the store had") \
    COUNTER(FOUND, "maps_total", "{outcome=\"found\"}", "") \
    COUNTER(REFUSED, "maps_total", "{outcome=\"refused\"}", "") \
    COUNTER(STOPPED, "maps_total", "{outcome=\"stopped\"}", "") \
    COUNTER(AGAIN, "runs_again_total", "", \
            "Runs begun anew because they took more than was estimated") \
    COUNTER(KILLED, "kills_total", "", \
            "Worker processes killed, as a run went on after it had to end") \
    COUNTER(BODY_BYTES, "response_body_bytes_total", "", "Bytes of bodies sent") \
    COUNTER(CONNECTIONS, "connections_total", "", "Connections accepted") \
    COUNTER(CLIENTS_LEFT, "clients_left_total", "", "Clients that left before their answer") \
    COUNTER(OVERDUE, "connections_overdue_total", "", "Connections closed past a time limit") \
    COUNTER(UNREAD, "answers_unread_total", "", \
            "Answers ended because their clients were the slowest when memory was short") \
    COUNTER(STORE_FOUND, "store_questions_total", "{result=\"found\"}", \
            "Slow maps that the store was asked for; wrong: it had something else instead") \
    COUNTER(STORE_NONE, "store_questions_total", "{result=\"none\"}", "") \
    COUNTER(STORE_WRONG, "store_questions_total", "{result=\"wrong\"}", "") \
    COUNTER(STORE_UNANSWERED, "store_questions_total", "{result=\"unanswered\"}", "") \
    COUNTER(STORE_KEPT, "store_writes_total", "{outcome=\"kept\"}", \
            "Maps and addresses for the store; dropped: it was not there, or did not keep up") \
    COUNTER(STORE_REFUSED, "store_writes_total", "{outcome=\"refused\"}", "") \
    COUNTER(STORE_DROPPED, "store_writes_total", "{outcome=\"dropped\"}", "") \
    COUNTER(STORE_BREAKS, "store_breaks_total", "", \
            "Times that the store was given up for a while") \
    COUNTER(LOG_LOST, "log_lines_lost_total", "", \
            "Log lines dropped because their reader was too slow")

#define GAUGES(GAUGE) \
    GAUGE(WAITING_FAST, "queue_length", "{lane=\"fast\"}", "Requests waiting for a worker") \
    GAUGE(WAITING_SLOW, "queue_length", "{lane=\"slow\"}", "") \
    GAUGE(RUNNING_FAST, "workers_busy", "{lane=\"fast\"}", "Workers making a map") \
    GAUGE(RUNNING_SLOW, "workers_busy", "{lane=\"slow\"}", "") \
    GAUGE(OPERATIONS, "operations", "", "Maps under way that are not waited for (respond-async)") \
    GAUGE(WORKERS, "workers", "", "Workers") \
    GAUGE(CACHE_ENTRIES, "cache_entries", "", "Answers kept or under way") \
    GAUGE(CACHE_EVICTED, "cache_evictions_total", "", "Answers dropped to make room") \
    GAUGE(HELD_CACHE, "held_bytes", "{by=\"cache\"}", "Bytes held") \
    GAUGE(HELD_RUNS, "held_bytes", "{by=\"runs\"}", "") \
    GAUGE(HELD_OUTPUT, "held_bytes", "{by=\"output\"}", "") \
    GAUGE(LIMIT_CACHE, "held_limit_bytes", "{by=\"cache\"}", "Bytes that may be held") \
    GAUGE(LIMIT_RUNS, "held_limit_bytes", "{by=\"runs\"}", "") \
    GAUGE(LIMIT_OUTPUT, "held_limit_bytes", "{by=\"output\"}", "") \
    GAUGE(STORE_OPEN, "store_open", "", "1 while there is a store and it is asked") \
    GAUGE(OPEN, "connections_open", "", "Connections open") \
    GAUGE(DRAINING, "draining", "", "1 while the server shuts down")

enum counter {
#define COUNTER(name, metric, labels, help) COUNT_##name,
    COUNTERS(COUNTER)
#undef COUNTER
        COUNTER_END
};

enum gauge {
#define GAUGE(name, metric, labels, help) GAUGE_##name,
    GAUGES(GAUGE)
#undef GAUGE
        GAUGE_END
};

enum { ROUTES = 32 }; /* a record's route is below */

/* The place in the list of all, which is below these; of NULL: behind the last. */
enum { GENERATORS = 12, FORMATS = 16 };
unsigned place_of_generator(const struct mw_generator *);
unsigned place_of_format(const struct mw_encoder *);

void metrics_count(enum counter, uint64_t n);
/* A request is over; its phases on a worker are not counted again. */
void metrics_request(const struct record *);
/* A phase of a run took so many microseconds; generator NULL: not known. */
void metrics_phase(const struct mw_generator *, enum phase, int64_t microseconds);
/* A worker process crashed. */
void metrics_crash(const struct mw_generator *);

extern const char metrics_media[];
/* In Prometheus's text format. `put_route` writes the name of a route that a record had. */
void metrics_write(struct strbuf *, const int64_t gauges[GAUGE_END],
                   void (*put_route)(struct strbuf *, size_t));

#endif
