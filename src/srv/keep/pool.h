/*
 * pool.h: workers, the memory that they share, and what waits for them.
 *
 * A job is settled exactly once: by `run` on a worker, or by `refuse` when it waited too long or
 * had to make room. Only one that pool_submit took is.
 */
#ifndef MAPWRIGHT_POOL_H
#define MAPWRIGHT_POOL_H

#include "queue.h"

struct pool;

struct pool_plan {
    int workers;
    int queue;     /* jobs that may wait */
    int64_t wait;  /* longest wait, in microseconds */
    size_t memory; /* bytes of all workers together */
};

/* NULL without the memory or threads. */
struct pool *pool_new(const struct pool_plan *);
/* Runs what is queued, then ends the workers. */
void pool_drop(struct pool *);

/* False: it would wait too long, or there is no room to wait: `expected` says when there may be. */
bool pool_submit(struct pool *, struct job *);
/* Takes a job back; false when it is not waiting any more. */
bool pool_withdraw(struct pool *, struct job *);
/* Refuses those that waited too long. */
void pool_expire(struct pool *, int64_t now);
/* Asked by a job that runs. True: it was taken for a cheap one, is not, and keeps others waiting:
   it is to end, and to be run again. */
bool pool_overruns(struct pool *, struct job *);
/* Nanoseconds that work of a kind will take. */
uint64_t pool_expect(struct pool *, unsigned kind, uint64_t estimate);
/* The most memory that one job can be given. */
size_t pool_most(const struct pool *);

struct pool_state {
    int waiting, running, workers;
    int dear_waiting, dear_running; /* of these */
    size_t reserved, memory;        /* bytes, and how many there are */
};
struct pool_state pool_state(struct pool *);

#endif
