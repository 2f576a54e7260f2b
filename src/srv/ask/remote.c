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

static struct exchange *exchange_of(struct job *job)
{
    return (struct exchange *)(void *)((char *)job - offsetof(struct exchange, job));
}

static bool is_under_way(const struct remote_map *remote)
{
    return remote && remote->promised && !remote->ended;
}

static enum outcome run_lookup(struct job *job, void *memory, size_t size)
{
    (void)memory, (void)size;
    struct exchange *exchange = exchange_of(job);
    struct store *store = exchange->context->service->store;
    store_look_up(store, exchange->map_id, exchange->client.key, exchange->remote);
    if (exchange->method == METHOD_DELETE && is_under_way(exchange->remote))
        store_cancel(store, exchange->map_id, exchange->client.key);
    exchange->wake(exchange->owner);
    return JOB_CUT;
}

/* The workers are too busy: goes on without the store. */
static void skip_lookup(struct job *job)
{
    struct exchange *exchange = exchange_of(job);
    exchange->wake(exchange->owner);
}

static bool look_up(struct exchange *exchange)
{
    exchange->remote = calloc(1, sizeof *exchange->remote);
    if (!exchange->remote)
        return false;
    exchange->state = EXCHANGE_LOOKING_UP; /* from here on a wake may come */
    exchange->job = (struct job){.run = run_lookup,
                                 .refuse = skip_lookup,
                                 .estimate = STORE_NANOSECONDS,
                                 .client = exchange->client.key};
    if (pool_submit(exchange->context->service->pool, &exchange->job))
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

void take_remote(struct exchange *exchange)
{
    enum { MOMENT_S = 1 }; /* so that a map from the store is answered at once */
    struct remote_map *remote = exchange->remote;
    if (!remote)
        return;
    if (!exchange->kept_address) {
        exchange->kept_address = remote->address;
        remote->address = NULL;
    }
    bool stays = !atomic_load(&exchange->context->service->draining);
    if (remote->promised && !exchange->prefer.async)
        exchange->prefer = (struct preference){.async = true, .wait = stays ? MOMENT_S : 0};
}

bool cancel_remote(struct exchange *exchange)
{
    if (exchange->method != METHOD_DELETE)
        return true;
    if (is_under_way(exchange->remote)) {
        reply_begin(&exchange->reply, 204, NULL);
        return false;
    }
    return exchange->kept_address
               ? refuse(exchange, FAULT_NOTHING_TO_END, NULL)
               : refuse(exchange, FAULT_NOT_FOUND, "no map with this id is there or being made");
}

void release_remote(struct exchange *exchange)
{
    if (exchange->remote)
        free(exchange->remote->address);
    free(exchange->remote);
    exchange->remote = NULL;
}

bool is_remote(const struct exchange *exchange, struct outlook *outlook)
{
    char name[STORED_NAME];
    const struct remote_map *remote = exchange->remote;
    if (!remote || !remote->alive)
        return false;
    stored_name(&exchange->key, name);
    *outlook = (struct outlook){.state = remote->progress > 0 ? OUTLOOK_RUNNING : OUTLOOK_WAITING,
                                .progress = remote->progress};
    return !strcmp(name, remote->name);
}
