/* check_pool.c: workers and the queue before them. */
#include "faults.h"
#include "srv/keep/pool.h"
#include "unit/unit.h"

#include <pthread.h>
#include <stdatomic.h>

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
    for (int i = 0; i < count; i++)
        jobs[i] = (struct job){.run = run, .refuse = refuse};
}

START_TEST(queues_within_bounds)
{
    struct pool_plan plan = {.workers = 1, .queue = 2, .wait = 1000, .memory = 1 << 16};
    struct job jobs[6];
    make_jobs(jobs, COUNT(jobs));
    ran = refused = 0;
    pthread_mutex_lock(&hold);
    struct pool *pool = pool_new(&plan);
    ck_assert(pool_submit(pool, &jobs[0]));
    while (!pool_state(pool).running)
        ;
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
    pthread_mutex_unlock(&hold);
    pool_drop(pool);
    ck_assert_int_eq(ran, 2);
}
END_TEST

/* Behind one of the same client that may wait longer, and itself not. */
START_TEST(some_are_more_patient)
{
    const struct pool_plan plan = {.workers = 1, .queue = 4, .wait = 1000, .memory = 1 << 20};
    struct job jobs[3], *patient = &jobs[1], *other = &jobs[2];
    make_jobs(jobs, COUNT(jobs));
    patient->patience = 1000000;
    ran = refused = 0;
    pthread_mutex_lock(&hold);
    struct pool *pool = pool_new(&plan);
    ck_assert(pool_submit(pool, &jobs[0]));
    while (!pool_state(pool).running)
        ;
    ck_assert(pool_submit(pool, patient));
    ck_assert(pool_submit(pool, other));
    pool_expire(pool, other->submitted + 1001);
    ck_assert(refused == 1 && !other->queued && patient->queued);
    pool_expire(pool, patient->submitted + 1000001);
    ck_assert(refused == 2 && !patient->queued);
    pthread_mutex_unlock(&hold);
    pool_drop(pool);
}
END_TEST

/* What was accepted is run, be it that the pool ends. */
START_TEST(runs_all_before_it_ends)
{
    static struct job jobs[100];
    struct pool_plan plan = {.workers = 3, .queue = 100, .wait = 1000, .memory = 1 << 16};
    ran = refused = 0;
    struct pool *pool = pool_new(&plan);
    ck_assert_int_eq(pool_state(pool).workers, 3);
    make_jobs(jobs, COUNT(jobs));
    for (int i = 0; i < COUNT(jobs); i++)
        ck_assert(pool_submit(pool, &jobs[i]));
    pool_drop(pool);
    ck_assert_int_eq(ran, COUNT(jobs));
    ck_assert_int_eq(refused, 0);
}
END_TEST

START_TEST(withdraws_from_the_middle)
{
    struct job jobs[5];
    struct pool_plan plan = {.workers = 1, .queue = 4, .wait = 1000, .memory = 1 << 16};
    make_jobs(jobs, COUNT(jobs));
    ran = refused = 0;
    pthread_mutex_lock(&hold);
    struct pool *pool = pool_new(&plan);
    ck_assert(pool_submit(pool, &jobs[0]));
    while (!pool_state(pool).running)
        ;
    for (int i = 1; i < 5; i++)
        ck_assert(pool_submit(pool, &jobs[i]));
    ck_assert(pool_withdraw(pool, &jobs[3]) && pool_withdraw(pool, &jobs[4]) &&
              pool_withdraw(pool, &jobs[1]));
    ck_assert_int_eq(pool_state(pool).waiting, 1);
    ck_assert(pool_submit(pool, &jobs[4]));
    pthread_mutex_unlock(&hold);
    pool_drop(pool);
    ck_assert_int_eq(ran, 3);
}
END_TEST

START_TEST(says_when_there_is_no_room)
{
    struct pool_plan plan = {.workers = 2, .queue = 1, .memory = (size_t)1 << 62};
    ck_assert_ptr_null(pool_new(&plan));
    ck_assert_ptr_null(block_new((size_t)1 << 62));
}
END_TEST

START_TEST(begins_whole_or_not_at_all)
{
    struct pool_plan plan = {.workers = 3, .queue = 1, .memory = 1 << 16};
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
END_TEST

/* What is given back reads as zeros; the pages that it shares with others stay. */
START_TEST(trims_blocks)
{
    size_t size = 1 << 20;
    char *block = block_new(size);
    ck_assert_ptr_nonnull(block);
    block[0] = block[size / 2] = block[size - 1] = 1;
    block_trim(block + 1, block + size - 1);
    ck_assert_int_eq(block[0], 1);
    ck_assert_int_eq(block[size / 2], 0);
    ck_assert_int_eq(block[size - 1], 1);
    block_trim(block + 1, block + 2);
    ck_assert_int_eq(block[0], 1);
    block_drop(block, size);
    block_drop(NULL, size);
}
END_TEST

Suite *suite_pool(void)
{
    Suite *suite = suite_create("pool");
    TCase *all = tcase_create("all");
    tcase_add_test(all, queues_within_bounds);
    tcase_add_test(all, some_are_more_patient);
    tcase_add_test(all, runs_all_before_it_ends);
    tcase_add_test(all, withdraws_from_the_middle);
    tcase_add_test(all, says_when_there_is_no_room);
    tcase_add_test(all, begins_whole_or_not_at_all);
    tcase_add_test(all, trims_blocks);
    suite_add_tcase(suite, all);
    return suite;
}
