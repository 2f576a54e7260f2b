/*
 * loop.h: what an I/O thread waits on: an epoll set, and the clock that is read once a round. Also
 * the delayed close of sockets whose clients may still be sending (RFC 9112, 9.6).
 *
 * Used by its own thread alone, but for loop_wake.
 */
#ifndef MAPWRIGHT_LOOP_H
#define MAPWRIGHT_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_LINGERING = 256 };

/* What an epoll set points to: the first member of its owner. */
struct watcher {
    void (*ready)(struct watcher *, uint32_t events); /* of epoll(7) */
};

struct loop {
    int epoll, event; /* the latter: an eventfd that loop_wake writes */
    int64_t now;      /* clock_now, of this round */
    int64_t late;     /* microseconds by which this round began after its time was over */
    int lingering;
    struct linger_socket {
        int fd;
        int64_t until; /* clock_now */
        size_t bytes;  /* discarded */
    } sockets[MOST_LINGERING];
};

/* False without descriptors; to be released all the same. */
bool loop_init(struct loop *);
void loop_release(struct loop *);

/* Until it is unwatched, which must be before it is closed: a worker process that is just being
   started has a copy of it for a moment, and it is watched as long as there is any. Without a
   watcher an event only ends the wait. False without memory. */
bool loop_watch(struct loop *, int fd, uint32_t events, struct watcher *);
/* False: it is still watched, or never was. */
bool loop_unwatch(struct loop *, int fd);

/*
 * If a socket is closed with bytes unread, the kernel sends a reset, and the client may lose the
 * last answer. So a duplicate of it stays open, and its input is discarded until the client closes,
 * or a limit of time or bytes is reached. Does nothing if there are too many.
 */
void loop_linger(struct loop *, int fd);

/* Waits at most that long, and calls the watchers of what happened. */
void loop_wait(struct loop *, int milliseconds);
/* Ends the wait. From any thread. */
void loop_wake(struct loop *);

static inline int64_t loop_after_ms(const struct loop *loop, int64_t ms)
{
    return loop->now + ms * 1000;
}

#endif
