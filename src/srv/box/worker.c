/* worker.c: a process that makes maps and can do nothing else. */
#include "worker.h"

#include "fence.h"
#include "srv/base/block.h"
#include "srv/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

enum { LONG = 64 * 1024, KEPT = 1024 * 1024, ALIGNMENT = 64 };

struct worker_process {
    struct worker_shared *shared;
    const struct worker_plan *plan; /* there */
    char *block, *address, *bases;
    size_t used;    /* of the bases */
    uint64_t began; /* clock_cpu: since then it makes a map that another stands on */
};

/* ---- messages -------------------------------------------------------------------------------- */

static ssize_t lend(int fd, const struct iovec *piece, unsigned flags)
{
    ssize_t n = vmsplice(fd, piece, 1, flags);
    bool forbidden = n < 0 && (errno == EPERM || errno == ENOSYS);
    return forbidden ? write(fd, piece->iov_base, piece->iov_len) : n;
}

ssize_t worker_put(int fd, struct iovec message[2], unsigned flags)
{
    bool whole = message[0].iov_len || message[1].iov_len < LONG;
    ssize_t n = whole ? writev(fd, message, message[1].iov_len < LONG ? 2 : 1)
                      : lend(fd, &message[1], flags);
    size_t rest = n > 0 ? (size_t)n : 0;
    for (int i = 0; i < 2; i++) {
        size_t length = message[i].iov_len < rest ? message[i].iov_len : rest;
        message[i].iov_base = (char *)message[i].iov_base + length;
        message[i].iov_len -= length;
        rest -= length;
    }
    return n;
}

/* A worker that nobody listens to is not needed any more. */
static void give(const void *head, size_t head_length, const void *body, size_t length)
{
    struct iovec message[2] = {{(void *)(uintptr_t)head, head_length},
                               {(void *)(uintptr_t)body, length}};
    while (message[0].iov_len + message[1].iov_len)
        if (worker_put(STDOUT_FILENO, message, 0) <= 0)
            _exit(0);
}

static void take(void *to, size_t length)
{
    for (ssize_t n; length; to = (char *)to + n, length -= (size_t)n)
        if ((n = read(STDIN_FILENO, to, length)) <= 0)
            _exit(0);
}

/* ---- what a run asks for --------------------------------------------------------------------- */

static bool stop(void *arg, uint64_t steps)
{
    const struct worker_process *w = arg;
    atomic_store(&w->shared->steps, steps);
    return atomic_load(&w->shared->stop);
}

/* Asks the thread about a map that another stands on: it answers with a size. */
static size_t ask(struct worker_message *message, const struct mw_request *request)
{
    size_t size;
    message->length = request->address_length;
    give(message, sizeof *message, request->address, message->length);
    take(&size, sizeof size);
    return size;
}

/* What is there until the run is over. */
static char *use(struct worker_process *w, size_t size)
{
    char *at = w->bases + w->used;
    w->used += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return at;
}

static const void *find(void *arg, const struct mw_request *request)
{
    struct worker_process *w = arg;
    struct worker_message message = {.kind = WORKER_FIND, .size = w->plan->bases - w->used};
    size_t size = ask(&message, request);
    char *at = use(w, size);
    take(at, size);
    w->began = clock_cpu();
    return size ? at : NULL;
}

static void keep(void *arg, const struct mw_map *map, const struct mw_usage *usage)
{
    struct worker_process *w = arg;
    struct worker_message message = {.kind = WORKER_KEEP,
                                     .size = mw_pack(map, usage, NULL),
                                     .nanoseconds = clock_cpu() - w->began};
    if (message.size > w->plan->bases - w->used || !ask(&message, map->request))
        return;
    char *at = use(w, message.size);
    mw_pack(map, usage, at);
    give(NULL, 0, at, message.size);
}

/* ---- orders ---------------------------------------------------------------------------------- */

/* What is beyond its own is given back: first all but the bytes, as they are copied now. */
static void carry_out(struct worker_process *w, const struct maker_order *order)
{
    const struct mw_map_cache bases = {find, keep, w};
    const struct maker maker = {order, w->address, w->block, stop, w, &bases};
    struct worker_message message = {.kind = WORKER_MADE};
    bool large = order->size > w->plan->own;
    char *end = w->block + order->size;
    const char *at = maker_run(&maker, &message.made);
    if (large)
        block_trim((char *)(uintptr_t)at + message.made.length, end);
    give(&message, sizeof message, at, message.made.length);
    if (large)
        block_trim(w->block + w->plan->own, end);
    if (w->used > KEPT)
        block_trim(w->bases + KEPT, w->bases + w->used);
    if (order->length > KEPT)
        block_trim(w->address + KEPT, w->address + order->length);
}

static _Noreturn void serve(struct worker_process *w)
{
    for (struct maker_order order;;) {
        take(&order, sizeof order);
        take(w->address, order.length);
        w->used = 0;
        carry_out(w, &order);
    }
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
    close(WORKER_SHARED);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* which take what they like */
    enum { PROGRAM = 256 * 1024 * 1024, STACK = 1024 * 1024 };
    size_t size = plan->block + plan->address + plan->bases + PROGRAM;
    setrlimit(RLIMIT_AS, &(struct rlimit){size, size});
    setrlimit(RLIMIT_STACK, &(struct rlimit){STACK, STACK});
#endif
}

void worker_main(void)
{
    struct worker_shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, WORKER_SHARED, 0);
    if (shared == MAP_FAILED)
        _exit(1);
    const struct worker_plan *plan = &shared->plan;
    struct worker_process w = {.shared = shared,
                               .plan = plan,
                               .block = block_for_runs(plan->own, plan->block),
                               .address = block_new(plan->address),
                               .bases = block_new(plan->bases)};
    confine(plan);
    if (!w.block || !w.address || !w.bases || (plan->fenced && !fence_close()))
        _exit(1);
    give(NULL, 0, "", 1);
    serve(&w);
}
