/*
 * store.h: one memory for many copies of the service: dear maps, the addresses behind ids, and what
 * is being made where.
 *
 * It is a help and never in the way: a question is answered in time or said to be without an
 * answer, nothing waits for what is written, and what does not go well goes as if there were no
 * store. All is asked and told by one thread of its own (redis.h).
 *
 * A map that is in no copy's memory is made by one: whose question is answered with a claim. The
 * others wait, for a while, and hear how far it is. A claim ends by itself soon after its copy did.
 */
#ifndef MAPWRIGHT_STORE_H
#define MAPWRIGHT_STORE_H

#include "parcel.h"
#include "srv/base/store_url.h"
#include "srv/keep/operation.h"

#include <stdatomic.h>
#include <stdint.h>

struct store;

struct store_plan {
    struct store_url at;
    int64_t patience; /* microseconds for an answer */
    int64_t least;    /* microseconds that a map takes which is dear */
    bool log;         /* a line where it comes or goes */
    /* Of a promise that stands: elsewhere its client waived it. On the store's thread, with no
       lock held. */
    void (*waived)(void *arg, const char *id, uint64_t client);
    void *arg;
};

/* NULL without memory, threads or descriptors. */
struct store *store_new(const struct store_plan *);
/* From now on nothing is asked, and whoever waits is answered; what is to be kept is sent. */
void store_stop(struct store *);
/* After that, with nothing left to settle. */
void store_drop(struct store *);

bool store_is_open(const struct store *);
/* Whether it is there, and for a map that takes so long. NULL: there is none. */
bool store_wants(const struct store *, uint64_t nanoseconds);

/* ---- maps ------------------------------------------------------------------------------------ */

struct question;

/* Of whoever is to make a map. */
struct question_plan {
    const struct key *key;
    int64_t until; /* clock_now: so long it may wait for another copy */
    /* of the run here, there until the question is let go of; set to those there, while that is
       waited for */
    atomic_uint_least64_t *steps, *expected;
    /* Once, on the store's thread, with no lock held: what is kept (a reference), or NULL: the map
       is to be made, be it under a claim. */
    void (*answer)(void *arg, struct blob *found);
    void *arg;
};

/* False: there is nobody to be asked now. Otherwise *question is there before it is answered, and
   to be settled after. */
bool store_ask(struct store *, const struct question_plan *, struct question **);
/* Takes it back, if that is still to be; false: it is being answered, or was. */
bool store_withdraw(struct store *, struct question *);
/* Its run may be gone from now on: nobody looks at its steps. NULL: nothing was asked. */
void store_let_go(struct store *, struct question *);
/* It is over with, and so is its claim. NULL: nothing was asked. */
void store_settle(struct store *, struct question *);
/* For a map that was made: before its question is settled, if there is one. */
void store_keep(struct store *, const struct key *, const char *bytes, size_t length);

/* ---- promises -------------------------------------------------------------------------------- */

/* Says what became of one, for all copies; of one that stands it asks whether it was waived. */
void store_promise(struct store *, enum promise, const char *id, uint64_t client);

/* ---- addresses ------------------------------------------------------------------------------- */

/* Notes the address behind an id. */
void store_note(struct store *, const struct key *);

/* What there is of an id. All zeros to begin with, but for the first four. */
struct lookup {
    void (*answer)(struct lookup *); /* once, on the store's thread, with no lock held */
    void *arg;
    char id[37];
    uint64_t client;              /* who asks, */
    enum promise promise;         /* and what it was promised */
    char *address;                /* malloc'd; NULL: it is not known */
    char under_way[PARCEL_NAME];  /* what is being made of it somewhere; "": nothing is */
    uint64_t steps, expected;     /* of that */
    struct lookup *next, *before; /* the store's */
    bool waits;
};

/* False: there is nobody to be asked now. */
bool store_look_up(struct store *, struct lookup *);
/* Takes it back; false: it is being answered. */
bool store_leave(struct store *, struct lookup *);

#endif
