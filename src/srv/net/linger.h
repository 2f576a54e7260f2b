/*
 * linger.h: sockets that were answered for the last time, while their clients may still be sending
 * (RFC 9112, 9.6).
 *
 * If a socket is closed with bytes unread, the kernel sends a reset, and the client may lose the
 * answer that it has not read yet. So what still comes is read away, until the client has closed,
 * or has had its time or its say.
 */
#ifndef MAPWRIGHT_LINGER_H
#define MAPWRIGHT_LINGER_H

#include "loop.h"

/* Of one I/O thread. The loop is given, all else is 0 at first. */
struct lingering {
    struct loop *loop;
    struct linger_socket *first, *last; /* by age */
    int count;
};

/* Lets the socket live on, though its descriptor will be closed: it has another one from here on.
   Not if there are too many. */
void linger(struct lingering *, int fd);
/* Closes those whose time is over. */
void linger_end(struct lingering *, int64_t now);

#endif
