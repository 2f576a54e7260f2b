/*
 * exchange.c: the stages of a request.
 *
 *     bytes -> route -> admit -> page -> prefer -> recall -> waive -> read -> bind -> negotiate
 *           -> estimate -> key -> redirect -> remember -> note -> compare -> watch -> claim
 *           -> reply
 *
 * Each stage reads only what the ones before it found, notes what it finds itself, and answers
 * true, or leaves a reply and answers false. None calls back. A request that was recalled has
 * nothing left to read, bind or negotiate.
 *
 * A long body would keep the I/O thread from its other connections: a worker reads it, and all that
 * follows from it up to the key, in its own memory. What crosses threads is the exchange, by
 * hand-over: from pool_submit until its wake has come through the loop the I/O thread touches
 * nothing of it, beside noting that the client has left.
 */
#include "exchange.h"
#include "api/identity.h"
#include "srv/base/block.h"
#include "srv/base/clock.h"
#include "srv/base/hash.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEPT_ROOM = 16 * 1024,   /* of a text, from one exchange to the next */
    KEPT_WARM = 1024 * 1024, /* of the memory for reading, likewise */
    LONG_BODY = 8 * 1024,    /* longer ones are read by a worker */
    READ_NANOSECONDS = 200,  /* for a byte of them, roughly */
};

/* ---- note: key -> self, which may be gone when the log is written ---------------------------- */

static bool note_address(struct exchange *exchange)
{
    const struct key *key = &exchange->key;
    if (!exchange->context->service->config.log)
        return true;
    exchange->self_length = key->length;
    strbuf_put(&exchange->self, key->address,
               key->length < RECORD_SELF ? key->length : RECORD_SELF);
    return true;
}

/* ---- all stages ------------------------------------------------------------------------------ */

static const struct stage {
    bool (*run)(struct exchange *);
    bool recalled; /* has nothing to do for a request that was recalled */
    bool reads;    /* may be run by a worker */
} stages[] = {
    {route_request, false, false},    /* path         -> page, map, generator   404 405 */
    {admit_request, false, false},    /* client, key  -> whether it may         401 429 */
    {answer_directly, false, false},  /* page         -> what it says */
    {read_preferences, false, false}, /* Prefer       -> prefer, events */
    {recall_request, false, false},   /* raw bytes    -> key, tag, cost */
    {waive_elsewhere, false, true},   /* DELETE       -> ended elsewhere        404 409 */
    {read_request, true, true},       /* query, body  -> args                   400 413 415 */
    {bind_request, true, true},       /* args         -> params, seed, v        400 404 410 422 */
    {negotiate, true, true},          /* Accept       -> encoder, coding        406 */
    {estimate_cost, true, true},      /* params, encoder -> cost */
    {make_key, true, true},           /* all of it    -> key, tag */
    {redirect, true, false},          /* spelling     -> canonical address      308 */
    {remember_request, true, false},  /* all of it    -> what is recalled */
    {note_address, false, false},     /* key          -> self */
    {compare_tags, false, false},     /* tag          -> not modified           304 412 */
    {watch_operation, false, false},  /* id, key      -> how its making stands  202 422 503 504 */
    {claim_blob, false, false}, /* key          -> blob, or wait          202 422 429 503 504 */
};

enum { STAGES = sizeof stages / sizeof *stages };

