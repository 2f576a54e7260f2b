/* task.h: the work for an entry of the cache, on a worker: the store is asked for slow maps, and
   what is not there is made. */
#ifndef MAPWRIGHT_TASK_H
#define MAPWRIGHT_TASK_H

#include "service.h"

/* Has the entry settled, by a worker or at once. */
void task_begin(struct service *, struct entry *, const struct order *);

#endif
