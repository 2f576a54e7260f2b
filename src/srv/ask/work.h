/* work.h: an address becomes bytes, on a worker. */
#ifndef MAPWRIGHT_WORK_H
#define MAPWRIGHT_WORK_H

#include "srv/keep/cache.h"

/* What a run is given, and what it leaves. */
struct work {
    const struct key *key;
    void *memory;
    size_t size;
    bool (*stop)(void *arg);
    void *arg;
    struct timing timing; /* of make and encode */
    size_t touched;       /* bytes of memory */
};

/* The blob, which may be a fault's; NULL without memory. A run that was stopped is FAULT_LATE. */
struct blob *work_do(struct work *);

#endif
