/*
 * remote.c: maps by an id that this copy does not know, but the store may.
 *
 * A worker asks the store, as that waits for the answer. A map that another copy promised with 202
 * is made here as well when it is asked for here, unless that copy is at it, and answered by 202
 * again.
 */
#include "exchange.h"

#include <stdlib.h>
#include <string.h>

/* A question to the store, which a worker may still ask when the exchange is gone. */
struct lookup {
    struct job job;
    struct store *store;
    struct exchange *exchange; /* unless LEFT */
    char id[37];
    uint64_t client;
    bool cancels; /* DELETE */
    _Atomic(enum lookup_state{ASKED, ANSWERED, LEFT}) state;
    struct remote_map map;
};

static void drop(struct lookup *lookup)
{
    free(lookup->map.address);
    free(lookup);
}

void release_lookup(struct exchange *exchange)
{
    if (exchange->lookup)
        drop(exchange->lookup);
    exchange->lookup = NULL;
}

bool leave_lookup(struct exchange *exchange)
{
    enum lookup_state asked = ASKED;
    if (!atomic_compare_exchange_strong(&exchange->lookup->state, &asked, LEFT))
        return false;
    exchange->lookup = NULL;
    return true;
}

/* Also if the workers are too busy: then the exchange goes on without the store. */
static void end_lookup(struct job *job)
{
    struct lookup *lookup = job->arg;
    const struct exchange *exchange = lookup->exchange;
    if (atomic_exchange(&lookup->state, ANSWERED) == LEFT)
        drop(lookup);
    else
        exchange->wake(exchange->owner);
}

static bool is_under_way(const struct lookup *lookup)
{
    return lookup && lookup->map.promised && !lookup->map.ended;
}

static enum outcome run_lookup(struct job *job, size_t size)
{
    struct lookup *lookup = job->arg;
    (void)size;
    if (atomic_load(&lookup->state) == ASKED) {
        store_look_up(lookup->store, lookup->id, lookup->client, &lookup->map);
        if (lookup->cancels && is_under_way(lookup))
            store_cancel(lookup->store, lookup->id, lookup->client);
    }
    end_lookup(job);
    return JOB_CUT;
}

static bool look_up(struct exchange *exchange)
{
    struct lookup *lookup = calloc(1, sizeof *lookup);
    if (!lookup)
        return false;
    lookup->job = (struct job){.run = run_lookup,
                               .refuse = end_lookup,
                               .arg = lookup,
                               .estimate = STORE_NANOSECONDS,
                               .client = exchange->client.key};
    lookup->store = exchange->context->service->store;
    lookup->exchange = exchange;
    memcpy(lookup->id, exchange->map_id, sizeof lookup->id);
    lookup->client = exchange->client.key;
    lookup->cancels = exchange->method == METHOD_DELETE;
    exchange->lookup = lookup;
    exchange->state = EXCHANGE_LOOKING_UP; /* from here on a wake may come */
    if (pool_submit(exchange->context->service->pool, &lookup->job))
        return true;
    exchange->state = EXCHANGE_ARRIVING;
    release_lookup(exchange);
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

void take_remote(struct exchange *exchange)
{
    enum { MOMENT_S = 1 }; /* so that a map from the store is answered at once */
    struct remote_map *map = &exchange->lookup->map;
    if (!exchange->kept_address) {
        exchange->kept_address = map->address;
        map->address = NULL;
    }
    bool stays = !atomic_load(&exchange->context->service->draining);
    if (map->promised && !exchange->prefer.async)
        exchange->prefer = (struct preference){.async = true, .wait = stays ? MOMENT_S : 0};
}

bool cancel_remote(struct exchange *exchange)
{
    if (exchange->method != METHOD_DELETE)
        return true;
    if (is_under_way(exchange->lookup)) {
        reply_begin(&exchange->reply, 204, NULL);
        return false;
    }
    return exchange->kept_address
               ? refuse(exchange, FAULT_NOTHING_TO_END, NULL)
               : refuse(exchange, FAULT_NOT_FOUND, "no map with this id is there or being made");
}

bool is_remote(const struct exchange *exchange, struct outlook *outlook)
{
    char name[STORED_NAME];
    if (!exchange->lookup || !exchange->lookup->map.alive)
        return false;
    const struct remote_map *map = &exchange->lookup->map;
    stored_name(&exchange->key, name);
    *outlook = (struct outlook){.state = map->progress > 0 ? OUTLOOK_RUNNING : OUTLOOK_WAITING,
                                .progress = map->progress};
    return !strcmp(name, map->name);
}
