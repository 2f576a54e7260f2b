/* task.h: an address becomes bytes, on a worker: found in another coding or in the store, or
   made. */
#ifndef MAPWRIGHT_TASK_H
#define MAPWRIGHT_TASK_H

#include "service.h"

/* Whose job it is. */
struct entry *task_entry(struct job *);

/* The `run` of an entry's job, whose `arg` is the service. Settles the entry, unless it is to be
   run AGAIN with what the job says by then. */
enum outcome task_run(struct job *, void *memory, size_t size);

/* Who waits is answered, takes the blob; then the store's claim is given back. The entry may be
   gone after that. */
void task_settle(struct service *, struct entry *, struct blob *, const struct timing *);

#endif
