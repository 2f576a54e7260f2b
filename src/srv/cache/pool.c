/*
 * pool.c: workers, the memory that they share, and the jobs that wait for them.
 *
 * TWO LANES. A job is fast when it is expected to take at most FAST_US and fits into what a worker
 * has anyway; every other job is slow. Fast jobs go first, and where there are two workers or more,
 * one never runs slow jobs: a fast job only ever waits for fast ones. A job in the fast lane that
 * takes too long counts as slow from then on; if slow jobs have all their workers, it ends and is
 * submitted again, to the slow lane. With a single worker a fast job waits for the one that runs. A
 * slow job that has waited for half of its time goes before fast ones, on a worker that may run it.
 *
 * TURNS. In each lane clients are served round robin. Each job has a turn: one after the turn of
 * the client's last job, or the next one, if the client has none waiting. Jobs are served by turn,
 * and within a turn in the order in which they came. So a client that sends a thousand jobs waits
 * behind its own, and every other client waits for at most one of them (fair queueing: Demers,
 * Keshav and Shenker, SIGCOMM 1989). A client's turn is found by hashing its key to one of 256
 * slots (stochastic fairness queueing: McKenney, INFOCOM 1990), so no memory is allocated for a
 * client. Two clients in the same slot share its turns.
 *
 * MEMORY. `memory` bounds the pages of all workers together. A fourth of it is split evenly: each
 * worker's own, which it may always touch and keeps while it is idle. What a job needs beyond that
 * is reserved before it begins, and given back by its end. A run's block is as large as its
 * reservation, so the pages touched never pass `memory`. The slow job whose turn it is
 * waits until it fits, and no other slow one begins meanwhile: none needs more than there is, so
 * its turn comes. A run that outgrows its estimate is submitted again, once, with all the memory.
 *
 * WAITING. A job is charged the time that it takes of the whole pool: its share of the workers or
 * of the memory, whichever is larger (Ghodsi and others, Dominant Resource Fairness, NSDI 2011). So
 * the charges ahead of a job are the time that it will wait. A job is let in when that is no longer
 * than it may wait, however many others wait: the expected time is the bound, and it follows the
 * speed that was measured. When its time has passed all the same, it is refused.
 *
 * SPEED. Each kind of work has a ratio, the mean of measured to estimated time over the last runs,
 * of which each newer one weighs a sixteenth (exponential smoothing). The mean, as that is what a
 * queue is made of: on a busy machine half of the runs may be quick, and those that are held up
 * make out most of the wait. A single run counts for no more than eight times the ratio, or an
 * eighth: a machine that slept is not a slow one.
 *
 * REFUSALS. 503 busy: a job would wait longer than --wait-ms (--async-ms, if no connection waits
 * for it), or has waited so long: Retry-After is the expected wait. Also, with a Retry-After of 1:
 * more than --queue jobs wait, which bounds memory alone; an answer finds no room under
 * --output-bytes for half a second (blob.c); more than --async maps are made for clients that do
 * not wait (operation.c).
 * 429 too many: a client is above its --rate, where Retry-After is when the next request is due; or
 * above --async-per-client.
 * 503 draining: the server ends; in 2 seconds another copy answers, or this one again.
 * 503 unavailable: there is no memory.
 */
#include "pool.h"

#include "srv/base/block.h"
#include "srv/base/clock.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum {
    FAST_US = 50000,             /* the longest expected time of a fast job */
    OVERRUN_US = 2 * FAST_US,    /* a job that takes longer is not fast */
    MOST_OWN = 64 * 1024 * 1024, /* bytes of a worker's own */
    LEAST_OWN = 256 * 1024,
    OWN_SHARE = 4, /* the workers' own together are a fourth of the memory */
};

#define LONGEST_NS (3600 * UINT64_C(1000000000)) /* so that no sum of charges overflows */

enum lane { LANE_FAST, LANE_SLOW, LANES };

enum { QUEUE_SLOTS = 256 };

enum { KINDS = 256, RUN_WEIGHT = 16, FARTHEST = 8, LEAST_PART = 64, MOST_TIMES = 256 };

/* All zeros: empty. */
struct queue {
    struct job *first, *last; /* by turn */
    uint64_t work;            /* sum of charges */
    int length;               /* jobs */
    uint64_t turn;            /* of the job that was taken last */
    /* of the clients whose keys fall into each slot: jobs that wait, and the turn of the last */
    int waiting[QUEUE_SLOTS];
    uint64_t turns[QUEUE_SLOTS];
};

