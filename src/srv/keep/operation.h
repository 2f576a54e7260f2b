/*
 * operation.h: maps that are made though no connection waits for them.
 *
 * An operation is one more waiter of the cache, that of a client which has asked for a map and gone
 * on. So nothing else need know of it: a map is made once, whoever asks for it and however, and
 * work ends when its last waiter leaves. What came of it is held for a while, be it a fault or a
 * map that the cache has no room for, so that whoever asks next finds it. Of too many maps the
 * oldest are let go of; their addresses are not, so that they can be made again, unless these are
 * too many bytes, too.
 */
#ifndef MAPWRIGHT_OPERATION_H
#define MAPWRIGHT_OPERATION_H

#include "cache.h"

struct operations;

/* What a client was told: that it will find the map by its id. */
enum promise {
    PROMISE_NONE,
    PROMISE_MADE,
    PROMISE_STANDS, /* it is still under way: said now and then */
    PROMISE_KEPT,   /* it has ended, be it in a fault */
    PROMISE_WAIVED  /* the client does not want it any more */
};

struct operations_plan {
    int most, most_per_client; /* under way */
    int64_t deadline;          /* for each, in microseconds from its beginning */
    size_t bytes; /* of maps held that the cache does not keep, and of addresses of what has ended;
                     the last is in any case */
    /* On any thread. What ends because all does leaves its promise as it is. */
    void (*tell)(void *arg, enum promise, const char *id, uint64_t client);
    void *arg;
};

/* NULL without memory. */
struct operations *operations_new(struct cache *, const struct operations_plan *);
/* None is under way. */
void operations_drop(struct operations *);

/*
 * Waits for what `beside` waits for, on behalf of a client. FAULT_NONE where the same client has
 * done so already. Otherwise why not: TOO_MANY of the client's, BUSY with those of all, DRAINING,
 * UNAVAILABLE for lack of memory, or because `beside` is being woken.
 */
enum fault operations_begin(struct operations *, const struct key *, uint64_t client,
                            const struct waiter *beside);

enum outlook_state {
    OUTLOOK_NONE,
    OUTLOOK_WAITING,
    OUTLOOK_RUNNING,
    OUTLOOK_ENDED,
    OUTLOOK_LET_GO /* it was made */
};

struct outlook {
    enum outlook_state state;
    double progress; /* 0 to 1 */
    /* ENDED: a reference, or NULL where memory ended; in the coding that was asked for */
    struct blob *blob;
    enum coding coding;
    struct timing timing;
};

/* How a map stands that was asked for so, in that format and look, by whomever. */
struct outlook operations_look(struct operations *, const struct key *);
/* A copy of the address of a map, malloc'd; NULL: no operation is for that id, or no memory. */
char *operations_address(struct operations *, const char *id);

/* The client does not want the map any more, in any format. False: it has asked for none, or what
   it asked for has ended. */
bool operations_cancel(struct operations *, const char *id, uint64_t client);
/* Whether the last operation for that id ended so, not long ago. */
bool operations_cancelled(struct operations *, const char *id);
/* Nothing begins any more, and what is under way is wanted no more. */
void operations_close(struct operations *);
/* Lets go of outcomes held for long; tells what stands. */
void operations_expire(struct operations *, int64_t now);

/* How many are under way. */
int operations_count(struct operations *);

#endif
