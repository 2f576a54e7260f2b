/*
 * base_cache.h: the maps that the map of a run stands on (its bases), from the service's cache.
 *
 * They are kept packed, beside the answers, by the same policy, under an encoder that no client can
 * name. Two runs that want the same base at the same time both make it.
 */
#ifndef MAPWRIGHT_BASE_CACHE_H
#define MAPWRIGHT_BASE_CACHE_H

#include "srv/cache/cache.h"
#include "srv/cache/output.h"

/* For one run; the rest is zeros. */
struct base_cache {
    struct cache *cache;
    struct output *output;
    size_t largest; /* bytes of one map */
    struct blob *found[MW_BASES_MAX];
    int count;       /* found: so much of the run's work was saved */
    size_t promised; /* bytes of copies in the worker process */
};

/* A packed map, which stays until base_cache_end; NULL: it is not there. */
const struct blob *base_cache_find(struct base_cache *, const char *address, size_t length);
/* Room for a packed map; NULL: it is not wanted. */
struct blob *base_cache_make_room(const struct base_cache *, size_t size);
/* Takes that blob, once it is filled. */
void base_cache_keep(const struct base_cache *, const char *address, size_t length, struct blob *,
                     uint64_t nanoseconds);
void base_cache_end(struct base_cache *);

#endif
