/* check_queue.c: jobs that wait, fairly among those who ask. */
#include "srv/keep/queue.h"
#include "unit/unit.h"

static struct queue queue;

static void begin(void) { queue = (struct queue){0}; }

static struct job job_of(uint64_t client, uint64_t charge, int64_t submitted)
{
    return (struct job){.client = client, .charge = charge, .submitted = submitted};
}

static struct job *take(void)
{
    struct job *job = queue_next(&queue);
    if (job)
        queue_take(&queue, job);
    return job;
}

FIXTURE(begin, NULL)

/* One asks for a hundred, the others for one each: they wait for one turn, not for a hundred. */
TEST(takes_turns)
{
    struct job many[100], others[3];
    for (int i = 0; i < COUNT(many); i++) {
        many[i] = job_of(1, 10, i);
        queue_put(&queue, &many[i]);
    }
    ck_assert_ptr_eq(take(), &many[0]);
    for (int i = 0; i < COUNT(others); i++) {
        others[i] = job_of((uint64_t)i + 2, 10, 200 + i);
        ck_assert_uint_le(queue_ahead(&queue, &others[i]), 10 + 10 * (uint64_t)i);
        queue_put(&queue, &others[i]);
    }
    int after = 0;
    for (int seen = 0; seen < COUNT(others); after++) {
        struct job *job = take();
        seen += job->client != 1;
    }
    ck_assert_int_le(after, COUNT(others) + 1);
    for (int i = 0; i < COUNT(many) - 1 - (after - COUNT(others)); i++)
        ck_assert_ptr_nonnull(take());
    ck_assert_ptr_null(take());
    ck_assert_uint_eq(queue.work, 0);
}

/* What counts is the work, not the number: who asks for long ones gets fewer of them. */
TEST(shares_the_work)
{
    struct job long_ones[50], short_ones[50];
    uint64_t work[2] = {0};
    for (int i = 0; i < 50; i++) {
        long_ones[i] = job_of(1, 90, i);
        short_ones[i] = job_of(2, 10, i);
        queue_put(&queue, &long_ones[i]);
        queue_put(&queue, &short_ones[i]);
    }
    for (int i = 0; i < 40; i++) {
        struct job *job = take();
        work[job->client - 1] += job->charge;
    }
    ck_assert(work[0] <= work[1] + 90 && work[1] <= work[0] + 90);
}

/* Who comes back finds no turns saved up. */
TEST(saves_nothing_up)
{
    struct job first = job_of(1, 10, 0), jobs[20];
    queue_put(&queue, &first);
    ck_assert_ptr_eq(take(), &first);
    for (int i = 0; i < 20; i++) {
        jobs[i] = job_of(2, 10, i);
        queue_put(&queue, &jobs[i]);
    }
    for (int i = 0; i < 10; i++)
        take();
    struct job back[10];
    for (int i = 0; i < 10; i++) {
        back[i] = job_of(1, 10, 100 + i);
        queue_put(&queue, &back[i]);
    }
    int own = 0;
    for (int i = 0; i < 10; i++)
        own += take()->client == 1;
    ck_assert_int_le(own, 6);
    ck_assert_int_ge(own, 4);
}

TEST(displaces_who_has_most)
{
    struct job much = job_of(1, 100, 0), more = job_of(1, 100, 1), little = job_of(2, 50, 2);
    struct job newcomer = job_of(3, 10, 3), greedy = job_of(1, 10, 4);
    ck_assert_ptr_null(queue_displaced(&queue, NULL));
    ck_assert_ptr_null(queue_displaced(&queue, &newcomer));
    queue_put(&queue, &much);
    queue_put(&queue, &more);
    queue_put(&queue, &little);
    ck_assert_ptr_eq(queue_displaced(&queue, &newcomer), &more);
    ck_assert_ptr_eq(queue_displaced(&queue, NULL), &more);
    ck_assert_ptr_null(queue_displaced(&queue, &greedy));
    queue_remove(&queue, &much);
    ck_assert_uint_eq(queue.work, 150);
}

/* One that is more patient hides nobody. */
TEST(finds_who_is_overdue)
{
    struct job patient = job_of(1, 100, 0), other = job_of(1, 100, 1);
    patient.until = 900;
    other.until = 100;
    queue_put(&queue, &patient);
    queue_put(&queue, &other);
    ck_assert_ptr_null(queue_overdue(&queue, 100));
    ck_assert_ptr_eq(queue_overdue(&queue, 101), &other);
    queue_remove(&queue, &other);
    ck_assert_ptr_null(queue_overdue(&queue, 900));
    ck_assert_ptr_eq(queue_overdue(&queue, 901), &patient);
}

TEST(puts_first)
{
    struct job jobs[4];
    for (int i = 0; i < 3; i++) {
        jobs[i] = job_of((uint64_t)i, 10, i);
        queue_put(&queue, &jobs[i]);
    }
    take();
    jobs[3] = job_of(0, 10, 9);
    queue_put_first(&queue, &jobs[3]);
    take();
    take();
    ck_assert(!jobs[3].queued || queue_next(&queue) == &jobs[3]);
}
