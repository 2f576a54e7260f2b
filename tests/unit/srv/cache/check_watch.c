/* check_watch.c: runs that do not end though they have to. */
#include "srv/cache/watch.h"
#include "unit/unit.h"

enum { SECOND = 1000000 };

static struct watch watch;
static int told;
static const struct watched *last;
static int64_t now;

struct run {
    struct watched watched;
    int64_t deadline; /* by `now` */
};

static bool must_end(const struct watched *watched, int64_t at)
{
    return at > ((const struct run *)(const void *)watched)->deadline;
}

static void tell(void *arg, const struct watched *run)
{
    ck_assert_ptr_eq(arg, &told);
    told++;
    last = run;
}

static void begin(struct run *run, int64_t seconds)
{
    run->deadline = now + seconds * SECOND;
    run->watched = (struct watched){.must_end = must_end, .address = "/regions", .length = 8};
    watch_begin(&watch, &run->watched);
}

/* A look each second. */
static void pass(int seconds)
{
    for (; seconds; seconds--)
        watch_look(&watch, now += SECOND, tell, &told);
}

static void set_up(void)
{
    told = 0;
    now = 1000 * INT64_C(1000000);
    watch_init(&watch);
    pass(1);
    told = 0;
}

static void tear_down(void) { watch_release(&watch); }

FIXTURE(set_up, tear_down)

TEST(tells_once)
{
    struct run run;
    begin(&run, 10);
    pass(10);
    ck_assert_int_eq(watch_stuck(&watch), 0);
    pass(6); /* the first of them sees that it has to end, five are waited for */
    ck_assert(!told && !watch_stuck(&watch));
    pass(1);
    ck_assert(told == 1 && last == &run.watched && watch_stuck(&watch) == 1);
    ck_assert_int_gt(run.watched.overdue, STUCK_US);
    pass(100);
    ck_assert(told == 1 && watch_stuck(&watch) == 1);
    watch_end(&watch, &run.watched);
    ck_assert_int_eq(watch_stuck(&watch), 0);
}

TEST(knows_them_apart)
{
    struct run runs[4];
    for (int i = 0; i < 4; i++)
        begin(&runs[i], i % 2 ? 1000 : 0);
    pass(10);
    ck_assert(told == 2 && watch_stuck(&watch) == 2);
    watch_end(&watch, &runs[1].watched);
    watch_end(&watch, &runs[2].watched);
    ck_assert_int_eq(watch_stuck(&watch), 1);
    told = 0;
    watch_list(&watch, tell, &told);
    ck_assert_int_eq(told, 2);
    watch_end(&watch, &runs[3].watched);
    watch_end(&watch, &runs[0].watched);
    ck_assert_int_eq(watch_stuck(&watch), 0);
}

/* As another client who is more patient joins those that wait. */
TEST(may_be_given_more_time)
{
    struct run run;
    begin(&run, 0);
    pass(4);
    run.deadline = now + 10 * SECOND;
    pass(15);
    ck_assert_int_eq(told, 0);
    pass(5);
    ck_assert(told == 1 && watch_stuck(&watch) == 1);
    run.deadline = now + 10 * SECOND;
    pass(1);
    ck_assert_int_eq(watch_stuck(&watch), 0);
    pass(20);
    ck_assert(told == 1 && watch_stuck(&watch) == 1);
    watch_end(&watch, &run.watched);
}

/* No run could end while the whole process did not run. */
TEST(a_machine_that_slept_is_no_stuck_worker)
{
    struct run run;
    begin(&run, 0);
    pass(1);
    now += 3600 * INT64_C(1000000);
    pass(1);
    ck_assert(!told && !watch_stuck(&watch));
    watch_end(&watch, &run.watched);
}

/* Each thread reads the clock before it looks. */
TEST(looks_come_in_any_order)
{
    struct run run;
    begin(&run, 0);
    pass(6);
    for (int i = 0; i < 100; i++)
        watch_look(&watch, now - SECOND * (i % 2), tell, &told);
    ck_assert_int_eq(told, 0);
    pass(1);
    ck_assert_int_eq(told, 1);
    watch_end(&watch, &run.watched);
}
