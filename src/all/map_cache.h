/*
 * map_cache.h: where a host keeps maps that others are built on.
 *
 * The library keeps nothing. A host that makes many maps may give a run a cache, which is searched
 * for each map below another and given each that had to be made, as bytes. The result of the run is
 * the same with a cache and without.
 */
#ifndef MAPWRIGHT_MAP_CACHE_H
#define MAPWRIGHT_MAP_CACHE_H

#include "lib/gen.h"

/* What making a map takes of a run. */
struct mw_usage {
    uint64_t steps;
    size_t peak, kept; /* bytes of the block: at most, and when it is made */
};

/* Neither is called with a lock that it may want, nor may it call back into the run. */
struct mw_map_cache {
    /* The bytes of the map of that address, which stay where they are until the run is over; NULL:
       they are not there. */
    const void *(*find)(void *arg, const struct mw_request *);
    /* A map was made that was not there: a host that wants it has it written by mw_pack. */
    void (*keep)(void *arg, const struct mw_map *, const struct mw_usage *);
    void *arg;
};

/* Before mw_make. It outlives the run. */
void mw_set_map_cache(struct mw_run *, const struct mw_map_cache *);

/* Writes a map down as it is in memory, for a run of this very process; returns how many bytes
   that are. `to`: at a multiple of 16; NULL: it is only measured. */
size_t mw_pack(const struct mw_map *, const struct mw_usage *, char *to);

/* mw_make of a map below another whose params are complete: from the cache, if it is there. */
const struct mw_map *mw_make_below(struct mw_run *, const struct mw_request *);

#endif
