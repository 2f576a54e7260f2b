/*
 * store.h: a Redis or Valkey that all copies of the service share, used cache-aside.
 *
 * A worker looks there for a map that is slow to make, and what was made is written there. Besides
 * maps it has the addresses behind ids, and how far long work is that was answered by 202. The
 * service runs as well without it: no call waits longer than --store-wait-ms, nothing waits for a
 * write, and a store that fails is left alone for a while.
 */
#ifndef MAPWRIGHT_STORE_H
#define MAPWRIGHT_STORE_H

#include "srv/base/config.h"
#include "srv/cache/operation.h"

struct store;

/* Its thread reports the state of the operations to other copies, twice a second, and soon after
   store_wake. NULL without memory or a thread, or if there is no certificate in --store-ca. */
struct store *store_new(const struct config *, struct operations *);
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
};

/* The name of a map in its format and look. */
void stored_name(const struct key *, char name[STORED_NAME]);

/* Waits for the answer: for workers. The map, or a fault if there is no room to hold it; NULL: it
   is not there. */
struct blob *store_find_map(struct store *, const struct key *);
/* Writes the address, so that other copies know the map by its id; and the map, unless it is NULL
   or took no longer than a look-up is worth. The store may be NULL. */
void store_put(struct store *, const struct key *, const struct blob *map, uint64_t nanoseconds);

/* ---- long work ------------------------------------------------------------------------------- */

/* Work that a client was promised by 202. DEAD: its copy has not reported recently. */
enum remote_work { REMOTE_NONE, REMOTE_ENDED, REMOTE_DEAD, REMOTE_ALIVE };

/* What the store knows of an id. */
struct remote_map {
    enum remote_work work;
    double progress;
    char name[STORED_NAME]; /* of the map that is promised */
    char address[];         /* "": it is not known */
};

/* A struct remote_map. Waits for the answer: for workers. NULL: there is none, or no memory. */
struct blob *store_look_up(struct store *, const char *id, uint64_t client);
/* Ends the work on whichever copy runs it. */
void store_cancel(struct store *, const char *id, uint64_t client);

#endif
