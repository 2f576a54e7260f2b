/*
 * pool.c: workers, the memory that they share, and what waits for them.
 *
 * TWO LANES. A job is cheap when it will take a moment (CHEAP) and fits into what a worker has
 * anyway; else it is dear. Cheap jobs go first, and where there are two workers or more, one is
 * kept free of dear ones: so a cheap job only ever waits for cheap ones, however many dear ones
 * there are. One that was taken for cheap and goes on and on counts as dear from then on; is there
 * no place for one more, then it ends and is run again in its turn. With a single worker a cheap
 * job waits for the one that runs. In return a dear job that has waited half of what it may goes
 * before cheap ones, on a worker that it may have. In each lane those who ask take turns (queue.c).
 *
 * MEMORY. `memory` bounds the pages of all workers together. A fourth of it is split evenly: so
 * much, its own, each worker may always touch, and keeps while it rests. What a job needs beyond is
 * reserved from the rest before it begins, and given back, pages and all, when it ends. A run's
 * block is as large as its reservation, so the sum of all pages touched never passes `memory`. The
 * job whose turn it is waits until it fits, and no other dear one begins meanwhile: as those that
 * run all end, and none needs more than all there is, its turn comes. A run that outgrows what was
 * expected is made again, once, with all there is.
 *
 * WAITING. A job is charged the time that it takes of the whole pool: of its place among the
 * workers or of its part of the memory, whichever is the larger share (Ghodsi and others, Dominant
 * Resource Fairness, NSDI 2011). So the charges that go before a job are the time that it will
 * wait. A job that would wait more than half of what it may is refused at once: what is let in is
 * served, though it should take twice as long as expected, and who is refused knows it soon.
 */
#include "pool.h"

#include "pace.h"
#include "srv/base/block.h"
#include "srv/base/clock.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum {
    CHEAP_US = 50000,            /* a cheap job is expected to take no longer */
    OVERRUN_US = 2 * CHEAP_US,   /* and one that takes so long was none */
    MOST_OWN = 64 * 1024 * 1024, /* bytes of a worker's own */
    LEAST_OWN = 256 * 1024,
    OWN_SHARE = 4,          /* all own together are a fourth of the memory */
    ENDS = 2 * 1024 * 1024, /* of the own: small maps fill no more, in small pages */
};

#define LONGEST_NS (3600 * UINT64_C(1000000000)) /* no job counts as longer: sums stay sums */

enum lane { LANE_CHEAP, LANE_DEAR, LANES };

struct worker {
    struct pool *pool;
    pthread_t thread;
    void *memory;
    /* of the job that runs */
    int64_t began, until; /* clock_now; until: as expected */
    uint64_t estimate;
    unsigned kind;
    size_t need;
    bool dear;
};

struct pool {
    struct pool_plan plan;
    pthread_mutex_t lock;
    pthread_cond_t work;
    struct queue lanes[LANES];
    struct pace pace;
    int waiting, running, dear, started; /* dear: of those running */
    size_t own, common, spare;           /* common: all beside the own; spare: not reserved */
    bool ending;
    struct worker workers[];
};

size_t pool_most(const struct pool *pool) { return pool->own + pool->common; }

/* ---- what a job is, under the lock ----------------------------------------------------------- */

/* How many dear jobs may run at a time. */
static int places(const struct pool *pool)
{
    return pool->plan.workers > 1 ? pool->plan.workers - 1 : 1;
}

static struct queue *lane_of(struct pool *pool, const struct job *job)
{
    return &pool->lanes[job->dear ? LANE_DEAR : LANE_CHEAP];
}

static uint64_t charge_of(const struct pool *pool, const struct job *job)
{
    uint64_t workers = (uint64_t)(job->dear ? places(pool) : pool->plan.workers);
    double of_workers = (double)job->nanoseconds / (double)workers;
    double of_memory = (double)job->nanoseconds * (double)job->need / (double)(pool->common + 1);
    return 1 + (uint64_t)(of_workers > of_memory ? of_workers : of_memory);
}

static void classify(const struct pool *pool, struct job *job)
{
    uint64_t most = pool_most(pool), bytes = job->bytes < most ? job->bytes : most;
    uint64_t page = block_page_mask();
    job->need = bytes > pool->own ? (size_t)((bytes - pool->own + page) & ~page) : 0;
    job->need = job->need < pool->common ? job->need : pool->common;
    uint64_t nanoseconds = pace_expect(&pool->pace, job->kind, job->estimate);
    job->nanoseconds = nanoseconds < LONGEST_NS ? nanoseconds : LONGEST_NS;
    job->dear = job->overran || job->need || job->nanoseconds > CHEAP_US * UINT64_C(1000);
    job->charge = charge_of(pool, job);
}

static bool has_place(const struct pool *pool, const struct job *job)
{
    return pool->dear < places(pool) && job->need <= pool->spare;
}

