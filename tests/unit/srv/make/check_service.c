/* check_service.c: how the service ends, whatever its workers do. */
#include "srv/base/clock.h"
#include "srv/make/service.h"
#include "srv/net/server.h"
#include "unit/unit.h"

#include <sched.h>

/* Microseconds that no test takes, should the machine stand still meanwhile. */
#define EVER INT64_C(3600000000)

static struct service service;
static atomic_bool held;
static atomic_int runs;

/* It goes on as long as it is held, whoever tells it to end. */
static enum outcome run(struct job *job, size_t size)
{
    (void)job, (void)size;
    runs++;
    while (atomic_load(&held))
        sched_yield();
    return JOB_DONE;
}

static void refuse(struct job *job)
{
    (void)job;
    ck_abort();
}

/* With so many of its two workers held. */
static void begin(struct job *jobs, int count)
{
    const char *what;
    struct config config = {.workers = 2,
                            .queue = 4,
                            .wait_ms = 3600000,
                            .cache_bytes = 1 << 20,
                            .output_bytes = 1 << 20,
                            .send_ms = 1000,
                            .memory = 1 << 20};
    atomic_store(&held, true);
    runs = 0;
    ck_assert(service_init(&service, &config, &what));
    for (int i = 0; i < count; i++) {
        jobs[i] = (struct job){.run = run, .refuse = refuse};
        ck_assert(pool_submit(service.pool, &jobs[i]));
    }
    while (runs < count)
        sched_yield();
}

static void end(void)
{
    atomic_store(&held, false);
    ck_assert_int_eq(service_stop(&service, clock_now() + EVER), 0);
    service_release(&service);
}

TEST(waits_until_the_time_is_over)
{
    struct job jobs[2];
    begin(jobs, 2);
    ck_assert_int_eq(service_stop(&service, clock_now() + 20000), 2);
    ck_assert(atomic_load(&service.abort_runs));
    end();
}

/* Clients are gone this long after draining began; workers are waited for until then. In ms. */
static const struct {
    int drain, gone, until;
} ends[] = {
    {20000, 0, 20800}, {20000, 20000, 20800},    {20000, 20500, 20900}, /* the latest */
    {1, 0, 801},       {3600000, 5000, 3600800}, {1000, 90000, 90400},  /* the machine slept */
};

TEST(ends_within_a_second, .end = COUNT(ends))
{
    const int64_t began = INT64_C(5000000000);
    int64_t until = grace_end(began, ends[_i].drain, began + ends[_i].gone * INT64_C(1000));
    ck_assert_int_eq(until, began + ends[_i].until * INT64_C(1000));
}
