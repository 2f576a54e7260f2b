/* check_pool.c: workers and the queue before them. */
#include "faults.h"
#include "large_pages.h"
#include "srv/cache/pool.h"
#include "unit/unit.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

/* Microseconds that no test takes, should the machine stand still meanwhile. */
#define EVER INT64_C(3600000000)

static pthread_mutex_t hold = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ran, refused;

static enum outcome run(struct job *job, void *memory, size_t size)
{
    (void)job;
    memset(memory, 1, size < 64 ? size : 64);
    pthread_mutex_lock(&hold);
    pthread_mutex_unlock(&hold);
    ran++;
    return JOB_DONE;
}

static void refuse(struct job *job)
{
    (void)job;
    refused++;
}

/* So many jobs, of which none is settled. */
static void make_jobs(struct job *jobs, int count)
{
    ran = refused = 0;
    for (int i = 0; i < count; i++)
        jobs[i] = (struct job){.run = run, .refuse = refuse};
}

/* A pool whose one worker holds the first of these jobs. */
static struct pool *hold_worker(struct job *jobs, int count, const struct config *plan)
{
    make_jobs(jobs, count);
    pthread_mutex_lock(&hold);
    struct pool *pool = pool_new(plan);
    ck_assert(pool_submit(pool, &jobs[0]));
    while (!pool_state(pool).running)
        sched_yield();
    return pool;
}

/* How many have run in the end. */
static int let_go(struct pool *pool)
{
    pthread_mutex_unlock(&hold);
    pool_drop(pool);
    return ran;
}

TEST(refuses_what_waits_too_long)
{
    struct config plan = {.workers = 1, .queue = 2, .wait_ms = 1, .memory = 1 << 16};
    struct job jobs[6];
    struct pool *pool = hold_worker(jobs, COUNT(jobs), &plan);
    ck_assert(pool_submit(pool, &jobs[1]));
    ck_assert(pool_submit(pool, &jobs[2]));
    ck_assert(!pool_submit(pool, &jobs[3]));
    ck_assert(pool_withdraw(pool, &jobs[1]));
    ck_assert(!pool_withdraw(pool, &jobs[1]));
    ck_assert(!pool_withdraw(pool, &jobs[0]));
    ck_assert(pool_submit(pool, &jobs[4]));
    pool_expire(pool, jobs[2].submitted + 1000);
    ck_assert_int_eq(refused, 0);
    pool_expire(pool, jobs[4].submitted + 1001);
    ck_assert_int_eq(refused, 2);
    ck_assert(pool_submit(pool, &jobs[5]));
    ck_assert_int_eq(let_go(pool), 2);
}

/* However many wait: a job is let in up to the time that it may wait, and refused beyond. */
TEST(bounds_the_queue_by_time)
{
    enum { LAST = 1000, JOB_NS = 10000000 };
    static struct job jobs[LAST + 3];
    struct config plan = {
        .workers = 1, .queue = LAST * 2, .wait_ms = LAST * 10 + 1, .memory = 1 << 20};
    struct pool *pool = hold_worker(jobs, COUNT(jobs), &plan);
    for (int i = 1; i < COUNT(jobs); i++) {
        jobs[i].estimate = JOB_NS;
        ck_assert_int_eq(pool_submit(pool, &jobs[i]), i < COUNT(jobs) - 1);
    }
    ck_assert_int_gt(jobs[LAST + 2].expected, plan.wait_ms * INT64_C(1000));
    ck_assert_int_eq(let_go(pool), LAST + 2);
}

/* Behind one of the same client that may wait longer, and itself not. */
TEST(some_are_more_patient)
{
    const struct config plan = {.workers = 1, .queue = 4, .wait_ms = 1, .memory = 1 << 20};
    struct job jobs[3], *patient = &jobs[1], *other = &jobs[2];
    struct pool *pool = hold_worker(jobs, COUNT(jobs), &plan);
    patient->patience = EVER;
    ck_assert(pool_submit(pool, patient));
    ck_assert(pool_submit(pool, other));
    pool_expire(pool, other->submitted + 1001);
    ck_assert(refused == 1 && !other->queued && patient->queued);
    pool_expire(pool, patient->submitted + EVER + 1);
    ck_assert(refused == 2 && !patient->queued);
    let_go(pool);
}

