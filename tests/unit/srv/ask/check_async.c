/* check_async.c: 202 in place of a wait, and events, by a clock of the test. */
#include "faults.h"
#include "srv/ask/exchange.h"
#include "srv/out/problem.h"
#include "unit/unit.h"

#include <jansson.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct service service;
static struct io_context *context;

static const struct config config = {
    .port = 8080,
    .threads = 1,
    .workers = 1,
    .queue = 8,
    .cache_bytes = 4 << 20,
    .output_bytes = 64 << 20,
    .send_ms = 1000,
    .max_body = 2000,
    .memory = 64 << 20,
    .wait_ms = 60000,
    .deadline_ms = 60000,
    .async = 8,
    .async_per_client = 4,
    .async_ms = 60000,
};

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static bool first_woken;

/* Once in a process, as in check_exchange.c. */
static void start(void)
{
    const char *what;
    ck_assert(problem_init() && service_init(&service, &config, &what));
    context = io_context_new(&service, false);
    ck_assert_ptr_nonnull(context);
}

static void stop(void)
{
    io_context_drop(context);
    service_release(&service);
    problem_release();
}

/* The wake of the exchange at whose address it is holds its worker up at the gate. */
static void wake(void *owner)
{
    if (owner == &first_woken) {
        pthread_mutex_lock(&gate);
        first_woken = true;
        pthread_mutex_unlock(&gate);
    }
}

static struct exchange *begin(const char *method, const char *uri, enum header header,
                              const char *value, void *owner)
{
    struct head head;
    head_begin(&head);
    head.method = span_of(method);
    head.target = span_of(uri);
    head_add(&head, HEADER_HOST, span_of("localhost"));
    if (value)
        head_add(&head, header, span_of(value));
    struct exchange *exchange = exchange_begin(context, &head, wake, owner);
    if (exchange)
        exchange_run(exchange);
    return exchange;
}

#define SMALL "/regions?width=12&height=8&count=4&seed="
static const char prefer_async[] = "respond-async", events[] = "text/event-stream";

/* The one worker is held up from here to go_on. */
static struct exchange *hold_up(const char *uri)
{
    while (pool_state(service.pool).running)
        sched_yield();
    first_woken = false;
    pthread_mutex_lock(&gate);
    struct exchange *exchange = begin("GET", uri, HEADER_PREFER, NULL, &first_woken);
    while (!pool_state(service.pool).running)
        sched_yield();
    return exchange;
}

static void go_on(struct exchange *exchange)
{
    bool done;
    pthread_mutex_unlock(&gate);
    do {
        sched_yield();
        pthread_mutex_lock(&gate);
        done = first_woken;
        pthread_mutex_unlock(&gate);
    } while (!done);
    exchange_resume(exchange);
    exchange_end(exchange);
}

static unsigned ask(const char *method, const char *uri, enum header header, const char *value)
{
    struct exchange *exchange = begin(method, uri, header, value, NULL);
    unsigned status = exchange ? exchange->reply.status : 0;
    if (exchange)
        exchange_end(exchange);
    return status;
}

FIXTURE(start, stop)

/* tests/http/test_async.py has the usual ways of 202 and DELETE. */

/* At the limit of such maps a client with wait goes on waiting, one without is refused. */
TEST(goes_on_waiting_at_the_limit)
{
    char uri[80];
    struct exchange *first = hold_up(SMALL "held-3");
    for (int i = 0; i < 4; i++) {
        snprintf(uri, sizeof uri, SMALL "room-%d", i);
        ck_assert_uint_eq(ask("GET", uri, HEADER_PREFER, prefer_async), 202);
    }
    ck_assert_uint_eq(ask("GET", SMALL "more", HEADER_PREFER, prefer_async), 429);
    struct exchange *exchange =
        begin("GET", SMALL "more", HEADER_PREFER, "respond-async, wait=5", NULL);
    ck_assert(!exchange_detach(exchange) && exchange_is_waiting(exchange));
    ck_assert(exchange_leave(exchange));
    exchange_end(exchange);
    go_on(first);
    while (operations_count(service.operations))
        sched_yield();
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

#define MS 1000

/* Changes at most four times a second, and a comment every five seconds. */
TEST(paces_events)
{
    struct exchange *first = hold_up(SMALL "held-4");
    struct exchange *exchange = begin("GET", SMALL "told", HEADER_ACCEPT, events, NULL);
    ck_assert(exchange->reply.live && exchange->reply.status == 200);
    ck_assert(expect_event(exchange, 1, "event: progress\ndata: {\"id\": \""));
    ck_assert(expect_event(exchange, 300 * MS, ""));
    ck_assert(expect_event(exchange, 4999 * MS, ""));
    ck_assert(expect_event(exchange, 5001 * MS, ":\n\n"));
    ck_assert(expect_event(exchange, 9000 * MS, ""));
    exchange->last_event.permille = 500; /* as if it had moved on */
    ck_assert(expect_event(exchange, 9001 * MS, "event: progress\n"));
    exchange->last_event.permille = 600;
    ck_assert(expect_event(exchange, 9200 * MS, ""));
    ck_assert(expect_event(exchange, 9252 * MS, "event: progress\n"));
    go_on(first);
    while (operations_count(service.operations))
        sched_yield();
    ck_assert(!expect_event(exchange, 9253 * MS, "event: done\ndata: {\"id\": \""));
    exchange_end(exchange);
}

TEST(ends_events)
{
    struct exchange *first = hold_up(SMALL "held-5");
    struct exchange *exchange = begin("GET", SMALL "ended", HEADER_ACCEPT, events, NULL);
    atomic_store(&service.draining, true);
    ck_assert(
        !expect_event(exchange, 1, "event: draining\ndata: {\"type\": \"/problems/draining\""));
    atomic_store(&service.draining, false);
    ck_assert(operations_cancel(service.operations, exchange->key.id, exchange->client.key, false));
    ck_assert(
        !expect_event(exchange, 1, "event: failed\ndata: {\"type\": \"/problems/not-found\""));
    exchange_end(exchange);
    go_on(first);
}

/* Whichever allocation fails: the reply is right, or says so. */
TEST(refuses_without_memory, .end = 2)
{
    static const struct {
        enum header header;
        const char *value;
        unsigned status;
    } rows[] = {{HEADER_PREFER, prefer_async, 202}, {HEADER_ACCEPT, events, 200}};
    char uri[80];
    bool faulted = true;
    struct exchange *first = hold_up(_i ? SMALL "held-6" : SMALL "held-7");
    for (int n = 1; faulted && n < 200; n++) {
        snprintf(uri, sizeof uri, SMALL "memory-%d-%d", _i, n);
        faults_begin(n);
        unsigned status = ask("GET", uri, rows[_i].header, rows[_i].value);
        faulted = faults_end();
        ck_assert_msg(status == rows[_i].status || (faulted && (status == 503 || !status)),
                      "%u without request %d", status, n);
        char id[37] = "";
        struct exchange *exchange = begin("GET", uri, rows[_i].header, rows[_i].value, NULL);
        strcpy(id, exchange->key.id);
        exchange_end(exchange);
        ck_assert(operations_cancel(service.operations, id, 0, false));
    }
    ck_assert(!faulted);
    go_on(first);
}
