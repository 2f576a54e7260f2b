/*
 * exchange.c: the stages of a request, the waits between them, and what arrives.
 *
 * run_stages has all stages in their order. A stage reads what those before it found, notes what
 * it finds itself and answers true, or it leaves a reply and answers false. An exchange waits in
 * three places, and goes on from there when it is woken: for a worker that reads a long body, for
 * the store that may know the address of an id, and for its map.
 *
 * A long body would keep the I/O thread from its other connections, so a worker reads it, and all
 * that follows from it up to the key, in the worker's memory. Until its wake has come through the
 * loop the I/O thread touches nothing of such an exchange but `state`, which no worker touches.
 */
#include "exchange.h"
#include "srv/base/block.h"
#include "srv/base/clock.h"
#include "srv/base/hash.h"
#include "srv/base/identity.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEPT_ROOM = 16 * 1024,   /* bytes of a text that stay allocated for the next exchange */
    KEPT_WARM = 1024 * 1024, /* bytes of the memory for reading, likewise */
    LONG_BODY = 8 * 1024,    /* bytes of the longest body that the I/O thread reads */
    READ_NANOSECONDS = 200,  /* to read one byte of a body, roughly */
};

/* ---- memory ---------------------------------------------------------------------------------- */

/* Nothing refers to what was bound any more: the key has the address, or there is a reply. */
static void release_run(struct exchange *exchange)
{
    if (exchange->run && exchange->memory == exchange->context->memory &&
        mw_peak(exchange->run) > KEPT_WARM)
        block_trim(exchange->memory, (char *)exchange->memory + exchange->size);
    exchange->run = NULL;
    exchange->args = NULL;
    exchange->arg_count = 0;
}

static void release_key(struct exchange *exchange)
{
    release_run(exchange);
    release_remote(exchange);
    free(exchange->kept_address);
    exchange->kept_address = NULL;
    exchange->key.address = NULL;
}

/* Bytes for reading a body of that length. An argument becomes a value, a copy of its text and a
   piece of the address: some ten times its bytes. */
static size_t memory_for(size_t body) { return body * 32 + (1 << 20); }

/* ---- a long body, read by a worker ----------------------------------------------------------- */

/* What the request asks for, down to its key. On an I/O thread or on a worker. */
static bool understand(struct exchange *exchange)
{
    return read_request(exchange) &&  /* query, body -> args                 400 413 415 */
           bind_request(exchange) &&  /* args -> params, seed, version       400 404 410 422 */
           check_size(exchange) &&    /* params -> cells, stars              422 */
           negotiate(exchange) &&     /* Accept, format -> encoder, coding   406 */
           estimate_cost(exchange) && /* params, encoder -> cost */
           make_key(exchange);        /* address, encoder -> key, tag */
}

static struct exchange *exchange_of(struct job *job)
{
    return (struct exchange *)(void *)((char *)job - offsetof(struct exchange, job));
}

/* The address must outlive the worker's memory. */
static bool copy_address(struct exchange *exchange)
{
    struct key *key = &exchange->key;
    exchange->kept_address = malloc(key->length);
    if (!exchange->kept_address)
        return refuse(exchange, FAULT_UNAVAILABLE, "out of memory");
    memcpy(exchange->kept_address, key->address, key->length);
    key->address = exchange->kept_address;
    return true;
}

static enum outcome read_long(struct job *job, void *memory, size_t size)
{
    struct exchange *exchange = exchange_of(job);
    exchange->memory = memory;
    exchange->size = size;
    if (understand(exchange))
        copy_address(exchange);
    release_run(exchange);
    block_trim(memory, (char *)memory + size); /* maps are made in other memory */
    exchange->wake(exchange->owner);
    return JOB_DONE;
}

static void refuse_busy(struct exchange *exchange)
{
    exchange->retry_after = overload_seconds(exchange->job.expected);
    refuse(exchange, FAULT_BUSY, NULL);
}

static void refuse_reading(struct job *job)
{
    struct exchange *exchange = exchange_of(job);
    refuse_busy(exchange);
    exchange->wake(exchange->owner);
}

static bool is_long(const struct exchange *exchange)
{
    return exchange_has_body(exchange) && !exchange->body_too_large &&
           exchange->body.length > LONG_BODY;
}

/* True: a worker reads the body, or there is a reply, as all are too busy for it. */
static bool read_on_worker(struct exchange *exchange)
{
    struct service *service = exchange->context->service;
    if (!is_long(exchange))
        return false;
    exchange->state = EXCHANGE_READING; /* from here on a wake may come */
    exchange->job = (struct job){.run = read_long,
                                 .refuse = refuse_reading,
                                 .estimate = exchange->body.length * READ_NANOSECONDS,
                                 .bytes = memory_for(exchange->body.length),
                                 .client = exchange->client.key};
    if (!pool_submit(service->pool, &exchange->job)) {
        exchange->state = EXCHANGE_ARRIVING;
        refuse_busy(exchange);
    }
    return true;
}

