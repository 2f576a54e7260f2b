/*
 * queue.h: jobs that wait for workers, served round robin by client.
 *
 * No threads and no lock here: the pool has them.
 */
#ifndef MAPWRIGHT_QUEUE_H
#define MAPWRIGHT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum outcome {
    JOB_DONE, /* settled */
    JOB_CUT,  /* settled early: its run time is not learned */
    JOB_AGAIN /* not settled: to be submitted again, as it is now */
};

struct job {
    /* Runs the job on a worker, in at most so many bytes of memory. */
    enum outcome (*run)(struct job *, size_t size);
    /* Settles a job that waited too long. */
    void (*refuse)(struct job *);
    void *arg;         /* for both */
    struct pool *pool; /* from which it may be withdrawn; NULL: it will not be */
    unsigned kind;     /* of work: run times are learned by kind (pace.h) */
    uint64_t estimate; /* nanoseconds on one core */
    uint64_t bytes;    /* of memory */
    uint64_t client;   /* struct client's key */
    int64_t patience;  /* microseconds that it may wait; 0: the pool's default */
    /* set by the pool */
    int64_t expected;  /* microseconds that it will wait, or would have waited: for Retry-After */
    int64_t submitted; /* clock_now */
    int64_t until;     /* clock_now at which it is refused */
    uint64_t nanoseconds; /* expected run time on this machine */
    uint64_t charge;      /* expected time of the whole pool, in nanoseconds */
    size_t need;          /* bytes beyond the worker's own */
    bool slow;            /* its lane */
    bool overran;         /* it ran in the fast lane and took too long */
    struct worker *worker;
    /* set by the queue */
    struct job *next, *before;
    uint64_t turn;
    bool queued;
};

enum { QUEUE_SLOTS = 256 };

/* All zeros: empty. */
struct queue {
    struct job *first, *last; /* by turn */
    uint64_t work;            /* sum of charges */
    int length;               /* jobs */
    uint64_t turn;            /* of the job that was taken last */
    /* of the clients whose keys fall into each slot: jobs that wait, and the turn of the last */
    int waiting[QUEUE_SLOTS];
    uint64_t turns[QUEUE_SLOTS];
};

void queue_put(struct queue *, struct job *);
void queue_remove(struct queue *, struct job *);
/* Removes the first job, as its turn has come. */
void queue_take(struct queue *, struct job *);
/* Removes every job whose `until` has passed, and links them by `next`. */
struct job *queue_take_overdue(struct queue *, int64_t now);
/* The sum of charges that run before this job, if it is put in now and none comes after it. */
uint64_t queue_ahead(const struct queue *, const struct job *);

#endif
