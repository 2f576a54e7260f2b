/*
 * cache.c: answers by address, and which of them stay.
 *
 * S3-FIFO (Yang, Zhang, Qiu, Yue and Rashmi, «FIFO Queues are All You Need for Cache Eviction»,
 * SOSP 2023), with credits by the cost of an answer. There are two queues, first in, first out. A
 * new answer enters the small one, a share of all bytes. At its end, an answer that was asked for
 * again moves to the main queue; any other goes. So a scan, a long run of answers asked for once
 * each, passes through the small queue and leaves the main one as it is. A heavy answer would push
 * too many out of the small queue: it enters at the end, as the next that goes. The paper's table
 * of ghosts, by which an answer that is made again enters the main queue, is left out: in the
 * traces of check_policy.c it makes more work than it saves.
 *
 * Each request gives an answer a credit, and up to CLASSES - 1 more, the longer it took to make for
 * its size. At the end of the main queue an answer with credits pays one and goes round again; one
 * without them goes. So an answer stays by how often it is asked for times what a byte of it cost,
 * as in GreedyDual-Size-Frequency (Cherkasova, HP Labs 1998-69). A request is an addition, and each
 * step of an eviction was paid for by a request.
 */
#include "cache.h"

#include "srv/base/clock.h"
#include "srv/base/hash.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALL_SHARE = 5, /* the small queue has a fifth of the bytes */
    HEAVY_SHARE = 2, /* and an answer that is more than half of it is heavy */
    CLASSES = 5,     /* classes of cost per byte, each four times the one before */
    CHEAP = 4,       /* the lowest class: at most so many nanoseconds per byte */
    MOST_CREDITS = 15,
    LEAST_SLOTS = 1 << 10,
    MOST_SLOTS = 1 << 20,
    BYTES_A_SLOT = 2048, /* of an answer of usual size */
};

LIST_HEAD(entry_list, entry);

struct fifo {
    TAILQ_HEAD(, entry) entries; /* the first is the next to leave */
    size_t bytes;
};

struct cache {
    pthread_mutex_t lock;
    uint64_t secret[2];
    size_t limit; /* bytes */
    size_t entries;
    struct fifo small, main; /* of new answers, and of those that were asked for again */
    uint64_t evicted;
    size_t mask;               /* number of slots, less one */
    struct entry_list slots[]; /* by the hash of the id */
};