/* ---- all stages ------------------------------------------------------------------------------ */

/* For the log, as the address may be gone when it is written. */
static void note_address(struct exchange *exchange)
{
    const struct key *key = &exchange->key;
    if (!exchange->context->service->config.log)
        return;
    exchange->self_length = key->length;
    strbuf_put(&exchange->self, key->address,
               key->length < RECORD_SELF ? key->length : RECORD_SELF);
}

/* Unless the client does not want to wait at all. */
static void wait_for_map(struct exchange *exchange)
{
    bool asynchronous = exchange->prefer.async || exchange->events;
    if (claim_blob(exchange) && asynchronous && !exchange->prefer.wait)
        detach_claim(exchange);
}

/* From the beginning, or from where it waited. Then it waits (again), or there is a reply. */
static void run_stages(struct exchange *exchange)
{
    switch (exchange->state) {
    case EXCHANGE_ARRIVING:
        if (!route_request(exchange) ||    /* path -> page, map id, generator   404 405 */
            !admit_request(exchange) ||    /* client, key -> whether it may     401 429 */
            !answer_directly(exchange) ||  /* page -> content; DELETE -> ended */
            !read_preferences(exchange) || /* Prefer, Accept -> prefer, events */
            !recall_request(exchange))     /* raw bytes -> RECALLED: key, tag, cost */
            return;
        if (exchange->state == EXCHANGE_RECALLED)
            break;
        if (read_on_worker(exchange) || look_up_remote(exchange))
            return;
        /* fall through */
    case EXCHANGE_LOOKING_UP:
        if (!cancel_remote(exchange) || /* DELETE -> ended at another copy   404 409 */
            !understand(exchange))      /* all that was sent -> key, tag, cost */
            return;
        /* fall through */
    case EXCHANGE_READING: remember_request(exchange); break;
    case EXCHANGE_RECALLED:
    case EXCHANGE_MAKING:
    case EXCHANGE_ABANDONED:
    case EXCHANGE_ANSWERED:
    case EXCHANGE_LEFT: assert(false);
    }
    note_address(exchange);
    if (compare_tags(exchange) &&  /* tag -> not modified               304 412 */
        watch_operation(exchange)) /* id, key -> is it under way?       202 422 503 504 */
        wait_for_map(exchange);    /* key -> map, or wait               202 422 429 503 504 */
}

/* ---- running and waiting --------------------------------------------------------------------- */

/* After the stages have run, unless a worker or the store has it. */
static bool is_answered(struct exchange *exchange)
{
    bool over = exchange->reply.status;
    if (over || exchange->state == EXCHANGE_MAKING)
        release_key(exchange);
    if (!over)
        return false;
    exchange->state = EXCHANGE_ANSWERED;
    exchange->answered = clock_now();
    return true;
}

bool exchange_run(struct exchange *exchange)
{
    assert(exchange->state == EXCHANGE_ARRIVING && !exchange->reply.status);
    find_client(exchange);
    exchange->memory = exchange->context->memory;
    exchange->size = exchange->context->size;
    run_stages(exchange);
    bool handed_over =
        exchange->state == EXCHANGE_READING || exchange->state == EXCHANGE_LOOKING_UP;
    return !handed_over && is_answered(exchange);
}

bool exchange_resume(struct exchange *exchange)
{
    assert(exchange_is_waiting(exchange));
    if (exchange->state == EXCHANGE_ABANDONED) {
        release_key(exchange);
        exchange->state = EXCHANGE_LEFT;
        return true;
    }
    if (exchange->state == EXCHANGE_MAKING) {
        answer_claim(exchange);
    } else {
        take_remote(exchange);
        if (!exchange->reply.status)
            run_stages(exchange);
    }
    return is_answered(exchange);
}

/* Whether no wake will come any more. */
static bool withdraw(struct exchange *exchange)
{
    if (exchange->state == EXCHANGE_MAKING)
        return leave_claim(exchange);
    return (exchange->state == EXCHANGE_READING || exchange->state == EXCHANGE_LOOKING_UP) &&
           pool_withdraw(exchange->context->service->pool, &exchange->job);
}