struct worker {
    struct pool *pool;
    pthread_t thread;
    int64_t began;  /* clock_now */
    struct job job; /* a copy of the one that runs, which may be gone before the run is over */
};

struct pool {
    int workers, most; /* most: jobs that may wait: a bound on memory; `wait` bounds the time */
    int64_t wait;      /* longest wait, in microseconds */
    pthread_mutex_t lock;
    pthread_cond_t work;
    struct queue lanes[LANES];
    double ratios[KINDS];      /* of measured to estimated time; many kinds share some */
    int running, slow;         /* slow: of those running */
    size_t own, common, spare; /* common: all but the workers' own; spare: not reserved */
    bool ending;
    struct worker worker[];
};

/* ---- turns, under the lock ------------------------------------------------------------------- */

static size_t slot_of(const struct job *job)
{
    return (job->client * UINT64_C(0x9e3779b97f4a7c15)) >> 56;
}

/* The turn of a job that is queued now. */
static uint64_t next_turn(const struct queue *queue, const struct job *job)
{
    size_t slot = slot_of(job);
    return (queue->waiting[slot] ? queue->turns[slot] : queue->turn) + 1;
}

static void queue_put(struct queue *queue, struct job *job)
{
    struct job *before = queue->last;
    assert(!job->queued && job->charge > 0);
    job->turn = next_turn(queue, job);
    while (before && before->turn > job->turn)
        before = before->before;
    job->before = before;
    job->next = before ? before->next : queue->first;
    *(before ? &before->next : &queue->first) = job;
    *(job->next ? &job->next->before : &queue->last) = job;
    job->queued = true;
    queue->turns[slot_of(job)] = job->turn;
    queue->waiting[slot_of(job)]++;
    queue->work += job->charge;
    queue->length++;
}

static void queue_remove(struct queue *queue, struct job *job)
{
    assert(job->queued && queue->length > 0 && queue->work >= job->charge);
    assert(job->before ? job->before->next == job : queue->first == job);
    *(job->before ? &job->before->next : &queue->first) = job->next;
    *(job->next ? &job->next->before : &queue->last) = job->before;
    job->queued = false;
    queue->waiting[slot_of(job)]--;
    queue->work -= job->charge;
    queue->length--;
}

/* The sum of charges that run before this job, if it is put in now and none comes after it. */
static uint64_t queue_ahead(const struct queue *queue, const struct job *job)
{
    uint64_t ahead = queue->work, turn = next_turn(queue, job);
    for (const struct job *one = queue->last; one && one->turn > turn; one = one->before)
        ahead -= one->charge;
    return ahead;
}

size_t pool_most(const struct pool *pool) { return pool->own + pool->common; }

/* ---- speed, under the lock ------------------------------------------------------------------- */

