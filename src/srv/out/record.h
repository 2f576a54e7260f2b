/* record.h: a request that is over, for metrics.c and log.c. */
#ifndef MAPWRIGHT_RECORD_H
#define MAPWRIGHT_RECORD_H

#include "api/fault.h"
#include "mapwright_host.h"

#include <stddef.h>
#include <stdint.h>

/* Where the time of a request goes. All but the last are shared by all requests that wait for the
   same map. */
enum phase { PHASE_STORE, PHASE_QUEUE, PHASE_MAKE, PHASE_ENCODE, PHASE_SEND, PHASE_END };

/* By enum phase. */
extern const char *const phase_names[PHASE_END];

/* Texts live as long as the record; one that is not known is NULL. */
struct record {
    const char *id, *method, *path, *query, *client;
    const char *self; /* the map's address, of which at most RECORD_SELF bytes need be there */
    size_t self_length;
    const char *cache; /* hit, miss, wait or none */
    const char *traceparent;
    const struct mw_generator *generator; /* NULL: not the request of a map, */
    const struct mw_encoder *encoder;     /* or its format is not known */
    unsigned route;                       /* its name: see metrics_write */
    unsigned status;
    enum fault fault;
    uint64_t bytes; /* of the body */
    /* microseconds, -1 where there was none */
    int64_t duration, phases[PHASE_END];
};

enum { RECORD_SELF = 1600 };

#endif
