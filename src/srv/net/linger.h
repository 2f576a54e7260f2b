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

#include <stddef.h>

enum { MOST_LINGERING = 256 };

/* Of one I/O thread. */
struct lingering {
    int count;
    struct linger_socket {
        int fd;
        int64_t until; /* clock_now */
        size_t bytes;  /* discarded */
    } sockets[MOST_LINGERING];
};

/* Duplicates the descriptor, as the caller will close it. Does nothing if there are too many. */
void linger(struct lingering *, struct loop *, int fd);
/* In every round: discards what has come, and closes those that are done or over their time. */
void linger_run(struct lingering *, struct loop *, int64_t now);

#endif