bool exchange_leave(struct exchange *exchange)
{
    if (withdraw(exchange)) {
        release_remote(exchange);
        exchange->state = EXCHANGE_LEFT;
        return true;
    }
    if (exchange->state == EXCHANGE_READING || exchange->state == EXCHANGE_LOOKING_UP)
        exchange->state = EXCHANGE_ABANDONED;
    return false;
}

bool exchange_detach(struct exchange *exchange)
{
    return exchange->state == EXCHANGE_MAKING && detach_claim(exchange) && is_answered(exchange);
}

/* ---- what arrives ---------------------------------------------------------------------------- */

void exchange_set_method(struct exchange *exchange, struct piece name)
{
    static const char *const names[] = {"GET", "HEAD", "POST", "QUERY", "DELETE", "OPTIONS"};
    enum method method = METHOD_GET;
    while (method < METHOD_OTHER && (strlen(names[method]) != name.length ||
                                     memcmp(names[method], name.at, name.length) != 0))
        method++;
    size_t room = sizeof exchange->method_name - 1, n = name.length < room ? name.length : room;
    exchange->method = method;
    memcpy(exchange->method_name, name.at, n);
    exchange->method_name[n] = '\0';
}

static void take_target(struct exchange *exchange, struct piece target)
{
    if (!target.length || (*target.at != '/' && *target.at != '*'))
        strbuf_char(&exchange->uri, '/');
    strbuf_put(&exchange->uri, target.at, target.length);
    strbuf_char(&exchange->uri, '\0');
}

/* The values of one field; `i` is the first. */
static void take_field(struct strbuf *text, const struct head *head, int i)
{
    for (int comma = 0; i >= 0; i = head->fields[i].next) {
        strbuf_put(text, ", ", comma ? 2 : 0);
        comma = 1;
        strbuf_put(text, head->fields[i].value.at, head->fields[i].value.length);
    }
    strbuf_char(text, '\0');
}

/* Reserves room first, so that the values do not move. */
static void take_fields(struct exchange *exchange, const struct head *head)
{
    struct strbuf *text = &exchange->fields;
    size_t room = 0;
    for (int i = 0; i < head->count; i++)
        room += head->fields[i].value.length + 2;
    if (!strbuf_reserve(text, room))
        return;
    for (int i = 0; i < HEADER_END; i++)
        if (head->first[i] >= 0) {
            exchange->headers[i] = text->at + text->length;
            take_field(text, head, head->first[i]);
        }
    assert(text->length <= room);
}

static size_t body_limit(const struct exchange *exchange)
{
    return (size_t)exchange->context->service->config.max_body;
}

bool exchange_expect_body(struct exchange *exchange, uint64_t length)
{
    exchange->body_too_large = length > body_limit(exchange);
    return !exchange->body_too_large;
}

void exchange_add_body(struct exchange *exchange, const char *bytes, size_t length)
{
    assert(!exchange->reply.status && exchange->body.length <= body_limit(exchange));
    exchange->body_too_large |= length > body_limit(exchange) - exchange->body.length;
    if (!exchange->body_too_large)
        strbuf_put(&exchange->body, bytes, length);
}

/* ---- what is seen from outside --------------------------------------------------------------- */

/* The times on a worker are known once the exchange has waited for one. */
static void describe_times(const struct exchange *exchange, struct record *record)
{
    int64_t now = clock_now();
    const struct timing *timing = &exchange->took;
    record->duration = now - exchange->started;
    record->phases[PHASE_STORE] = timing->store ? timing->store : -1;
    record->phases[PHASE_QUEUE] = timing->queue;
    record->phases[PHASE_MAKE] = timing->make;
    record->phases[PHASE_ENCODE] = timing->encode;
    record->phases[PHASE_SEND] = exchange->reply.status ? now - exchange->answered : -1;
}

