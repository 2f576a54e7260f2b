/* server.h: the I/O threads, for main. */
#ifndef MAPWRIGHT_SERVER_H
#define MAPWRIGHT_SERVER_H

#include "srv/make/service.h"

struct server;

/* Listens and serves. NULL: `why` has the reason. */
struct server *server_start(struct service *, char why[320]);
/* What is left when the threads end. */
struct server_rest {
    int requests; /* without a whole answer */
    bool held;    /* a worker still uses one of them: neither server nor service may be dropped */
};

/* After service->draining: answers what was accepted, then ends the threads: at the latest
   ANSWERED_US and HELD_US after --drain-ms. */
struct server_rest server_drain(struct server *);
/* Once no worker is left. */
void server_drop(struct server *);

#endif
