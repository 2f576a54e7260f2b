/* check_queue.c: jobs that wait, served round robin by client. */
#include "srv/cache/queue.h"
#include "unit/unit.h"

static struct queue queue;

static void begin(void) { queue = (struct queue){0}; }

static struct job job_of(uint64_t client, uint64_t charge, int64_t submitted)
{
    return (struct job){.client = client, .charge = charge, .submitted = submitted};
}

static struct job *take(void)
{
    struct job *job = queue.first;
    if (job)
        queue_take(&queue, job);
    return job;
}

FIXTURE(begin, NULL)

/* One client sends a hundred jobs, the others one each: these wait for one turn, not a hundred. */
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

/* A client that was idle has saved up no turns. */
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

/* One that is more patient hides nobody. */
TEST(takes_out_what_is_overdue)
{
    struct job patient = job_of(1, 100, 0), other = job_of(1, 100, 1), third = job_of(2, 100, 1);
    patient.until = 900;
    other.until = third.until = 100;
    queue_put(&queue, &patient);
    queue_put(&queue, &other);
    queue_put(&queue, &third);
    ck_assert_ptr_null(queue_take_overdue(&queue, 100));
    struct job *first = queue_take_overdue(&queue, 101);
    ck_assert(first && first->next && !first->next->next && first != &patient);
    ck_assert(!other.queued && !third.queued && patient.queued && queue.length == 1);
    ck_assert_ptr_eq(queue_take_overdue(&queue, 901), &patient);
    ck_assert(!queue.first && !queue.last && !queue.work);
}

/* As many jobs of each other client go first as of its own. */
TEST(foretells_the_wait)
{
    struct job jobs[12], own = job_of(1, 7, 0);
    for (int i = 0; i < 10; i++) {
        jobs[i] = job_of(2, 10, i);
        queue_put(&queue, &jobs[i]);
    }
    ck_assert_uint_eq(queue_ahead(&queue, &own), 10);
    jobs[10] = job_of(1, 5, 0);
    queue_put(&queue, &jobs[10]);
    ck_assert_uint_eq(queue_ahead(&queue, &own), 5 + 20);
    jobs[11] = job_of(3, 1000, 0);
    ck_assert_uint_eq(queue_ahead(&queue, &jobs[11]), 10 + 5);
}
