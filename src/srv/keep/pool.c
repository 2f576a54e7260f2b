/* pool.c: workers and the queue before them. */
#include "pool.h"

#include "srv/base/clock.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { KEPT_WARM = 64 * 1024 * 1024 }; /* bytes of a block that stay with a resting worker */

struct worker {
    struct pool *pool;
    pthread_t thread;
    void *memory;
};

struct pool {
    struct pool_plan plan;
    pthread_mutex_t lock;
    pthread_cond_t work;
    struct job *first, *last;
    int waiting, running, started;
    bool ending;
    struct worker workers[];
};

/* ---- blocks ---------------------------------------------------------------------------------- */

void *block_new(size_t size)
{
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}

void block_drop(void *block, size_t size)
{
    if (block)
        munmap(block, size);
}

void block_trim(void *block, size_t size, size_t touched)
{
    if (touched > KEPT_WARM)
        madvise(block, size, MADV_DONTNEED);
}

/* ---- the queue, under the lock --------------------------------------------------------------- */

static void append(struct pool *pool, struct job *job)
{
    assert(!job->queued && pool->waiting < pool->plan.queue);
    job->next = NULL;
    job->before = pool->last;
    *(pool->last ? &pool->last->next : &pool->first) = job;
    pool->last = job;
    job->queued = true;
    pool->waiting++;
}

static void take_out(struct pool *pool, struct job *job)
{
    assert(job->queued && pool->waiting > 0);
    assert(job->before ? job->before->next == job : pool->first == job);
    assert(job->next ? job->next->before == job : pool->last == job);
    *(job->before ? &job->before->next : &pool->first) = job->next;
    *(job->next ? &job->next->before : &pool->last) = job->before;
    job->queued = false;
    pool->waiting--;
}

/* Waits for a job; NULL when the pool ends and none is left. */
static struct job *next_job(struct pool *pool)
{
    while (!pool->first && !pool->ending)
        pthread_cond_wait(&pool->work, &pool->lock);
    struct job *job = pool->first;
    if (job)
        take_out(pool, job);
    return job;
}

static void *work(void *arg)
{
    struct worker *worker = arg;
    struct pool *pool = worker->pool;
    struct job *job;
    pthread_mutex_lock(&pool->lock);
    while ((job = next_job(pool))) {
        pool->running++;
        assert(pool->running <= pool->started);
        pthread_mutex_unlock(&pool->lock);
        size_t touched = job->run(job, worker->memory, pool->plan.memory);
        assert(touched <= pool->plan.memory);
        block_trim(worker->memory, pool->plan.memory, touched);
        pthread_mutex_lock(&pool->lock);
        pool->running--;
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* ---- public ---------------------------------------------------------------------------------- */

static bool start(struct pool *pool, struct worker *worker)
{
    worker->pool = pool;
    worker->memory = block_new(pool->plan.memory);
    if (!worker->memory)
        return false;
    if (pthread_create(&worker->thread, NULL, work, worker) == 0)
        return true;
    block_drop(worker->memory, pool->plan.memory);
    return false;
}

struct pool *pool_new(const struct pool_plan *plan)
{
    assert(plan->workers > 0 && plan->queue > 0);
    struct pool *pool = calloc(1, sizeof *pool + (size_t)plan->workers * sizeof *pool->workers);
    if (!pool)
        return NULL;
    pool->plan = *plan;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    while (pool->started < plan->workers && start(pool, &pool->workers[pool->started]))
        pool->started++;
    if (pool->started == plan->workers)
        return pool;
    pool_drop(pool);
    return NULL;
}

void pool_drop(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->ending = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->started; i++) {
        pthread_join(pool->workers[i].thread, NULL);
        block_drop(pool->workers[i].memory, pool->plan.memory);
    }
    assert(!pool->first && !pool->waiting && !pool->running);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

bool pool_submit(struct pool *pool, struct job *job)
{
    assert(job->run && job->refuse);
    job->submitted = clock_now();
    pthread_mutex_lock(&pool->lock);
    bool room = pool->waiting < pool->plan.queue;
    if (room)
        append(pool, job);
    pthread_cond_signal(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    return room;
}

bool pool_withdraw(struct pool *pool, struct job *job)
{
    pthread_mutex_lock(&pool->lock);
    bool waiting = job->queued;
    if (waiting)
        take_out(pool, job);
    pthread_mutex_unlock(&pool->lock);
    return waiting;
}

static struct job *take_expired(struct pool *pool, int64_t now)
{
    pthread_mutex_lock(&pool->lock);
    struct job *job = pool->first;
    if (job && now - job->submitted > pool->plan.wait)
        take_out(pool, job);
    else
        job = NULL;
    pthread_mutex_unlock(&pool->lock);
    return job;
}

void pool_expire(struct pool *pool, int64_t now)
{
    struct job *job;
    while ((job = take_expired(pool, now)))
        job->refuse(job);
}

struct pool_state pool_state(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    struct pool_state state = {pool->waiting, pool->running, pool->started};
    pthread_mutex_unlock(&pool->lock);
    return state;
}