/* Microseconds until a dear job can begin, if all goes as expected. */
static int64_t until_free(const struct pool *pool, const struct job *job, int64_t now)
{
    int64_t left = 0;
    for (int i = 0; i < pool->started && !has_place(pool, job); i++) {
        const struct worker *worker = &pool->workers[i];
        left += worker->dear && worker->until > now ? worker->until - now : 0;
    }
    return left / places(pool);
}

/* Microseconds that a job will wait that comes now. */
static int64_t expect(struct pool *pool, const struct job *job, int64_t now)
{
    int64_t ahead = (int64_t)(queue_ahead(lane_of(pool, job), job) / 1000);
    if (!job->dear)
        return ahead;
    return ahead + (int64_t)(pool->lanes[LANE_CHEAP].work / 1000) + until_free(pool, job, now);
}

static int64_t patience_of(const struct pool *pool, const struct job *job)
{
    return job->patience ? job->patience : pool->plan.wait;
}

/* ---- what waits, under the lock -------------------------------------------------------------- */

static void append(struct pool *pool, struct job *job)
{
    assert(pool->waiting < pool->plan.queue);
    queue_put(lane_of(pool, job), job);
    pool->waiting++;
}

static void take_back(struct pool *pool, struct job *job)
{
    assert(pool->waiting > 0);
    queue_remove(lane_of(pool, job), job);
    pool->waiting--;
}

/* Who makes room for a job: the dear ones first. NULL: it does itself. */
static struct job *displaced_by(struct pool *pool, const struct job *job)
{
    struct queue *dear = &pool->lanes[LANE_DEAR];
    return !job->dear && dear->busy ? queue_displaced(dear, NULL)
                                    : queue_displaced(lane_of(pool, job), job);
}

/* The dear job whose turn it is, if it can begin. */
static struct job *ready_dear(const struct pool *pool)
{
    struct job *job = queue_next(&pool->lanes[LANE_DEAR]);
    return job && has_place(pool, job) ? job : NULL;
}

static struct job *ready_job(const struct pool *pool)
{
    struct job *cheap = queue_next(&pool->lanes[LANE_CHEAP]), *dear = ready_dear(pool);
    if (!cheap || !dear)
        return cheap ? cheap : dear;
    return clock_now() - dear->submitted > pool->plan.wait / 2 ? dear : cheap;
}

/* ---- running --------------------------------------------------------------------------------- */

static void begin(struct worker *worker, struct job *job)
{
    struct pool *pool = worker->pool;
    queue_take(lane_of(pool, job), job);
    assert(pool->waiting > 0 && pool->running < pool->started && job->need <= pool->spare);
    pool->waiting--;
    pool->running++;
    pool->dear += job->dear;
    pool->spare -= job->need;
    job->worker = worker;
    worker->dear = job->dear;
    worker->need = job->need;
    worker->kind = job->kind;
    worker->estimate = job->estimate;
    worker->began = clock_now();
    worker->until = worker->began + (int64_t)(job->nanoseconds / 1000);
}

/* The job may be gone. */
static void end(struct worker *worker, bool done)
{
    struct pool *pool = worker->pool;
    pool->running--;
    pool->dear -= worker->dear;
    pool->spare += worker->need;
    assert(pool->running >= 0 && pool->dear >= 0 && pool->spare <= pool->common);
    if (done)
        pace_learn(&pool->pace, worker->kind, worker->estimate,
                   (uint64_t)(clock_now() - worker->began) * 1000);
    if (worker->dear)
        pthread_cond_broadcast(&pool->work); /* its memory may do for several */
    worker->dear = false;
}

static void run_again(struct pool *pool, struct job *job)
{
    classify(pool, job);
    job->submitted = clock_now();
    job->until = job->submitted + patience_of(pool, job);
    queue_put_first(lane_of(pool, job), job);
    pool->waiting++;
}

/* Without the lock. Unless it is to be run again, the job is gone. */
static enum outcome run(struct worker *worker, struct job *job)
{
    struct pool *pool = worker->pool;
    size_t size = pool->own + worker->need;
    pthread_mutex_unlock(&pool->lock);
    enum outcome outcome = job->run(job, worker->memory, size);
    if (worker->need) /* and what a large page held beyond */
        block_trim((char *)worker->memory + pool->own, (char *)worker->memory + pool_most(pool));
    pthread_mutex_lock(&pool->lock);
    return outcome;
}

/* Waits for a job; NULL when the pool ends and none is left. */
static struct job *await_job(struct pool *pool)
{
    struct job *job;
    while (!(job = ready_job(pool)) && (!pool->ending || pool->waiting))
        pthread_cond_wait(&pool->work, &pool->lock);
    return job;
}

