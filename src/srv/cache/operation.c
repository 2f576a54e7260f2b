/* operation.c: asynchronous work: maps that are made without a waiting connection. */
#include "operation.h"

#include "srv/base/clock.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    HELD_US = 60 * 1000000, /* how long an outcome is held, unless there are too many */
    MOST_HELD = 1024,
};

#define LAST_ROUND UINT64_MAX /* in which an end was reported */

struct operation {
    struct waiter waiter;
    struct operations *all;
    struct operation *next; /* begun before it */
    uint64_t client;
    enum outlook_state state; /* WAITING: under way; ENDED, LET_GO or CANCELLED */
    uint64_t reported;        /* the round in which it was last reported; 0: none */
    int64_t ended_at;
    struct blob *blob; /* once ended, until it is dropped */
    struct timing timing;
    struct key key; /* its address is malloc'd */
};

struct operations {
    struct cache *cache;
    const struct config *config;
    void (*changed)(void *arg);
    void *arg;
    pthread_mutex_t lock; /* taken before the lock of the cache */
    struct operation *newest;
    bool closed;
};

struct operations *operations_new(struct cache *cache, const struct config *config,
                                  void (*changed)(void *arg), void *arg)
{
    struct operations *all = calloc(1, sizeof *all);
    if (!all)
        return NULL;
    all->cache = cache;
    all->config = config;
    all->changed = changed;
    all->arg = arg;
    pthread_mutex_init(&all->lock, NULL);
    return all;
}

static bool has_ended(const struct operation *operation)
{
    return operation->state != OUTLOOK_WAITING;
}

static void operation_drop(struct operation *operation)
{
    blob_drop(operation->blob);
    free((char *)(uintptr_t)operation->key.address);
    free(operation);
}

void operations_drop(struct operations *all)
{
    for (struct operation *operation = all->newest, *next; operation; operation = next) {
        next = operation->next;
        assert(has_ended(operation));
        operation_drop(operation);
    }
    pthread_mutex_destroy(&all->lock);
    free(all);
}

/* ---- the list, under the lock ---------------------------------------------------------------- */

/* Bytes of memory that only this operation holds. */
static size_t weight(const struct operation *operation)
{
    const struct blob *blob = operation->blob;
    return blob && !atomic_load(&blob->kept) ? blob_weight(blob) : 0;
}

/* Drops operations that ended long ago, or are too many, or have too long addresses; and the oldest
   maps, once all are too many bytes. The last to end is held in any case. */
static void trim(struct operations *all, int64_t now)
{
    size_t addresses = 0, maps = 0, most = (size_t)all->config->output_bytes / 4;
    int ended = 0;
    for (struct operation **at = &all->newest, *one; (one = *at);) {
        bool last = !ended;
        ended += has_ended(one);
        addresses += has_ended(one) ? one->key.length : 0;
        bool many = ended > MOST_HELD || addresses > most;
        if (has_ended(one) && (one->ended_at < now - HELD_US || (many && !last))) {
            *at = one->next;
            operation_drop(one);
            continue;
        }
        if (one->blob && !one->blob->fault && maps && maps + weight(one) > most) {
            blob_drop(one->blob);
            one->blob = NULL;
            one->state = OUTLOOK_LET_GO;
        }
        maps += weight(one);
        at = &one->next;
    }
}

/* Each client may have one for the same map, format and look. */
static bool is_for(const struct operation *operation, const struct key *key)
{
    const struct key *own = &operation->key;
    return own->encoder == key->encoder && mw_same_look(&own->look, &key->look) &&
           !strcmp(own->id, key->id);
}

/* ---- beginning and end of one ---------------------------------------------------------------- */

static void on_settled(void *owner)
{
    struct operation *operation = owner;
    struct operations *all = operation->all;
    int64_t now = clock_now();
    pthread_mutex_lock(&all->lock);
    operation->blob = operation->waiter.blob;
    operation->timing = operation->waiter.timing;
    operation->ended_at = now;
    operation->state = OUTLOOK_ENDED;
    all->changed(all->arg);
    trim(all, now);
    pthread_mutex_unlock(&all->lock);
}

/* NULL: out of memory, or `beside` is being woken. */
static struct operation *operation_new(struct operations *all, const struct key *key,
                                       uint64_t client, const struct waiter *beside)
{
    int64_t deadline = clock_now() + all->config->async_ms * INT64_C(1000);
    struct operation *operation = malloc(sizeof *operation);
    if (!operation)
        return NULL;
    *operation = (struct operation){.waiter = {.wake = on_settled, .owner = operation},
                                    .all = all,
                                    .next = all->newest,
                                    .client = client,
                                    .state = OUTLOOK_WAITING,
                                    .key = *key};
    operation->key.address = cache_address(all->cache, key->id);
    if (operation->key.address && cache_join(all->cache, beside, &operation->waiter, deadline))
        return operation;
    operation_drop(operation);
    return NULL;
}

