/* check_exchange.c: requests from the first line to the answer, waits, and failing allocations. */
#include "faults.h"
#include "srv/ask/exchange.h"
#include "srv/base/clock.h"
#include "unit/unit.h"

#include <jansson.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_BODY = 20000, QUEUE = 8 };

static struct service service;
static struct io_context context;

static struct config config;

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static bool gated; /* the flag of an exchange whose wake holds its worker up at the gate */
static atomic_bool held_up;

/* Once in a process: packing takes its time, and threads do not live on in a fork. */
static void start(void)
{
    char *argv[] = {"mapwrightd",         "--workers=1",   "--queue=8",
                    "--cache-bytes=4M",   "--memory=4M",   "--max-body=20000",
                    "--wait-ms=3600000",  "--isolate=off", "--async-per-client=4",
                    "--deadline-ms=60000"};
    char *none[] = {NULL};
    const char *what;
    ck_assert_int_eq(config_read(&config, COUNT(argv), argv, none, NULL), CONFIG_OK);
    ck_assert(service_init(&service, &config, &what));
    ck_assert(io_context_init(&context, &service, false));
}

/* A failed test may have left the gate closed, and a waiting worker would block all others. */
static void stop(void)
{
    pthread_mutex_trylock(&gate);
    pthread_mutex_unlock(&gate);
    io_context_release(&context);
    service_release(&service);
}

/* ---- asking ---------------------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;

static void wake(void *owner)
{
    if (owner == &gated) {
        atomic_store(&held_up, true);
        pthread_mutex_lock(&gate);
        pthread_mutex_unlock(&gate);
    }
    pthread_mutex_lock(&lock);
    *(bool *)owner = true;
    pthread_cond_broadcast(&woken);
    pthread_mutex_unlock(&lock);
}

static void await(bool *awake)
{
    pthread_mutex_lock(&lock);
    while (!*awake)
        pthread_cond_wait(&woken, &lock);
    *awake = false;
    pthread_mutex_unlock(&lock);
}

static int64_t measured(enum gauge gauge)
{
    int64_t gauges[GAUGE_END];
    service_measure(&service, gauges);
    return gauges[gauge];
}

/* Until the one worker runs nothing; a run that was let go is about to end. */
static void await_worker(void)
{
    int64_t end = clock_now() + 60000000;
    while (measured(GAUGE_RUNNING_FAST) + measured(GAUGE_RUNNING_SLOW)) {
        ck_assert_msg(clock_now() < end, "the worker goes on");
        sched_yield();
    }
}

struct row {
    const char *method, *uri;
    bool counted; /* the number of the request is part of the uri: its map is new */
    unsigned status;
    enum header header;
    const char *value, *body;
};

/* NULL without memory; *ended: it need not be waited for. */
static struct exchange *begin(const struct row *row, int n, bool *awake, bool *ended)
{
    char uri[400];
    snprintf(uri, sizeof uri, row->counted ? "%s%d" : "%s", row->uri, n);
    *awake = false;
    struct head head;
    head_begin(&head);
    head.method = span_of(row->method);
    head.target = span_of(uri);
    head_add(&head, HEADER_HOST, span_of("localhost:8080"));
    for (int i = 0; row->value && i < 2; i++)
        head_add(&head, row->header, span_of(row->value));
    struct exchange *exchange = exchange_begin(&context, &head, wake, awake);
    if (!exchange)
        return NULL;
    size_t length = row->body ? strlen(row->body) : 0;
    exchange_add_body(exchange, (struct span){row->body, length}, 0);
    *ended = exchange_run(exchange);
    return exchange;
}

static unsigned end(struct exchange *exchange)
{
    unsigned status = exchange->reply.status;
    exchange_end(exchange);
    return status;
}

static unsigned finish(struct exchange *exchange, bool *awake)
{
    do
        await(awake);
    while (!exchange_run(exchange));
    return end(exchange);
}

