/* fence.h: the system calls that a worker process may make. */
#ifndef MAPWRIGHT_FENCE_H
#define MAPWRIGHT_FENCE_H

#include <stdbool.h>

/* Whether there are filters of system calls here, and for this build. */
bool fence_exists(void);

/* From here on this process computes, waits, writes to standard error, and ends; any other system
   call kills it. False: the kernel did not take the filter. */
bool fence_close(void);

#endif
