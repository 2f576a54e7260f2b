/*
 * box.h: a thread's worker process.
 *
 * Each thread of the pool has one, and has its maps made there. Whatever a run does, be it a crash
 * or a loop without an end, costs that run alone: the process is killed and replaced. With
 * --isolate=off the thread makes its maps itself, in a block of its own.
 */
#ifndef MAPWRIGHT_BOX_H
#define MAPWRIGHT_BOX_H

#include "worker.h"

enum box_end {
    BOX_MADE,
    BOX_CRASHED, /* the process died, or sent what no worker sends */
    BOX_KILLED,  /* the run had to end, and did not */
    BOX_MISSING  /* no process could be started */
};

struct box {
    struct worker_plan plan;
    const char *program;
    char *block;        /* NULL: there are processes */
    const void *result; /* of the run in the block */
    pid_t pid;          /* 0: there is no process */
    int file;           /* of the window */
    struct worker_window *window;
    int status;                /* of the last process that ended, as of waitpid(2) */
    const struct map_run *run; /* NULL: it starts */
    int overdue;               /* how often in a row it was seen that it had to end */
    struct made made;          /* of the last run */
};

/* False: the program does not start as a worker. `program` NULL: without a process. */
bool box_open(struct box *, const struct worker_plan *, const char *program);
void box_close(struct box *);

/* MADE: the result is to be taken. The run must stay until then; its `stop` is called on this
   thread. */
enum box_end box_make(struct box *, const struct map_run *);
/* All of it, as long as `made` says; to NULL: it is not wanted. */
enum box_end box_take(struct box *, void *to);
/* Starts another process if a run has ended the last one, as the next run would. */
void box_restart(struct box *);

/* How the process ended that crashed: the name of a signal, as "SEGV", or "exit". */
const char *box_cause(const struct box *);

#endif
