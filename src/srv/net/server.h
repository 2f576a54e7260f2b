/* server.h: the I/O threads, for main. */
#ifndef MAPWRIGHT_SERVER_H
#define MAPWRIGHT_SERVER_H

#include "srv/make/service.h"

struct server;

/* Listens and serves. NULL: `why` says what went wrong. */
struct server *server_start(struct service *, char why[320]);
/* After service->draining: answers what was accepted, then ends the threads. */
void server_drain(struct server *);
/* Once no worker is left. */
void server_drop(struct server *);

#endif
