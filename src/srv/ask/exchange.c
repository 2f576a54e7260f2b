/*
 * exchange.c: the stages of a request, the waits between them, and what arrives.
 *
 * find_key and run_stages have all stages in order. A stage uses the results of those before it,
 * adds its own to the exchange and returns true, or it leaves a reply and returns false. An
 * exchange waits in two places, and goes on from there when it is woken: for the store, which may
 * have the address of an id, and for its map.
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

enum { KEPT_WARM = 1024 * 1024 }; /* bytes of the memory for reading that are kept */

/* ---- memory ---------------------------------------------------------------------------------- */

/* Nothing refers to what was bound any more: the map is being made, or there is a reply. */
static void release_key(struct exchange *exchange)
{
    const struct io_context *context = exchange->context;
    if (exchange->run && mw_peak(exchange->run) > KEPT_WARM)
        block_trim(context->memory, (char *)context->memory + context->size);
    exchange->run = NULL;
    blob_drop(exchange->remote);
    exchange->remote = NULL;
    free(exchange->kept_address);
    exchange->kept_address = NULL;
    exchange->key.address = NULL;
}

/* ---- all stages ------------------------------------------------------------------------------ */

/* For the log, as the address may be gone when it is written. */
static void note_address(struct exchange *exchange)
{
    const struct key *key = &exchange->key;
    if (exchange->context->service->config.log)
        strbuf_put(&exchange->self, key->address,
                   key->length < RECORD_SELF ? key->length : RECORD_SELF);
}

/* Unless the client does not want to wait at all. */
static void wait_for_map(struct exchange *exchange)
{
    if (claim_blob(exchange) && exchange->prefer.async && !exchange->prefer.wait)
        detach_claim(exchange);
}

/* Parses and checks the request. */
static bool understand(struct exchange *exchange)
{
    return read_request(exchange) && /* query, body -> args                 400 413 415 */
           bind_request(exchange) && /* args -> params, seed, version       400 404 410 422 */
           check_size(exchange) &&   /* params -> cells, stars              422 */
           negotiate(exchange) &&    /* Accept, format -> encoder, coding   406 */
           make_key(exchange);       /* address, encoder -> key, tag */
}

/* Down to the key of the map, from the beginning or from where it waited. False: it waits, or there
   is a reply. */
static bool find_key(struct exchange *exchange)
{
    if (exchange->state == EXCHANGE_ARRIVING) {
        if (!route_request(exchange) ||   /* path -> page, map id, generator   404 405 */
            !admit_request(exchange) ||   /* client, key -> whether it may     401 429 */
            !answer_directly(exchange) || /* page -> content; DELETE -> ended */
            !read_preferences(exchange))  /* Prefer, Accept -> prefer, events */
            return false;
        if (recall_request(exchange)) /* raw bytes -> key, tag */
            return true;
        if (look_up_remote(exchange)) /* id -> the store is asked for its address */
            return false;
    }
    if (!cancel_remote(exchange) || /* DELETE -> ended at another copy   404 409 */
        !understand(exchange))
        return false;
    remember_request(exchange);
    return true;
}

/* Afterwards it waits (again), or there is a reply. */
static void run_stages(struct exchange *exchange)
{
    assert(exchange->state == EXCHANGE_ARRIVING || exchange->state == EXCHANGE_LOOKING_UP);
    if (!find_key(exchange))
        return;
    note_address(exchange);
    if (compare_tags(exchange) &&  /* tag -> not modified               304 412 */
        watch_operation(exchange)) /* id, key -> is it under way?       202 422 503 504 */
        wait_for_map(exchange);    /* key -> map, or wait               202 422 429 503 504 */
}

/* ---- running and waiting --------------------------------------------------------------------- */

