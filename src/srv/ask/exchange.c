/*
 * exchange.c: the stages of a request.
 *
 *     bytes -> route -> recall -> read -> bind -> accept -> address -> name -> compare -> claim ->
 * reply
 *
 * Each stage reads only what the ones before it found, notes what it finds itself, and answers
 * true, or leaves a reply and answers false. None calls back. A request that was recalled has
 * nothing left to read, bind or negotiate.
 */
#include "exchange.h"

#include "api/identity.h"
#include "route.h"
#include "srv/base/clock.h"
#include "srv/base/hash.h"
#include "srv/say/metrics.h"
#include "srv/say/problem.h"
#include "srv/say/reply.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    LONGEST_RECALLED = 64 * 1024, /* raw bytes */
    LONGEST_LOCATION = 2048,      /* a longer address is named by its id */
    KEPT_ROOM = 16 * 1024,        /* of a text, from one exchange to the next */
};

/* ---- recall: raw bytes -> all that follows from them ----------------------------------------- */

static void add_piece(struct strbuf *raw, const char *piece)
{
    strbuf_put(raw, piece ? piece : "", piece ? strlen(piece) + 1 : 1);
}

/* All that the answer depends on, in one piece; false when it is too long to be kept. */
static bool gather(struct exchange *exchange)
{
    struct strbuf *raw = &exchange->desk->raw;
    const char *const *headers = exchange->headers;
    raw->length = 0;
    raw->failed = false;
    if (exchange->map_id[0] || headers[HEADER_CONTENT_ENCODING] || exchange->body_too_large ||
        exchange->body.length > LONGEST_RECALLED)
        return false;
    bool post = exchange->method == METHOD_POST;
    strbuf_char(raw, post ? 'P' : 'G');
    add_piece(raw, exchange->path);
    add_piece(raw, exchange->query);
    add_piece(raw, post ? headers[HEADER_CONTENT_TYPE] : NULL);
    add_piece(raw, headers[HEADER_ACCEPT]);
    add_piece(raw, headers[HEADER_ACCEPT_ENCODING]);
    if (post)
        strbuf_put(raw, exchange->body.at, exchange->body.length);
    return !raw->failed;
}

static bool recall(struct exchange *exchange)
{
    if (!gather(exchange))
        return true;
    const struct strbuf *raw = &exchange->desk->raw;
    const struct recollection *known = recall_find(exchange->desk->recall, raw->at, raw->length);
    if (!known)
        return true;
    metrics_count(COUNT_RECALLED, 1);
    exchange->recalled = exchange->durable = true;
    exchange->key = known->key;
    memcpy(exchange->tag, known->tag, sizeof exchange->tag);
    return true;
}

/* ---- read: query and body -> arguments ------------------------------------------------------- */

