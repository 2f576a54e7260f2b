/* cache.c: answers by address; policy.c decides which of them stay. */
#include "cache.h"

#include "srv/base/clock.h"
#include "srv/base/hash.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_BUCKETS = 1 << 10, MOST_BUCKETS = 1 << 20, BYTES_A_BUCKET = 2048 };

struct cache {
    pthread_mutex_t lock;
    uint64_t secret[2];
    struct entry **buckets;
    size_t mask, entries; /* mask: number of buckets less one */
    struct policy *policy;
    bool (*withdraw)(void *arg, struct job *);
    void *arg;
};

/* One for each answer of usual size that fits into so many bytes. */
static size_t buckets_for(size_t bytes)
{
    size_t buckets = LEAST_BUCKETS;
    while (buckets < MOST_BUCKETS && buckets < bytes / BYTES_A_BUCKET)
        buckets *= 2;
    return buckets;
}

struct cache *cache_new(size_t bytes, bool (*withdraw)(void *arg, struct job *), void *arg)
{
    struct cache *cache = calloc(1, sizeof *cache);
    if (!cache)
        return NULL;
    cache->mask = buckets_for(bytes) - 1;
    cache->buckets = calloc(cache->mask + 1, sizeof(struct entry *));
    cache->policy = policy_new(bytes);
    if (!cache->buckets || !cache->policy) {
        policy_drop(cache->policy);
        free(cache->buckets);
        free(cache);
        return NULL;
    }
    random_bytes(cache->secret, sizeof cache->secret);
    pthread_mutex_init(&cache->lock, NULL);
    cache->withdraw = withdraw;
    cache->arg = arg;
    return cache;
}

static void entry_drop(struct entry *entry)
{
    blob_drop(entry->blob);
    free(entry);
}

/* A list linked by `next`. */
static void drop_linked(struct entry *first)
{
    for (struct entry *entry = first, *next; entry; entry = next) {
        next = entry->next;
        entry_drop(entry);
    }
}

void cache_drop(struct cache *cache)
{
    for (size_t i = 0; i <= cache->mask; i++)
        drop_linked(cache->buckets[i]);
    pthread_mutex_destroy(&cache->lock);
    policy_drop(cache->policy);
    free(cache->buckets);
    free(cache);
}

/* ---- the table, under the lock --------------------------------------------------------------- */

static bool same_key(const struct key *a, const struct key *b)
{
    return a->encoder == b->encoder && a->coding == b->coding && a->length == b->length &&
           mw_same_look(&a->look, &b->look) && !memcmp(a->address, b->address, a->length);
}

/* Formats and codings of a map share a bucket, so that it can be found by its id alone. */
static uint64_t hash_id(const struct cache *cache, const char *id)
{
    return hash_bytes(cache->secret, id, strlen(id));
}

static struct entry *find(const struct cache *cache, uint64_t hash, const struct key *key)
{
    struct entry *entry = cache->buckets[hash & cache->mask];
    while (entry && (entry->hash != hash || !same_key(&entry->key, key)))
        entry = entry->next;
    return entry;
}

static void insert(struct cache *cache, struct entry *entry)
{
    struct entry **bucket = &cache->buckets[entry->hash & cache->mask];
    entry->next = *bucket;
    *bucket = entry;
    cache->entries++;
}

static void take_out(struct cache *cache, struct entry *entry)
{
    struct entry **at = &cache->buckets[entry->hash & cache->mask];
    while (*at != entry)
        at = &(*at)->next;
    *at = entry->next;
    assert(cache->entries > 0);
    cache->entries--;
}

/* Formats and codings of a map are separate entries for the policy. */
static uint64_t mark_of(uint64_t hash, const struct key *key)
{
    return hash_fold(hash ^ (uintptr_t)key->encoder, hash | (uint64_t)key->coding << 1 | 1);
}

static struct entry *entry_new(uint64_t hash, const struct key *key)
{
    struct entry *entry = malloc(sizeof *entry + key->length);
    if (!entry)
        return NULL;
    *entry = (struct entry){.hash = hash, .key = *key};
    entry->rated.mark = mark_of(hash, key);
    memcpy(entry->address, key->address, key->length);
    entry->key.address = entry->address;
    return entry;
}

