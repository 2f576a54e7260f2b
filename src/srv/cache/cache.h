/*
 * cache.h: answers by address, bounded in bytes, made once.
 *
 * An entry begins as a claim that is under way, with the exchanges that wait for it; settling it
 * keeps the blob, or drops a fault that is not the address's, and wakes them all. Which stay when
 * there are too many is a matter of policy.h. Nothing grows stale: an address always means the same
 * bytes; an entry that has an end is one of the moment, that it may not be tried again and again.
 */
#ifndef MAPWRIGHT_CACHE_H
#define MAPWRIGHT_CACHE_H

#include "mapwright_host.h"
#include "policy.h"
#include "pool.h"
#include "srv/base/blob.h"
#include "srv/out/coding.h"

#include <stdatomic.h>

struct key {
    const struct mw_encoder *encoder;
    struct mw_look look; /* the fields that the encoder uses */
    enum coding coding;
    const struct mw_generator *generator; /* follows from the address */
    const char *address;
    size_t length;
    char id[37];
};

/* Microseconds of each part of a run. */
struct timing {
    int64_t store, queue, make, encode;
};

struct waiter {
    struct waiter *next, *before;
    struct entry *entry; /* NULL: not waiting, or no more */
    struct blob *blob;   /* once woken: one reference, or NULL where memory ended */
    struct timing timing;
    bool insists;                  /* it does not take a fault that has an end, but for a crash */
    void (*wake)(struct waiter *); /* called once, on any thread, with no lock held */
};

struct entry {
    struct entry *next; /* in its bucket */
    struct blob *blob;  /* NULL: under way */
    struct waiter *waiters;
    atomic_bool abandoned;         /* the last waiter has left */
    int64_t begun;                 /* clock_now, when it was first asked for */
    atomic_int_least64_t deadline; /* likewise; may move away */
    /* of its run; none are expected before it begins */
    atomic_uint_least64_t steps, steps_expected;
    struct job job;
    unsigned kind;       /* of its job, when the map is made */
    struct mw_cost cost; /* of its run */
    int64_t asked;       /* microseconds that the store took to answer; 0: it was not asked */
    /* for its maker to set, before it is settled */
    int64_t until;      /* clock_now when it shall be forgotten; 0: never. Any fault with an end is
                           kept, be it not the address's */
    struct rated rated; /* `cost` alone */
    uint64_t hash;
    struct key key; /* its address follows */
    char address[];
};

struct cache;
struct cache_state {
    size_t bytes, entries;
    uint64_t evicted;
};

/* `withdraw` takes the job of an abandoned entry back; false when it is running already. */
struct cache *cache_new(size_t bytes, bool (*withdraw)(void *arg, struct job *), void *arg);
void cache_drop(struct cache *);

enum claim { CLAIM_HIT, CLAIM_WAIT, CLAIM_MINE, CLAIM_NO_MEMORY };

/*
 * HIT: *blob is the answer, with a reference. WAIT: another is making it, the waiter is on the
 * list. MINE: so it is, and the caller sees to it that *entry is settled, with its cost.
 */
enum claim cache_claim(struct cache *, const struct key *, struct waiter *, struct blob **,
                       struct entry **);
/* Takes the blob's reference; NULL: there is none for lack of memory. One too heavy to be kept goes
   to those who wait, and is gone with the last of them. */
void cache_settle(struct cache *, struct entry *, struct blob *, const struct timing *);
/* Removes a waiter from its list; false: it is being woken. */
bool cache_leave(struct cache *, struct waiter *);

/* Its run may go on until then at least. */
void entry_allow(struct entry *, int64_t deadline);

/* Another waits for what `beside` waits for, until that deadline at least; false: it is being
   woken. */
bool cache_join(struct cache *, const struct waiter *beside, struct waiter *, int64_t deadline);
/* How far the run is that is waited for, from 0 to 1; false: it has not begun. */
bool cache_progress(struct cache *, const struct waiter *, double *progress);

/* The blob of a settled entry, with a reference, or NULL. */
struct blob *cache_find(struct cache *, const struct key *);
/* Adds a blob that was made without a claim, unless the key is there; takes the reference. */
void cache_offer(struct cache *, const struct key *, struct blob *, uint64_t cost);
/* A copy of the address of a map that is kept, malloc'd; NULL: none, or no memory. */
char *cache_address(struct cache *, const char *id);

struct cache_state cache_state(struct cache *);

#endif
