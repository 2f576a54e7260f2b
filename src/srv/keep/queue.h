/*
 * queue.h: jobs that wait for workers, fairly among those who ask.
 *
 * No threads here and no lock: they are the pool's.
 */
#ifndef MAPWRIGHT_QUEUE_H
#define MAPWRIGHT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum outcome {
    JOB_DONE, /* settled */
    JOB_CUT,  /* settled before it was done: nothing is learned of its time */
    JOB_AGAIN /* not settled */
};

struct job {
    /* Settles it on a worker, in that memory; or, should it take more than it said, asks to be run
       again by what `estimate` and `bytes` say now. */
    enum outcome (*run)(struct job *, void *memory, size_t size);
    /* Settles it when it waited too long, or had to make room. */
    void (*refuse)(struct job *);
    void *arg;         /* theirs */
    unsigned kind;     /* of work: each is learned for itself how long it takes (pace.h) */
    uint64_t estimate; /* nanoseconds of one core */
    uint64_t bytes;    /* of memory */
    uint64_t client;   /* who asks: one number for each */
    int64_t patience;  /* microseconds that it may wait; 0: as long as others may */
    /* the pool's */
    int64_t expected;     /* microseconds that it will wait, or would have: for Retry-After */
    int64_t submitted;    /* clock_now; likewise */
    int64_t until;        /* it may wait */
    uint64_t nanoseconds; /* as expected here */
    uint64_t charge;      /* nanoseconds of all workers that it takes */
    size_t need;          /* bytes beside what its worker has anyway */
    bool dear;
    bool overran;          /* it was taken for a cheap one once */
    struct worker *worker; /* that runs it */
    /* the queue's */
    struct job *next, *before; /* of the same flow */
    bool queued;
};

enum { FLOWS = 256 };

/* The jobs of a client, or of some that fall together. */
struct flow {
    struct flow *next, *before; /* of those with jobs */
    struct job *first, *last;
    uint64_t start; /* of its next job, in the queue's time */
    uint64_t work;  /* charges that wait */
};

/* All zeros: empty. */
struct queue {
    struct flow *busy;
    uint64_t time;
    uint64_t work; /* charges that wait */
    int length;    /* jobs */
    struct flow flows[FLOWS];
};

void queue_put(struct queue *, struct job *);
/* Before all others. */
void queue_put_first(struct queue *, struct job *);
void queue_remove(struct queue *, struct job *);

/* Whose turn it is; NULL: nobody waits. */
struct job *queue_next(const struct queue *);
/* Removes it, as its client's turn. */
void queue_take(struct queue *, struct job *);

/* One that has waited for longer than it may; NULL: none has. */
struct job *queue_overdue(const struct queue *, int64_t now);
/* The newest of the client who has most waiting; NULL: nobody waits, or it would be this job were
   it put in. `job` may be NULL: nothing is to be put in. */
struct job *queue_displaced(const struct queue *, const struct job *);
/* The charges that would go before this job, were it put in. */
uint64_t queue_ahead(const struct queue *, const struct job *);

#endif
