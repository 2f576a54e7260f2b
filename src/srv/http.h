/* http.h: sockets, connections and I/O threads. */
#ifndef MAPWRIGHT_HTTP_H
#define MAPWRIGHT_HTTP_H

#include "service.h"

struct http;

/* Listens and serves. NULL: `why` says what went wrong. */
struct http *http_start(struct service *, char why[256]);
/* After service->draining: answers what was accepted, then ends the I/O threads. */
void http_drain(struct http *);
/* Once no worker is left. */
void http_drop(struct http *);

#endif
