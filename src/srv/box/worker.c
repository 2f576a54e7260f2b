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
    const void *at = make(map_run, run, made);
    made->steps = mw_steps(run);
    made->peak = mw_peak(run);
    return at;
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

static bool move(const struct window_side *side, char *own, size_t length, bool in)
{
    char *bytes = side->window->bytes;
    for (size_t done = 0; done < length;) {
        size_t left = length - done, n = left < WINDOW_BYTES ? left : WINDOW_BYTES;
        if (own)
            memcpy(in ? bytes : own + done, in ? own + done : bytes, n);
        done += n;
        if (done < length && !side->pass(side->arg))
            return false;
    }
    return true;
}

bool window_put(const struct window_side *side, const void *from, size_t length)
{
    return move(side, (char *)(uintptr_t)from, length, true);
}

bool window_take(const struct window_side *side, void *to, size_t length)
{
    return move(side, to, length, false);
}

/* ---- the worker ------------------------------------------------------------------------------ */

enum { KEPT = 1024 * 1024 };

struct worker_process {
    struct worker_window *window;
    struct window_side side;
    char *block, *address;
};

static bool pass(void *arg)
{
    struct worker_window *window = arg;
    window_pass(window, TURN_THREAD);
    return window_await(window, TURN_THREAD, -1);
}

static bool stop(void *arg, uint64_t steps)
{
    const struct worker_process *w = arg;
    atomic_store(&w->window->steps, steps);
    return atomic_load(&w->window->stop);
}

/* ---- orders ---------------------------------------------------------------------------------- */

/* Memory beyond what it keeps goes back to the system. */
static void carry_out(struct worker_process *w)
{
    struct worker_window *window = w->window;
    const struct maker_order *order = &window->order;
    const struct map_run run = {order, w->address, stop, w};
    window_take(&w->side, w->address, order->length);
    struct made made;
    const char *at = map_run(&run, w->block, &made);
    window->made = made;
    window_put(&w->side, at, made.length);
    block_trim(w->block + w->window->plan.own, w->block + order->size);
    block_trim(w->address + KEPT, w->address + order->length);
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
    struct worker_window *window =
        mmap(NULL, sizeof *window, PROT_READ | PROT_WRITE, MAP_SHARED, STDIN_FILENO, 0);
    if (window == MAP_FAILED)
        _exit(1);
    const struct worker_plan *plan = &window->plan;
    struct worker_process w = {.window = window,
                               .side = {window, pass, window},
                               .block = block_for_runs(plan->own, plan->block),
                               .address = block_new(plan->input)};
    confine(plan);
    if (!w.block || !w.address || (fence_exists() && !fence_close()))
        _exit(1);
    for (; pass(window); carry_out(&w))
        assert(window->order.length <= plan->input && window->order.size <= plan->block);
    _exit(0);
}
