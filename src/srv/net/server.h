/* server.h: the I/O threads, for main. */
#ifndef MAPWRIGHT_SERVER_H
#define MAPWRIGHT_SERVER_H

#include "srv/make/service.h"

/*
 * The second between the end of --drain-ms and the end of the process. First, clients that still
 * wait get a last answer; then the workers must end.
 */
enum {
    GRACE_US = 1000000,
    ROUNDS_US = 100000,   /* I/O threads look at the clock so often, or more */
    ANSWERED_US = 400000, /* for clients to take their last answer */
    WORKERS_US = 400000,  /* for workers to end their runs */
};

_Static_assert(ROUNDS_US + ANSWERED_US + WORKERS_US < GRACE_US, "it ends in time");

/* Until when workers are waited for, now that all clients are gone. */
static inline int64_t grace_end(int64_t drain_began, int32_t drain_ms, int64_t now)
{
    int64_t until = drain_began + drain_ms * INT64_C(1000) + ANSWERED_US + WORKERS_US;
    return until > now + WORKERS_US ? until : now + WORKERS_US;
}

struct server;

/* Listens and serves. NULL: `why` has the reason. */
struct server *server_start(struct service *, char why[320]);
/* After service->draining: answers what was accepted, then ends the threads: at the latest
   ANSWERED_US after --drain-ms. How many requests are left without a whole answer. */
int server_drain(struct server *);
/* Once no worker is left. */
void server_drop(struct server *);

#endif
