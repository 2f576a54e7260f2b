/*
 * output.h: answers on their way to clients: bounded in bytes, and read at a least speed.
 *
 * What a worker makes needs room first. Sends that last are watched, those of all I/O threads
 * together; where room is wanted that is not there, the slowest are ended.
 */
#ifndef MAPWRIGHT_OUTPUT_H
#define MAPWRIGHT_OUTPUT_H

#include "srv/base/blob.h"

#include <stdint.h>

/* An answer that is being sent; used by its I/O thread, and once watched under the lock. */
struct sending {
    struct sending *next, *before;
    struct blob *blob; /* NULL: nothing is being sent */
    int fd;
    bool watched;
    bool ended;      /* its socket is shut, its thread will see */
    int64_t started; /* clock_now, of watching */
    int64_t since;   /* when its client had taken so many bytes: where the window began */
    uint64_t taken;
    uint64_t left; /* microseconds that it would go on; counted when room is wanted */
};

struct output;
struct output_plan {
    size_t limit;   /* bytes held, in all */
    size_t rate;    /* bytes a second that a client must take */
    int64_t window; /* microseconds over which that is measured */
};

/* NULL without memory. */
struct output *output_new(const struct output_plan *);
/* Nothing is watched. */
void output_drop(struct output *);

enum room { ROOM_THERE, ROOM_NONE, ROOM_NEVER };

/*
 * For an answer of so many bytes, before it is made; waits a little for those that are ended.
 * THERE: they are promised until output_made tells that they are held, or will not be. NONE: not
 * now. NEVER: that is more than all there is. On any thread but those that send.
 */
enum room output_make_room(struct output *, size_t bytes);
/* THERE or not, without waiting: for what is well to have. */
bool output_has_room(struct output *, size_t bytes);
void output_made(struct output *, size_t bytes);

/* From now on it is measured, and may be ended by shutting its socket down. */
void output_watch(struct output *, struct sending *, int64_t now);
/* It is over; before the socket is closed. */
void output_forget(struct output *, struct sending *);
/* Once in a window: whether the client has taken enough in it. Begins the next. */
bool output_is_taken(struct output *, struct sending *, int64_t now);
/* Its client gets no more: what the kernel still holds for it is thrown away. */
void output_end(struct sending *);
/* Whether an answer of that length is to be watched from the beginning. */
bool output_may_last(const struct output *, size_t length);

/* Ends the slowest where more is held than should be; whether room is so short that even small
   sends are to be watched. */
bool output_relieve(struct output *);

#endif