static void *work(void *arg)
{
    struct worker *worker = arg;
    struct pool *pool = worker->pool;
    struct job *job;
    pthread_mutex_lock(&pool->lock);
    while ((job = await_job(pool))) {
        begin(worker, job);
        enum outcome outcome = run(worker, job);
        end(worker, outcome == JOB_DONE);
        if (outcome == JOB_AGAIN)
            run_again(pool, job);
    }
    pthread_cond_broadcast(&pool->work); /* nothing is left for the others either */
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

bool pool_overruns(struct pool *pool, struct job *job)
{
    struct worker *worker = job->worker;
    if (worker->dear || clock_now() - worker->began < OVERRUN_US)
        return false;
    pthread_mutex_lock(&pool->lock);
    worker->dear = pool->dear < places(pool);
    pool->dear += worker->dear;
    pthread_mutex_unlock(&pool->lock);
    job->overran = !worker->dear;
    return job->overran;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static void share_memory(struct pool *pool)
{
    size_t workers = (size_t)pool->plan.workers, even = pool->plan.memory / workers;
    size_t own = even / OWN_SHARE < MOST_OWN ? even / OWN_SHARE : MOST_OWN;
    own = own > LEAST_OWN ? own : even < LEAST_OWN ? even : LEAST_OWN;
    pool->own = own & ~(size_t)block_page_mask();
    pool->common = pool->spare = pool->plan.memory - workers * pool->own;
}

static bool start(struct pool *pool, struct worker *worker)
{
    worker->pool = pool;
    worker->memory = block_new(pool_most(pool));
    if (!worker->memory)
        return false;
    char *own = worker->memory, *rest = own + pool->own;
    block_in_large_pages(own + ENDS, rest - ENDS);
    block_in_large_pages(rest, own + pool_most(pool));
    if (pthread_create(&worker->thread, NULL, work, worker) == 0)
        return true;
    block_drop(worker->memory, pool_most(pool));
    return false;
}

struct pool *pool_new(const struct pool_plan *plan)
{
    assert(plan->workers > 0 && plan->queue > 0);
    struct pool *pool = calloc(1, sizeof *pool + (size_t)plan->workers * sizeof *pool->workers);
    if (!pool)
        return NULL;
    pool->plan = *plan;
    share_memory(pool);
    pace_init(&pool->pace);
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
        block_drop(pool->workers[i].memory, pool_most(pool));
    }
    assert(!pool->waiting && !pool->running && pool->spare == pool->common);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* Puts it in, if it may wait; *gone is who made room, or NULL. */
static bool admit(struct pool *pool, struct job *job, int64_t now, struct job **gone)
{
    job->overran = false;
    classify(pool, job);
    job->submitted = now;
    job->until = now + patience_of(pool, job);
    job->expected = expect(pool, job, now);
    if (job->expected > patience_of(pool, job) / 2)
        return false;
    if (pool->waiting == pool->plan.queue) {
        *gone = displaced_by(pool, job);
        if (!*gone)
            return false;
        take_back(pool, *gone);
        (*gone)->expected = expect(pool, *gone, now);
    }
    append(pool, job);
    pthread_cond_signal(&pool->work);
    return true;
}

bool pool_submit(struct pool *pool, struct job *job)
{
    assert(job->run && job->refuse);
    struct job *gone = NULL;
    int64_t now = clock_now();
    pthread_mutex_lock(&pool->lock);
    bool taken = admit(pool, job, now, &gone);
    pthread_mutex_unlock(&pool->lock);
    if (gone)
        gone->refuse(gone);
    return taken;
}

uint64_t pool_expect(struct pool *pool, unsigned kind, uint64_t estimate)
{
    pthread_mutex_lock(&pool->lock);
    uint64_t nanoseconds = pace_expect(&pool->pace, kind, estimate);
    pthread_mutex_unlock(&pool->lock);
    return nanoseconds;
}

bool pool_withdraw(struct pool *pool, struct job *job)
{
    pthread_mutex_lock(&pool->lock);
    bool waiting = job->queued;
    if (waiting)
        take_back(pool, job);
    pthread_mutex_unlock(&pool->lock);
    return waiting;
}

static struct job *take_expired(struct pool *pool, int64_t now)
{
    struct job *gone = NULL;
    pthread_mutex_lock(&pool->lock);
    for (int lane = 0; lane < LANES && !gone; lane++)
        gone = queue_overdue(&pool->lanes[lane], now);
    if (gone) {
        take_back(pool, gone);
        gone->expected = expect(pool, gone, now);
    }
    pthread_mutex_unlock(&pool->lock);
    return gone;
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
    struct pool_state state = {
        .waiting = pool->waiting,
        .running = pool->running,
        .workers = pool->started,
        .dear_waiting = pool->lanes[LANE_DEAR].length,
        .dear_running = pool->dear,
        .reserved = pool->plan.memory - pool->spare,
        .memory = pool->plan.memory,
    };
    pthread_mutex_unlock(&pool->lock);
    return state;
}
