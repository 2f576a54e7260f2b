/* check_pool.c: workers and the queue before them. */
#include "srv/base/clock.h"
#include "srv/cache/pool.h"
#include "unit/unit.h"

#include <sched.h>
#include <stdatomic.h>

enum { MIB = 1 << 20, SLOW_NS = 100000000, EVER_MS = 3600000 };

static struct pool *pool;
static atomic_bool gate_open;
static atomic_int ran, refused, slow_running, most_slow, attempts;

/* The job's place in the order of ends: it stays 0 as long as the job has not ended. */
struct timed {
    struct job job;
    atomic_int place;
};

static int64_t measured(enum gauge gauge)
{
    int64_t gauges[GAUGE_END];
    pool_measure(pool, gauges);
    return gauges[gauge];
}

static bool end(struct job *job)
{
    ((struct timed *)(void *)job)->place = ++ran;
    return false;
}

static bool run(struct job *job, size_t size)
{
    (void)size;
    return end(job);
}

/* Holds its worker as long as the gate is closed. */
static bool run_held(struct job *job, size_t size)
{
    (void)size;
    int now = ++slow_running;
    most_slow = now > most_slow ? now : most_slow;
    while (!gate_open)
        sched_yield();
    slow_running--;
    return end(job);
}

static void refuse(struct job *job)
{
    (void)job;
    refused++;
}

static void begin(int workers, int queue, int wait_ms, size_t memory)
{
    struct config config = {
        .workers = workers, .queue = queue, .wait_ms = wait_ms, .memory = (int64_t)memory};
    ran = refused = slow_running = most_slow = attempts = 0;
    gate_open = false;
    pool = pool_new(&config);
}

static bool submit(struct timed *timed, bool (*how)(struct job *, size_t), uint64_t estimate,
                   uint64_t bytes)
{
    int64_t patience = timed->job.patience;
    *timed = (struct timed){.job = {.run = how,
                                    .client = timed->job.client,
                                    .kind = timed->job.kind,
                                    .refuse = refuse,
                                    .estimate = estimate,
                                    .bytes = bytes,
                                    .patience = patience}};
    return pool_submit(pool, &timed->job);
}

/* A pool whose one worker holds the first of these jobs. */
static void hold_worker(struct timed *jobs, int queue, int wait_ms)
{
    begin(1, queue, wait_ms, MIB);
    ck_assert(submit(&jobs[0], run_held, 0, 0));
    while (!slow_running)
        sched_yield();
}

/* How many have run in the end. */
static int let_go(void)
{
    gate_open = true;
    pool_drop(pool);
    return ran;
}

TEST(refuses_what_waits_too_long)
{
    struct timed jobs[6] = {0};
    hold_worker(jobs, 2, 1);
    ck_assert(submit(&jobs[1], run, 0, 0) && submit(&jobs[2], run, 0, 0));
    ck_assert(!submit(&jobs[3], run, 0, 0));
    ck_assert(pool_withdraw(&jobs[1].job));
    ck_assert(!pool_withdraw(&jobs[1].job) && !pool_withdraw(&jobs[0].job));
    ck_assert(submit(&jobs[4], run, 0, 0));
    pool_expire(pool, jobs[2].job.submitted + 1000);
    ck_assert_int_eq(refused, 0);
    pool_expire(pool, jobs[4].job.submitted + 1001);
    ck_assert_int_eq(refused, 2);
    ck_assert(submit(&jobs[5], run, 0, 0));
    ck_assert_int_eq(let_go(), 2);
}

/* However many wait: a job is let in up to the time that it may wait, and refused beyond. */
TEST(bounds_the_queue_by_time)
{
    enum { LAST = 1000, JOB_NS = 10000000 };
    static struct timed jobs[LAST + 3];
    hold_worker(jobs, LAST * 2, LAST * 10 + 1);
    for (int i = 1; i < COUNT(jobs); i++)
        ck_assert_int_eq(submit(&jobs[i], run, JOB_NS, 0), i < COUNT(jobs) - 1);
    ck_assert_int_gt(jobs[LAST + 2].job.expected, (LAST * 10 + 1) * 1000);
    ck_assert_int_eq(let_go(), LAST + 2);
}

