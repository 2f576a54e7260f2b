/*
 * operation.h: asynchronous work: maps that are made without a waiting connection.
 *
 * An operation is one more waiter of the cache, in the place of a client that was answered by 202.
 * Its outcome, a fault or a map, is held for a while, as the cache may have no room for it. Maps
 * are let go of, the oldest first, when they are too many bytes; their addresses stay longer, so
 * that they can be made again.
 */
#ifndef MAPWRIGHT_OPERATION_H
#define MAPWRIGHT_OPERATION_H

#include "cache.h"
#include "srv/base/config.h"

struct operations;

/*
 * At most --async are under way, --async-per-client of a client, each for at most --async-ms. Maps
 * held that the cache does not keep take a fourth of --output-bytes, as they count as output, and
 * so do the addresses of what has ended; the last is held in any case. `changed` is called when one
 * has begun or ended: on any thread, under the lock. NULL without memory.
 */
struct operations *operations_new(struct cache *, const struct config *, void (*changed)(void *arg),
                                  void *arg);
/* No operation may be under way. */
void operations_drop(struct operations *);

/*
 * Waits for what `beside` waits for, on behalf of a client. FAULT_NONE also if this client
 * waits already. Otherwise why not: TOO_MANY of this client, BUSY: too many of all clients,
 * DRAINING, UNAVAILABLE: no memory, or `beside` is being woken.
 */
enum fault operations_begin(struct operations *, const struct key *, uint64_t client,
                            const struct waiter *beside);

enum outlook_state {
    OUTLOOK_NONE,
    OUTLOOK_WAITING,
    OUTLOOK_RUNNING,
    OUTLOOK_ENDED,
    OUTLOOK_LET_GO,   /* it was made */
    OUTLOOK_CANCELLED /* in reports alone */
};

struct outlook {
    enum outlook_state state;
    double progress; /* 0 to 1 */
    /* ENDED: a reference, or NULL: there was no memory; in the coding that was asked for */
    struct blob *blob;
    enum coding coding;
    struct timing timing;
};

/* The state of an operation for that map in that format and look, of any client. */
struct outlook operations_look(struct operations *, const struct key *);
/* A copy of the address of a map, malloc'd; NULL: no operation has that id, or no memory. */
char *operations_address(struct operations *, const char *id);

/* Ends the operations of a client for that id, in all formats. False: it has none under way. */
bool operations_cancel(struct operations *, const char *id, uint64_t client);
/* Whether the last operation for that id was cancelled, not long ago. */
bool operations_cancelled(struct operations *, const char *id);
/* Ends all, and lets none begin. */
void operations_close(struct operations *);
/* Drops outcomes that were held for their time. */
void operations_expire(struct operations *, int64_t now);

/* How many are under way. */
int operations_count(struct operations *);

/* ---- for other copies of the service --------------------------------------------------------- */

struct operation_report {
    enum outlook_state state; /* WAITING: under way; or how it has ended */
    uint64_t client;
    double progress;
    struct key key; /* its address, malloc'd, is there when work under way is first reported */
};

/* Each operation once in a round (1, 2, ...), the oldest first; one that has ended for the last
   time. False: there is none left. */
bool operations_report(struct operations *, uint64_t round, struct operation_report *);

#endif
