/*
 * loop.h: what an I/O thread waits on: an epoll set, and the clock that is read once a round.
 *
 * Used by its own thread alone, but for loop_wake.
 */
#ifndef MAPWRIGHT_LOOP_H
#define MAPWRIGHT_LOOP_H

#include <stdbool.h>
#include <stdint.h>

/* What an epoll set points to: the first member of its owner. */
struct watcher {
    void (*ready)(struct watcher *, uint32_t events); /* of epoll(7) */
};

struct loop {
    int epoll, event; /* the latter: an eventfd that loop_wake writes */
    int64_t now;      /* clock_now, of this round */
    int64_t late;     /* microseconds by which this round began after its time was over */
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

/* Waits at most that long, and calls the watchers of what happened. */
void loop_wait(struct loop *, int milliseconds);
/* Ends the wait. From any thread. */
void loop_wake(struct loop *);

static inline int64_t loop_after_ms(const struct loop *loop, int64_t ms)
{
    return loop->now + ms * 1000;
}

#endif
