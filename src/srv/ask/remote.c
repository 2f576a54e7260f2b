/*
 * remote.c: maps by an id that this copy does not know, but the store may.
 *
 * A worker asks the store, as that waits for the answer. The question is an entry of the cache, so
 * that an exchange waits for its answer, and leaves, as it does with a map; but the answer is not
 * kept. A map that another copy promised with 202 is made here as well when it is asked for here,
 * unless that copy is making it, and answered by 202 again.
 */
#include "exchange.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* NULL: the store was not asked, or has not answered. */
static const struct remote_map *answer_of(const struct blob *blob)
{
    return blob && !blob->fault ? (const void *)blob->bytes : NULL;
}

static bool is_under_way(const struct remote_map *map) { return map && map->work > REMOTE_ENDED; }

static bool run_question(struct job *job, size_t size)
{
    struct service *service = job->arg;
    const char *id = entry_of(job)->address, *method = id + strlen(id) + 1;
    (void)size;
    struct blob *blob = store_look_up(service->store, id, job->client);
    if (*method == 'D' && is_under_way(answer_of(blob)))
        store_cancel(service->store, id, job->client);
    cache_settle(service->cache, entry_of(job), blob);
    return false;
}

/* In place of an address, the question has all that its answer depends on. */
static bool look_up(struct exchange *exchange)
{
    struct service *service = exchange->context->service;
    char question[96];
    struct key key = {.encoder = mw_encoders[0], .address = question};
    struct blob *blob;
    struct entry *entry;
    key.length =
        1 + (size_t)snprintf(question, sizeof question, "%s%c%s %llx", exchange->map_id, 0,
                             exchange->method_name, (unsigned long long)exchange->client.key);
    memcpy(key.id, exchange->map_id, sizeof key.id);
    key.id[0] = '?'; /* it is not the map */
    enum claim claim = cache_claim(service->cache, &key, &exchange->waiter, &blob, &entry);
    assert(claim != CLAIM_HIT);
    if (claim == CLAIM_NO_MEMORY)
        return false;
    exchange->state = EXCHANGE_LOOKING_UP;
    if (claim != CLAIM_MINE)
        return true;
    entry->timing = exchange->waiter.timing; /* none: no map is made */
    entry->job = (struct job){
        .run = run_question, .estimate = STORE_NANOSECONDS, .client = exchange->client.key};
    task_submit(service, entry);
    return true;
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
    exchange->remote = exchange->waiter.blob;
    exchange->waiter.blob = NULL;
    const struct remote_map *map = answer_of(exchange->remote);
    if (map && *map->address && !exchange->kept_address)
        exchange->kept_address = strdup(map->address);
    bool stays = !atomic_load(&exchange->context->service->draining);
    if (map && map->work && !exchange->prefer.async)
        exchange->prefer = (struct preference){.async = true, .wait = stays ? MOMENT_S : 0};
}

bool cancel_remote(struct exchange *exchange)
{
    if (exchange->method != METHOD_DELETE)
        return true;
    if (is_under_way(answer_of(exchange->remote))) {
        reply_begin(&exchange->reply, 204, NULL);
        return false;
    }
    return exchange->kept_address
               ? refuse(exchange, FAULT_NOTHING_TO_END, NULL)
               : refuse(exchange, FAULT_NOT_FOUND, "no map with this id is there or being made");
}

void look_remote(const struct exchange *exchange, struct outlook *outlook)
{
    const struct remote_map *map = answer_of(exchange->remote);
    char name[STORED_NAME];
    stored_name(&exchange->key, name);
    if (map && map->work == REMOTE_ALIVE && !strcmp(name, map->name))
        *outlook = (struct outlook){.state = map->progress > 0 ? OUTLOOK_RUNNING : OUTLOOK_WAITING,
                                    .progress = map->progress};
}
