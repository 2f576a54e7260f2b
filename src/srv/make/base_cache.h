/*
 * base_cache.h: the maps that the map of a run stands on (its bases), from the service's cache.
 *
 * They are kept packed, beside the answers, by the same policy, under an encoder that no client can
 * name. Two runs that want the same base at the same time both make it.
 */
#ifndef MAPWRIGHT_BASE_CACHE_H
#define MAPWRIGHT_BASE_CACHE_H

#include "all/map_cache.h"
#include "service.h"

/* For one run. */
struct base_cache {
    struct mw_map_cache map_cache; /* for mw_set_map_cache */
    struct service *service;
    struct blob *found[MW_BASES_MAX];
    int count;      /* found: so much of the run's work was saved */
    uint64_t began; /* clock_cpu: since then the run makes what was not found */
};

void base_cache_begin(struct base_cache *, struct service *);
void base_cache_end(struct base_cache *);

#endif
