/* child.h: a worker process, as its parent has it. */
#ifndef MAPWRIGHT_CHILD_H
#define MAPWRIGHT_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

struct child {
    pid_t pid;    /* 0: there is none */
    int to, from; /* pipes, which do not block */
};

/* Starts a process of that program, for which `shared` is open as WORKER_SHARED, and waits until it
   is ready. */
bool child_start(struct child *, const char *program, int shared);
/* Kills it, if there is one; how it ended, as of waitpid(2). */
int child_end(struct child *);

#endif
