/*
 * pool.h: workers, each with one block of memory, and the bounded queue before them.
 *
 * A job is settled exactly once: by `run` on a worker, or by `refuse` when it waited too long.
 */
#ifndef MAPWRIGHT_POOL_H
#define MAPWRIGHT_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct job {
    /* Settles it on a worker, in the worker's memory; answers how many bytes of it were touched. */
    size_t (*run)(struct job *, void *memory, size_t size);
    /* Settles it when it waited too long. */
    void (*refuse)(struct job *);
    void *arg;            /* theirs */
    uint64_t nanoseconds; /* of one core, as estimated */
    uint64_t bytes;       /* of memory, likewise */
    uint64_t client;      /* who asks: one number for each */
    /* the pool's */
    struct job *next, *before;
    bool queued;
    int64_t submitted; /* clock_now */
};

struct pool;

struct pool_plan {
    int workers;
    int queue;     /* jobs that may wait */
    int64_t wait;  /* longest wait, in microseconds */
    size_t memory; /* of each worker's block */
};

/* NULL without the memory or threads. */
struct pool *pool_new(const struct pool_plan *);
/* Runs what is queued, then ends the workers. */
void pool_drop(struct pool *);

/* False: the queue is full. */
bool pool_submit(struct pool *, struct job *);
/* Takes a job back; false when it is not waiting any more. */
bool pool_withdraw(struct pool *, struct job *);
/* Refuses those that waited too long. */
void pool_expire(struct pool *, int64_t now);

struct pool_state {
    int waiting, running, workers;
};
struct pool_state pool_state(struct pool *);

/* Address space of which only touched pages count; NULL without. */
void *block_new(size_t size);
void block_drop(void *, size_t size);
/* Gives the pages back when many were touched. */
void block_trim(void *, size_t size, size_t touched);

#endif