/* What was accepted is run, though the pool ends. */
TEST(runs_all_before_it_ends)
{
    static struct job jobs[100];
    struct config plan = {.workers = 3, .queue = 100, .wait_ms = EVER / 1000, .memory = 1 << 16};
    struct pool *pool = pool_new(&plan);
    ck_assert_int_eq(pool_state(pool).workers, 3);
    make_jobs(jobs, COUNT(jobs));
    for (int i = 0; i < COUNT(jobs); i++)
        ck_assert(pool_submit(pool, &jobs[i]));
    pool_drop(pool);
    ck_assert(ran == COUNT(jobs) && !refused);
}

TEST(withdraws_from_the_middle)
{
    struct job jobs[5];
    struct config plan = {.workers = 1, .queue = 4, .wait_ms = 1, .memory = 1 << 16};
    struct pool *pool = hold_worker(jobs, COUNT(jobs), &plan);
    for (int i = 1; i < 5; i++)
        ck_assert(pool_submit(pool, &jobs[i]));
    ck_assert(pool_withdraw(pool, &jobs[3]) && pool_withdraw(pool, &jobs[4]) &&
              pool_withdraw(pool, &jobs[1]));
    ck_assert_int_eq(pool_state(pool).waiting, 1);
    ck_assert(pool_submit(pool, &jobs[4]));
    ck_assert_int_eq(let_go(pool), 3);
}

TEST(says_when_there_is_no_room)
{
    struct config plan = {.workers = 2, .queue = 1, .memory = INT64_C(1) << 62};
    ck_assert_ptr_null(pool_new(&plan));
}

TEST(begins_whole_or_not_at_all)
{
    struct config plan = {.workers = 3, .queue = 1, .memory = 1 << 16};
    bool faulted = true;
    for (int n = 1; faulted; n++) {
        faults_begin(n);
        struct pool *pool = pool_new(&plan);
        faulted = faults_end();
        ck_assert_int_eq(!pool, faulted);
        if (pool)
            pool_drop(pool);
    }
}

/* ---- lanes and memory ------------------------------------------------------------------------ */

enum { MIB = 1 << 20, SLOW_NS = 100000000 };

static atomic_int slow_running, most_slow, order, sizes_seen;
static atomic_bool open_gate;
static struct pool *shared;

static enum outcome run_slow(struct job *job, void *memory, size_t size)
{
    int now = ++slow_running;
    most_slow = now > most_slow ? now : most_slow;
    memset(memory, 1, size);
    while (!open_gate)
        sched_yield();
    slow_running--;
    *(atomic_int *)job->arg = ++order;
    return JOB_CUT;
}

/* Small maps fill the ends of a worker's own; they are not to take a large page each. */
static enum outcome run_large(struct job *job, void *memory, size_t size)
{
    char *from = memory, *end = from + size;
    ck_assert_uint_ge(size, 48 * MIB);
    ck_assert(!is_in_large_pages(from, false) && !is_in_large_pages(from + MIB, false));
    ck_assert(is_in_large_pages(from + 4 * MIB, true));
    ck_assert(!is_in_large_pages(from + 15 * MIB, false));
    ck_assert(is_in_large_pages(from + 16 * MIB, true) && is_in_large_pages(end - 1, true));
    end[-1] = 1;
    *(atomic_int *)job->arg = ++order;
    return JOB_CUT;
}

/* The next one finds nothing there. */
static enum outcome run_next(struct job *job, void *memory, size_t size)
{
    ck_assert_int_eq(((char *)memory)[size - 1], 0);
    return run_large(job, memory, size);
}

static enum outcome run_fast(struct job *job, void *memory, size_t size)
{
    (void)memory, (void)size;
    *(atomic_int *)job->arg = ++order;
    return JOB_CUT;
}

static struct pool *begin(int workers, size_t memory)
{
    struct config plan = {
        .workers = workers, .queue = 64, .wait_ms = EVER / 1000, .memory = (int64_t)memory};
    slow_running = most_slow = order = sizes_seen = 0;
    open_gate = false;
    return shared = pool_new(&plan);
}

/* However many slow jobs there are, a fast one is run: one worker is none of theirs. */
TEST(keeps_a_worker_for_fast_jobs)
{
    atomic_int at[5] = {0};
    struct job jobs[5];
    struct pool *pool = begin(2, 64 * MIB);
    for (int i = 0; i < 4; i++) {
        jobs[i] =
            (struct job){.run = run_slow, .refuse = refuse, .arg = &at[i], .estimate = SLOW_NS};
        ck_assert(pool_submit(pool, &jobs[i]));
        while (!slow_running)
            sched_yield();
    }
    jobs[4] = (struct job){.run = run_fast, .refuse = refuse, .arg = &at[4], .estimate = 1000};
    ck_assert(pool_submit(pool, &jobs[4]));
    while (!at[4])
        sched_yield();
    ck_assert_int_eq(at[4], 1);
    ck_assert_int_eq(pool_state(pool).slow_waiting, 3);
    open_gate = true;
    pool_drop(pool);
    ck_assert_int_eq(most_slow, 1);
    ck_assert_int_eq(order, 5);
}

