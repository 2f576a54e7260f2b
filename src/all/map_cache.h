/*
 * map_cache.h: a host's cache of maps that others are built on.
 *
 * The library keeps nothing. A host that makes many maps may give a run a cache, which is searched
 * for each map below another and is given each that had to be made, as bytes. The result of the run
 * is the same with a cache and without.
 */
#ifndef MAPWRIGHT_MAP_CACHE_H
#define MAPWRIGHT_MAP_CACHE_H

#include "lib/gen.h"

/* A map as bytes, for runs of this very program: this header, and behind it the part of the block
   that the map occupies. */
struct mw_packed_map {
    uint64_t steps;   /* that making it took */
    size_t peak;      /* bytes of the block: at most */
    size_t size;      /* and once it is made */
    const char *from; /* where these bytes lay in the block */
};

/* Neither is called with a lock that it may want, nor may it call back into the run. */
struct mw_map_cache {
    /* The map of that address, header and bytes, which stay where they are until the run is over;
       NULL: it is not there. */
    const struct mw_packed_map *(*find)(void *arg, const struct mw_request *);
    /* A map was made that was not there. Its bytes are at map->from, and stay there until the run
       is over. */
    void (*keep)(void *arg, const struct mw_request *, const struct mw_packed_map *);
    void *arg;
};

/* Before mw_make. It outlives the run. */
void mw_set_map_cache(struct mw_run *, const struct mw_map_cache *);

/* mw_make of a map below another whose params are complete: from the cache, if it is there. */
const struct mw_map *mw_make_below(struct mw_run *, const struct mw_request *);

#endif