/* The status of the answer; 0: there was no memory to begin. */
static unsigned ask(const struct row *row, int n)
{
    bool awake, ended;
    struct exchange *exchange = begin(row, n, &awake, &ended);
    if (!exchange)
        return 0;
    return ended ? end(exchange) : finish(exchange, &awake);
}

/* ---- failing allocations --------------------------------------------------------------------- */

#define SMALL "width=12&height=8&count=4&seed="
#define BIG "/regions?width=2000&height=2000&seed="

static char too_long_body[MAX_BODY + 2];

static const struct row rows[] = {
    {"GET", "/regions?" SMALL, true, 200, .value = NULL},
    {"HEAD", "/regions.svg?" SMALL "1", false, 200, .value = NULL},
    {"POST", "/regions?seed=", true, 200, .body = "{\"width\": 12, \"height\": 8, \"count\": 4}"},
    {"GET", "/regions?" SMALL, true, 200, .header = HEADER_ACCEPT_ENCODING, .value = "gzip"},
    {"GET", "/regions?" SMALL, true, 200, .header = HEADER_ACCEPT_ENCODING, .value = "zstd"},
    {"GET", "/regions?" SMALL, true, 200, .header = HEADER_ACCEPT, .value = "text/plain"},
    {"GET", "/regions.txt?width=12&height=8&count=4", false, 200, .header = HEADER_REQUEST_ID,
     .value = "own"},
    {"GET", "/regions?" SMALL "1", false, 304, .header = HEADER_IF_NONE_MATCH, .value = "*"},
    {"POST", "/regions?" SMALL "1", false, 412, .header = HEADER_IF_NONE_MATCH, .value = "*"},
    {"GET", BIG, true, 422, .header = HEADER_ACCEPT_ENCODING, .value = "gzip"},
    {"GET", BIG "1", false, 422, .header = HEADER_IF_NONE_MATCH, .value = "*"},
    {"GET", "/maps/00000000-0000-5000-8000-000000000000", false, 404, .value = NULL},
    {"GET", "/regions?width=x&height=0", false, 400, .value = NULL},
    {"GET", "/regions.txt?width=x&height=0", false, 400, .value = NULL},
    {"GET", "/regions?width=%", false, 400, .value = NULL},
    {"GET", "/regions.nothing?seed=1", false, 406, .value = NULL},
    {"GET", "/regions?format=nothing", false, 406, .value = NULL},
    {"GET", "/regions", false, 406, .header = HEADER_ACCEPT, .value = "no/media"},
    {"POST", "/regions", false, 400, .body = "{\"width\": "},
    {"POST", "/regions", false, 400, .body = "[1]"},
    {"POST", "/regions", false, 415, .header = HEADER_CONTENT_TYPE, .value = "text/xml",
     .body = "{}"},
    {"POST", "/regions", false, 413, .body = too_long_body},
    {"POST", "/regions", false, 400,
     .body = "{\"width\": 12, \"height\": 8.5, \"width\": [1, 2], \"seed\": null, \"a\": [[1, 2]],"
             " \"b\": [\"x/y\"], \"c\": true, \"d\": false, \"e\": {}, \"f\": [], \"g\": 1e300,"
             " \"h\": 0.1, \"i\": 1, \"j\": 1, \"k\": 1, \"l\": 1, \"m\": 1, \"n\": 1, \"o\": 1}"},
    {"GET", "/", false, 200, .value = NULL},
    {"GET", "/", false, 200, .header = HEADER_ACCEPT, .value = "text/html"},
    {"GET", "/web/app.js", false, 304, .header = HEADER_IF_NONE_MATCH, .value = "*"},
    {"GET", "/web/nothing.js", false, 404, .value = NULL},
    {"GET", "/healthz", false, 200, .value = NULL},
    {"GET", "/readyz", false, 200, .value = NULL},
    {"GET", "/version", false, 200, .value = NULL},
    {"GET", "/metrics", false, 200, .value = NULL},
    {"GET", "/problems", false, 200, .value = NULL},
    {"GET", "/problems/late", false, 200, .value = NULL},
    {"GET", "/problems/nothing", false, 404, .value = NULL},
    {"GET", "?", false, 200, .value = NULL},
    {"PUT", "/regions", false, 405, .value = NULL},
    {"OPTIONS", "*", false, 204, .value = NULL},
};