/* JSON by any of its names; and what `curl -d` says when nobody tells it otherwise. */
static bool is_json_type(const char *type)
{
    if (!type)
        return true;
    size_t n = strcspn(type, "; \t");
    static const char *const names[] = {"application/json", "application/x-www-form-urlencoded"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (n == strlen(names[i]) && !strncasecmp(type, names[i], n))
            return true;
    return !n || (n > 5 && !strncasecmp(type + n - 5, "+json", 5));
}

static bool check_type(struct exchange *exchange)
{
    const char *coding = exchange->headers[HEADER_CONTENT_ENCODING];
    if (is_json_type(exchange->headers[HEADER_CONTENT_TYPE]) &&
        (!coding || !strcasecmp(coding, "identity")))
        return true;
    reply_refuse(exchange, FAULT_UNSUPPORTED_TYPE, NULL);
    reply_header(exchange, "Accept-Post", "application/json");
    return false;
}

static bool read_body(struct exchange *exchange)
{
    char why[200];
    if (exchange->body_too_large) {
        snprintf(why, sizeof why, "the body is longer than %lld bytes",
                 (long long)exchange->desk->service->config.max_body);
        return reply_refuse(exchange, FAULT_BODY_TOO_LARGE, why);
    }
    if (!check_type(exchange))
        return false;
    if (exchange->body.failed)
        return reply_refuse(exchange, FAULT_UNAVAILABLE, "out of memory");
    switch (args_read_json(&exchange->args, exchange->body.at, exchange->body.length, why)) {
    case ARGS_OK: return true;
    case ARGS_INVALID: return reply_refuse(exchange, FAULT_INVALID_JSON, why);
    case ARGS_NO_MEMORY: break;
    }
    return reply_refuse(exchange, FAULT_UNAVAILABLE, "out of memory");
}

static bool read_request(struct exchange *exchange)
{
    struct mw_limits limits = {.memory = exchange->desk->memory, .size = exchange->desk->size};
    const struct mw_arg *args;
    size_t count;
    exchange->run = mw_open(&limits);
    if (!mw_read_query(exchange->run, exchange->query, exchange->query_length, &args, &count)) {
        const struct mw_problems *problems = mw_problems(exchange->run);
        return refuse_for(exchange, FAULT_INVALID_REQUEST, problems->list, problems->count);
    }
    args_append(&exchange->args, args, count);
    return exchange->method != METHOD_POST || read_body(exchange);
}

/* ---- bind: arguments -> a request of the library --------------------------------------------- */

static void draw_seed(char seed[24])
{
    uint64_t bits = 0;
    random_bytes(&bits, sizeof bits);
    snprintf(seed, 24, "%llu", (unsigned long long)(bits >> 11)); /* below 2^53 */
}

/* Binds the address that belongs to the id; such a request takes no parameter but the look. */
static bool bind_map(struct exchange *exchange)
{
    exchange->kept_address = cache_address(exchange->desk->service->cache, exchange->map_id);
    if (!exchange->kept_address)
        return reply_refuse(exchange, FAULT_NOT_FOUND,
                            "no map with this id is kept: its self address makes it again");
    struct mw_request *request = &exchange->request;
    struct mw_look look;
    if (!mw_bind_look(exchange->run, exchange->args.list, exchange->args.count, &look))
        return refuse_run(exchange);
    if (!mw_bind_address(exchange->run, exchange->kept_address, strlen(exchange->kept_address),
                         request))
        return refuse_run(exchange);
    exchange->generator = request->generator;
    request->look = look;
    exchange->durable = true;
    return true;
}

static bool bind_request(struct exchange *exchange)
{
    if (exchange->args.failed)
        return reply_refuse(exchange, FAULT_UNAVAILABLE, "out of memory");
    if (exchange->map_id[0])
        return bind_map(exchange);
    char seed[24];
    draw_seed(seed);
    struct mw_request *request = &exchange->request;
    if (!mw_bind(exchange->run, exchange->generator, exchange->args.list, exchange->args.count,
                 seed, request) ||
        mw_problems(exchange->run)->count)
        return refuse_run(exchange);
    exchange->durable = request->seed_given || !request->seed;
    return true;
}

/* ---- accept: format, suffix, Accept -> encoder; Accept-Encoding -> coding -------------------- */

static bool refuse_format(struct exchange *exchange, const char *pointer)
{
    struct strbuf names = {0};
    for (size_t i = 0; mw_encoders[i]; i++)
        if (encoder_fits(mw_encoders[i], exchange->generator))
            strbuf_format(&names, "%s%s", names.length ? ", " : "", mw_encoders[i]->name);
    strbuf_char(&names, '\0');
    const char *list = names.failed ? "json" : names.at;
    if (pointer)
        refuse_at(exchange, FAULT_NOT_ACCEPTABLE, pointer, "must be one of: %s", list);
    else
        refuse_at(exchange, FAULT_NOT_ACCEPTABLE, "", "%s comes as: %s", exchange->generator->name,
                  list);
    strbuf_release(&names);
    return false;
}

static bool accept_request(struct exchange *exchange)
{
    const struct mw_look *look = &exchange->request.look;
    const char *format = look->format ? look->format : exchange->suffix;
    const struct mw_encoder *encoder =
        format ? mw_encoder_named(format)
               : accept_encoder(exchange->headers[HEADER_ACCEPT], exchange->generator);
    if (!encoder || !encoder_fits(encoder, exchange->generator))
        return refuse_format(exchange, look->format ? "/format" : NULL);
    exchange->key.encoder = encoder;
    exchange->key.look = mw_heeded(encoder, *look);
    exchange->key.coding = accept_coding(exchange->headers[HEADER_ACCEPT_ENCODING]);
    return true;
}

/* ---- address: all of it -> key, tag, location ------------------------------------------------ */

/* The tag follows from what the bytes follow from. */
static void make_tag(struct exchange *exchange)
{
    char name[128];
    const struct key *key = &exchange->key;
    int n = snprintf(name, sizeof name, "%s.%s %d %d %s %s", key->id, key->encoder->name,
                     key->look.scale, key->look.color,
                     key->coding ? coding_names[key->coding] : "-", MW_VERSION);
    exchange->tag[0] = '"';
    identity_of(name, (size_t)n, exchange->tag + 1);
    memcpy(exchange->tag + 37, "\"", 2);
}

/* What of the look the suffix does not tell. */
static void put_look(struct strbuf *location, const struct mw_look *look, char separator)
{
    if (look->scale)
        strbuf_format(location, "%cscale=%d", separator, look->scale);
    if (look->color)
        strbuf_format(location, "%ccolor=true", look->scale ? '&' : separator);
}

/* The path that gives the same bytes again, seed, format and all. */
static void make_location(struct exchange *exchange)
{
    const struct key *key = &exchange->key;
    struct strbuf *location = &exchange->location;
    bool json = !strcmp(key->encoder->name, "json");
    const char *query = memchr(key->address, '?', key->length);
    if (key->length > LONGEST_LOCATION)
        strbuf_format(location, "/maps/%s", key->id);
    else
        strbuf_put(location, key->address, (size_t)(query - key->address));
    if (!json)
        strbuf_format(location, ".%s", mw_suffix(key->encoder));
    if (key->length <= LONGEST_LOCATION)
        strbuf_put(location, query, key->length - (size_t)(query - key->address));
    put_look(location, &key->look, key->length <= LONGEST_LOCATION ? '&' : '?');
    strbuf_char(location, '\0');
}

static bool address(struct exchange *exchange)
{
    struct key *key = &exchange->key;
    key->address = exchange->request.address;
    key->length = exchange->request.address_length;
    identity_of(key->address, key->length, key->id);
    make_tag(exchange);
    if (!exchange->durable || exchange->map_id[0])
        make_location(exchange);
    else if (exchange->desk->raw.length && !exchange->desk->raw.failed)
        recall_keep(exchange->desk->recall, exchange->desk->raw.at, exchange->desk->raw.length, key,
                    exchange->tag);
    return true;
}

/* ---- name: key -> what a file with the map is called ----------------------------------------- */

static char *append(char *to, const char *bytes, size_t length)
{
    memcpy(to, bytes, length);
    return to + length;
}

/* What stands behind the last `&seed=` of an address, if no escape is in it; else the id. */
static size_t plain_seed(const struct key *key, const char **seed)
{
    const char *last = memrchr(key->address, '&', key->length);
    const char *end = key->address + key->length;
    if (last && end - last > 6 && !memcmp(last, "&seed=", 6) &&
        !memchr(last, '%', (size_t)(end - last))) {
        *seed = last + 6;
        return (size_t)(end - *seed);
    }
    *seed = key->id;
    return strlen(key->id);
}

/* `inline; filename="islands-7.svg"` (RFC 6266): generator, seed, suffix. */
static bool name_file(struct exchange *exchange)
{
    const struct key *key = &exchange->key;
    const char *seed, *suffix = mw_suffix(key->encoder);
    const char *query = memchr(key->address, '?', key->length);
    size_t n = plain_seed(key, &seed), generator = (size_t)(query - key->address) - 1;
    char *name = append(exchange->file, "inline; filename=\"", 18), *to = name;
    assert(generator + n + strlen(suffix) + 22 <= sizeof exchange->file);
    to = append(to, key->address + 1, generator);
    for (char *slash = name; (slash = memchr(slash, '/', (size_t)(to - slash)));)
        *slash = '-';
    *to++ = '-';
    to = append(to, seed, n);
    *to++ = '.';
    to = append(to, suffix, strlen(suffix));
    append(to, "\"", 2);
    return true;
}

/* ---- compare: the tag -> whether the client has it already ----------------------------------- */

static void add_cache_headers(struct exchange *exchange)
{
    reply_header(exchange, "ETag", exchange->tag);
    reply_header(exchange, "Vary", "Accept, Accept-Encoding");
    reply_header(exchange, "Cache-Control",
                 exchange->durable ? "max-age=31536000, immutable" : "no-store");
    reply_header(exchange, "Content-Disposition", exchange->file);
    if (exchange->location.length && !exchange->location.failed)
        reply_header(exchange, "Content-Location", exchange->location.at);
}

/* Answered by the tag alone; what is kept only tells the length, or that there is no map to
   have. */
static bool compare(struct exchange *exchange)
{
    const char *tags = exchange->headers[HEADER_IF_NONE_MATCH];
    if (!tags || !accept_has_tag(tags, exchange->tag))
        return true;
    struct blob *kept = cache_peek(exchange->desk->service->cache, &exchange->key);
    if (kept && kept->fault) {
        blob_drop(kept);
        return true;
    }
    metrics_count(COUNT_NOT_MODIFIED, 1);
    if (exchange->method == METHOD_POST) {
        blob_drop(kept);
        reply_refuse(exchange, FAULT_PRECONDITION_FAILED, NULL);
        reply_header(exchange, "ETag", exchange->tag);
        return false;
    }
    reply_begin(exchange, 304, NULL);
    add_cache_headers(exchange);
    exchange->reply.blob = kept;
    return false;
}

/* ---- claim: key -> blob, or wait ------------------------------------------------------------- */

static void answer_blob(struct exchange *exchange, struct blob *blob, bool hit)
{
    reply_begin(exchange, 200, blob);
    if (blob->coding)
        reply_header(exchange, "Content-Encoding", blob->coding);
    add_cache_headers(exchange);
    reply_header(exchange, "Cache-Status", hit ? "mapwright; hit" : "mapwright; fwd=miss");
    reply_header(exchange, "Server-Timing", hit ? "cache;desc=hit" : exchange->timing);
    exchange->reply.common = hit && exchange->durable && !exchange->location.length;
}

static void answer_fault(struct exchange *exchange, struct blob *blob)
{
    const struct mw_problem *list = (const struct mw_problem *)(const void *)blob->bytes;
    char detail[96];
    if (blob->fault == FAULT_LATE) {
        snprintf(detail, sizeof detail, "the map was not ready after %d ms",
                 exchange->desk->service->config.deadline_ms);
        reply_refuse(exchange, FAULT_LATE, detail);
    } else {
        refuse_for(exchange, blob->fault, list, blob->length / sizeof *list);
    }
    blob_drop(blob);
}

/* Takes the reference. */
static void answer(struct exchange *exchange, struct blob *blob, bool hit)
{
    if (!blob)
        reply_refuse(exchange, FAULT_UNAVAILABLE, "out of memory");
    else if (blob->fault)
        answer_fault(exchange, blob);
    else
        answer_blob(exchange, blob, hit);
}

static bool claim(struct exchange *exchange)
{
    static const char *const notes[] = {[CLAIM_HIT] = "hit",
                                        [CLAIM_WAIT] = "wait",
                                        [CLAIM_MINE] = "miss",
                                        [CLAIM_NO_MEMORY] = "none"};
    struct blob *blob = NULL;
    exchange->waiting = true; /* from here on a wake may come */
    enum claim outcome =
        service_ask(exchange->desk->service, &exchange->key, &exchange->waiter, &blob);
    exchange->note = notes[outcome];
    if (outcome == CLAIM_HIT || outcome == CLAIM_NO_MEMORY) {
        exchange->waiting = false;
        answer(exchange, blob, outcome == CLAIM_HIT);
    }
    return false;
}

/* ---- all stages ------------------------------------------------------------------------------ */

static const struct stage {
    const char *name;
    bool (*run)(struct exchange *);
    bool recalled; /* has nothing to do for a request that was recalled */
} stages[] = {
    {"route", route_request, false},  /* path         -> page, map, generator   404 405 414 */
    {"recall", recall, false},        /* raw bytes    -> key, tag */
    {"read", read_request, true},     /* query, body  -> args                   400 413 415 */
    {"bind", bind_request, true},     /* args         -> params, seed, v        400 404 410 422 */
    {"accept", accept_request, true}, /* Accept       -> encoder, coding        406 */
    {"address", address, true},       /* all of it    -> key, tag, location */
    {"name", name_file, false},       /* key          -> file name */
    {"compare", compare, false},      /* tag          -> not modified           304 412 */
    {"claim", claim, false},          /* key          -> blob, or wait          422 503 504 */
};

/* What was bound is spelled out in the key by now, or answered. */
static void put_away(struct exchange *exchange)
{
    if (exchange->run)
        block_rest(exchange->desk->memory, exchange->desk->size, mw_peak(exchange->run));
    exchange->run = NULL;
    args_release(&exchange->args);
    free(exchange->kept_address);
    exchange->kept_address = NULL;
    exchange->key.address = NULL;
}

void exchange_make_id(struct desk *desk, char id[37])
{
    uint64_t bits[2] = {random_next(&desk->random), random_next(&desk->random)};
    identity_random(bits, id);
}

static void choose_request_id(struct exchange *exchange)
{
    const char *given = exchange->headers[HEADER_REQUEST_ID];
    size_t n = given ? strlen(given) : 0;
    bool sane = n > 0 && n < REQUEST_ID_ROOM;
    for (size_t i = 0; sane && i < n; i++)
        sane = given[i] > 0x20 && given[i] < 0x7f;
    if (sane) {
        memcpy(exchange->request_id, given, n + 1);
        return;
    }
    exchange_make_id(exchange->desk, exchange->request_id);
}

void exchange_run(struct exchange *exchange)
{
    choose_request_id(exchange);
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        if (stages[i].recalled && exchange->recalled)
            continue;
        if (!stages[i].run(exchange))
            break;
    }
    put_away(exchange);
}

