/*
 * watch.h: runs on workers, and whether each ends when it has to.
 *
 * A run is asked to stop by a flag or a deadline that it reads between steps. One that counts no
 * steps never reads them, and its worker is stuck. The I/O threads look at all runs by their own
 * clock, so that no worker is needed to see it.
 */
#ifndef MAPWRIGHT_WATCH_H
#define MAPWRIGHT_WATCH_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Microseconds after which a run that had to end, and has not, is stuck. */
enum { STUCK_US = 5000000 };

/* One run. It must stay valid from watch_begin to watch_end. */
struct watched {
    /* Whether it has to end by now. Called on any thread, under the lock of the watch. */
    bool (*must_end)(const struct watched *, int64_t now);
    const char *address; /* what is being made */
    size_t length;
    /* the watch's */
    struct watched *next, *before;
    int64_t overdue; /* microseconds since it was first seen that it had to end; -1: it need not */
    bool stuck, told;
};

/* All zeros, but for the lock. */
struct watch {
    pthread_mutex_t lock;
    struct watched *first;
    int64_t looked_at;
    atomic_int stuck;
};

void watch_init(struct watch *);
void watch_release(struct watch *);

/* On the worker. */
void watch_begin(struct watch *, struct watched *);
void watch_end(struct watch *, struct watched *);

/* Called with the lock held, so that the run is still there. */
typedef void watch_tell(void *arg, const struct watched *);

/* At least once a second. Tells of each run that has become stuck, once. */
void watch_look(struct watch *, int64_t now, watch_tell *, void *arg);
/* Tells of all runs that go on. */
void watch_list(struct watch *, watch_tell *, void *arg);
/* How many are stuck. */
int watch_stuck(const struct watch *);

#endif