/* ---- what stays, under the lock -------------------------------------------------------------- */

static struct entry *entry_of(struct rated *rated)
{
    return rated ? (struct entry *)(void *)((char *)rated - offsetof(struct entry, rated)) : NULL;
}

static size_t weight(const struct entry *entry)
{
    return sizeof *entry + entry->key.length + blob_weight(entry->blob);
}

/* Admits the entry. Evicted entries are linked by `next`: the caller drops them without the
   lock. */
static struct entry *admit(struct cache *cache, struct entry *entry)
{
    entry->rated.weight = weight(entry);
    blob_keep(entry->blob);
    struct entry *gone = NULL;
    for (struct rated *rated = policy_admit(cache->policy, &entry->rated), *next; rated;
         rated = next) {
        next = rated->next;
        take_out(cache, entry_of(rated));
        blob_let_go(entry_of(rated)->blob);
        entry_of(rated)->next = gone;
        gone = entry_of(rated);
    }
    return gone;
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
    policy_remove(cache->policy, &entry->rated);
    take_out(cache, entry);
    blob_let_go(entry->blob);
    entry_drop(entry);
}

/* ---- waiters, under the lock ----------------------------------------------------------------- */

static void add_waiter(struct entry *entry, struct waiter *waiter)
{
    assert(!waiter->entry && !waiter->blob && waiter->wake);
    waiter->entry = entry;
    waiter->before = NULL;
    waiter->next = entry->waiters;
    if (waiter->next)
        waiter->next->before = waiter;
    entry->waiters = waiter;
}

static void remove_waiter(struct entry *entry, struct waiter *waiter)
{
    assert(waiter->before ? waiter->before->next == waiter : entry->waiters == waiter);
    *(waiter->before ? &waiter->before->next : &entry->waiters) = waiter->next;
    if (waiter->next)
        waiter->next->before = waiter->before;
    waiter->entry = NULL;
}

/* Gives each waiter a reference; they stay linked by `next`. */
static struct waiter *hand_out(struct entry *entry, struct blob *blob, const struct timing *timing)
{
    for (struct waiter *waiter = entry->waiters; waiter; waiter = waiter->next) {
        waiter->entry = NULL;
        waiter->blob = blob ? blob_ref(blob) : NULL;
        waiter->timing = *timing;
    }
    return entry->waiters;
}

/* Whether the blob stays valid: for ever, or until the entry expires. */
static bool is_worth_keeping(const struct entry *entry)
{
    const struct blob *blob = entry->blob;
    return blob && (!blob->fault || fault_rows[blob->fault].lasts || entry->until);
}

/* Keeps a settled entry, or removes it. Returns removed entries, linked by `next`. */
static struct entry *keep_or_discard(struct cache *cache, struct entry *entry, struct blob *blob)
{
    bool in_table = !atomic_load(&entry->abandoned); /* until the last waiter left */
    entry->blob = blob;
    entry->waiters = NULL;
    if (in_table && is_worth_keeping(entry))
        return admit(cache, entry);
    if (in_table)
        take_out(cache, entry);
    entry->next = NULL;
    return entry;
}

/* ---- public ---------------------------------------------------------------------------------- */

/* An entry that is to be made, or NULL. */
static struct entry *begin(struct cache *cache, uint64_t hash, const struct key *key)
{
    struct entry *entry = entry_new(hash, key);
    if (!entry)
        return NULL;
    insert(cache, entry);
    return entry;
}

