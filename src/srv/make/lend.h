/*
 * lend.h: maps that others stand on, lent to runs by the cache.
 *
 * They are kept beside answers, packed, by an encoder that no client can name; the same policy says
 * what stays, by what making it took. Nobody waits for one: two runs that want the same one at the
 * same moment make it each.
 */
#ifndef MAPWRIGHT_LEND_H
#define MAPWRIGHT_LEND_H

#include "all/map_cache.h"
#include "service.h"

/* What a run has from the cache, until it is over. */
struct loan {
    struct mw_map_cache map_cache;
    struct service *service;
    struct blob *lent[MW_BASES_MAX];
    int count;      /* that were lent: it took less than it would take elsewhere */
    uint64_t began; /* clock_cpu: what was not found is made since then */
};

void loan_begin(struct loan *, struct service *);
void loan_end(struct loan *);

#endif
