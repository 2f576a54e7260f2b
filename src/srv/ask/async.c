/*
 * async.c: asynchronous requests.
 *
 * `Prefer: respond-async` (RFC 7240): the reply is 202 with the address where the map will be, at
 * once or after as many seconds as the client is ready to wait. Until the map is there, that
 * address replies 202 with the progress; to a client that accepts text/event-stream it sends
 * events, as does any map endpoint.
 */
#include "exchange.h"
#include "srv/out/document.h"
#include "srv/parse/accept.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct operations *operations_of(const struct exchange *exchange)
{
    return exchange->context->service->operations;
}

bool read_preferences(struct exchange *exchange)
{
    const char *accept = exchange->headers[HEADER_ACCEPT];
    if (exchange->headers[HEADER_PREFER])
        exchange->prefer = accept_preference(exchange->headers[HEADER_PREFER]);
    exchange->events =
        accept && strstr(accept, "event-stream") && accept_names(accept, event_media);
    return true;
}

static bool answer_later(struct exchange *exchange, const struct outlook *outlook)
{
    const struct key *key = &exchange->key;
    assert(outlook->progress >= 0 && outlook->progress <= 1);
    char *self = key->address ? strndup(key->address, key->length)
                              : service_address(exchange->context->service, key->id);
    json_t *body = json_pack("{s:s, s:s, s:s, s:f}", "id", key->id, "self", self ? self : "",
                             "state", name_of_state(outlook), "progress", outlook->progress);
    free(self);
    struct blob *blob = document_blob(body, "application/json");
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

/* With the timing of the run, which was made for this client. */
static bool answer_ended(struct exchange *exchange, const struct outlook *outlook)
{
    answer_made(exchange, outlook->blob, &outlook->timing, true);
    return false;
}

bool watch_operation(struct exchange *exchange)
{
    if (!exchange->map_id[0])
        return true;
    struct outlook outlook = operations_look(operations_of(exchange), &exchange->key);
    bool good = outlook.blob && !outlook.blob->fault;
    if (outlook.state == OUTLOOK_NONE && !exchange->events && is_remote(exchange, &outlook))
        return answer_under_way(exchange, &outlook);
    if (outlook.state == OUTLOOK_NONE || outlook.state == OUTLOOK_LET_GO)
        return true;
    if (outlook.state == OUTLOOK_ENDED) {
        if (good ? outlook.coding == exchange->key.coding : !is_kept(exchange))
            return answer_ended(exchange, &outlook);
        blob_drop(outlook.blob);
        return true;
    }
    return answer_under_way(exchange, &outlook);
}

bool cancel_operation(struct exchange *exchange)
{
    if (!operations_cancel(operations_of(exchange), exchange->map_id, exchange->client.key, false))
        return true;
    reply_begin(&exchange->reply, 204, NULL);
    return false;
}

/* ---- 202 in place of a wait ------------------------------------------------------------------ */

/* It may have ended meanwhile: the next request by its id finds that. */
static void answer_detached(struct exchange *exchange)
{
    struct outlook outlook =
        operations_look(exchange->context->service->operations, &exchange->key);
    blob_drop(outlook.blob);
    if (outlook.state != OUTLOOK_WAITING && outlook.state != OUTLOOK_RUNNING)
        outlook = (struct outlook){.state = OUTLOOK_RUNNING, .progress = 0.99};
    answer_under_way(exchange, &outlook);
}

/* BUSY: too many of all clients; TOO_MANY: of this one; or DRAINING. */
static bool refuse_operation(struct exchange *exchange, enum fault fault)
{
    char detail[128];
    const struct config *config = &exchange->context->service->config;
    snprintf(detail, sizeof detail, "at most %d maps may be made asynchronously at a time%s",
             fault == FAULT_TOO_MANY ? config->async_per_client : config->async,
             fault == FAULT_TOO_MANY ? " for each client" : "");
    return refuse(exchange, fault, fault == FAULT_DRAINING ? NULL : detail);
}

/* If there are too many, a client with Prefer: wait goes on waiting. */
bool detach_claim(struct exchange *exchange)
{
    assert(exchange->state == EXCHANGE_MAKING);
    enum fault fault = operations_begin(exchange->context->service->operations, &exchange->key,
                                        exchange->client.key, &exchange->waiter);
    if ((fault && exchange->prefer.wait) || !leave_claim(exchange))
        return false;
    exchange->cache_note = "async";
    if (fault)
        refuse_operation(exchange, fault);
    else
        answer_detached(exchange);
    return true;
}
