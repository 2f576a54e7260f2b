/* service.h: what all threads share, made in main.c and unmade there in reverse. */
#ifndef MAPWRIGHT_SERVICE_H
#define MAPWRIGHT_SERVICE_H

#include "srv/base/config.h"
#include "srv/box/box.h"
#include "srv/cache/cache.h"
#include "srv/cache/keys.h"
#include "srv/cache/limits.h"
#include "srv/cache/operation.h"
#include "srv/cache/pool.h"
#include "srv/out/metrics.h"
#include "srv/share/store.h"

struct service {
    struct config config;
    struct cache *cache;
    struct pool *pool;
    struct box *boxes;   /* one for each worker of the pool: where it makes maps */
    struct store *store; /* shared with other copies; NULL: there is none */
    struct operations *operations;
    struct limits *limits;  /* of each client */
    struct keys *keys;      /* of clients; NULL: none is needed */
    atomic_bool leaving;    /* load balancers should use another copy */
    atomic_bool draining;   /* no new connections; each open one gets its last answer */
    atomic_bool abort_runs; /* runs end at their next step */
    atomic_int connections;
};

/* False: `what` was missing. */
bool service_init(struct service *, const struct config *, const char **what);
void service_release(struct service *);

/* After the I/O threads have ended: ends all runs, and waits until none is left or the time is
   over. How many runs are left: then their threads still use the service, so it must not be
   released. */
int service_stop(struct service *, int64_t until);

/* task.c: has the entry settled, by a worker or at once, on behalf of a client: with its map or a
   fault, be it one of this moment: too busy, draining, too late. */
void task_begin(struct service *, struct entry *, uint64_t client, bool patient);
/* The same by the job that it has. */
void task_submit(struct service *, struct entry *);

/* A copy of the address of a map that is kept or being made, malloc'd; NULL: none, or no memory. */
char *service_address(struct service *, const char *id);

/* The gauges of metrics_write. */
void service_measure(struct service *, int64_t gauges[GAUGE_END]);

#endif
