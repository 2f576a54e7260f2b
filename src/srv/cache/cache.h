/*
 * cache.h: answers by address, bounded in bytes, made once.
 *
 * A miss adds an entry that is under way, with a list of the exchanges that wait for it. Settling
 * it keeps its blob, or drops a fault that does not belong to the address, and wakes the waiters.
 * What is evicted is decided by how often an answer is asked for, and by what it cost for its size
 * (cache.c). Nothing grows stale, as an address always means the same bytes. Entries that expire
 * are faults of the moment, kept so that they are not retried at once.
 */
#ifndef MAPWRIGHT_CACHE_H
#define MAPWRIGHT_CACHE_H

#include "mapwright_host.h"
#include "pool.h"
#include "srv/base/blob.h"
#include "srv/out/coding.h"
#include "srv/out/metrics.h"

#include <stdatomic.h>
#include <sys/queue.h>

struct key {
    const struct mw_encoder *encoder;
    struct mw_look look; /* the fields that the encoder uses */
    enum coding coding;
    const struct mw_generator *generator; /* follows from the address, */
    struct mw_cost cost;                  /* and this from address and encoder */
    const char *address;
    size_t length;
    char id[37];
};

/* Microseconds of each phase of a run. */
struct timing {
    int64_t of[PHASE_SEND];
};

struct waiter {
    LIST_ENTRY(waiter) link;
    struct entry *entry; /* NULL: it does not wait */
    struct blob *blob;   /* once woken: one reference, or NULL: out of memory */
    struct timing timing;
    bool patient; /* it has the time of work without a waiting connection: so it retries faults that
                     expire, except a crash */
    void (*wake)(void *owner); /* called once, on any thread, with no lock held */
    void *owner;
};

struct entry {
    LIST_ENTRY(entry) link; /* in its slot */
    struct blob *blob;      /* NULL: under way */
    LIST_HEAD(, waiter) waiters;
    atomic_bool abandoned;         /* the last waiter has left */
    int64_t begun;                 /* clock_now, when it was first asked for */
    atomic_int_least64_t deadline; /* clock_now; may be extended */
    atomic_uint_least64_t steps;   /* of its run; 0: it has not begun */
    struct job job;
    struct timing timing;
    /* set before it is settled */
    int64_t until; /* clock_now when it shall be forgotten; 0: never. Any fault with an end is kept,
                      even if the address did not cause it */
    uint64_t took; /* nanoseconds that making it took */
    /* once it is kept: its place in a queue of the policy */
    TAILQ_ENTRY(entry) place;
    size_t weight;    /* bytes */
    unsigned credits; /* rounds of the main queue that it survives */
    bool in_main;     /* it has left the queue of new answers */
    uint64_t hash;    /* of the id */
    struct key key;   /* its address follows */
    char address[];
};

static inline struct entry *entry_of(struct job *job)
{
    return (struct entry *)(void *)((char *)job - offsetof(struct entry, job));
}

struct cache;

struct cache *cache_new(size_t bytes);
void cache_drop(struct cache *);

enum claim { CLAIM_HIT, CLAIM_WAIT, CLAIM_MINE, CLAIM_NO_MEMORY };

/*
 * HIT: *blob is the answer, with a reference. WAIT: another is making it, the waiter is on the
 * list. MINE: nobody makes it yet; the caller must settle *entry.
 */
enum claim cache_claim(struct cache *, const struct key *, struct waiter *, struct blob **,
                       struct entry **);
/* Takes the blob's reference; NULL: there is none for lack of memory. One too heavy to be kept is
   freed after the last waiter. */
void cache_settle(struct cache *, struct entry *, struct blob *);
/* Removes a waiter from its list; false: it is being woken. The last takes the job with it, unless
   that runs already. */
bool cache_leave(struct cache *, struct waiter *);

/* Another waits for what `beside` waits for, until that deadline at least; false: it is being
   woken. */
bool cache_join(struct cache *, const struct waiter *beside, struct waiter *, int64_t deadline);
/* Progress of the run that it waits for, from 0 to 1; false: it has not begun. */
bool cache_progress(struct cache *, const struct waiter *, double *progress);

/* The blob of a settled entry, with a reference, or NULL. */
struct blob *cache_find(struct cache *, const struct key *);
/* A copy of the address of a map that is kept, malloc'd; NULL: none, or no memory. */
char *cache_address(struct cache *, const char *id);

/* The gauges of the cache. */
void cache_measure(struct cache *, int64_t gauges[GAUGE_END]);

#endif
