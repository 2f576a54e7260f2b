/* check_box.c: a map made in a worker process. */
#include "srv/base/block.h"
#include "srv/box/box.h"
#include "unit/unit.h"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

enum { OWN = 1 << 20, BLOCK = 64 << 20, ROOM = 4 << 20 };

static struct box box;
static void *block;
static struct maker_order order;
static char *address;

static bool must_end(void *arg, uint64_t steps)
{
    (void)arg, (void)steps;
    return false;
}

static void set_up(void)
{
    static char program[4096];
    const struct worker_plan plan = {OWN, BLOCK, ROOM, getpid()};
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 16);
    ck_assert(n > 0);
    program[n] = '\0';
    strcpy(strrchr(program, '/') + 1, "mapwrightd");
    ck_assert(box_open(&box, &plan, program));
    block = block_new(BLOCK);
}

static void tear_down(void)
{
    box_close(&box);
    block_drop(block, BLOCK);
    free(address);
    address = NULL;
}

FIXTURE(set_up, tear_down)

static const char *const requests[] = {
    "/islands?seed=4", "/regions?width=700&height=700&seed=4",    /* comes in several pieces */
    "/regions?mask=/areas%3Farea=300%26seed=4&count=2000&seed=4", /* is refused */
};

/* Has the map of a request made in the box, which has to look at its run by `must_end`. */
static enum box_end make(const char *request, bool (*look)(void *, uint64_t), void *arg,
                         struct made *made)
{
    static struct map_run run;
    struct mw_run *reading = mw_open(&(struct mw_limits){.memory = block, .size = BLOCK});
    const struct mw_request *bound = mw_ask(reading, request, NULL, NULL);
    ck_assert(bound);
    order = (struct maker_order){.encoder = "json", .size = BLOCK};
    memcpy(order.id, mw_request_id(bound), sizeof order.id);
    free(address);
    address = strdup(mw_request_address(bound));
    order.length = strlen(address);
    run = (struct map_run){&order, address, look, arg};
    enum box_end end = box_make(&box, &run);
    *made = box.made;
    return end;
}

static void compare(const char *request)
{
    struct made here, there;
    ck_assert_int_eq(make(request, must_end, NULL, &there), BOX_MADE);
    char *got = malloc(there.length);
    ck_assert_int_eq(box_take(&box, got), BOX_MADE);
    const void *at = map_run(&(struct map_run){&order, address, must_end, NULL}, block, &here);
    ck_assert(here.problems == there.problems && here.length == there.length);
    ck_assert(here.problems || !memcmp(at, got, here.length));
    free(got);
}

TEST(makes_the_same_bytes)
{
    for (int i = 0; i < COUNT(requests); i++)
        compare(requests[i]);
}

/* A request whose address has some three bytes for each cell of a mask. */
static const char *request_with_mask(size_t side)
{
    static char request[2 << 20];
    char *rows = stpcpy(request, "/regions?count=2&seed=1&mask=");
    size_t cells = (side + 1) * side - 1;
    memset(rows, '#', cells);
    rows[cells] = '\0';
    for (size_t row = 1; row < side; row++)
        rows[row * (side + 1) - 1] = '/';
    return request;
}

/* An address of more than a megabyte goes there as a whole, and its memory goes back. */
TEST(takes_long_addresses)
{
    struct stat state;
    compare(request_with_mask(1100));
    ck_assert_uint_gt(order.length, 1 << 20);
    ck_assert(!fstat(box.file, &state) && state.st_blocks * 512 < 3 << 19);
}

TEST(refuses_addresses_without_room)
{
    struct made made;
    ck_assert_int_eq(make(request_with_mask(1200), must_end, NULL, &made), BOX_MISSING);
    ck_assert_uint_gt(order.length, ROOM);
    compare(requests[0]);
}

TEST(goes_on_when_a_result_is_not_wanted, .end = 2)
{
    struct made made;
    ck_assert_int_eq(make(requests[_i], must_end, NULL, &made), BOX_MADE);
    ck_assert_int_eq(box_take(&box, NULL), BOX_MADE);
    compare(requests[0]);
}

/* What a worker may not write: the test writes it in place of one that is stopped. */
static const struct made forged[] = {
    {.length = BLOCK + 1},
    {.problems = 1, .length = sizeof(struct mw_problem) - 1},
    {.problems = MW_PROBLEMS_MAX + 1, .length = (MW_PROBLEMS_MAX + 1) * sizeof(struct mw_problem)},
    {.make = -1},
    {.encode = -1},
    {.make = INT64_MAX},
    {.make = 1, .encode = INT64_MAX},
};

static bool forge(void *arg, uint64_t steps)
{
    (void)steps;
    box.window->made = *(const struct made *)arg;
    window_pass(box.window, TURN_THREAD);
    return false;
}

TEST(judges_what_a_worker_writes, .end = COUNT(forged))
{
    struct made made;
    ck_assert(!kill(box.pid, SIGSTOP));
    ck_assert_int_eq(make(requests[0], forge, (void *)(uintptr_t)&forged[_i], &made), BOX_CRASHED);
    compare(requests[0]);
}

static atomic_bool over;

static void *wake_in_vain(void *arg)
{
    const struct worker_window *window = arg;
    while (!over)
        syscall(SYS_futex, &window->turn, FUTEX_WAKE, 1, NULL, NULL, 0);
    return NULL;
}

/* A worker that was taken over could wake its thread for ever: the thread still sees its clock. */
TEST(waking_in_vain_holds_up_no_look)
{
    static struct worker_window window = {.turn = TURN_WORKER};
    pthread_t thread;
    ck_assert(!pthread_create(&thread, NULL, wake_in_vain, &window));
    for (int i = 0; i < 100; i++)
        ck_assert(!window_await(&window, TURN_WORKER, 20));
    over = true;
    pthread_join(thread, NULL);
}
