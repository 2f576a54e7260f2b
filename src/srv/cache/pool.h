/*
 * pool.h: workers, the memory that they share, and what waits for them.
 *
 * A job is settled exactly once: by `run` on a worker, or by `refuse` when it waited too long.
 * A job that pool_submit did not take is settled by its caller.
 */
#ifndef MAPWRIGHT_POOL_H
#define MAPWRIGHT_POOL_H

#include "srv/base/config.h"
#include "srv/out/metrics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pool;

struct job {
    /* Settles the job on a worker, in at most so many bytes of memory, or submits it again. True:
       it took as long as such a job takes, which is learned. */
    bool (*run)(struct job *, size_t size);
    /* Settles a job that waited too long. */
    void (*refuse)(struct job *);
    void *arg;         /* for both */
    unsigned kind;     /* of work: run times are learned by kind */
    uint64_t estimate; /* nanoseconds on one core */
    uint64_t bytes;    /* of memory */
    uint64_t client;   /* struct client's key */
    int64_t patience;  /* microseconds that it may wait; 0: the pool's default */
    /* set by the pool */
    struct pool *pool; /* NULL: it was never submitted */
    int64_t expected;  /* microseconds that it will wait, or would have waited: for Retry-After */
    int64_t submitted; /* clock_now */
    uint64_t charge;   /* expected time of the whole pool, in nanoseconds */
    size_t need;       /* bytes beyond the worker's own */
    bool slow;         /* its lane */
    bool overran;      /* it ran in the fast lane and took too long */
    int worker;        /* that runs it, counted from 0 */
    struct job *next, *before;
    uint64_t turn;
    bool queued;
};

/* By --workers, --queue, --wait-ms and --memory. NULL without memory or threads. */
struct pool *pool_new(const struct config *);
/* Runs what is queued, then ends the workers. */
void pool_drop(struct pool *);

/* False: it would wait too long, by `expected`, or too many jobs wait. */
bool pool_submit(struct pool *, struct job *);
/* Removes a waiting job from its pool; false: it runs, or is being refused. */
bool pool_withdraw(struct job *);
/* Refuses the jobs that have waited too long. */
void pool_expire(struct pool *, int64_t now);
/* Called by a job that runs. True: it is not fast, and keeps fast ones waiting: it must end and
   be submitted again. */
bool pool_overruns(struct pool *, struct job *);
/* Expected nanoseconds of work of a kind. */
uint64_t pool_expect(struct pool *, unsigned kind, uint64_t estimate);
/* The most memory that one job can be given. */
size_t pool_most(const struct pool *);
/* Bytes that a worker keeps between jobs: a job that needs more gives back what it got beyond. */
size_t pool_own(const struct config *);

/* The gauges of the pool. */
void pool_measure(struct pool *, int64_t gauges[GAUGE_END]);

#endif