/* After the stages have run, unless the store is asked. */
static bool is_answered(struct exchange *exchange)
{
    bool over = exchange->reply.status;
    if (over || exchange->state == EXCHANGE_MAKING)
        release_key(exchange);
    if (!over)
        return false;
    add_limit_headers(exchange);
    exchange->state = EXCHANGE_ANSWERED;
    exchange->answered = clock_now();
    return true;
}

bool exchange_run(struct exchange *exchange)
{
    assert(!exchange->reply.status);
    if (exchange->state == EXCHANGE_ARRIVING)
        find_client(exchange);
    if (exchange->state == EXCHANGE_LOOKING_UP)
        take_remote(exchange);
    if (exchange->state == EXCHANGE_MAKING)
        answer_claim(exchange);
    else
        run_stages(exchange);
    return is_answered(exchange);
}

bool exchange_leave(struct exchange *exchange)
{
    bool left = exchange_is_waiting(exchange) &&
                cache_leave(exchange->context->service->cache, &exchange->waiter);
    if (left)
        exchange->state = EXCHANGE_LEFT;
    return left;
}

bool exchange_detach(struct exchange *exchange)
{
    return exchange->state == EXCHANGE_MAKING && detach_claim(exchange) && is_answered(exchange);
}

/* ---- what arrives ---------------------------------------------------------------------------- */

static enum method method_of(struct span name)
{
    static const char *const names[] = {"GET", "HEAD", "POST", "QUERY", "DELETE", "OPTIONS"};
    enum method method = METHOD_GET;
    while (method < METHOD_OTHER && !span_is(name, names[method]))
        method++;
    return method;
}

/* Several fields of one name are one list (RFC 9110, 5.2). */
static void take_field(struct exchange *exchange, const struct head *head, enum header header)
{
    struct strbuf *text = &exchange->text;
    for (int i = 0; i < head->count; i++) {
        struct span value = head->fields[i].value;
        if (head->fields[i].header != header)
            continue;
        if (exchange->headers[header])
            strbuf_add(text, ", ");
        else
            exchange->headers[header] = text->at + text->length;
        strbuf_put(text, value.at, value.length);
    }
    if (exchange->headers[header])
        strbuf_char(text, '\0');
}

/* Copies the head into `text`, which has room for all: what was copied does not move. */
static void take_head(struct exchange *exchange, const struct head *head)
{
    struct strbuf *text = &exchange->text;
    struct span method = head->method, target = head->target;
    size_t room = method.length + target.length + 3;
    exchange->method = method_of(method);
    for (int i = 0; i < head->count; i++)
        room += head->fields[i].value.length + 2;
    if (!strbuf_reserve(text, room))
        return;
    exchange->method_name = method.length ? text->at : NULL;
    strbuf_put(text, method.at, method.length);
    strbuf_char(text, '\0');
    exchange->uri = target.at ? text->at + text->length : NULL;
    if (!target.length || (*target.at != '/' && *target.at != '*'))
        strbuf_char(text, '/');
    strbuf_put(text, target.at, target.length);
    strbuf_char(text, '\0');
    for (int i = 0; i < head->count; i++)
        if (!exchange->headers[head->fields[i].header])
            take_field(exchange, head, head->fields[i].header);
    assert(text->length <= room);
}

bool exchange_add_body(struct exchange *exchange, struct span piece, uint64_t rest)
{
    assert(!exchange->reply.status && !exchange->body_too_large);
    strbuf_put(&exchange->body, piece.at, piece.length);
    uint64_t limit = (uint64_t)exchange->context->service->config.max_body;
    exchange->body_too_large = rest > limit || exchange->body.length > limit - rest;
    return !exchange->body_too_large;
}

/* ---- log and metrics ------------------------------------------------------------------------- */

