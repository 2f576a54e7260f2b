/*
 * store.h: a Redis or Valkey that all copies of the service share, used cache-aside.
 *
 * A worker looks there for a map that is slow to make, and what was made is written there. Besides
 * maps it has the addresses behind ids, and how far long work is that was answered by 202. The
 * service runs as well without it: no call waits longer than the patience, nothing waits for a
 * write, and a store that fails is left alone for a while.
 */
#ifndef MAPWRIGHT_STORE_H
#define MAPWRIGHT_STORE_H

#include "parcel.h"
#include "srv/base/store_url.h"
#include "srv/cache/operation.h"

struct store;

struct store_plan {
    struct store_url at;
    const char *ca;   /* file of CA certificates for TLS; NULL: those of the system */
    const char *key;  /* secret of the seals; "": none */
    size_t askers;    /* threads that use it at a time */
    int64_t patience; /* microseconds for an answer */
    int64_t least;    /* look up maps that take at least so many microseconds */
    /* Called on the store's thread, at least every half second while the store is reachable, and
       soon after store_wake: the time to call store_report. */
    void (*report)(void *arg);
    void *arg;
};

/* NULL without memory or a thread, or if there is no certificate in `ca`. */
struct store *store_new(const struct store_plan *);
/* Sends pending writes if that is possible at once. No other thread may use the store. */
void store_drop(struct store *);

bool store_is_open(const struct store *);
/* Whether it is reachable, and meant for a map that takes so long. The store may be NULL. */
bool store_wants(const struct store *, uint64_t nanoseconds);
void store_wake(struct store *);

/* ---- maps ------------------------------------------------------------------------------------ */

enum {
    STORED_NAME = 320,          /* bytes of a name */
    STORE_NANOSECONDS = 200000, /* roughly, of a look-up */
    LONGEST_ANSWER = 1 << 28,   /* bytes of a map that is kept, uncompressed */
};

/* The name of a map in its format and look. */
void stored_name(const struct key *, char name[STORED_NAME]);

/* Waits for the answer: for workers. The value that is there, with what is in it; NULL: none. */
struct blob *store_find_map(struct store *, const struct key *, struct parcel *);
void store_put_map(struct store *, const struct key *, const char *bytes, size_t length);
/* So that other copies know the map by its id. */
void store_put_address(struct store *, const char *id, const char *address, size_t length);

/* ---- long work ------------------------------------------------------------------------------- */

/* What the store knows of an id. */
struct remote_map {
    char *address; /* malloc'd; NULL: it is not known */
    bool promised; /* to this client, by 202 */
    bool ended;    /* that work has ended */
    bool alive;    /* it has not ended, and its copy reported recently */
    double progress;
    char name[STORED_NAME]; /* of the map that is promised */
};

/* Waits for the answer: for workers. */
void store_look_up(struct store *, const char *id, uint64_t client, struct remote_map *);
/* Ends the work on whichever copy runs it. */
void store_cancel(struct store *, const char *id, uint64_t client);

/* Writes how an operation stands. True: it was cancelled at another copy. From `report` alone. */
bool store_report(struct store *, const struct operation_report *);

#endif
