/* elsewhere.c: maps by their id that this copy does not know, but the store may. */
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
    exchange->lookup = lookup;
    exchange->waiting = exchange->reading = true; /* from here on a wake may come */
    if (store_look_up(exchange->context->service->store, lookup))
        return true;
    exchange->waiting = exchange->reading = false;
    release_elsewhere(exchange);
    return false;
}

bool find_elsewhere(struct exchange *exchange)
{
    struct service *service = exchange->context->service;
    if (!exchange->map_id[0])
        return false;
    exchange->kept_address = service_address(service, exchange->map_id);
    return !exchange->kept_address && store_is_open(service->store) && look_up(exchange);
}

bool leave_elsewhere(struct exchange *exchange)
{
    return store_leave(exchange->context->service->store, exchange->lookup);
}

void take_elsewhere(struct exchange *exchange)
{
    if (!exchange->lookup)
        return;
    exchange->kept_address = exchange->lookup->address;
    exchange->lookup->address = NULL;
}

void release_elsewhere(struct exchange *exchange)
{
    if (exchange->lookup)
        free(exchange->lookup->address);
    free(exchange->lookup);
    exchange->lookup = NULL;
}

bool is_elsewhere(const struct exchange *exchange, struct outlook *outlook)
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
