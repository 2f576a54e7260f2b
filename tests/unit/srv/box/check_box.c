/* check_box.c: a map made in a worker process. */
#include "srv/base/block.h"
#include "srv/box/box.h"
#include "unit/unit.h"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

enum { OWN = 1 << 20, BLOCK = 64 << 20, ROOM = 4 << 20 };

static struct box box;
static char program[4096];
static struct cache *cache;
static struct output *output;
static int found; /* bases */

static bool must_end(void *arg, uint64_t steps)
{
    (void)arg, (void)steps;
    return false;
}

static bool withdraw(void *arg, struct job *job)
{
    (void)arg, (void)job;
    return false;
}

static void open_box(size_t bases)
{
    const struct worker_plan plan = {OWN, BLOCK, ROOM, bases, getpid()};
    ck_assert(box_open(&box, &plan, program));
}

static void set_up(void)
{
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 16);
    ck_assert(n > 0);
    program[n] = '\0';
    strcpy(strrchr(program, '/') + 1, "mapwrightd");
    open_box(ROOM);
    cache = cache_new(ROOM, withdraw, NULL);
    output = output_new(ROOM);
    found = 0;
}

static void tear_down(void)
{
    box_close(&box);
    cache_drop(cache);
    output_drop(output);
}

/* The address of a request, as it stands in a block. */
static const char *bind_address(void *block, const char *text, struct maker_order *order)
{
    struct mw_run *run = mw_open(&(struct mw_limits){.memory = block, .size = BLOCK});
    const struct mw_request *request = mw_ask(run, text, NULL, NULL);
    ck_assert(request);
    *order = (struct maker_order){.encoder = "json", .size = BLOCK};
    order->length = strlen(mw_request_address(request));
    memcpy(order->id, mw_request_id(request), sizeof order->id);
    return strdup(mw_request_address(request));
}

static const char *const requests[] = {
    "/islands?seed=4", "/regions?width=700&height=700&seed=4", /* comes in several pieces */
    "/regions?mask=/areas%3Farea=300%26seed=4&count=2&seed=4",
    "/regions?mask=/areas%3Farea=300%26seed=4&count=2000&seed=4", /* is refused */
};

static void compare(const char *text)
{
    void *block = block_new(BLOCK);
    struct maker_order order;
    struct made here, there;
    char *address = (char *)(uintptr_t)bind_address(block, text, &order);
    struct box_run run = {&order, address, cache, output, must_end, NULL, 0};
    ck_assert_int_eq(box_make(&box, &run, &there), BOX_MADE);
    found += run.found;
    char *got = malloc(there.length);
    ck_assert_int_eq(box_take(&box, got), BOX_MADE);
    const void *at =
        maker_run(&(struct maker){&order, address, block, must_end, NULL, NULL}, &here);
    ck_assert(here.problems == there.problems && here.steps == there.steps);
    ck_assert(here.length == there.length && here.peak == there.peak);
    ck_assert(here.problems || !memcmp(at, got, here.length));
    free(got);
    free(address);
    block_drop(block, BLOCK);
}

TEST(makes_the_same_bytes)
{
    set_up();
    for (size_t i = 0; i < COUNT(requests); i++)
        compare(requests[i]);
    ck_assert_int_eq(found, 1); /* made for one map, found for the next */
    tear_down();
}

/* The first base takes all the room, and ends in the middle of its alignment. */
TEST(finds_no_more_bases_than_fit)
{
    set_up();
    const char *one = "/regions?mask=/areas%3Farea=300%26seed=4&count=2&seed=4",
               *two = "/regions?mask=/areas%3Farea=300%26seed=4"
                      "&capitals=/areas%3Farea=300%26seed=4&seed=4";
    compare(one);
    compare(one);
    size_t size = box.window->size;
    ck_assert(found == 1 && size % 64);
    box_close(&box);
    open_box(size);
    compare(two);
    ck_assert_int_eq(found, 2);
    tear_down();
}

/* Be it one piece or many. */
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

TEST(goes_on_when_a_result_is_not_wanted, .end = 2)
{
    set_up();
    void *block = block_new(BLOCK);
    struct maker_order order;
    struct made made;
    char *address = (char *)(uintptr_t)bind_address(block, requests[_i], &order);
    struct box_run run = {&order, address, cache, output, must_end, NULL, 0};
    ck_assert_int_eq(box_make(&box, &run, &made), BOX_MADE);
    ck_assert_int_eq(box_take(&box, NULL), BOX_MADE);
    compare(requests[0]);
    free(address);
    block_drop(block, BLOCK);
    tear_down();
}

/* What a worker may not say: the test says it in place of one that is stopped. */
static const struct worker_message forged[] = {
    {.kind = WORKER_MADE, .made = {.length = BLOCK + 1}},
    {.kind = WORKER_MADE, .made = {.problems = 1, .length = sizeof(struct mw_problem) - 1}},
    {.kind = WORKER_MADE,
     .made = {.problems = MW_PROBLEMS_MAX + 1,
              .length = (MW_PROBLEMS_MAX + 1) * sizeof(struct mw_problem)}},
    {.kind = WORKER_MADE, .made = {.make = -1}},
    {.kind = WORKER_MADE, .made = {.encode = -1}},
    {.kind = WORKER_MADE, .made = {.make = INT64_MAX}},
    {.kind = WORKER_MADE, .made = {.make = 1, .encode = INT64_MAX}},
    {.kind = WORKER_FIND, .length = SIZE_MAX},
    {.kind = WORKER_FIND, .room = SIZE_MAX}, /* without end */
    {.kind = WORKER_KEEP, .length = ROOM},
    {.kind = WORKER_KEEP, .map = {.size = SIZE_MAX}},
};

static bool forge(void *arg, uint64_t steps)
{
    (void)steps;
    box.window->message = *(const struct worker_message *)arg;
    window_pass(box.window, TURN_THREAD);
    return false;
}

TEST(judges_what_a_worker_says, .end = COUNT(forged))
{
    set_up();
    void *block = block_new(BLOCK), *arg = (void *)(uintptr_t)&forged[_i];
    struct maker_order order;
    struct made made;
    char *address = (char *)(uintptr_t)bind_address(block, requests[0], &order);
    struct box_run run = {&order, address, cache, output, forge, arg, 0};
    ck_assert(!kill(box.pid, SIGSTOP));
    ck_assert_int_eq(box_make(&box, &run, &made), BOX_CRASHED);
    compare(requests[0]);
    free(address);
    block_drop(block, BLOCK);
    tear_down();
}