static double bounded(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

static uint64_t expect_run(const struct pool *pool, unsigned kind, uint64_t estimate)
{
    return (uint64_t)bounded((double)estimate * pool->ratios[kind % KINDS], 0, 1e19);
}

static void learn(struct pool *pool, const struct job *job, uint64_t measured)
{
    double *ratio = &pool->ratios[job->kind % KINDS];
    double now = (double)measured / (double)(job->estimate + 1);
    now = bounded(now, *ratio / FARTHEST, *ratio * FARTHEST);
    *ratio = bounded(*ratio + (now - *ratio) / RUN_WEIGHT, 1.0 / LEAST_PART, MOST_TIMES);
}

/* ---- what a job is, under the lock ----------------------------------------------------------- */

/* How many slow jobs may run at a time. */
static int slow_workers(const struct pool *pool)
{
    return pool->workers > 1 ? pool->workers - 1 : 1;
}

static struct queue *lane_of(struct pool *pool, const struct job *job)
{
    return &pool->lanes[job->slow ? LANE_SLOW : LANE_FAST];
}

static uint64_t charge_of(const struct pool *pool, const struct job *job, uint64_t nanoseconds)
{
    uint64_t workers = (uint64_t)(job->slow ? slow_workers(pool) : pool->workers);
    double of_workers = (double)nanoseconds / (double)workers;
    double of_memory = (double)nanoseconds * (double)job->need / (double)(pool->common + 1);
    return 1 + (uint64_t)(of_workers > of_memory ? of_workers : of_memory);
}

static void classify(const struct pool *pool, struct job *job)
{
    uint64_t most = pool_most(pool), bytes = job->bytes < most ? job->bytes : most;
    uint64_t page = block_page_mask();
    job->need = bytes > pool->own ? (size_t)((bytes - pool->own + page) & ~page) : 0;
    job->need = job->need < pool->common ? job->need : pool->common;
    uint64_t nanoseconds = expect_run(pool, job->kind, job->estimate);
    nanoseconds = nanoseconds < LONGEST_NS ? nanoseconds : LONGEST_NS;
    job->slow = job->overran || job->need || nanoseconds > FAST_US * UINT64_C(1000);
    job->charge = charge_of(pool, job, nanoseconds);
}

/* Expected wait of a job that is submitted now, in microseconds. */
static int64_t expect(struct pool *pool, const struct job *job)
{
    uint64_t fast = job->slow ? pool->lanes[LANE_FAST].work : 0;
    return (int64_t)((fast + queue_ahead(lane_of(pool, job), job)) / 1000);
}

/* ---- what is next, under the lock ------------------------------------------------------------ */

static int waiting(const struct pool *pool)
{
    return pool->lanes[LANE_FAST].length + pool->lanes[LANE_SLOW].length;
}

/* The next slow job, if it can begin. */
static struct job *ready_slow(const struct pool *pool)
{
    struct job *job = pool->lanes[LANE_SLOW].first;
    bool ready = job && pool->slow < slow_workers(pool) && job->need <= pool->spare;
    return ready ? job : NULL;
}

static struct job *ready_job(const struct pool *pool)
{
    struct job *fast = pool->lanes[LANE_FAST].first, *slow = ready_slow(pool);
    if (!fast || !slow)
        return fast ? fast : slow;
    return clock_now() - slow->submitted > pool->wait / 2 ? slow : fast;
}

/* ---- running --------------------------------------------------------------------------------- */

static void begin(struct worker *worker, struct job *job)
{
    struct pool *pool = worker->pool;
    struct queue *lane = lane_of(pool, job);
    assert(lane->first == job && lane->turn <= job->turn);
    assert(pool->running < pool->workers && job->need <= pool->spare);
    lane->turn = job->turn;
    queue_remove(lane, job);
    pool->running++;
    pool->slow += job->slow;
    pool->spare -= job->need;
    job->worker = (int)(worker - pool->worker);
    worker->job = *job;
    worker->began = clock_now();
}

/* The job may be gone, or run again elsewhere. */
static void end(struct worker *worker, bool whole)
{
    struct pool *pool = worker->pool;
    pool->running--;
    pool->slow -= worker->job.slow;
    pool->spare += worker->job.need;
    assert(pool->running >= 0 && pool->slow >= 0 && pool->spare <= pool->common);
    if (whole)
        learn(pool, &worker->job, (uint64_t)(clock_now() - worker->began) * 1000);
    if (worker->job.slow)
        pthread_cond_broadcast(&pool->work); /* its memory may be enough for several jobs */
    worker->job.slow = false;
}

/* Waits for a job; NULL when the pool ends and none is left. */
static struct job *await_job(struct pool *pool)
{
    struct job *job;
    while (!(job = ready_job(pool)) && (!pool->ending || waiting(pool)))
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
        pthread_mutex_unlock(&pool->lock);
        bool whole = job->run(job, pool->own + worker->job.need);
        pthread_mutex_lock(&pool->lock);
        end(worker, whole);
    }
    pthread_cond_broadcast(&pool->work); /* the other workers end too */
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

bool pool_overruns(struct pool *pool, struct job *job)
{
    struct worker *worker = &pool->worker[job->worker];
    if (worker->job.slow || clock_now() - worker->began < OVERRUN_US)
        return false;
    pthread_mutex_lock(&pool->lock);
    worker->job.slow = pool->slow < slow_workers(pool);
    pool->slow += worker->job.slow;
    pthread_mutex_unlock(&pool->lock);
    job->overran = !worker->job.slow;
    return job->overran;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

size_t pool_own(const struct config *config)
{
    size_t even = (size_t)config->memory / (size_t)config->workers;
    size_t own = even / OWN_SHARE < MOST_OWN ? even / OWN_SHARE : MOST_OWN;
    own = own > LEAST_OWN ? own : even < LEAST_OWN ? even : LEAST_OWN;
    return own & ~(size_t)block_page_mask();
}

static bool start(struct pool *pool, struct worker *worker)
{
    worker->pool = pool;
    return pthread_create(&worker->thread, NULL, work, worker) == 0;
}

struct pool *pool_new(const struct config *config)
{
    size_t workers = (size_t)config->workers;
    assert(config->workers > 0 && config->queue > 0);
    struct pool *pool = calloc(1, sizeof *pool + workers * sizeof *pool->worker);
    if (!pool)
        return NULL;
    pool->most = config->queue;
    pool->wait = config->wait_ms * INT64_C(1000);
    pool->own = pool_own(config);
    pool->common = pool->spare = (size_t)config->memory - workers * pool->own;
    for (int i = 0; i < KINDS; i++)
        pool->ratios[i] = 1;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    while (pool->workers < config->workers && start(pool, &pool->worker[pool->workers]))
        pool->workers++;
    if (pool->workers == config->workers)
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
    for (int i = 0; i < pool->workers; i++)
        pthread_join(pool->worker[i].thread, NULL);
    assert(!waiting(pool) && !pool->running && pool->spare == pool->common);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

/* ---- asking ---------------------------------------------------------------------------------- */

static bool admit(struct pool *pool, struct job *job, int64_t now)
{
    classify(pool, job);
    if (!job->pool) /* else it runs, and another thread may try to withdraw it */
        job->pool = pool;
    job->submitted = now;
    job->patience = job->patience ? job->patience : pool->wait;
    job->expected = expect(pool, job);
    return job->expected <= job->patience && waiting(pool) < pool->most;
}

bool pool_submit(struct pool *pool, struct job *job)
{
    assert(job->run && job->refuse);
    int64_t now = clock_now();
    pthread_mutex_lock(&pool->lock);
    bool admitted = admit(pool, job, now);
    if (admitted)
        queue_put(lane_of(pool, job), job);
    pthread_mutex_unlock(&pool->lock); /* first: the woken worker needs it */
    if (admitted)
        pthread_cond_signal(&pool->work);
    return admitted;
}

uint64_t pool_expect(struct pool *pool, unsigned kind, uint64_t estimate)
{
    pthread_mutex_lock(&pool->lock);
    uint64_t nanoseconds = expect_run(pool, kind, estimate);
    pthread_mutex_unlock(&pool->lock);
    return nanoseconds;
}

bool pool_withdraw(struct job *job)
{
    struct pool *pool = job->pool;
    if (!pool)
        return false;
    pthread_mutex_lock(&pool->lock);
    bool queued = job->queued;
    if (queued)
        queue_remove(lane_of(pool, job), job);
    pthread_mutex_unlock(&pool->lock);
    return queued;
}

/* Takes those that have waited too long from a lane, and links them by `next`. */
static struct job *take_overdue(struct pool *pool, struct queue *lane, int64_t now)
{
    struct job *overdue = NULL;
    for (struct job *job = lane->first, *next; job; job = next) {
        next = job->next;
        if (now - job->submitted <= job->patience)
            continue;
        queue_remove(lane, job);
        job->expected = expect(pool, job);
        job->next = overdue;
        overdue = job;
    }
    return overdue;
}

void pool_expire(struct pool *pool, int64_t now)
{
    for (int lane = 0; lane < LANES; lane++) {
        pthread_mutex_lock(&pool->lock);
        struct job *overdue = take_overdue(pool, &pool->lanes[lane], now);
        pthread_mutex_unlock(&pool->lock);
        for (struct job *next; overdue; overdue = next) {
            next = overdue->next;
            overdue->refuse(overdue);
        }
    }
}

void pool_measure(struct pool *pool, int64_t gauges[GAUGE_END])
{
    pthread_mutex_lock(&pool->lock);
    gauges[GAUGE_WAITING_FAST] = pool->lanes[LANE_FAST].length;
    gauges[GAUGE_WAITING_SLOW] = pool->lanes[LANE_SLOW].length;
    gauges[GAUGE_RUNNING_FAST] = pool->running - pool->slow;
    gauges[GAUGE_RUNNING_SLOW] = pool->slow;
    gauges[GAUGE_WORKERS] = pool->workers;
    gauges[GAUGE_LIMIT_RUNS] = (int64_t)(pool->common + (size_t)pool->workers * pool->own);
    gauges[GAUGE_HELD_RUNS] = gauges[GAUGE_LIMIT_RUNS] - (int64_t)pool->spare;
    pthread_mutex_unlock(&pool->lock);
}