/* Replies that are right if memory ran out: none, 503, or as if a part had not come. */
static bool is_refusal(const struct row *row, unsigned status)
{
    return !status || status == 503 || (status == 404 && !strncmp(row->uri, "/problems/", 10)) ||
           (status == 200 && row->header == HEADER_IF_NONE_MATCH);
}

FIXTURE(start, stop)

TEST(refuses_without_memory, .end = COUNT(rows))
{
    const struct row *row = &rows[_i];
    const struct row plain = {row->method, row->uri, row->counted, row->status, .body = row->body};
    bool faulted = true;
    memset(too_long_body, ' ', MAX_BODY + 1);
    if (row->header == HEADER_IF_NONE_MATCH)
        ask(&plain, 0); /* what is kept, be it a refusal */
    for (int n = 1; faulted && n < 2000; n++) {
        if (row->header == HEADER_ACCEPT_ENCODING && n % 2)
            ask(&plain, n); /* the other coding is kept already */
        faults_begin(n);
        unsigned status = ask(row, n);
        faulted = faults_end();
        ck_assert_msg(status == row->status || (faulted && is_refusal(row, status)),
                      "%s %s: %u without request %d", row->method, row->uri, status, n);
    }
    ck_assert(!faulted);
}

/* Maps by their id are made again from the address that is kept. */
TEST(asks_by_id)
{
    struct row row = {"GET", "/regions?" SMALL "77", .status = 200};
    char uri[80], id[37];
    bool awake, ended, faulted = true;
    struct exchange *exchange = begin(&row, 0, &awake, &ended);
    strcpy(id, exchange->key.id);
    snprintf(uri, sizeof uri, "/maps/%s.svg?", id);
    ck_assert_uint_eq(ended ? end(exchange) : finish(exchange, &awake), 200);
    row = (struct row){"GET", uri, .status = 200};
    for (int n = 1; faulted && n < 2000; n++) {
        faults_begin(n);
        unsigned status = ask(&row, n);
        faulted = faults_end();
        ck_assert(status == 200 || (faulted && (is_refusal(&row, status) || status == 404)));
    }
    snprintf(uri, sizeof uri, "/maps/%s?color=2", id);
    ck_assert_uint_eq(ask(&row, 0), 400);
    snprintf(uri, sizeof uri, "/maps/%s?width=2", id);
    ck_assert_uint_eq(ask(&row, 0), 400);
}

/* ---- busy, late, draining--------------------------------------------------------------------- */

TEST(refuses_late_and_draining_requests)
{
    const struct row row = {"GET", "/regions?" SMALL "at", true, 200, .value = NULL};
    const struct row ready = {"GET", "/readyz", .status = 503};
    service.config.deadline_ms = -1;
    ck_assert_uint_eq(ask(&row, 1), 504);
    service.config.deadline_ms = config.deadline_ms;
    atomic_store(&service.abort_runs, true);
    ck_assert_uint_eq(ask(&row, 2), 503);
    atomic_store(&service.abort_runs, false);
    atomic_store(&service.draining, true); /* each connection has its last answer */
    ck_assert_uint_eq(ask(&row, 3), 200);
    atomic_store(&service.leaving, true);
    ck_assert_uint_eq(ask(&ready, 3), 503);
    atomic_store(&service.draining, false);
    ck_assert_uint_eq(ask(&row, 5), 200);
    atomic_store(&service.leaving, false);
    ck_assert_uint_eq(ask(&row, 4), 200);
}