/* The times on a worker are known once the exchange has waited for one. */
struct record exchange_describe(const struct exchange *exchange)
{
    int64_t now = clock_now();
    const struct reply *reply = &exchange->reply;
    bool body = reply->blob && exchange->method != METHOD_HEAD && reply->status != 304;
    struct record record = {
        .id = exchange->request_id,
        .method = exchange->method_name,
        .path = exchange->path,
        .query = exchange->query,
        .self = exchange->self.at,
        .self_length = exchange->self.length,
        .cache = exchange->cache_note,
        .client = exchange->client.text,
        .traceparent = exchange->headers[HEADER_TRACEPARENT],
        .generator = exchange->generator,
        .encoder = exchange->key.encoder,
        .route = route_of(exchange),
        .status = exchange->state == EXCHANGE_LEFT ? CLIENT_LEFT : reply->status,
        .fault = reply->fault,
        .bytes = body ? reply->blob->length : 0,
        .duration = now - exchange->started,
        .phases[PHASE_SEND] = reply->status ? now - exchange->answered : -1,
    };
    memcpy(record.phases, exchange->waiter.timing.of, sizeof exchange->waiter.timing.of);
    if (!record.phases[PHASE_STORE])
        record.phases[PHASE_STORE] = -1;
    return record;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static void choose_request_id(struct exchange *exchange)
{
    const char *given = exchange->headers[HEADER_REQUEST_ID];
    uint64_t *random = &exchange->context->random;
    size_t n = given ? strlen(given) : 0;
    bool sane = n > 0 && n < REQUEST_ID_ROOM;
    for (size_t i = 0; sane && i < n; i++)
        sane = given[i] > 0x20 && given[i] < 0x7f;
    if (sane)
        memcpy(exchange->request_id, given, n + 1);
    else
        identity_random((const uint64_t[]){random_next(random), random_next(random)},
                        exchange->request_id);
}

struct exchange *exchange_begin(struct io_context *context, const struct head *head,
                                void (*wake)(void *owner), void *owner)
{
    struct exchange *exchange = malloc(sizeof *exchange);
    if (!exchange)
        return NULL;
    *exchange =
        (struct exchange){.context = context,
                          .started = clock_now(),
                          .drawn = random_next(&context->random),
                          .waiter = {.wake = wake, .owner = owner, .timing = {{-1, -1, -1, -1}}},
                          .cache_note = "none"};
    take_head(exchange, head);
    choose_request_id(exchange);
    if (exchange->text.failed)
        exchange_fail(exchange, FAULT_UNAVAILABLE, "out of memory");
    context->open++;
    return exchange;
}

void exchange_fail(struct exchange *exchange, enum fault fault, const char *detail)
{
    assert(fault != FAULT_NONE && !exchange->reply.status);
    exchange->fault = fault;
    exchange->detail = detail;
}

void exchange_end(struct exchange *exchange)
{
    struct io_context *context = exchange->context;
    assert(!exchange_is_waiting(exchange) && !exchange->waiter.entry && context->open > 0);
    release_key(exchange);
    blob_drop(exchange->reply.blob);
    blob_drop(exchange->waiter.blob);
    strbuf_release(&exchange->text);
    strbuf_release(&exchange->body);
    strbuf_release(&exchange->location);
    strbuf_release(&exchange->self);
    free(exchange);
    context->open--;
}

/* ---- state of a thread ----------------------------------------------------------------------- */

/* Bytes for reading a body of that length. An argument becomes a value, a copy of its text and a
   piece of the address: some ten times its bytes. */
static size_t memory_for(size_t body) { return body * 32 + (1 << 20); }

bool io_context_init(struct io_context *context, struct service *service, bool admin)
{
    const struct config *config = &service->config;
    *context = (struct io_context){.service = service, .admin = admin};
    context->size = memory_for((size_t)config->max_body);
    context->memory = block_new(context->size);
    context->recall = recall_new((size_t)config->cache_bytes / 16);
    random_bytes(&context->random, sizeof context->random);
    return context->memory && context->recall;
}

void io_context_release(struct io_context *context)
{
    assert(!context->open);
    block_drop(context->memory, context->size);
    if (context->recall)
        recall_drop(context->recall);
    strbuf_release(&context->raw);
    *context = (struct io_context){0};
}
