/* worker.c: a process that makes maps, and the window that it shares with its thread. */
#include "worker.h"

#include "srv/base/block.h"
#include "srv/base/clock.h"

#include <assert.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

/* ---- one map --------------------------------------------------------------------------------- */

static const void *report_problems(const struct mw_run *run, struct made *made)
{
    const struct mw_problems *problems = mw_problems(run);
    assert(problems->count);
    made->problems = problems->count;
    made->length = problems->count * sizeof *problems->list;
    return problems->list;
}

static const void *make(const struct map_run *map_run, struct mw_run *run, struct made *made)
{
    const struct maker_order *order = map_run->order;
    struct mw_request request;
    int64_t started = clock_now();
    if (!mw_bind_address(run, map_run->address, order->length, &request))
        return report_problems(run, made);
    request.look = order->look;
    memcpy(request.id, order->id, sizeof request.id);
    const struct mw_map *map = mw_make(run, &request);
    int64_t finished = clock_now();
    made->make = finished - started;
    if (!map)
        return report_problems(run, made);
    struct mw_bytes bytes = mw_encode_with(run, mw_encoder_named(order->encoder), map);
    made->encode = clock_now() - finished;
    made->length = bytes.length;
    return bytes.at ? bytes.at : report_problems(run, made);
}

const void *map_run(const struct map_run *map_run, void *block, struct made *made)
{
    const struct mw_limits limits = {.memory = block,
                                     .size = map_run->order->size,
                                     .stop = map_run->stop,
                                     .stop_arg = map_run->arg};
    struct mw_run *run = mw_open(&limits);
    assert(run); /* the least block of a worker is larger than a run */
    *made = (struct made){0};
    return make(map_run, run, made);
}

/* ---- the window, for both sides -------------------------------------------------------------- */

void window_pass(struct worker_window *window, enum turn to)
{
    atomic_store(&window->turn, to);
    syscall(SYS_futex, &window->turn, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* With an end the first wake-up ends it, too: a worker that wakes its thread again and again must
   not keep it from its clock. */
bool window_await(struct worker_window *window, enum turn turn, int milliseconds)
{
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    bool ends = false;
    for (; atomic_load(&window->turn) == turn && !ends; ends = milliseconds >= 0)
        syscall(SYS_futex, &window->turn, FUTEX_WAIT, turn, milliseconds < 0 ? NULL : &time, NULL,
                0);
    return atomic_load(&window->turn) != turn;
}

/* ---- the worker ------------------------------------------------------------------------------ */

/* Gives the turn to the thread, and waits until it is back. */
static void pass(struct worker_window *window)
{
    window_pass(window, TURN_THREAD);
    window_await(window, TURN_THREAD, -1);
}

static bool stop(void *arg, uint64_t steps)
{
    struct worker_window *window = arg;
    atomic_store(&window->steps, steps);
    return atomic_load(&window->stop);
}

/* The last piece of the result stays there, to be passed. */
static void put(struct worker_window *window, const char *result, size_t length)
{
    for (size_t done = 0, n;; done += n) {
        n = window_piece(length - done);
        memcpy(window->bytes, result + done, n);
        if (done + n == length)
            return;
        pass(window);
    }
}

/* Memory beyond what it keeps goes back to the system. */
static void carry_out(struct worker_window *window, char *block)
{
    const struct maker_order *order = &window->order;
    const struct map_run run = {order, window->bytes, stop, window};
    struct made made;
    const char *result = map_run(&run, block, &made);
    window->made = made;
    put(window, result, made.length);
    block_trim(block + window->plan.own, block + order->size);
}

/* ---- beginning ------------------------------------------------------------------------------- */

/* Where memory ends, the kernel shall end this process, not the server. */
static void volunteer(void)
{
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd >= 0 && write(fd, "500", 3) >= 0)
        close(fd);
}

/* It ends with the server, however that ends. */
static void confine(const struct worker_plan *plan)
{
    prctl(PR_SET_NAME, WORKER_NAME);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != plan->server)
        _exit(0);
    volunteer();
    prctl(PR_SET_DUMPABLE, 0); /* a dump of its memory would take long, and show little */
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* which take what they like */
    enum { PROGRAM = 256 * 1024 * 1024, STACK = 1024 * 1024 };
    size_t size = plan->block + plan->input + PROGRAM;
    setrlimit(RLIMIT_AS, &(struct rlimit){size, size});
    setrlimit(RLIMIT_STACK, &(struct rlimit){STACK, STACK});
#endif
}

void worker_main(void)
{
    off_t size = lseek(STDIN_FILENO, 0, SEEK_END);
    struct worker_window *window =
        mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, STDIN_FILENO, 0);
    if (window == MAP_FAILED)
        _exit(1);
    const struct worker_plan *plan = &window->plan;
    char *block = block_for_runs(plan->own, plan->block);
    confine(plan);
    if (!block || (fence_exists() && !fence_close()))
        _exit(1);
    for (;; carry_out(window, block)) {
        pass(window);
        assert(window->order.length <= plan->input && window->order.size <= plan->block);
    }
}
