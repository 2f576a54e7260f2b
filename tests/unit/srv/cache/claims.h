/* claims.h: a cache of answers for tests: keys by the address alone, and claims on them. */
#ifndef MAPWRIGHT_CLAIMS_H
#define MAPWRIGHT_CLAIMS_H

#include "srv/cache/cache.h"

#include <stdio.h>
#include <string.h>

static const struct mw_encoder encoders[2];
static struct cache *cache;
static int woken;

static inline struct key key_of(const char *address)
{
    struct key key = {.encoder = encoders, .address = address, .length = strlen(address)};
    snprintf(key.id, sizeof key.id, "%.36s", address);
    return key;
}

static inline struct key key_number(int number)
{
    static char names[8][32];
    static int next;
    char *name = names[next++ % 8];
    snprintf(name, sizeof names[0], "/%d", number);
    return key_of(name);
}

static inline size_t measured(enum gauge gauge)
{
    int64_t gauges[GAUGE_END];
    cache_measure(cache, gauges);
    return (size_t)gauges[gauge];
}

static inline void count_wake(void *owner)
{
    woken++;
    blob_drop(((struct waiter *)owner)->blob);
}

static inline struct blob *bytes(size_t length)
{
    struct blob *blob = blob_reserve(length, "text/plain");
    memset(blob->bytes, 'x', length);
    return blob;
}

/* A connection that waits for a map. */
struct asked {
    struct key key;
    struct waiter waiter;
    struct entry *entry;
    enum claim claim;
};

static inline void claim(struct asked *asked, struct key key)
{
    struct blob *blob = NULL;
    *asked = (struct asked){.key = key, .waiter = {.wake = count_wake, .owner = &asked->waiter}};
    asked->claim = cache_claim(cache, &asked->key, &asked->waiter, &blob, &asked->entry);
    blob_drop(blob);
}

#endif
