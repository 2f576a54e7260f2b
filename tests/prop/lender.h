/* lender.h: a host with a cache of every map that others are built on. */
#ifndef MAPWRIGHT_LENDER_H
#define MAPWRIGHT_LENDER_H

#include "all/map_cache.h"

enum { LENDER_MOST = 16 };

struct lender {
    struct mw_map_cache map_cache;
    struct kept {
        char *address;
        struct mw_packed_map *bytes;
        size_t size;
    } kept[LENDER_MOST];
    int count, lent;
};
void lender_begin(struct lender *);
void lender_end(struct lender *);
/* The hash of all that is kept: nobody who has it may change it. */
uint64_t lender_hash(const struct lender *);

#endif