static enum fault begin(struct operations *all, const struct key *key, uint64_t client,
                        const struct waiter *beside)
{
    const struct config *config = all->config;
    int own = 0, of_all = 0;
    bool known = false;
    for (const struct operation *one = all->newest; one; one = one->next) {
        bool is_own = !has_ended(one) && one->client == client;
        of_all += !has_ended(one);
        own += is_own;
        known |= is_own && is_for(one, key);
    }
    if (all->closed || known)
        return all->closed ? FAULT_DRAINING : FAULT_NONE;
    if (own >= config->async_per_client || of_all >= config->async)
        return own >= config->async_per_client ? FAULT_TOO_MANY : FAULT_BUSY;
    struct operation *operation = operation_new(all, key, client, beside);
    if (!operation)
        return FAULT_UNAVAILABLE;
    all->newest = operation;
    all->changed(all->arg);
    return FAULT_NONE;
}

enum fault operations_begin(struct operations *all, const struct key *key, uint64_t client,
                            const struct waiter *beside)
{
    pthread_mutex_lock(&all->lock);
    enum fault fault = begin(all, key, client, beside);
    pthread_mutex_unlock(&all->lock);
    return fault;
}

/* Under the lock. One that is being woken goes on: it will have ended in a moment. */
static bool cancel(struct operations *all, struct operation *operation, int64_t now)
{
    if (has_ended(operation) || !cache_leave(all->cache, &operation->waiter))
        return false;
    operation->state = OUTLOOK_CANCELLED;
    operation->ended_at = now;
    return true;
}

bool operations_cancel(struct operations *all, const char *id, uint64_t client)
{
    bool any = false;
    int64_t now = clock_now();
    pthread_mutex_lock(&all->lock);
    for (struct operation *one = all->newest; one; one = one->next)
        if (one->client == client && !strcmp(one->key.id, id))
            any |= cancel(all, one, now);
    if (any)
        all->changed(all->arg);
    trim(all, now);
    pthread_mutex_unlock(&all->lock);
    return any;
}

/* The reported state stays, so that another copy goes on with the work. */
void operations_close(struct operations *all)
{
    pthread_mutex_lock(&all->lock);
    all->closed = true;
    for (struct operation *one = all->newest; one; one = one->next)
        if (cancel(all, one, clock_now()))
            one->reported = LAST_ROUND;
    pthread_mutex_unlock(&all->lock);
}

void operations_expire(struct operations *all, int64_t now)
{
    pthread_mutex_lock(&all->lock);
    trim(all, now);
    pthread_mutex_unlock(&all->lock);
}

/* ---- looking --------------------------------------------------------------------------------- */

static struct outlook look(struct operations *all, const struct operation *operation)
{
    struct outlook outlook = {.state = operation->state,
                              .progress = 1,
                              .blob = operation->blob ? blob_ref(operation->blob) : NULL,
                              .coding = operation->key.coding,
                              .timing = operation->timing};
    if (!has_ended(operation) && cache_progress(all->cache, &operation->waiter, &outlook.progress))
        outlook.state = OUTLOOK_RUNNING;
    return outlook;
}

/* Prefers a running operation to an ended one. */
struct outlook operations_look(struct operations *all, const struct key *key)
{
    const struct operation *found = NULL;
    pthread_mutex_lock(&all->lock);
    for (const struct operation *one = all->newest; one; one = one->next)
        if (is_for(one, key) && one->state != OUTLOOK_CANCELLED &&
            (!found || (has_ended(found) && !has_ended(one))))
            found = one;
    struct outlook outlook = found ? look(all, found) : (struct outlook){.state = OUTLOOK_NONE};
    pthread_mutex_unlock(&all->lock);
    return outlook;
}

char *operations_address(struct operations *all, const char *id)
{
    pthread_mutex_lock(&all->lock);
    const struct operation *one = all->newest;
    while (one && (one->state == OUTLOOK_CANCELLED || strcmp(one->key.id, id) != 0))
        one = one->next;
    char *copy = one ? strndup(one->key.address, one->key.length) : NULL;
    pthread_mutex_unlock(&all->lock);
    return copy;
}

bool operations_cancelled(struct operations *all, const char *id)
{
    pthread_mutex_lock(&all->lock);
    const struct operation *one = all->newest;
    while (one && strcmp(one->key.id, id) != 0)
        one = one->next;
    bool cancelled = one && one->state == OUTLOOK_CANCELLED;
    pthread_mutex_unlock(&all->lock);
    return cancelled;
}

int operations_count(struct operations *all)
{
    int count = 0;
    pthread_mutex_lock(&all->lock);
    for (const struct operation *one = all->newest; one; one = one->next)
        count += !has_ended(one);
    pthread_mutex_unlock(&all->lock);
    return count;
}

/* ---- reports --------------------------------------------------------------------------------- */

bool operations_report(struct operations *all, uint64_t round, struct operation_report *to)
{
    struct operation *due = NULL;
    pthread_mutex_lock(&all->lock);
    for (struct operation *one = all->newest; one; one = one->next)
        due = one->reported < round ? one : due;
    if (due) {
        bool ended = has_ended(due);
        *to = (struct operation_report){
            .state = due->state, .client = due->client, .progress = 1, .key = due->key};
        const struct key *key = &due->key;
        to->key.address = ended || due->reported ? NULL : strndup(key->address, key->length);
        if (!ended)
            cache_progress(all->cache, &due->waiter, &to->progress);
        due->reported = ended ? LAST_ROUND : round;
    }
    pthread_mutex_unlock(&all->lock);
    return due;
}
