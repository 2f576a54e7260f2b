/*
 * remote.c: maps by an id that this copy does not know, but the store may.
 *
 * A map that another copy promised with 202 is made here as well when it is asked for here, and
 * answered by 202 again: the other copy may be gone.
 */
#include "exchange.h"

#include <stdlib.h>
#include <string.h>

static void on_looked_up(struct lookup *lookup)
{
    struct exchange *exchange = lookup->arg;
    exchange->wake(exchange->owner);
}

static bool look_up(struct exchange *exchange)
{
    struct lookup *lookup = calloc(1, sizeof *lookup);
    if (!lookup)
        return false;
    lookup->answer = on_looked_up;
    lookup->arg = exchange;
    memcpy(lookup->id, exchange->map_id, sizeof lookup->id);
    lookup->client = exchange->client.key;
    exchange->lookup = lookup;
    exchange->state = EXCHANGE_LOOKING_UP; /* from here on a wake may come */
    if (store_look_up(exchange->context->service->store, lookup))
        return true;
    exchange->state = EXCHANGE_ARRIVING;
    release_remote(exchange);
    return false;
}

bool look_up_remote(struct exchange *exchange)
{
    struct service *service = exchange->context->service;
    if (!exchange->map_id[0])
        return false;
    exchange->kept_address = service_address(service, exchange->map_id);
    bool enough = exchange->kept_address && exchange->method != METHOD_DELETE;
    return !enough && store_is_open(service->store) && look_up(exchange);
}

bool leave_remote(struct exchange *exchange)
{
    return store_leave(exchange->context->service->store, exchange->lookup);
}

static bool is_promised(const struct lookup *lookup)
{
    return lookup->promise == PROMISE_MADE || lookup->promise == PROMISE_KEPT;
}

void take_remote(struct exchange *exchange)
{
    enum { MOMENT_S = 1 }; /* in which what was made elsewhere is there */
    struct lookup *lookup = exchange->lookup;
    if (!lookup)
        return;
    if (!exchange->kept_address) {
        exchange->kept_address = lookup->address;
        lookup->address = NULL;
    }
    bool stays = !atomic_load(&exchange->context->service->draining);
    if (is_promised(lookup) && !exchange->prefer.async)
        exchange->prefer = (struct preference){.async = true, .wait = stays ? MOMENT_S : 0};
}

bool cancel_remote(struct exchange *exchange)
{
    const struct lookup *lookup = exchange->lookup;
    if (exchange->method != METHOD_DELETE)
        return true;
    if (lookup && lookup->promise == PROMISE_MADE) {
        store_promise(exchange->context->service->store, PROMISE_WAIVED, lookup->id,
                      lookup->client);
        reply_begin(&exchange->reply, 204, NULL);
        return false;
    }
    return exchange->kept_address
               ? refuse(exchange, FAULT_NOTHING_TO_END, NULL)
               : refuse(exchange, FAULT_NOT_FOUND, "no map with this id is there or being made");
}

void release_remote(struct exchange *exchange)
{
    if (exchange->lookup)
        free(exchange->lookup->address);
    free(exchange->lookup);
    exchange->lookup = NULL;
}

bool is_remote(const struct exchange *exchange, struct outlook *outlook)
{
    char name[PARCEL_NAME];
    const struct lookup *lookup = exchange->lookup;
    if (!lookup || !*lookup->under_way)
        return false;
    parcel_name(&exchange->key, name);
    if (strcmp(name, lookup->under_way) != 0)
        return false;
    double whole = (double)lookup->expected, share = (double)lookup->steps / (whole + 1);
    *outlook = (struct outlook){.state = whole > 0 ? OUTLOOK_RUNNING : OUTLOOK_WAITING,
                                .progress = share < 0.99 ? share : 0.99};
    return true;
}
