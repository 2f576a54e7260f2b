/*
 * claim.c: asks for the map of a key, and replies: with the map or its fault, now or after a wait;
 * with 202, and the address where the map will be (`Prefer: respond-async`, RFC 7240); or with its
 * progress as server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html
 *
 * The 202 comes at once or after as many seconds as the client is ready to wait. Until the map is
 * there, its address replies 202 with the progress. Events go to clients that accept
 * text/event-stream: `progress` while the map is under way, then `done`, or `failed` with the
 * problem; `draining` where the server shuts down. Comments now and then keep the connection alive.
 */
#include "exchange.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PACE_US = 250000,       /* least time between two events */
    HEARTBEAT_US = 5000000, /* longest time without an event or a comment */
};

static const char event_media[] = "text/event-stream";

static struct operations *operations_of(const struct exchange *exchange)
{
    return exchange->context->service->operations;
}

bool read_preferences(struct exchange *exchange)
{
    const char *accept = exchange->headers[HEADER_ACCEPT];
    exchange->prefer = accept_preference(exchange->headers[HEADER_PREFER]);
    exchange->events =
        accept && strstr(accept, "event-stream") && accept_names(accept, event_media);
    exchange->prefer.async |= exchange->events;
    return true;
}

/* ---- events ---------------------------------------------------------------------------------- */

static const char *name_of_state(const struct outlook *outlook)
{
    static const char *const states[] = {
        [OUTLOOK_WAITING] = "waiting", [OUTLOOK_RUNNING] = "running", [OUTLOOK_ENDED] = "done"};
    return states[outlook->state];
}

/* Where the map is or will be, with its NUL. */
static const char *find_location(struct exchange *exchange)
{
    strbuf_clear(&exchange->location);
    put_map_path(&exchange->location, &exchange->key);
    strbuf_char(&exchange->location, '\0');
    return exchange->location.failed ? "" : exchange->location.at;
}

static void put_event(struct strbuf *to, const char *name, struct exchange *exchange,
                      const struct outlook *outlook)
{
    strbuf_format(to, "event: %s\ndata: ", name);
    strbuf_json(to, json_pack("{s:s, s:s, s:f, s:s}", "id", exchange->key.id, "state",
                              name_of_state(outlook), "progress", outlook->progress, "location",
                              find_location(exchange)));
    strbuf_add(to, "\n\n");
}

/* A problem is one line, with its end. */
static void put_problem(struct strbuf *to, const char *name, const struct exchange *exchange,
                        enum fault fault, const char *detail, const struct blob *reasons)
{
    const struct mw_problem *list =
        reasons ? (const struct mw_problem *)(const void *)reasons->bytes : NULL;
    struct blob *body = problem_body(fault, detail, exchange->request_id, list,
                                     reasons ? reasons->length / sizeof *list : 0);
    strbuf_format(to, "event: %s\ndata: ", name);
    strbuf_put(to, body->bytes, body->length);
    strbuf_char(to, '\n');
    blob_drop(body);
}

/* Of a map, its fault, or (NULL) lack of memory. */
static void put_outcome(struct strbuf *to, struct exchange *exchange, const struct blob *blob)
{
    if (!blob)
        put_problem(to, "failed", exchange, FAULT_UNAVAILABLE, "out of memory", NULL);
    else if (blob->fault)
        put_problem(to, "failed", exchange, blob->fault, NULL, blob);
    else
        put_event(to, "done", exchange, &(struct outlook){.state = OUTLOOK_ENDED, .progress = 1});
}

/* Of an outcome, or (NULL) from now on. */
static void begin_events(struct exchange *exchange, struct blob *blob)
{
    reply_begin(&exchange->reply, 200, blob);
    if (!blob)
        reply_header(&exchange->reply, "Content-Type", event_media);
    reply_header(&exchange->reply, "Cache-Control", "no-store");
    reply_header(&exchange->reply, "X-Accel-Buffering", "no"); /* nginx must not buffer it */
    exchange->reply.live = !blob;
}

static void answer_event(struct exchange *exchange, const struct blob *outcome)
{
    struct strbuf text = {0};
    put_outcome(&text, exchange, outcome);
    struct blob *blob = strbuf_blob(&text, event_media);
    if (blob)
        begin_events(exchange, blob);
    else
        refuse(exchange, FAULT_UNAVAILABLE, "out of memory");
}

/* Writes an event only if something has changed. */
static void write_progress(struct exchange *exchange, const struct outlook *outlook, int64_t now,
                           struct strbuf *to)
{
    assert(outlook->progress >= 0 && outlook->progress <= 1 && now >= exchange->last_event.at);
    int permille = (int)(outlook->progress * 1000);
    bool news =
        outlook->state != exchange->last_event.state || permille != exchange->last_event.permille;
    if (exchange->last_event.at && now - exchange->last_event.at < (news ? PACE_US : HEARTBEAT_US))
        return;
    if (news)
        put_event(to, "progress", exchange, outlook);
    else
        strbuf_add(to, ":\n\n");
    exchange->last_event.at = now;
    exchange->last_event.state = outlook->state;
    exchange->last_event.permille = permille;
}

