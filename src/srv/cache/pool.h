/*
 * pool.h: workers, the memory that they share, and what waits for them.
 *
 * A job is settled exactly once: by `run` on a worker, or by `refuse` when it waited too long.
 * A job that pool_submit did not take is settled by its caller.
 */
#ifndef MAPWRIGHT_POOL_H
#define MAPWRIGHT_POOL_H

#include "api/fault.h"
#include "queue.h"
#include "srv/base/config.h"
#include "srv/out/metrics.h"

struct pool;

/* By --workers, --queue, --wait-ms and --memory. NULL without memory or threads. */
struct pool *pool_new(const struct config *);
/* Runs what is queued, then ends the workers. */
void pool_drop(struct pool *);

/* False: it would wait too long, by `expected`, or too many jobs wait. */
bool pool_submit(struct pool *, struct job *);
/* Removes a waiting job from its pool; false: it runs, or is being refused. */
bool pool_withdraw(struct job *);
/* Refuses the jobs that have waited too long. */
void pool_expire(struct pool *, int64_t now);
/* Called by a job that runs. True: it is not fast, and keeps fast ones waiting: it must end and
   answer JOB_AGAIN. */
bool pool_overruns(struct pool *, struct job *);
/* Which of the workers runs the job, counted from 0. */
int pool_place(const struct pool *, const struct job *);
/* Expected nanoseconds of work of a kind. */
uint64_t pool_expect(struct pool *, unsigned kind, uint64_t estimate);
/* The most memory that one job can be given. */
size_t pool_most(const struct pool *);
/* Bytes that a worker keeps between jobs: a job that needs more gives back what it got beyond. */
size_t pool_own(const struct config *);

/* The gauges of the pool. */
void pool_measure(struct pool *, int64_t gauges[GAUGE_END]);

/* Retry-After in whole seconds: of a wait, at least one; of a fault whose wait is not known (0: no
   Retry-After). */
unsigned retry_seconds(int64_t microseconds);
unsigned retry_after_fault(enum fault);

#endif
