/* server.h: the I/O threads, for main. */
#ifndef MAPWRIGHT_SERVER_H
#define MAPWRIGHT_SERVER_H

#include "srv/make/service.h"

struct server;

/* Listens and serves. NULL: `why` has the reason. */
struct server *server_start(struct service *, char why[320]);
/* After service->draining: answers what was accepted, then ends the threads: at the latest
   ANSWERED_US after --drain-ms. How many requests are left without a whole answer. */
int server_drain(struct server *);
/* Once no worker is left. */
void server_drop(struct server *);

#endif