/* The one worker is held up from here to let_go, with its map made: no fault meets it. */
static struct exchange *hold_worker(int n)
{
    static const struct row row = {"GET", "/regions?" SMALL "held", true, 200, .value = NULL};
    bool ended;
    await_worker();
    atomic_store(&held_up, false);
    pthread_mutex_lock(&gate);
    struct exchange *exchange = begin(&row, n, &gated, &ended);
    while (!atomic_load(&held_up))
        sched_yield();
    return exchange;
}

static void let_go(struct exchange *held)
{
    pthread_mutex_unlock(&gate);
    ck_assert_uint_eq(finish(held, &gated), 200);
}

/* The one worker is busy, and there is room for so many to wait: the next is refused. */
TEST(lets_clients_leave)
{
    static const struct row row = {"GET", "/regions?" SMALL "leave", true, 200, .value = NULL};
    bool awake[QUEUE + 2], ended;
    struct exchange *waiting[QUEUE], *held = hold_worker(1);
    for (int i = 0; i < QUEUE; i++)
        waiting[i] = begin(&row, i, &awake[i], &ended);
    struct exchange *refused = begin(&row, QUEUE, &awake[QUEUE], &ended);
    ck_assert(!exchange_leave(refused)); /* its wake has come */
    ck_assert_uint_eq(finish(refused, &awake[QUEUE]), 503);
    struct exchange *again = begin(&row, 0, &awake[QUEUE + 1], &ended);
    ck_assert(exchange_leave(again) && !exchange_leave(again));
    exchange_end(again);
    for (int i = 1; i < QUEUE; i++) { /* the last that waited: nothing is to be made */
        ck_assert(exchange_leave(waiting[i]));
        exchange_end(waiting[i]);
    }
    ck_assert_int_eq(measured(GAUGE_WAITING_FAST), 1);
    pool_expire(service.pool, clock_now() + 3600000000);
    ck_assert_uint_eq(finish(waiting[0], &awake[0]), 503);
    let_go(held);
}

/* A run without clients is stopped. */
TEST(abandons_runs)
{
    static const struct row slow = {"GET", "/puzzle/generate?width=18&height=18&seed=", true, 200,
                                    .value = NULL};
    bool awake, ended;
    struct exchange *exchange = begin(&slow, 1, &awake, &ended);
    while (measured(GAUGE_WAITING_FAST) + measured(GAUGE_WAITING_SLOW))
        sched_yield();
    if (exchange_leave(exchange))
        exchange_end(exchange);
    else
        finish(exchange, &awake);
    await_worker();
}

/* ---- 202 in place of a wait, and events ------------------------------------------------------ */

/* tests/http/test_async.py has the usual ways of 202 and DELETE. */

#define ASYNC(preference) .header = HEADER_PREFER, .value = (preference)
#define EVENTS .header = HEADER_ACCEPT, .value = "text/event-stream"

static void await_operations(void)
{
    while (operations_count(service.operations))
        sched_yield();
}

/* At the limit of such maps a client with wait goes on waiting, one without is refused. */
TEST(goes_on_waiting_at_the_limit)
{
    static const struct row row = {"GET", "/regions?" SMALL "later", true, 202,
                                   ASYNC("respond-async")};
    static const struct row patient = {"GET", "/regions?" SMALL "later", true, 202,
                                       ASYNC("respond-async, wait=5")};
    bool awake, ended;
    struct exchange *held = hold_worker(2);
    for (int i = 0; i < 4; i++)
        ck_assert_uint_eq(ask(&row, i), 202);
    ck_assert_uint_eq(ask(&row, 4), 429);
    struct exchange *exchange = begin(&patient, 4, &awake, &ended);
    ck_assert(!exchange_detach(exchange) && exchange_is_waiting(exchange));
    ck_assert(exchange_leave(exchange));
    exchange_end(exchange);
    let_go(held);
    await_operations();
}

static bool expect_event(struct exchange *exchange, int64_t now, const char *expected)
{
    struct strbuf text = {0};
    bool more = exchange_write_events(exchange, now, &text);
    strbuf_char(&text, '\0');
    ck_assert_msg(!strncmp(text.at, expected, *expected ? strlen(expected) : 1), "%s instead of %s",
                  text.at, expected);
    strbuf_release(&text);
    return more;
}

