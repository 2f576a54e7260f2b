/* claim.c: claims the map of a key, and replies with the map or its fault. */
#include "exchange.h"
#include "srv/base/clock.h"

#include <assert.h>
#include <stdio.h>

/* ---- replies --------------------------------------------------------------------------------- */

/* For this request, by a worker that it waited for. */
static bool was_made(const struct exchange *exchange) { return exchange->took.queue >= 0; }

static void format_timing(struct exchange *exchange)
{
    const struct timing *timing = &exchange->took;
    int n = timing->store ? snprintf(exchange->timing, sizeof exchange->timing, "store;dur=%.3f, ",
                                     (double)timing->store / 1000)
                          : 0;
    snprintf(exchange->timing + n, sizeof exchange->timing - (size_t)n,
             "queue;dur=%.3f, make;dur=%.3f, encode;dur=%.3f", (double)timing->queue / 1000,
             (double)timing->make / 1000, (double)timing->encode / 1000);
}

/* A hit has the same header fields for every client, with `v` or without. */
static bool is_common(const struct exchange *exchange, bool hit)
{
    return hit && exchange->durable && !was_made(exchange) && !*exchange->rate_limit;
}

static void answer_blob(struct exchange *exchange, struct blob *blob, bool hit)
{
    reply_begin(&exchange->reply, 200, blob);
    if (blob->coding)
        reply_header(&exchange->reply, "Content-Encoding", blob->coding);
    add_cache_headers(exchange, hit);
    if (was_made(exchange))
        format_timing(exchange);
    reply_header(&exchange->reply, "Server-Timing",
                 was_made(exchange) ? exchange->timing : "cache;desc=hit");
    exchange->reply.common = is_common(exchange, hit);
    exchange->reply.pinned = exchange->pinned;
}

static void answer_fault(struct exchange *exchange, struct blob *blob, bool hit)
{
    const struct mw_problem *list = (const struct mw_problem *)(const void *)blob->bytes;
    char detail[96];
    exchange->retry_after = blob->retry_after;
    if (explain_fault(exchange, blob, detail))
        refuse(exchange, blob->fault, detail);
    else
        refuse_for(exchange, blob->fault, list, blob->length / sizeof *list);
    reply_header(&exchange->reply, "Cache-Status", cache_status(hit));
    blob_drop(blob);
}

static void answer_with(struct exchange *exchange, struct blob *blob, bool hit)
{
    if (exchange->events)
        answer_event(exchange, blob);
    else if (!blob)
        refuse(exchange, FAULT_UNAVAILABLE, "out of memory");
    else if (blob->fault)
        answer_fault(exchange, blob, hit);
    else
        answer_blob(exchange, blob, hit);
}

void answer_made(struct exchange *exchange, struct blob *blob, const struct timing *timing,
                 bool hit)
{
    exchange->took = *timing;
    answer_with(exchange, blob, hit);
}

/* ---- waiting --------------------------------------------------------------------------------- */

bool claim_blob(struct exchange *exchange)
{
    static const char *const notes[] = {[CLAIM_HIT] = "hit",
                                        [CLAIM_WAIT] = "wait",
                                        [CLAIM_MINE] = "miss",
                                        [CLAIM_NO_MEMORY] = "none"};
    struct blob *blob = NULL;
    exchange->state = EXCHANGE_MAKING; /* from here on a wake may come */
    struct order order = {.key = &exchange->key,
                          .cost = exchange->cost,
                          .client = exchange->client.key,
                          .patient = exchange->prefer.async || exchange->events};
    enum claim outcome = service_ask(exchange->context->service, &order, &exchange->waiter, &blob);
    exchange->cache_note = notes[outcome];
    if (outcome == CLAIM_HIT || outcome == CLAIM_NO_MEMORY) {
        answer_with(exchange, blob, outcome == CLAIM_HIT);
        return false;
    }
    name_answer(exchange); /* while the address is there */
    return true;
}

void answer_claim(struct exchange *exchange)
{
    assert(exchange->state == EXCHANGE_MAKING && !exchange->waiter.entry);
    struct blob *blob = exchange->waiter.blob;
    exchange->waiter.blob = NULL;
    answer_made(exchange, blob, &exchange->waiter.timing, false);
}

bool leave_claim(struct exchange *exchange)
{
    return cache_leave(exchange->context->service->cache, &exchange->waiter);
}