/* Behind one of the same client that may wait longer, and itself not. */
TEST(some_are_more_patient)
{
    const int64_t ever = EVER_MS * INT64_C(1000);
    struct timed jobs[3] = {[1].job.patience = ever};
    struct job *patient = &jobs[1].job, *other = &jobs[2].job;
    hold_worker(jobs, 4, 1);
    ck_assert(submit(&jobs[1], run, 0, 0) && submit(&jobs[2], run, 0, 0));
    pool_expire(pool, other->submitted + 1001);
    ck_assert(refused == 1 && !other->queued && patient->queued);
    pool_expire(pool, patient->submitted + ever + 1);
    ck_assert(refused == 2 && !patient->queued);
    let_go();
}

/* What was accepted is run, though the pool ends. */
TEST(runs_all_before_it_ends)
{
    static struct timed jobs[100];
    begin(3, 100, EVER_MS, 1 << 16);
    ck_assert_int_eq(measured(GAUGE_WORKERS), 3);
    for (int i = 0; i < COUNT(jobs); i++)
        ck_assert(submit(&jobs[i], run, 0, 0));
    ck_assert(let_go() == COUNT(jobs) && !refused);
}

/* ---- turns ----------------------------------------------------------------------------------- */

/* One client sends a hundred jobs, the others one each: these wait for one turn, not a hundred. */
TEST(serves_clients_in_turn)
{
    static struct timed jobs[104];
    hold_worker(jobs, COUNT(jobs), EVER_MS);
    for (int i = 1; i < COUNT(jobs); i++) {
        jobs[i].job.client = i <= 100 ? 1 : (uint64_t)i;
        ck_assert(submit(&jobs[i], run, 1000, 0));
    }
    ck_assert_int_eq(let_go(), COUNT(jobs));
    for (int i = 101; i < COUNT(jobs); i++)
        ck_assert_int_eq(jobs[i].place, i - 98);
}

static struct timed late[10];

static bool run_before_late(struct job *job, size_t size)
{
    for (int i = 0; i < COUNT(late); i++) {
        late[i].job.client = 1;
        submit(&late[i], run, 1000, 0);
    }
    return run(job, size);
}

/* A client that was idle has saved up no turns: it shares them with the one that was not. */
TEST(saves_no_turns_up)
{
    static struct timed jobs[21];
    hold_worker(jobs, 64, EVER_MS);
    for (int i = 1; i < COUNT(jobs); i++) {
        jobs[i].job.client = 2;
        ck_assert(submit(&jobs[i], i == 10 ? run_before_late : run, 1000, 0));
    }
    ck_assert_int_eq(let_go(), COUNT(jobs) + COUNT(late));
    for (int i = 0; i < COUNT(late); i++)
        ck_assert_int_eq(late[i].place, 13 + 2 * i);
}

/* As many jobs of each other client go first as of its own. */
TEST(foretells_the_wait)
{
    static const int64_t expected[] = {10000, 25000, 15000};
    static struct timed jobs[14];
    hold_worker(jobs, COUNT(jobs), EVER_MS);
    for (int i = 1; i < COUNT(jobs); i++) {
        jobs[i].job.client = i <= 10 ? 2 : i <= 12 ? 1 : 3;
        ck_assert(submit(&jobs[i], run, i == 11 ? 5000000 : 10000000, 0));
    }
    for (int i = 0; i < COUNT(expected); i++)
        ck_assert_int_eq(jobs[11 + i].job.expected, expected[i]);
    let_go();
}

/* ---- lanes and memory ------------------------------------------------------------------------ */

/* However many slow jobs there are, a fast one is run: one worker is none of theirs. */
TEST(keeps_a_worker_for_fast_jobs)
{
    struct timed jobs[5] = {0};
    begin(2, 64, EVER_MS, 64 * MIB);
    for (int i = 0; i < 4; i++)
        ck_assert(submit(&jobs[i], run_held, SLOW_NS, 0));
    ck_assert(submit(&jobs[4], run, 1000, 0));
    while (!jobs[4].place || !slow_running)
        sched_yield();
    ck_assert_int_eq(jobs[4].place, 1);
    ck_assert_int_eq(measured(GAUGE_WAITING_SLOW), 3);
    ck_assert_int_eq(let_go(), 5);
    ck_assert_int_eq(most_slow, 1);
}