struct record exchange_describe(const struct exchange *exchange)
{
    const struct reply *reply = &exchange->reply;
    bool body = reply->blob && exchange->method != METHOD_HEAD && reply->status != 304;
    bool named = exchange->self_length && !exchange->self.failed;
    struct record record = {
        .id = exchange->request_id,
        .method = *exchange->method_name ? exchange->method_name : NULL,
        .path = exchange->path,
        .query = exchange->query,
        .self = named ? exchange->self.at : NULL,
        .self_length = exchange->self_length,
        .cache = exchange->cache_note,
        .client = exchange->client.text,
        .trace = &exchange->trace,
        .generator = exchange->generator,
        .encoder = exchange->key.encoder,
        .route = route_of(exchange),
        .status = exchange->state == EXCHANGE_LEFT ? CLIENT_LEFT : reply->status,
        .fault = reply->fault,
        .bytes = body ? reply->blob->length : 0,
    };
    describe_times(exchange, &record);
    return record;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static void on_settled(struct waiter *waiter)
{
    struct exchange *exchange =
        (struct exchange *)(void *)((char *)waiter - offsetof(struct exchange, waiter));
    exchange->wake(exchange->owner);
}

static void choose_request_id(struct exchange *exchange)
{
    const char *given = exchange->headers[HEADER_REQUEST_ID];
    size_t n = given ? strlen(given) : 0;
    bool sane = n > 0 && n < REQUEST_ID_ROOM;
    for (size_t i = 0; sane && i < n; i++)
        sane = given[i] > 0x20 && given[i] < 0x7f;
    if (sane)
        memcpy(exchange->request_id, given, n + 1);
    else
        io_context_make_id(exchange->context, exchange->request_id);
}

static struct exchange *take_spare(struct io_context *context)
{
    struct exchange *exchange = context->spare;
    if (!exchange)
        return calloc(1, sizeof *exchange);
    context->spare = exchange->next;
    return exchange;
}

static const struct timing no_timing = {-1, -1, -1, -1};

struct exchange *exchange_begin(struct io_context *context, const struct head *head,
                                void (*wake)(void *owner), void *owner)
{
    struct exchange *exchange = take_spare(context);
    if (!exchange)
        return NULL;
    struct strbuf texts[] = {exchange->uri, exchange->fields, exchange->body, exchange->location,
                             exchange->self};
    *exchange = (struct exchange){.context = context,
                                  .wake = wake,
                                  .owner = owner,
                                  .started = clock_now(),
                                  .drawn = random_next(&context->random),
                                  .uri = texts[0],
                                  .fields = texts[1],
                                  .body = texts[2],
                                  .location = texts[3],
                                  .self = texts[4],
                                  .waiter.wake = on_settled,
                                  .took = no_timing,
                                  .cache_note = "none"};
    exchange_set_method(exchange, head->method);
    if (head->target.at)
        take_target(exchange, head->target);
    take_fields(exchange, head);
    choose_request_id(exchange);
    exchange->trace = trace_begin(exchange->headers[HEADER_TRACEPARENT], &context->random);
    if (exchange->uri.failed || exchange->fields.failed)
        exchange_blame(exchange, FAULT_UNAVAILABLE, "out of memory");
    context->open++;
    return exchange;
}

void exchange_blame(struct exchange *exchange, enum fault fault, const char *detail)
{
    assert(fault != FAULT_NONE && !exchange->reply.status);
    exchange->fault = fault;
    exchange->detail = detail;
}

void exchange_end(struct exchange *exchange)
{
    struct io_context *context = exchange->context;
    assert(!exchange_is_waiting(exchange) && !exchange->waiter.entry && context->open > 0);
    blob_drop(exchange->reply.blob);
    blob_drop(exchange->waiter.blob);
    strbuf_reset(&exchange->uri, KEPT_ROOM);
    strbuf_reset(&exchange->fields, KEPT_ROOM);
    strbuf_reset(&exchange->body, KEPT_ROOM);
    strbuf_reset(&exchange->location, KEPT_ROOM);
    strbuf_reset(&exchange->self, KEPT_ROOM);
    exchange->next = context->spare;
    context->spare = exchange;
    context->open--;
}

static void drop_exchange(struct exchange *exchange)
{
    strbuf_release(&exchange->uri);
    strbuf_release(&exchange->fields);
    strbuf_release(&exchange->body);
    strbuf_release(&exchange->location);
    strbuf_release(&exchange->self);
    free(exchange);
}

/* ---- what the exchanges of a thread share ---------------------------------------------------- */

struct io_context *io_context_new(struct service *service, bool admin)
{
    struct io_context *context = calloc(1, sizeof *context);
    if (!context)
        return NULL;
    context->service = service;
    context->admin = admin;
    context->size = memory_for((size_t)service->config.max_body);
    context->memory = block_new(context->size);
    context->recall = recall_new((size_t)service->config.cache_bytes / 16);
    random_bytes(&context->random, sizeof context->random);
    if (context->memory && context->recall)
        return context;
    io_context_drop(context);
    return NULL;
}

void io_context_drop(struct io_context *context)
{
    assert(!context->open);
    for (struct exchange *exchange = context->spare, *next; exchange; exchange = next) {
        next = exchange->next;
        drop_exchange(exchange);
    }
    block_drop(context->memory, context->size);
    if (context->recall)
        recall_drop(context->recall);
    strbuf_release(&context->raw);
    free(context);
}

void io_context_make_id(struct io_context *context, char id[37])
{
    uint64_t bits[2] = {random_next(&context->random), random_next(&context->random)};
    identity_random(bits, id);
}
