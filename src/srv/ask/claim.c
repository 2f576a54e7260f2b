/* claim.c: key -> blob, or wait; and how a wait ends. */
#include "exchange.h"
#include "srv/base/clock.h"

#include <assert.h>
#include <stdio.h>

bool claim_blob(struct exchange *exchange)
{
    static const char *const notes[] = {[CLAIM_HIT] = "hit",
                                        [CLAIM_WAIT] = "wait",
                                        [CLAIM_MINE] = "miss",
                                        [CLAIM_NO_MEMORY] = "none"};
    struct blob *blob = NULL;
    exchange->waiting = true; /* from here on a wake may come */
    struct order order = {.key = &exchange->key,
                          .cost = exchange->cost,
                          .client = exchange->client.key,
                          .patient = exchange->prefer.async || exchange->events};
    enum claim outcome = service_ask(exchange->context->service, &order, &exchange->waiter, &blob);
    exchange->cache_note = notes[outcome];
    if (outcome == CLAIM_HIT || outcome == CLAIM_NO_MEMORY) {
        exchange->waiting = false;
        answer_with(exchange, blob, outcome == CLAIM_HIT);
        return false;
    }
    name_answer(exchange); /* the address will be gone */
    if (!exchange->prefer.wait && (exchange->prefer.async || exchange->events))
        exchange_detach(exchange);
    return false;
}

void answer_claim(struct exchange *exchange)
{
    assert(exchange->waiting && !exchange->waiter.entry);
    exchange->waiting = false;
    struct blob *blob = exchange->waiter.blob;
    exchange->waiter.blob = NULL;
    answer_made(exchange, blob, &exchange->waiter.timing, false);
    exchange->answered = clock_now();
}

bool leave_claim(struct exchange *exchange)
{
    if (!cache_leave(exchange->context->service->cache, &exchange->waiter))
        return false;
    exchange->waiting = false;
    return true;
}

bool exchange_cut_short(struct exchange *exchange)
{
    if (!exchange->waiting || exchange->reading || !leave_claim(exchange))
        return false;
    refuse(exchange, FAULT_DRAINING, NULL);
    exchange->answered = clock_now();
    return true;
}

/* ---- a wait that the client would rather end ------------------------------------------------- */

/* It may have ended meanwhile: that is told to who asks next. */
static void answer_detached(struct exchange *exchange)
{
    struct outlook outlook =
        operations_look(exchange->context->service->operations, &exchange->key);
    blob_drop(outlook.blob);
    if (outlook.state != OUTLOOK_WAITING && outlook.state != OUTLOOK_RUNNING)
        outlook = (struct outlook){.state = OUTLOOK_RUNNING, .progress = 0.99};
    answer_under_way(exchange, &outlook);
}

/* BUSY with those of all, TOO_MANY of its own, or DRAINING. */
static bool refuse_operation(struct exchange *exchange, enum fault fault)
{
    char detail[128];
    const struct config *config = &exchange->context->service->config;
    snprintf(detail, sizeof detail, "of maps that nobody waits for %d at most may be under way%s",
             fault == FAULT_TOO_MANY ? config->async_per_client : config->async,
             fault == FAULT_TOO_MANY ? ", of each client" : "");
    return refuse(exchange, fault, fault == FAULT_DRAINING ? NULL : detail);
}

/* Who waits for a while is served as one who waits, where there is no room for more. */
bool exchange_detach(struct exchange *exchange)
{
    assert(exchange->waiting);
    if (exchange->reading)
        return false;
    enum fault fault = operations_begin(exchange->context->service->operations, &exchange->key,
                                        exchange->client.key, &exchange->waiter);
    if ((fault && exchange->prefer.wait) || !leave_claim(exchange))
        return false;
    exchange->cache_note = "async";
    if (fault)
        refuse_operation(exchange, fault);
    else
        answer_detached(exchange);
    exchange->answered = clock_now();
    return true;
}