bool exchange_write_events(struct exchange *exchange, int64_t now, struct strbuf *to)
{
    static const struct blob kept = {.fault = FAULT_NONE};
    if (atomic_load(&exchange->context->service->draining)) {
        put_problem(to, "draining", exchange, FAULT_DRAINING, NULL, NULL);
        return false;
    }
    struct outlook outlook = operations_look(operations_of(exchange), &exchange->key);
    switch (outlook.state) {
    case OUTLOOK_WAITING:
    case OUTLOOK_RUNNING: write_progress(exchange, &outlook, now, to); return true;
    case OUTLOOK_LET_GO: put_outcome(to, exchange, &kept); break;
    case OUTLOOK_ENDED: put_outcome(to, exchange, outlook.blob); break;
    case OUTLOOK_NONE:
    case OUTLOOK_CANCELLED:
        put_problem(to, "failed", exchange, FAULT_NOT_FOUND, "the work was ended by DELETE", NULL);
    }
    blob_drop(outlook.blob);
    return false;
}

/* ---- a map or its fault ---------------------------------------------------------------------- */

/* For this request, by a worker that it waited for. */
static bool was_made(const struct exchange *exchange)
{
    return exchange->waiter.timing.of[PHASE_QUEUE] >= 0;
}

static void format_timing(struct exchange *exchange)
{
    const int64_t *took = exchange->waiter.timing.of;
    int n = 0;
    for (enum phase phase = took[PHASE_STORE] ? PHASE_STORE : PHASE_QUEUE; phase < PHASE_SEND;
         phase++)
        n += snprintf(exchange->timing + n, sizeof exchange->timing - (size_t)n, "%s%s;dur=%.3f",
                      n ? ", " : "", phase_names[phase], (double)took[phase] / 1000);
}

static void answer_map(struct exchange *exchange, struct blob *blob, bool hit)
{
    struct reply *reply = &exchange->reply;
    reply_begin(reply, 200, blob_ref(blob));
    if (blob->coding)
        reply_header(reply, "Content-Encoding", blob->coding);
    add_cache_headers(exchange, hit);
    if (was_made(exchange))
        format_timing(exchange);
    reply_header(reply, "Server-Timing", was_made(exchange) ? exchange->timing : "cache;desc=hit");
    /* a hit has the same header fields for every client, with `v` or without */
    reply->common = hit && exchange->durable && !was_made(exchange) && !*exchange->rate_limit;
    reply->pinned = exchange->pinned;
}

static void answer_fault(struct exchange *exchange, const struct blob *blob, bool hit)
{
    const struct mw_problem *list = (const struct mw_problem *)(const void *)blob->bytes;
    exchange->retry_after = blob->retry_after;
    refuse_for(exchange, blob->fault, NULL, list, blob->length / sizeof *list);
    reply_header(&exchange->reply, "Cache-Status", cache_status(hit));
}

/* Takes the reference; NULL: out of memory. */
static void answer(struct exchange *exchange, struct blob *blob, bool hit)
{
    if (exchange->events)
        answer_event(exchange, blob);
    else if (!blob)
        refuse(exchange, FAULT_UNAVAILABLE, "out of memory");
    else if (blob->fault)
        answer_fault(exchange, blob, hit);
    else
        answer_map(exchange, blob, hit);
    blob_drop(blob);
}

/* ---- asking and waiting ---------------------------------------------------------------------- */

bool claim_blob(struct exchange *exchange)
{
    static const struct {
        const char *note;
        enum counter counter;
    } rows[] = {[CLAIM_HIT] = {"hit", COUNT_CACHE_HIT},
                [CLAIM_WAIT] = {"wait", COUNT_CACHE_WAIT},
                [CLAIM_MINE] = {"miss", COUNT_CACHE_MISS}};
    struct service *service = exchange->context->service;
    struct waiter *waiter = &exchange->waiter;
    struct blob *blob = NULL;
    struct entry *entry;
    exchange->state = EXCHANGE_MAKING; /* from here on a wake may come */
    waiter->patient = exchange->prefer.async;
    enum claim claim = cache_claim(service->cache, &exchange->key, waiter, &blob, &entry);
    if (claim != CLAIM_NO_MEMORY) {
        exchange->cache_note = rows[claim].note;
        metrics_count(rows[claim].counter, 1);
    }
    if (claim == CLAIM_HIT || claim == CLAIM_NO_MEMORY) {
        answer(exchange, blob, claim == CLAIM_HIT);
        return false;
    }
    name_answer(exchange); /* while the address is there */
    if (claim == CLAIM_MINE)
        task_begin(service, entry, exchange->client.key, waiter->patient);
    return true;
}

