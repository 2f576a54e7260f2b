/*
 * worker.h: a process that makes maps and can do nothing else, and the memory that it shares with
 * its thread: a window. The thread puts an order and an address into it; the worker, what it made:
 * the encoded map, or problems.
 *
 * Only the side whose turn it is uses the window. An address is there as a whole; a map goes
 * through it one piece after the other. A worker may write anything at any time: the thread judges
 * a copy.
 *
 * A worker is the server's own program under another name, so both know the same tables, at
 * different places of memory.
 */
#ifndef MAPWRIGHT_WORKER_H
#define MAPWRIGHT_WORKER_H

#include "mapwright_host.h"

#include <stdatomic.h>
#include <unistd.h>

/* ---- making one map, in one block of memory, without heap, file or lock ---------------------- */

struct maker_order {
    char encoder[16]; /* its name */
    struct mw_look look;
    char id[37];
    size_t length; /* of the address */
    size_t size;   /* of the block */
};

struct made {
    size_t problems;      /* how many; 0: the map was made */
    size_t length;        /* bytes of the problems, or of the encoded map */
    int64_t make, encode; /* microseconds */
};

struct map_run {
    const struct maker_order *order;
    const char *address;
    /* Called now and then, with the steps counted so far. True: the run has to end. */
    bool (*stop)(void *arg, uint64_t steps);
    void *arg;
};

/* The encoded map, or an array of struct mw_problem: in the block. */
const void *map_run(const struct map_run *, void *block, struct made *);

/* ---- the window ------------------------------------------------------------------------------ */

#define WORKER_NAME "mapwright-maker"

struct worker_plan {
    size_t own, block; /* bytes of its block: what it keeps between runs, and all of it */
    size_t input;      /* bytes of the longest address, at least WINDOW_PIECE */
    pid_t server;
};

enum turn { TURN_THREAD, TURN_WORKER };
enum { WINDOW_PIECE = 1 << 20 }; /* bytes, which stay in the cache of the processor */

struct worker_window {
    struct worker_plan plan;
    struct maker_order order;
    struct made made;
    atomic_bool stop;            /* set by the thread at any time: the run is to end */
    atomic_uint_least64_t steps; /* counted so far */
    _Alignas(64) atomic_uint turn;
    _Alignas(64) char bytes[]; /* as many as the longest input */
};

/* Gives the turn to the other side. */
void window_pass(struct worker_window *, enum turn);
/* Waits while it is that turn, so many milliseconds at most, or to the first wake-up; negative:
   for ever. False: it still is. */
bool window_await(struct worker_window *, enum turn, int milliseconds);

/* The length of the next piece, where so many bytes are left. */
static inline size_t window_piece(size_t left) { return left < WINDOW_PIECE ? left : WINDOW_PIECE; }

/* fence.c: whether there are filters of system calls here, and for this build. */
bool fence_exists(void);

/* From here on this process computes, waits, writes to standard error, and ends; any other system
   call kills it. False: the kernel did not take the filter. */
bool fence_close(void);

/* What a process does that was started under that name; the window is its standard input. */
_Noreturn void worker_main(void);

#endif