static void spell_timing(struct exchange *exchange)
{
    const struct timing *timing = &exchange->waiter.timing;
    snprintf(exchange->timing, sizeof exchange->timing,
             "queue;dur=%.3f, make;dur=%.3f, encode;dur=%.3f", (double)timing->queue / 1000,
             (double)timing->make / 1000, (double)timing->encode / 1000);
}

void exchange_resume(struct exchange *exchange)
{
    exchange->waiting = false;
    spell_timing(exchange);
    answer(exchange, exchange->waiter.blob, false);
    exchange->waiter.blob = NULL;
}

bool exchange_leave(struct exchange *exchange)
{
    if (!cache_leave(exchange->desk->service->cache, &exchange->waiter))
        return false;
    exchange->waiting = false;
    return true;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

void exchange_start(struct exchange *exchange, struct desk *desk, const char *uri,
                    void (*wake)(struct waiter *))
{
    struct strbuf texts[] = {exchange->uri, exchange->body, exchange->location};
    *exchange = (struct exchange){.keeper = exchange->keeper,
                                  .desk = desk,
                                  .started = clock_now(),
                                  .uri = texts[0],
                                  .body = texts[1],
                                  .location = texts[2],
                                  .note = "none"};
    exchange->waiter.wake = wake;
    strbuf_put(&exchange->uri, uri, strlen(uri) + 1);
}

void exchange_set_method(struct exchange *exchange, const char *name)
{
    static const char *const names[] = {"GET", "HEAD", "POST", "OPTIONS"};
    enum method method = METHOD_GET;
    while (method < METHOD_OTHER && strcmp(names[method], name) != 0)
        method++;
    size_t n = strnlen(name, sizeof exchange->method_name - 1);
    exchange->method = method;
    memcpy(exchange->method_name, name, n);
    exchange->method_name[n] = '\0';
}

void exchange_add_header(struct exchange *exchange, enum header header, const char *value)
{
    const char *before = exchange->headers[header];
    if (!before || !value) {
        exchange->headers[header] = value ? value : before;
        return;
    }
    size_t length = strlen(before) + strlen(value) + 3;
    char *both = malloc(length);
    if (!both)
        return; /* the first one counts */
    snprintf(both, length, "%s, %s", before, value);
    free(exchange->joined[header]);
    exchange->headers[header] = exchange->joined[header] = both;
}

void exchange_take_body(struct exchange *exchange, const char *bytes, size_t length)
{
    size_t limit = (size_t)exchange->desk->service->config.max_body;
    exchange->body_too_large |= length > limit - exchange->body.length;
    if (!exchange->body_too_large)
        strbuf_put(&exchange->body, bytes, length);
}

void exchange_end(struct exchange *exchange)
{
    blob_drop(exchange->reply.blob);
    exchange->reply.blob = NULL;
    blob_drop(exchange->waiter.blob);
    exchange->waiter.blob = NULL;
    for (int i = 0; i < HEADER_END; i++) {
        free(exchange->joined[i]);
        exchange->joined[i] = NULL;
    }
    strbuf_reset(&exchange->uri, KEPT_ROOM);
    strbuf_reset(&exchange->body, KEPT_ROOM);
    strbuf_reset(&exchange->location, KEPT_ROOM);
}

void exchange_release(struct exchange *exchange)
{
    exchange_end(exchange);
    strbuf_release(&exchange->uri);
    strbuf_release(&exchange->body);
    strbuf_release(&exchange->location);
}

/* ---- the desk -------------------------------------------------------------------------------- */

/* An argument becomes a value, a copy of its text and a piece of the address: some ten times its
 * bytes. */
static size_t desk_memory(const struct config *config)
{
    return (size_t)config->max_body * 32 + (8 << 20);
}

bool desk_init(struct desk *desk, struct service *service, bool admin)
{
    *desk = (struct desk){.service = service, .admin = admin};
    desk->size = desk_memory(&service->config);
    desk->memory = block_new(desk->size);
    desk->recall = recall_new((size_t)service->config.cache_bytes / 16);
    random_bytes(&desk->random, sizeof desk->random);
    return desk->memory && desk->recall;
}

void desk_release(struct desk *desk)
{
    block_drop(desk->memory, desk->size);
    if (desk->recall)
        recall_drop(desk->recall);
    strbuf_release(&desk->raw);
}
