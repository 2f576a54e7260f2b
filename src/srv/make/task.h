/* task.h: the work for an entry of the cache, on a worker: the store is asked for slow maps, and
   what is not there is made. */
#ifndef MAPWRIGHT_TASK_H
#define MAPWRIGHT_TASK_H

#include "service.h"

/* Has the entry settled, by a worker or at once. `client` and `patience` as in struct job. */
void task_begin(struct service *, struct entry *, uint64_t client, int64_t patience);

#endif
