/* box.c: a thread's worker process. */
#include "box.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A run that has to end is told so, and killed after so many looks at it: looks, not time, so that
   a machine that slept does not count. */
enum { LOOK_MS = 5, OVERDUE_LOOK_MS = 50, GRACE_LOOKS = 250 / OVERDUE_LOOK_MS };

bool box_open(struct box *box, const struct worker_plan *plan, const char *program)
{
    *box = (struct box){.program = program};
    return child_init(&box->child, plan) && child_start(&box->child, program);
}

void box_close(struct box *box) { child_release(&box->child); }

bool box_is_ready(struct box *box)
{
    if (child_lives(&box->child))
        return true;
    child_end(&box->child);
    return child_start(&box->child, box->program);
}

void box_give_up(struct box *box) { box->status = child_end(&box->child); }

const char *box_cause(const struct box *box)
{
    const char *name = WIFSIGNALED(box->status) ? sigabbrev_np(WTERMSIG(box->status)) : NULL;
    return name ? name : "exit";
}

/* ---- waiting --------------------------------------------------------------------------------- */

static bool is_overdue(const struct box *box) { return box->overdue > GRACE_LOOKS; }

static void look(struct box *box)
{
    const struct box_run *run = box->run;
    struct worker_shared *shared = box->child.shared;
    bool ends = run->must_end(run->arg, atomic_load(&shared->steps));
    atomic_store(&shared->stop, ends);
    box->overdue = ends ? box->overdue + 1 : 0;
}

/* False: the run is overdue. */
static bool await(struct box *box, int fd, short event)
{
    struct pollfd ready = {.fd = fd, .events = event};
    while (!is_overdue(box) && poll(&ready, 1, box->overdue ? OVERDUE_LOOK_MS : LOOK_MS) == 0)
        look(box);
    return !is_overdue(box);
}

/* Whether it worked, or is to be tried again. */
static bool goes_on(struct box *box, ssize_t n, int fd, short event)
{
    bool again = n < 0 && (errno == EAGAIN || errno == EINTR);
    return n > 0 || (again && await(box, fd, event));
}

/* False: the worker is gone, or overdue. */
static bool receive(struct box *box, void *to, size_t length)
{
    while (length) {
        ssize_t n = read(box->child.from, to, length);
        if (!goes_on(box, n, box->child.from, POLLIN))
            return false;
        to = (char *)to + (n > 0 ? n : 0);
        length -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool give(struct box *box, const void *head, size_t head_length, const void *body,
                 size_t length)
{
    struct iovec message[2] = {{(void *)(uintptr_t)head, head_length},
                               {(void *)(uintptr_t)body, length}};
    while (message[0].iov_len + message[1].iov_len) {
        ssize_t n = worker_put(box->child.to, message, SPLICE_F_NONBLOCK);
        if (!goes_on(box, n, box->child.to, POLLOUT))
            return false;
    }
    return true;
}

static enum box_end fail(struct box *box)
{
    enum box_end end = is_overdue(box) ? BOX_KILLED : BOX_CRASHED;
    box_give_up(box);
    return end;
}

/* ---- maps that others stand on --------------------------------------------------------------- */

static bool lend(struct box *box, const struct worker_message *message, const char *address)
{
    const struct blob *blob = base_cache_find(box->run->bases, address, message->length);
    size_t size = blob && blob->length <= message->size ? blob->length : 0;
    return give(box, &size, sizeof size, size ? blob->bytes : NULL, size);
}

static bool keep(struct box *box, const struct worker_message *message, const char *address)
{
    struct base_cache *bases = box->run->bases;
    struct blob *blob = base_cache_make_room(bases, message->size);
    size_t size = blob ? blob->length : 0;
    bool good =
        give(box, &size, sizeof size, NULL, 0) && (!blob || receive(box, blob->bytes, size));
    if (blob && good)
        base_cache_keep(bases, address, message->length, blob, message->nanoseconds);
    else
        blob_drop(blob);
    return good;
}

static bool answer(struct box *box, const struct worker_message *message)
{
    enum { LONGEST = 1 << 30 };
    char *address = message->length < LONGEST ? malloc(message->length + 1) : NULL;
    bool good =
        address && receive(box, address, message->length) &&
        (message->kind == WORKER_FIND ? lend(box, message, address) : keep(box, message, address));
    free(address);
    return good;
}

/* ---- orders ---------------------------------------------------------------------------------- */

static bool begin(struct box *box, const struct box_run *run)
{
    box->run = run;
    box->overdue = 0;
    atomic_store(&box->child.shared->stop, false);
    atomic_store(&box->child.shared->steps, 0);
    return give(box, run->order, sizeof *run->order, run->address, run->order->length);
}

/* What a worker may say at the end. */
static bool is_sound(const struct made *made, const struct maker_order *order)
{
    return made->problems ? made->problems <= MW_PROBLEMS_MAX &&
                                made->length == made->problems * sizeof(struct mw_problem)
                          : made->length <= order->size;
}

enum box_end box_make(struct box *box, const struct box_run *run, struct made *made)
{
    enum { MOST_QUESTIONS = 2 * MW_BASES_MAX };
    struct worker_message message;
    if (!box_is_ready(box))
        return BOX_MISSING;
    bool good = begin(box, run);
    for (int i = 0; good && i <= MOST_QUESTIONS; i++) {
        good = await(box, box->child.from, POLLIN) && receive(box, &message, sizeof message);
        if (good && message.kind == WORKER_MADE && is_sound(&message.made, run->order)) {
            *made = message.made;
            box->length = made->length;
            return BOX_MADE;
        }
        good = good && message.kind != WORKER_MADE && answer(box, &message);
    }
    return fail(box);
}

enum box_end box_take(struct box *box, void *to)
{
    return receive(box, to, box->length) ? BOX_MADE : fail(box);
}
