/*
 * linger.h: delayed close of sockets whose clients may still be sending (RFC 9112, 9.6).
 *
 * If a socket is closed with bytes unread, the kernel sends a reset, and the client may lose the
 * last answer. So the input is read and discarded until the client closes, or a limit of time or
 * bytes is reached.
 */
#ifndef MAPWRIGHT_LINGER_H
#define MAPWRIGHT_LINGER_H

#include "loop.h"

#include <sys/queue.h>

/* Of one I/O thread. The loop is given, all else is 0 at first. */
struct lingering {
    struct loop *loop;
    LIST_HEAD(, linger_socket) sockets;
    int count;
};

/* Duplicates the descriptor, as the caller will close it, and discards the input. Does nothing if
   there are too many. */
void linger(struct lingering *, int fd);
/* Closes those that are over their time. */
void linger_end(struct lingering *, int64_t now);

#endif