void answer_claim(struct exchange *exchange)
{
    assert(exchange->state == EXCHANGE_MAKING && !exchange->waiter.entry);
    struct blob *blob = exchange->waiter.blob;
    exchange->waiter.blob = NULL;
    answer(exchange, blob, false);
}

/* ---- work that is not waited for ------------------------------------------------------------- */

static bool answer_later(struct exchange *exchange, const struct outlook *outlook)
{
    const struct key *key = &exchange->key;
    assert(outlook->progress >= 0 && outlook->progress <= 1);
    char *self = key->address ? strndup(key->address, key->length)
                              : service_address(exchange->context->service, key->id);
    json_t *body = json_pack("{s:s, s:s, s:s, s:f}", "id", key->id, "self", self ? self : "",
                             "state", name_of_state(outlook), "progress", outlook->progress);
    free(self);
    struct blob *blob = json_blob(body, "application/json");
    if (!blob)
        return refuse(exchange, FAULT_UNAVAILABLE, "out of memory");
    reply_begin(&exchange->reply, 202, blob);
    reply_header(&exchange->reply, "Location", find_location(exchange));
    reply_header(&exchange->reply, "Cache-Control", "no-store");
    reply_header(&exchange->reply, "Retry-After", "1");
    if (accept_preference(exchange->headers[HEADER_PREFER]).async)
        reply_header(&exchange->reply, "Preference-Applied", "respond-async");
    return false;
}

static bool answer_under_way(struct exchange *exchange, const struct outlook *outlook)
{
    if (!exchange->events)
        return answer_later(exchange, outlook);
    begin_events(exchange, NULL);
    return false;
}

/* A map in the cache is better than an operation that failed. */
static bool is_kept(struct exchange *exchange)
{
    struct blob *kept = cache_find(exchange->context->service->cache, &exchange->key);
    bool good = kept && !kept->fault;
    blob_drop(kept);
    return good;
}

/* An outcome is answered with the timing of the run, which was made for this client. */
bool watch_operation(struct exchange *exchange)
{
    if (!exchange->map_id[0])
        return true;
    struct outlook outlook = operations_look(operations_of(exchange), &exchange->key);
    bool good = outlook.blob && !outlook.blob->fault;
    if (outlook.state == OUTLOOK_NONE && !exchange->events)
        look_remote(exchange, &outlook);
    if (outlook.state == OUTLOOK_NONE || outlook.state == OUTLOOK_LET_GO)
        return true;
    if (outlook.state != OUTLOOK_ENDED)
        return answer_under_way(exchange, &outlook);
    if (good ? outlook.coding != exchange->key.coding : is_kept(exchange)) {
        blob_drop(outlook.blob);
        return true;
    }
    exchange->waiter.timing = outlook.timing;
    answer(exchange, outlook.blob, true);
    return false;
}

bool cancel_operation(struct exchange *exchange)
{
    if (!operations_cancel(operations_of(exchange), exchange->map_id, exchange->client.key))
        return true;
    reply_begin(&exchange->reply, 204, NULL);
    return false;
}

/* BUSY: too many of all clients; TOO_MANY: of this one; or DRAINING. */
static void refuse_operation(struct exchange *exchange, enum fault fault)
{
    char detail[128];
    const struct config *config = &exchange->context->service->config;
    snprintf(detail, sizeof detail, "at most %d maps may be made asynchronously at a time%s",
             fault == FAULT_TOO_MANY ? config->async_per_client : config->async,
             fault == FAULT_TOO_MANY ? " for each client" : "");
    refuse(exchange, fault, fault == FAULT_DRAINING ? NULL : detail);
}

/* If there are too many, a client with Prefer: wait goes on waiting. */
bool detach_claim(struct exchange *exchange)
{
    struct cache *cache = exchange->context->service->cache;
    struct waiter *waiter = &exchange->waiter;
    struct outlook outlook = {.state = OUTLOOK_WAITING};
    assert(exchange->state == EXCHANGE_MAKING);
    enum fault fault =
        operations_begin(operations_of(exchange), &exchange->key, exchange->client.key, waiter);
    if (cache_progress(cache, waiter, &outlook.progress))
        outlook.state = OUTLOOK_RUNNING;
    if ((fault && exchange->prefer.wait) || !cache_leave(cache, waiter))
        return false;
    exchange->cache_note = "async";
    if (fault)
        refuse_operation(exchange, fault);
    else
        answer_under_way(exchange, &outlook);
    return true;
}