/* Changes at most four times a second, and a comment every five seconds. */
TEST(paces_events)
{
    static const struct row row = {"GET", "/regions?" SMALL "paced", true, 200, EVENTS};
    static const struct {
        int ms, permille; /* as if it had moved on; 0: it has not */
        const char *event;
    } steps[] = {
        {1, 0, "event: progress\ndata: {\"id\": \""},
        {300, 0, ""},
        {4999, 0, ""},
        {5002, 0, ":\n\n"},
        {9000, 0, ""},
        {9001, 500, "event: progress\n"},
        {9200, 600, ""},
        {9252, 600, "event: progress\n"},
    };
    bool awake, ended;
    struct exchange *held = hold_worker(3), *exchange = begin(&row, 1, &awake, &ended);
    ck_assert(exchange->reply.live && exchange->reply.status == 200);
    for (int i = 0; i < COUNT(steps); i++) {
        if (steps[i].permille)
            exchange->last_event.permille = steps[i].permille;
        ck_assert(expect_event(exchange, steps[i].ms * 1000, steps[i].event));
    }
    let_go(held);
    await_operations();
    ck_assert(!expect_event(exchange, 9253000, "event: done\ndata: {\"id\": \""));
    exchange_end(exchange);
}

TEST(ends_events)
{
    static const struct row row = {"GET", "/regions?" SMALL "ended", true, 200, EVENTS};
    bool awake, ended;
    struct exchange *held = hold_worker(4), *exchange = begin(&row, 1, &awake, &ended);
    atomic_store(&service.draining, true);
    ck_assert(
        !expect_event(exchange, 1, "event: draining\ndata: {\"type\": \"/problems/draining\""));
    atomic_store(&service.draining, false);
    ck_assert(operations_cancel(service.operations, exchange->key.id, exchange->client.key));
    ck_assert(
        !expect_event(exchange, 1, "event: failed\ndata: {\"type\": \"/problems/not-found\""));
    exchange_end(exchange);
    let_go(held);
}

/* Whichever allocation fails: the reply is right, or says so. */
TEST(replies_later_or_says_that_memory_ended, .end = 2)
{
    static const struct row later[] = {
        {"GET", "/regions?" SMALL "memory", true, 202, ASYNC("respond-async")},
        {"GET", "/regions?" SMALL "events", true, 200, EVENTS},
    };
    const struct row *row = &later[_i];
    bool faulted = true, awake, ended;
    struct exchange *held = hold_worker(5 + _i);
    for (int n = 1; faulted && n < 200; n++) {
        faults_begin(n);
        unsigned status = ask(row, n);
        faulted = faults_end();
        ck_assert_msg(status == row->status || (faulted && (status == 503 || !status)),
                      "%u without request %d", status, n);
        char id[37] = "";
        struct exchange *exchange = begin(row, n, &awake, &ended);
        strcpy(id, exchange->key.id);
        exchange_end(exchange);
        ck_assert(operations_cancel(service.operations, id, 0));
    }
    ck_assert(!faulted);
    let_go(held);
}

/* ---- beginning ------------------------------------------------------------------------------- */

TEST(starts_or_reports_why_not)
{
    static struct service other;
    const char *what = NULL;
    bool faulted = true;
    for (int n = 1; faulted; n += n < 12 ? 1 : 41) { /* packing the files takes its time */
        faults_begin(n);
        bool good = service_init(&other, &config, &what);
        faulted = faults_end();
        ck_assert(good || (faulted && *what));
        service_release(&other);
    }
    faulted = true;
    for (int n = 1; faulted; n++) {
        faults_begin(n);
        struct io_context own;
        bool good = io_context_init(&own, &service, true);
        faulted = faults_end();
        ck_assert(good || faulted);
        io_context_release(&own);
    }
}
