/* child.h: a worker process, as its parent has it. */
#ifndef MAPWRIGHT_CHILD_H
#define MAPWRIGHT_CHILD_H

#include "worker.h"

struct child {
    pid_t pid;    /* 0: there is none */
    int to, from; /* pipes, which do not block */
    int file;     /* of the shared memory */
    struct worker_shared *shared;
};

/* Without a process yet. False: there is no memory for it. */
bool child_init(struct child *, const struct worker_plan *);
void child_release(struct child *);

/* Starts a process of that program, and waits until it is ready. */
bool child_start(struct child *, const char *program);
/* False: there is none, or it has ended. */
bool child_lives(struct child *);
/* Kills it, if there is one; how it ended, as of waitpid(2). */
int child_end(struct child *);

#endif
