/*
 * worker.h: a process that makes maps and can do nothing else, and the memory that it shares with
 * its thread: a window, in which they say to each other
 *
 *     thread: order, address
 *     worker: FIND, address             thread: size, packed map (size 0: there is none)
 *     worker: KEEP, address, header     thread: size (0: not wanted); worker: the bytes
 *     worker: MADE, problems or encoded map
 *
 * Only the side whose turn it is uses the window. Addresses and maps go through `bytes`, one piece
 * after the other. A worker may write anything at any time: the thread judges a copy.
 *
 * A worker is the server's own program under another name, so both know the same tables, at
 * different places of memory.
 */
#ifndef MAPWRIGHT_WORKER_H
#define MAPWRIGHT_WORKER_H

#include "maker.h"

#include <stdatomic.h>
#include <unistd.h>

#define WORKER_NAME "mapwright-maker"

struct worker_plan {
    size_t own, block; /* bytes of its block: what it keeps between runs, and all of it */
    size_t input;      /* bytes of the longest address */
    size_t bases;      /* bytes of all packed maps of a run */
    pid_t server;
};

struct worker_message {
    enum { WORKER_FIND, WORKER_KEEP, WORKER_MADE } kind;
    size_t length;            /* FIND, KEEP: of the address */
    size_t room;              /* FIND: bytes */
    struct mw_packed_map map; /* KEEP: the header */
    struct made made;         /* MADE */
};

enum turn { TURN_THREAD, TURN_WORKER };
enum { WINDOW_BYTES = 1 << 20 };

struct worker_window {
    struct worker_plan plan;
    struct maker_order order;
    struct worker_message message;
    size_t size;                 /* the thread's answer to FIND and KEEP, with the header */
    atomic_bool stop;            /* set by the thread at any time: the run is to end */
    atomic_uint_least64_t steps; /* counted so far */
    _Alignas(64) atomic_uint turn;
    _Alignas(64) char bytes[WINDOW_BYTES];
};

/* Gives the turn to the other side. */
void window_pass(struct worker_window *, enum turn);
/* Waits while it is that turn, so many milliseconds at most, or to the first wake-up; negative:
   for ever. False: it still is. */
bool window_await(struct worker_window *, enum turn, int milliseconds);

/* One side: `pass` gives the turn away and waits until it is back; false: it never will be. */
struct window_side {
    struct worker_window *window;
    bool (*pass)(void *arg);
    void *arg;
};
/* What is put lies there as far as its last piece, for the caller to pass; what is taken begins
   with the piece that is there; NULL: it is not wanted. False: as of `pass`. */
bool window_put(const struct window_side *, const void *, size_t length);
bool window_take(const struct window_side *, void *, size_t length);

/* fence.c: whether there are filters of system calls here, and for this build. */
bool fence_exists(void);

/* From here on this process computes, waits, writes to standard error, and ends; any other system
   call kills it. False: the kernel did not take the filter. */
bool fence_close(void);

/* What a process does that was started under that name; the window is its standard input. */
_Noreturn void worker_main(void);

#endif
