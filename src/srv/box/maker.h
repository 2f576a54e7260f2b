/* maker.h: makes one map in one block of memory: all of the service that runs in a worker process.
   It needs no heap, file or lock. */
#ifndef MAPWRIGHT_MAKER_H
#define MAPWRIGHT_MAKER_H

#include "mapwright_host.h"

struct maker_order {
    char encoder[16]; /* its name */
    struct mw_look look;
    char id[37];
    size_t length; /* of the address */
    size_t size;   /* of the block */
};

struct made {
    size_t problems; /* how many; 0: the map was made */
    size_t length;   /* bytes of the problems, or of the encoded map */
    size_t peak;     /* bytes of the block */
    uint64_t steps;
    int64_t make, encode; /* microseconds */
};

struct maker {
    const struct maker_order *order;
    const char *address;
    void *block;
    bool (*stop)(void *arg, uint64_t steps); /* as in struct mw_limits */
    void *arg;
};

/* The encoded map, or an array of struct mw_problem: in the block. */
const void *maker_run(const struct maker *, struct made *);

#endif