/* With one worker fast jobs go first. */
TEST(runs_fast_jobs_first)
{
    atomic_int at[3] = {0};
    struct job jobs[3];
    struct pool *pool = begin(1, 64 * MIB);
    for (int i = 0; i < 3; i++) {
        jobs[i] = (struct job){
            .run = run_slow, .refuse = refuse, .arg = &at[i], .estimate = i < 2 ? SLOW_NS : 1000};
        ck_assert(pool_submit(pool, &jobs[i]));
        while (!slow_running)
            sched_yield();
    }
    open_gate = true;
    pool_drop(pool);
    ck_assert(at[0] == 1 && at[2] == 2 && at[1] == 3);
}

TEST(large_jobs_have_large_pages)
{
    atomic_int at[2] = {0};
    struct pool *pool = begin(1, 64 * MIB);
    struct job jobs[] = {{.run = run_large, .refuse = refuse, .arg = &at[0], .bytes = 60 * MIB},
                         {.run = run_next, .refuse = refuse, .arg = &at[1], .bytes = 60 * MIB}};
    ck_assert(pool_submit(pool, &jobs[0]) && pool_submit(pool, &jobs[1]));
    pool_drop(pool);
    ck_assert(at[0] == 1 && at[1] == 2);
}

/* Two fit, the third waits; all reservations together stay within the memory. */
TEST(reserves_memory)
{
    atomic_int at[4] = {0};
    struct job jobs[4];
    struct pool *pool = begin(4, 64 * MIB);
    for (int i = 0; i < 4; i++) {
        jobs[i] = (struct job){.run = run_slow,
                               .refuse = refuse,
                               .arg = &at[i],
                               .estimate = SLOW_NS,
                               .bytes = 25 * MIB};
        ck_assert(pool_submit(pool, &jobs[i]));
    }
    while (slow_running < 2)
        sched_yield();
    struct pool_state state = pool_state(pool);
    ck_assert_uint_le(state.reserved, 64 * MIB);
    ck_assert_int_eq(state.slow_waiting, 2);
    open_gate = true;
    pool_drop(pool);
    ck_assert_int_eq(most_slow, 2);
    ck_assert_int_eq(order, 4);
}

static enum outcome outgrow(struct job *job, void *memory, size_t size)
{
    memset(memory, 1, size);
    sizes_seen++;
    job->bytes = UINT64_MAX;
    return size < pool_most(shared) ? JOB_AGAIN : JOB_DONE;
}

TEST(gives_all_memory_to_what_outgrows_it)
{
    struct pool *pool = begin(2, 64 * MIB);
    struct job job = {.run = outgrow, .refuse = refuse, .estimate = 1000, .bytes = 1000};
    ck_assert(pool_submit(pool, &job));
    pool_drop(pool);
    ck_assert_int_eq(sizes_seen, 2);
}

/* Taken for fast, and going on for long: it gives its place up, and comes again as what it is. */
static enum outcome overrun(struct job *job, void *memory, size_t size)
{
    (void)memory, (void)size;
    sizes_seen++;
    if (open_gate) {
        *(atomic_int *)job->arg = ++order;
        return JOB_CUT;
    }
    while (!pool_overruns(shared, job))
        sched_yield();
    open_gate = true;
    return JOB_AGAIN;
}

TEST(moves_what_is_slow_after_all)
{
    atomic_int at[2] = {0};
    struct pool *pool = begin(2, 64 * MIB);
    struct job slow = {.run = run_slow, .refuse = refuse, .arg = &at[0], .estimate = SLOW_NS};
    struct job job = {.run = overrun, .refuse = refuse, .arg = &at[1], .estimate = 1000};
    ck_assert(pool_submit(pool, &slow));
    while (!slow_running)
        sched_yield();
    ck_assert(pool_submit(pool, &job));
    while (!order)
        sched_yield();
    pool_drop(pool);
    ck_assert_int_eq(at[0], 1);
    ck_assert_int_eq(at[1], 2);
    ck_assert_int_eq(sizes_seen, 2);
    ck_assert(job.slow && job.overran);
}