struct cache *cache_new(size_t bytes)
{
    size_t slots = LEAST_SLOTS;
    while (slots < MOST_SLOTS && slots < bytes / BYTES_A_SLOT)
        slots *= 2;
    struct cache *cache = calloc(1, sizeof *cache + slots * sizeof *cache->slots);
    if (!cache)
        return NULL;
    cache->mask = slots - 1;
    cache->limit = bytes;
    random_bytes(cache->secret, sizeof cache->secret);
    TAILQ_INIT(&cache->small.entries);
    TAILQ_INIT(&cache->main.entries);
    pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

static void entry_drop(struct entry *entry)
{
    blob_drop(entry->blob);
    free(entry);
}

static void drop_all(struct entry_list *entries)
{
    for (struct entry *entry; (entry = LIST_FIRST(entries));) {
        LIST_REMOVE(entry, link);
        entry_drop(entry);
    }
}

void cache_drop(struct cache *cache)
{
    for (size_t i = 0; i <= cache->mask; i++)
        drop_all(&cache->slots[i]);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

/* ---- the table, under the lock --------------------------------------------------------------- */

static bool same_key(const struct key *a, const struct key *b)
{
    return a->encoder == b->encoder && a->coding == b->coding && a->length == b->length &&
           mw_same_look(&a->look, &b->look) && !memcmp(a->address, b->address, a->length);
}

/* Formats and codings of a map share a slot, so that it can be found by its id alone. */
static uint64_t hash_id(const struct cache *cache, const char *id)
{
    return hash_bytes(cache->secret, id, strlen(id));
}

static struct entry *find(const struct cache *cache, uint64_t hash, const struct key *key)
{
    struct entry *entry;
    LIST_FOREACH (entry, &cache->slots[hash & cache->mask], link)
        if (entry->hash == hash && same_key(&entry->key, key))
            break;
    return entry;
}

static void take_out(struct cache *cache, struct entry *entry)
{
    assert(cache->entries > 0);
    LIST_REMOVE(entry, link);
    cache->entries--;
}

/* One that is under way, in the table. NULL without memory. */
static struct entry *insert(struct cache *cache, uint64_t hash, const struct key *key)
{
    struct entry *entry = malloc(sizeof *entry + key->length);
    if (!entry)
        return NULL;
    *entry = (struct entry){.hash = hash, .key = *key};
    memcpy(entry->address, key->address, key->length);
    entry->key.address = entry->address;
    LIST_INSERT_HEAD(&cache->slots[hash & cache->mask], entry, link);
    cache->entries++;
    return entry;
}

/* ---- what stays, under the lock -------------------------------------------------------------- */

static size_t kept_bytes(const struct cache *cache)
{
    return cache->small.bytes + cache->main.bytes;
}

static void enter_queue(struct cache *cache, struct entry *entry, bool in_main)
{
    struct fifo *fifo = in_main ? &cache->main : &cache->small;
    entry->in_main = in_main;
    fifo->bytes += entry->weight;
    if (in_main || entry->weight <= cache->limit / SMALL_SHARE / HEAVY_SHARE)
        TAILQ_INSERT_TAIL(&fifo->entries, entry, place);
    else
        TAILQ_INSERT_HEAD(&fifo->entries, entry, place);
}

static void leave_queue(struct cache *cache, struct entry *entry)
{
    struct fifo *fifo = entry->in_main ? &cache->main : &cache->small;
    assert(fifo->bytes >= entry->weight);
    TAILQ_REMOVE(&fifo->entries, entry, place);
    fifo->bytes -= entry->weight;
}

/* The caller drops it. */
static void let_go(struct cache *cache, struct entry *entry)
{
    leave_queue(cache, entry);
    take_out(cache, entry);
    blob_let_go(entry->blob);
}

/* It is kept, and was asked for again. */
static void add_credits(struct entry *entry)
{
    uint64_t by_byte = entry->took / (entry->weight + 1);
    unsigned credit = 1;
    for (uint64_t bound = CHEAP; credit < CLASSES && by_byte > bound; bound *= 4)
        credit++;
    entry->credits += credit;
    entry->credits = entry->credits < MOST_CREDITS ? entry->credits : MOST_CREDITS;
}

/* One step: the first of a queue moves on, or to the list of those that are gone. */
static void evict(struct cache *cache, struct entry_list *gone)
{
    bool from_small = cache->small.bytes > cache->limit / SMALL_SHARE || !cache->main.bytes;
    struct entry *first = TAILQ_FIRST(from_small ? &cache->small.entries : &cache->main.entries);
    if (!first->credits) {
        cache->evicted++;
        let_go(cache, first);
        LIST_INSERT_HEAD(gone, first, link);
        return;
    }
    leave_queue(cache, first);
    first->credits -= !from_small;
    enter_queue(cache, first, true);
}

/* Keeps a settled entry. The caller drops what has gone, without the lock. */
static void admit(struct cache *cache, struct entry *entry, struct entry_list *gone)
{
    while (kept_bytes(cache) + entry->weight > cache->limit)
        evict(cache, gone);
    blob_keep(entry->blob);
    enter_queue(cache, entry, false);
}

/* An expired entry stays until it is looked up. */
static bool is_over(const struct entry *entry)
{
    return entry->blob && entry->until && clock_now() >= entry->until;
}

/* A client with a longer deadline may retry what was refused to one with a shorter. */
static bool may_be_tried(const struct entry *entry)
{
    return entry->blob && entry->until && entry->blob->fault != FAULT_CRASHED;
}

static void forget(struct cache *cache, struct entry *entry)
{
    let_go(cache, entry);
    entry_drop(entry);
}

/* ---- waiters, under the lock ----------------------------------------------------------------- */

static void add_waiter(struct entry *entry, struct waiter *waiter)
{
    assert(!waiter->entry && !waiter->blob && waiter->wake);
    waiter->entry = entry;
    LIST_INSERT_HEAD(&entry->waiters, waiter, link);
}

/* Gives each waiter a reference; they stay linked. */
static struct waiter *hand_out(struct entry *entry)
{
    struct waiter *waiter, *first = LIST_FIRST(&entry->waiters);
    LIST_FOREACH (waiter, &entry->waiters, link) {
        waiter->entry = NULL;
        waiter->blob = entry->blob ? blob_ref(entry->blob) : NULL;
        waiter->timing = entry->timing;
    }
    LIST_INIT(&entry->waiters);
    return first;
}

/* Whether it has room, and stays valid: for ever, or until the entry expires. Without a media type
   it is no answer to a client. */
static bool is_worth_keeping(const struct cache *cache, const struct entry *entry)
{
    const struct blob *blob = entry->blob;
    if (!blob || entry->weight > cache->limit)
        return false;
    return blob->fault ? fault_rows[blob->fault].lasts || entry->until : blob->media != NULL;
}

/* ---- public ---------------------------------------------------------------------------------- */

static enum claim claim(struct cache *cache, uint64_t hash, const struct key *key,
                        struct waiter *waiter, struct blob **blob, struct entry **mine)
{
    struct entry *entry = find(cache, hash, key);
    if (entry && (is_over(entry) || (waiter->patient && may_be_tried(entry)))) {
        forget(cache, entry);
        entry = NULL;
    }
    if (entry && entry->blob) {
        add_credits(entry);
        *blob = blob_ref(entry->blob);
        return CLAIM_HIT;
    }
    enum claim outcome = entry ? CLAIM_WAIT : CLAIM_MINE;
    if (!entry && !(entry = insert(cache, hash, key)))
        return CLAIM_NO_MEMORY;
    add_waiter(entry, waiter);
    *mine = entry;
    return outcome;
}

enum claim cache_claim(struct cache *cache, const struct key *key, struct waiter *waiter,
                       struct blob **blob, struct entry **mine)
{
    assert(key->encoder && key->length && key->id[0]);
    uint64_t hash = hash_id(cache, key->id);
    pthread_mutex_lock(&cache->lock);
    enum claim outcome = claim(cache, hash, key, waiter, blob, mine);
    pthread_mutex_unlock(&cache->lock);
    return outcome;
}

void cache_settle(struct cache *cache, struct entry *entry, struct blob *blob)
{
    struct entry_list gone = LIST_HEAD_INITIALIZER(gone);
    pthread_mutex_lock(&cache->lock);
    assert(!entry->blob);
    entry->blob = blob;
    entry->weight = sizeof *entry + entry->key.length + (blob ? blob_weight(blob) : 0);
    struct waiter *waiter = hand_out(entry);
    bool in_table = !atomic_load(&entry->abandoned); /* until the last waiter left */
    bool stays = in_table && is_worth_keeping(cache, entry);
    if (stays)
        admit(cache, entry, &gone);
    else if (in_table)
        take_out(cache, entry);
    if (!stays)
        LIST_INSERT_HEAD(&gone, entry, link);
    pthread_mutex_unlock(&cache->lock);
    for (struct waiter *next; waiter; waiter = next) {
        next = LIST_NEXT(waiter, link);
        waiter->wake(waiter->owner);
    }
    drop_all(&gone);
}

bool cache_leave(struct cache *cache, struct waiter *waiter)
{
    pthread_mutex_lock(&cache->lock);
    struct entry *entry = waiter->entry;
    waiter->entry = NULL;
    if (entry)
        LIST_REMOVE(waiter, link);
    if (entry && LIST_EMPTY(&entry->waiters)) {
        atomic_store(&entry->abandoned, true);
        take_out(cache, entry);
        if (pool_withdraw(&entry->job))
            entry_drop(entry);
    }
    pthread_mutex_unlock(&cache->lock);
    return entry != NULL;
}

bool cache_join(struct cache *cache, const struct waiter *beside, struct waiter *waiter,
                int64_t deadline)
{
    pthread_mutex_lock(&cache->lock);
    struct entry *entry = beside->entry;
    if (entry) {
        add_waiter(entry, waiter);
        clock_extend(&entry->deadline, deadline);
    }
    pthread_mutex_unlock(&cache->lock);
    return entry;
}

bool cache_progress(struct cache *cache, const struct waiter *waiter, double *progress)
{
    pthread_mutex_lock(&cache->lock);
    const struct entry *entry = waiter->entry;
    uint64_t steps = entry ? atomic_load(&entry->steps) : UINT64_MAX;
    *progress = mw_progress(steps, entry ? entry->key.cost.steps : 1);
    pthread_mutex_unlock(&cache->lock);
    return steps;
}

struct blob *cache_find(struct cache *cache, const struct key *key)
{
    uint64_t hash = hash_id(cache, key->id);
    pthread_mutex_lock(&cache->lock);
    struct entry *entry = find(cache, hash, key);
    struct blob *blob = entry && entry->blob && !is_over(entry) ? blob_ref(entry->blob) : NULL;
    if (blob)
        add_credits(entry);
    pthread_mutex_unlock(&cache->lock);
    return blob;
}

char *cache_address(struct cache *cache, const char *id)
{
    char *copy = NULL;
    uint64_t hash = hash_id(cache, id);
    pthread_mutex_lock(&cache->lock);
    struct entry *entry;
    LIST_FOREACH (entry, &cache->slots[hash & cache->mask], link)
        if (!strcmp(entry->key.id, id))
            break;
    if (entry && (copy = malloc(entry->key.length + 1))) {
        memcpy(copy, entry->address, entry->key.length);
        copy[entry->key.length] = '\0';
    }
    pthread_mutex_unlock(&cache->lock);
    return copy;
}

void cache_measure(struct cache *cache, int64_t gauges[GAUGE_END])
{
    pthread_mutex_lock(&cache->lock);
    gauges[GAUGE_HELD_CACHE] = (int64_t)kept_bytes(cache);
    gauges[GAUGE_LIMIT_CACHE] = (int64_t)cache->limit;
    gauges[GAUGE_CACHE_ENTRIES] = (int64_t)cache->entries;
    gauges[GAUGE_CACHE_EVICTED] = (int64_t)cache->evicted;
    pthread_mutex_unlock(&cache->lock);
}