/* With one worker fast jobs go first. */
TEST(runs_fast_jobs_first)
{
    struct timed jobs[3] = {0};
    hold_worker(jobs, 64, EVER_MS);
    ck_assert(submit(&jobs[1], run, SLOW_NS, 0) && submit(&jobs[2], run, 1000, 0));
    ck_assert_int_eq(let_go(), 3);
    ck_assert(jobs[0].place == 1 && jobs[2].place == 2 && jobs[1].place == 3);
}

/* Two fit, the third waits; all reservations together stay within the memory. */
TEST(reserves_memory)
{
    struct timed jobs[4] = {0};
    begin(4, 64, EVER_MS, 64 * MIB);
    for (int i = 0; i < 4; i++)
        ck_assert(submit(&jobs[i], run_held, SLOW_NS, 25 * MIB));
    while (slow_running < 2)
        sched_yield();
    ck_assert_int_le(measured(GAUGE_HELD_RUNS), 64 * MIB);
    ck_assert_int_eq(measured(GAUGE_WAITING_SLOW), 2);
    ck_assert_int_eq(let_go(), 4);
    ck_assert_int_eq(most_slow, 2);
}

static bool outgrow(struct job *job, size_t size)
{
    attempts++;
    job->bytes = UINT64_MAX;
    return size < pool_most(pool) ? !pool_submit(pool, job) : end(job);
}

TEST(gives_all_memory_to_what_outgrows_it)
{
    struct timed job = {0};
    begin(2, 64, EVER_MS, 64 * MIB);
    ck_assert(submit(&job, outgrow, 1000, 1000));
    ck_assert_int_eq(let_go(), 1);
    ck_assert_int_eq(attempts, 2);
}

/* Taken for fast, and going on for long: it gives its place up, and comes again as what it is. */
static bool overrun(struct job *job, size_t size)
{
    (void)size;
    if (attempts++)
        return end(job);
    while (!pool_overruns(pool, job))
        sched_yield();
    gate_open = true;
    return !pool_submit(pool, job);
}

TEST(moves_what_is_slow_after_all)
{
    struct timed slow = {0}, job = {0};
    begin(2, 64, EVER_MS, 64 * MIB);
    ck_assert(submit(&slow, run_held, SLOW_NS, 0));
    while (!slow_running)
        sched_yield();
    ck_assert(submit(&job, overrun, 1000, 0));
    while (!slow.place)
        sched_yield();
    let_go();
    ck_assert(slow.place == 1 && job.place == 2 && attempts == 2);
    ck_assert(job.job.slow && job.job.overran);
}

/* With a short estimate, for at least a millisecond. */
static bool run_whole(struct job *job, size_t size)
{
    int64_t began = clock_now();
    while (job->estimate <= 1000 && clock_now() - began < 1000)
        sched_yield();
    return run(job, size) || true;
}

static void learn(int runs, uint64_t estimate)
{
    for (; runs; runs--) {
        struct timed job = {.job.kind = 3};
        ck_assert(submit(&job, run_whole, estimate, 0));
        while (!job.place || measured(GAUGE_RUNNING_FAST) || measured(GAUGE_RUNNING_SLOW))
            sched_yield();
    }
}

/* The mean, of each kind of work: half of these runs are quick. No run counts for much. */
TEST(learns_how_long_work_takes)
{
    begin(1, 64, EVER_MS, MIB);
    for (int i = 0; i < 20; i++)
        learn(1, i % 2 ? 1000 : UINT64_MAX / 2);
    ck_assert_uint_gt(pool_expect(pool, 3, 1000), 10000);
    learn(20, 1000);
    ck_assert_uint_eq(pool_expect(pool, 3, 1000), 256000);
    learn(200, UINT64_MAX / 2);
    ck_assert_uint_eq(pool_expect(pool, 3, 1000), 15);
    ck_assert_uint_eq(pool_expect(pool, 2, UINT64_MAX / 2), UINT64_MAX / 2 + 1);
    let_go();
}