/* Up to where reading begins or ends. False: there is a reply, or there will be. */
static bool run_stages(struct exchange *exchange)
{
    bool reads = stages[exchange->stage].reads;
    for (; exchange->stage < STAGES && stages[exchange->stage].reads == reads; exchange->stage++) {
        const struct stage *stage = &stages[exchange->stage];
        if (!(stage->recalled && exchange->recalled) && !stage->run(exchange))
            return false;
    }
    return true;
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

/* What was bound is spelled out in the key by now, or answered: its memory serves the next. */
static void release_run(struct exchange *exchange)
{
    if (exchange->run && exchange->memory == exchange->context->memory &&
        mw_peak(exchange->run) > KEPT_WARM)
        block_trim(exchange->memory, (char *)exchange->memory + exchange->size);
    exchange->run = NULL;
    args_release(&exchange->args);
}

static void release_key(struct exchange *exchange)
{
    release_run(exchange);
    release_elsewhere(exchange);
    free(exchange->kept_address);
    exchange->kept_address = NULL;
    exchange->key.address = NULL;
}

/* For reading a body of that length. An argument becomes a value, a copy of its text and a piece of
   the address: some ten times its bytes. */
static size_t memory_for(size_t body) { return body * 32 + (1 << 20); }

/* ---- a long body, read by a worker ----------------------------------------------------------- */

static struct exchange *exchange_of(struct job *job)
{
    return (struct exchange *)(void *)((char *)job - offsetof(struct exchange, job));
}

/* The address outlives the worker's memory. */
static bool keep_address(struct exchange *exchange)
{
    struct key *key = &exchange->key;
    exchange->kept_address = malloc(key->length);
    if (!exchange->kept_address)
        return refuse(exchange, FAULT_UNAVAILABLE, "out of memory");
    memcpy(exchange->kept_address, key->address, key->length);
    key->address = exchange->kept_address;
    return true;
}

/* A body being read. */
struct reading {
    struct watched watched;
    const struct service *service;
    int64_t deadline; /* clock_now */
};

static bool must_end(const struct watched *watched, int64_t now)
{
    const struct reading *reading = (const struct reading *)(const void *)watched;
    return atomic_load(&reading->service->abort_runs) || now > reading->deadline;
}

static void read_watched(struct exchange *exchange)
{
    struct service *service = exchange->context->service;
    struct reading reading = {
        .watched = {.must_end = must_end,
                    .address = exchange->path,
                    .length = strlen(exchange->path)},
        .service = service,
        .deadline = clock_now() + service->config.deadline_ms * INT64_C(1000),
    };
    watch_begin(&service->watch, &reading.watched);
    if (run_stages(exchange))
        keep_address(exchange);
    release_run(exchange);
    watch_end(&service->watch, &reading.watched);
}

static enum outcome read_long(struct job *job, void *memory, size_t size)
{
    struct exchange *exchange = exchange_of(job);
    exchange->memory = memory;
    exchange->size = size;
    read_watched(exchange);
    exchange->wake(exchange->owner);
    return JOB_DONE;
}

/* `expected` says for how long it would have waited. */
static void refuse_busy(struct exchange *exchange)
{
    exchange->retry_after = service_seconds(exchange->job.expected);
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
    return !exchange->recalled && !exchange->body_too_large && exchange->body.length > LONG_BODY;
}

/* False: it is waiting. */
static bool hand_over(struct exchange *exchange)
{
    struct service *service = exchange->context->service;
    exchange->waiting = exchange->reading = true;
    exchange->job = (struct job){.run = read_long,
                                 .refuse = refuse_reading,
                                 .estimate = exchange->body.length * READ_NANOSECONDS,
                                 .bytes = memory_for(exchange->body.length),
                                 .client = exchange->client.key};
    if (pool_submit(service->pool, &exchange->job))
        return false;
    exchange->waiting = exchange->reading = false;
    refuse_busy(exchange);
    return true;
}

/* The worker has given it back, or the store has answered. False: it is waiting again. */
static bool finish_reading(struct exchange *exchange)
{
    exchange->waiting = false;
    exchange->reading = false;
    take_elsewhere(exchange);
    if (!exchange->reply.status && !exchange->left && run_stages(exchange))
        run_stages(exchange);
    release_key(exchange);
    exchange->answered = clock_now();
    return !exchange->waiting;
}

/* ---- running and waiting --------------------------------------------------------------------- */

bool exchange_run(struct exchange *exchange)
{
    assert(!exchange->reply.status && !exchange->waiting);
    find_client(exchange);
    exchange->memory = exchange->context->memory;
    exchange->size = exchange->context->size;
    if (run_stages(exchange)) {
        if (is_long(exchange))
            return hand_over(exchange);
        if (find_elsewhere(exchange))
            return false;
        if (run_stages(exchange))
            run_stages(exchange);
    }
    release_key(exchange);
    exchange->answered = clock_now();
    return !exchange->waiting;
}

bool exchange_resume(struct exchange *exchange)
{
    assert(exchange->waiting);
    if (exchange->reading)
        return finish_reading(exchange);
    answer_claim(exchange);
    return true;
}

/* A worker that reads, or a store that is asked, cannot be called off, but what came of it is not
   gone on with. */
static bool leave_reading(struct exchange *exchange)
{
    exchange->left = true;
    if (exchange->lookup ? !leave_elsewhere(exchange)
                         : !pool_withdraw(exchange->context->service->pool, &exchange->job))
        return false;
    release_elsewhere(exchange);
    exchange->waiting = exchange->reading = false;
    return true;
}

bool exchange_leave(struct exchange *exchange)
{
    if (!exchange->waiting)
        return false;
    return exchange->reading ? leave_reading(exchange) : leave_claim(exchange);
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

/* Room first: what stands in it does not move any more. */
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

/* Those on a worker are known once it was waited for. */
static void describe_times(const struct exchange *exchange, struct record *record)
{
    int64_t now = clock_now();
    const struct timing *timing = &exchange->took;
    bool waited = exchange->waited;
    record->duration = now - exchange->started;
    record->phases[PHASE_STORE] = waited && timing->store ? timing->store : -1;
    record->phases[PHASE_QUEUE] = waited ? timing->queue : -1;
    record->phases[PHASE_MAKE] = waited ? timing->make : -1;
    record->phases[PHASE_ENCODE] = waited ? timing->encode : -1;
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
        .status = reply->status,
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

static struct exchange *take_spare(struct io_context *context)
{
    struct exchange *exchange = context->spare;
    if (!exchange)
        return calloc(1, sizeof *exchange);
    context->spare = exchange->next;
    return exchange;
}

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
    assert(!exchange->waiting && !exchange->waiter.entry && context->open > 0);
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
