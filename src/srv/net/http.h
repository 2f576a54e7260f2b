/* http.h: what a loop asks of the HTTP side. */
#ifndef MAPWRIGHT_HTTP_H
#define MAPWRIGHT_HTTP_H

#include "loop.h"

/* loop->daemon and loop->wardrobe; false without memory. */
bool http_open(struct loop *);
/* No connection may be suspended. */
void http_close(struct loop *);

/* Is ready when there is something to do for http_run. */
int http_descriptor(const struct loop *);
/* The longest sleep up to `longest`. */
int http_sleep_ms(const struct loop *, int longest);
void http_run(struct loop *);

/* Takes the socket over. */
void http_admit(struct loop *, int fd, const struct sockaddr *, socklen_t);
/* Goes on with a suspended connection: its exchange has a reply, or its client has left. */
void http_resume(struct connection *);

#endif