static enum claim claim(struct cache *cache, uint64_t hash, const struct key *key,
                        struct waiter *waiter, struct blob **blob, struct entry **mine)
{
    struct entry *entry = find(cache, hash, key);
    if (entry && (is_over(entry) || (waiter->insists && may_be_tried(entry)))) {
        forget(cache, entry);
        entry = NULL;
    }
    if (entry && entry->blob) {
        policy_ask(&entry->rated); /* its cost and weight are set from here on */
        *blob = blob_ref(entry->blob);
        return CLAIM_HIT;
    }
    enum claim outcome = entry ? CLAIM_WAIT : CLAIM_MINE;
    if (!entry && !(entry = begin(cache, hash, key)))
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

void cache_settle(struct cache *cache, struct entry *entry, struct blob *blob,
                  const struct timing *timing)
{
    pthread_mutex_lock(&cache->lock);
    assert(!entry->blob);
    struct waiter *waiter = hand_out(entry, blob, timing);
    struct entry *gone = keep_or_discard(cache, entry, blob);
    pthread_mutex_unlock(&cache->lock);
    for (struct waiter *next; waiter; waiter = next) {
        next = waiter->next;
        waiter->wake(waiter);
    }
    drop_linked(gone);
}

bool cache_leave(struct cache *cache, struct waiter *waiter)
{
    pthread_mutex_lock(&cache->lock);
    struct entry *entry = waiter->entry;
    if (entry)
        remove_waiter(entry, waiter);
    if (entry && !entry->waiters) {
        atomic_store(&entry->abandoned, true);
        take_out(cache, entry);
        if (cache->withdraw(cache->arg, &entry->job))
            entry_drop(entry);
    }
    pthread_mutex_unlock(&cache->lock);
    return entry != NULL;
}

void entry_allow(struct entry *entry, int64_t deadline)
{
    int_least64_t known = atomic_load(&entry->deadline);
    while (known < deadline && !atomic_compare_exchange_weak(&entry->deadline, &known, deadline))
        ;
}

bool cache_join(struct cache *cache, const struct waiter *beside, struct waiter *waiter,
                int64_t deadline)
{
    pthread_mutex_lock(&cache->lock);
    struct entry *entry = beside->entry;
    if (entry) {
        add_waiter(entry, waiter);
        entry_allow(entry, deadline);
    }
    pthread_mutex_unlock(&cache->lock);
    return entry;
}

/* The estimate may be too low: then progress approaches 1 ever more slowly. */
static double progress_of(const struct entry *entry)
{
    double steps = (double)atomic_load(&entry->steps);
    double expected = (double)atomic_load(&entry->steps_expected);
    return expected <= 0 ? 0 : steps < 0.99 * expected ? steps / expected : 0.99;
}

bool cache_progress(struct cache *cache, const struct waiter *waiter, double *progress)
{
    pthread_mutex_lock(&cache->lock);
    const struct entry *entry = waiter->entry;
    *progress = entry ? progress_of(entry) : 0.99;
    bool begun = !entry || atomic_load(&entry->steps_expected);
    pthread_mutex_unlock(&cache->lock);
    return begun;
}

struct blob *cache_find(struct cache *cache, const struct key *key)
{
    uint64_t hash = hash_id(cache, key->id);
    pthread_mutex_lock(&cache->lock);
    struct entry *entry = find(cache, hash, key);
    struct blob *blob = entry && entry->blob && !is_over(entry) ? blob_ref(entry->blob) : NULL;
    if (blob)
        policy_ask(&entry->rated);
    pthread_mutex_unlock(&cache->lock);
    return blob;
}

void cache_offer(struct cache *cache, const struct key *key, struct blob *blob, uint64_t cost)
{
    uint64_t hash = hash_id(cache, key->id);
    struct entry *gone = NULL;
    pthread_mutex_lock(&cache->lock);
    struct entry *entry = find(cache, hash, key) ? NULL : begin(cache, hash, key);
    if (entry) {
        entry->blob = blob;
        entry->rated.cost = cost;
        gone = admit(cache, entry);
    }
    pthread_mutex_unlock(&cache->lock);
    if (!entry)
        blob_drop(blob);
    drop_linked(gone);
}

char *cache_address(struct cache *cache, const char *id)
{
    char *copy = NULL;
    uint64_t hash = hash_id(cache, id);
    pthread_mutex_lock(&cache->lock);
    struct entry *entry = cache->buckets[hash & cache->mask];
    while (entry && (entry->hash != hash || strcmp(entry->key.id, id) != 0))
        entry = entry->next;
    if (entry && (copy = malloc(entry->key.length + 1))) {
        memcpy(copy, entry->address, entry->key.length);
        copy[entry->key.length] = '\0';
    }
    pthread_mutex_unlock(&cache->lock);
    return copy;
}

struct cache_state cache_state(struct cache *cache)
{
    pthread_mutex_lock(&cache->lock);
    struct policy_state policy = policy_state(cache->policy);
    struct cache_state state = {policy.bytes, cache->entries, policy.evicted};
    pthread_mutex_unlock(&cache->lock);
    return state;
}
