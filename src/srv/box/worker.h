/*
 * worker.h: a process that makes maps and can do nothing else, and what it says to its thread.
 *
 *     thread: struct maker_order, address
 *     worker: WORKER_FIND, address             thread: size, bytes (size 0: it is not there)
 *     worker: WORKER_KEEP, address             thread: size; worker: bytes (size 0: not wanted)
 *     worker: WORKER_MADE, problems or bytes
 *
 * A worker reads from standard input, and writes to standard output, first of all a byte that says
 * that it is ready. It is the server's own program under another name, so both know the same
 * tables, at different places of memory.
 */
#ifndef MAPWRIGHT_WORKER_H
#define MAPWRIGHT_WORKER_H

#include "maker.h"

#include <stdatomic.h>
#include <unistd.h>

#define WORKER_NAME "mapwright-maker"

struct worker_plan {
    size_t own, block; /* of its block: what it keeps between runs, and all of it */
    size_t input;      /* bytes of the longest order, with its address */
    size_t bases;      /* bytes of all packed maps of a run */
    pid_t server;
    bool fenced;
};

/* Memory that thread and worker share: a file that is open as the worker's descriptor. */
enum { WORKER_SHARED = STDERR_FILENO + 1 };
struct worker_shared {
    struct worker_plan plan;
    atomic_bool stop;            /* set by the thread: the run is to end at its next step */
    atomic_uint_least64_t steps; /* counted so far */
};

enum worker_message_kind { WORKER_FIND, WORKER_KEEP, WORKER_MADE };

struct worker_message {
    enum worker_message_kind kind;
    size_t length;        /* FIND, KEEP: of the address */
    size_t size;          /* FIND: what there is room for; KEEP: of the packed map */
    uint64_t nanoseconds; /* KEEP: that making it took */
    struct made made;     /* MADE */
};

/* A message and what follows it are written at once up to so many bytes, so that its reader wakes
   once. */
enum { WORKER_TOGETHER = 64 * 1024 };

/* What a process does that was started under that name. */
_Noreturn void worker_main(void);

#endif
