/* worker.c: a process that makes maps and can do nothing else. */
#include "worker.h"

#include "fence.h"
#include "srv/base/block.h"
#include "srv/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/uio.h>

enum { KEPT = 1024 * 1024, ALIGNMENT = 64 };

struct worker_process {
    struct worker_shared *shared;
    const struct worker_plan *plan; /* there */
    char *block, *bases;
    struct maker_order *order; /* its address follows */
    size_t used;               /* of the bases */
    uint64_t began;            /* clock_cpu: since then it makes a map that another stands on */
};

/* ---- messages -------------------------------------------------------------------------------- */

/* Its pages are lent to the pipe: they must stay as they are until they are read. */
static ssize_t lend(const void *from, size_t length)
{
    const struct iovec piece = {(void *)(uintptr_t)from, length};
    ssize_t n = vmsplice(STDOUT_FILENO, &piece, 1, 0);
    bool forbidden = n < 0 && (errno == EPERM || errno == ENOSYS);
    return forbidden ? write(STDOUT_FILENO, from, length) : n;
}

/* A worker that nobody listens to is not needed any more. */
static void put(const void *from, size_t length, bool lent)
{
    for (ssize_t n; length; from = (const char *)from + n, length -= (size_t)n)
        if ((n = lent ? lend(from, length) : write(STDOUT_FILENO, from, length)) <= 0)
            _exit(0);
}

static void give(const struct worker_message *message, const void *body, size_t length)
{
    static char together[WORKER_TOGETHER];
    bool fits = length <= sizeof together - sizeof *message;
    memcpy(together, message, sizeof *message);
    if (fits)
        memcpy(together + sizeof *message, body, length);
    put(together, sizeof *message + (fits ? length : 0), false);
    if (!fits)
        put(body, length, true);
}

static void take(void *to, size_t length)
{
    for (ssize_t n; length; to = (char *)to + n, length -= (size_t)n)
        if ((n = read(STDIN_FILENO, to, length)) <= 0)
            _exit(0);
}

/* Nothing follows an order before it is carried out, so all that is there belongs to it. */
static void take_order(const struct worker_process *w)
{
    const struct maker_order *order = w->order;
    for (size_t n = 0; n < sizeof *order || n < sizeof *order + order->length;) {
        ssize_t more = read(STDIN_FILENO, (char *)w->order + n, w->plan->input - n);
        if (more <= 0)
            _exit(0);
        n += (size_t)more;
    }
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
    give(message, request->address, message->length);
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

static const struct mw_packed_map *find(void *arg, const struct mw_request *request)
{
    struct worker_process *w = arg;
    struct worker_message message = {.kind = WORKER_FIND, .size = w->plan->bases - w->used};
    size_t size = ask(&message, request);
    char *at = use(w, size);
    take(at, size);
    w->began = clock_cpu();
    return size ? (const struct mw_packed_map *)(void *)at : NULL;
}

static void keep(void *arg, const struct mw_request *request, const struct mw_packed_map *map)
{
    struct worker_process *w = arg;
    struct worker_message message = {.kind = WORKER_KEEP,
                                     .size = sizeof *map + map->size,
                                     .nanoseconds = clock_cpu() - w->began};
    if (message.size > w->plan->bases || !ask(&message, request))
        return;
    put(map, sizeof *map, false);
    put(map->from, map->size, true);
}

/* ---- orders ---------------------------------------------------------------------------------- */

/* What is beyond its own is given back. */
static void carry_out(struct worker_process *w)
{
    const struct maker_order *order = w->order;
    const char *address = (const char *)(order + 1);
    const struct mw_map_cache bases = {find, keep, w};
    const struct maker maker = {order, address, w->block, stop, w, &bases};
    struct worker_message message = {.kind = WORKER_MADE};
    const char *at = maker_run(&maker, &message.made);
    give(&message, at, message.made.length);
    block_trim(w->block + w->plan->own, w->block + order->size);
    block_trim(w->bases + KEPT, w->bases + w->used);
    block_trim((char *)w->order + KEPT, (char *)(uintptr_t)address + order->length);
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
    size_t size = plan->block + plan->input + plan->bases + PROGRAM;
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
                               .order = block_new(plan->input),
                               .bases = block_new(plan->bases)};
    confine(plan);
    if (!w.block || !w.order || !w.bases || (plan->fenced && !fence_close()))
        _exit(1);
    for (put("", 1, false);; carry_out(&w)) {
        take_order(&w);
        w.used = 0;
    }
}
