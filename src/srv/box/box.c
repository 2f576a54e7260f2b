/* box.c: a thread's worker process. */
#include "box.h"

#include "srv/base/identity.h"
#include "srv/out/metrics.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIPE_BYTES = 1024 * 1024, START_MS = 10000 };

/* A run that has to end is told so, and killed after so many looks at it: looks, not time, so that
   a machine that slept does not count. */
enum { LOOK_MS = 5, OVERDUE_LOOK_MS = 50, GRACE_LOOKS = 250 / OVERDUE_LOOK_MS };

/* ---- the process ----------------------------------------------------------------------------- */

/* The settings hold secrets. NULL: out of memory. */
static char **copy_environment(void)
{
    size_t n = 0;
    while (environ[n])
        n++;
    char **copy = calloc(n + 1, sizeof *copy);
    for (size_t i = 0, kept = 0; copy && i < n; i++)
        if (strncmp(environ[i], "MAPWRIGHT_", strlen("MAPWRIGHT_")) != 0)
            copy[kept++] = environ[i];
    return copy;
}

static bool spawn(struct box *box, int in, int out)
{
    char name[] = WORKER_NAME, *words[] = {name, NULL}, **environment = copy_environment();
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, box->file, WORKER_SHARED);
    posix_spawn_file_actions_addclosefrom_np(&files, WORKER_SHARED + 1);
    bool good =
        environment && !posix_spawn(&box->pid, box->program, &files, NULL, words, environment);
    posix_spawn_file_actions_destroy(&files);
    free(environment);
    if (!good)
        box->pid = 0;
    return good;
}

static bool is_ready(int from)
{
    char byte;
    return poll(&(struct pollfd){.fd = from, .events = POLLIN}, 1, START_MS) == 1 &&
           read(from, &byte, 1) == 1;
}

static void stop_process(struct box *box)
{
    box->status = 0;
    if (box->pid && !kill(box->pid, SIGKILL))
        waitpid(box->pid, &box->status, 0);
    close(box->to);
    close(box->from);
    box->pid = 0;
    box->to = box->from = -1;
}

/* Starts one and waits until it is ready. It is spawned, not forked: so it takes the same time
   however large the server is, holds nothing of the server, and is laid out in memory anew. */
static bool start_process(struct box *box)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    bool good = !pipe2(in, O_CLOEXEC) && !pipe2(out, O_CLOEXEC);
    fcntl(out[1], F_SETPIPE_SZ, PIPE_BYTES); /* or as large as it is */
    good = good && spawn(box, in[0], out[1]);
    close(in[0]);
    close(out[1]);
    box->to = in[1];
    box->from = out[0];
    box->held = 0;
    fcntl(box->to, F_SETFL, O_NONBLOCK);
    good = good && is_ready(box->from);
    fcntl(box->from, F_SETFL, O_NONBLOCK);
    if (!good)
        stop_process(box);
    return good;
}

/* Starts another in place of the one that is there. */
static bool replace(struct box *box)
{
    stop_process(box);
    return start_process(box);
}

bool box_open(struct box *box, const struct worker_plan *plan, const char *program)
{
    *box = (struct box){.program = program, .to = -1, .from = -1};
    box->file = memfd_create(WORKER_NAME, MFD_CLOEXEC);
    if (box->file < 0 || ftruncate(box->file, sizeof *box->shared))
        return false;
    box->shared = mmap(NULL, sizeof *box->shared, PROT_READ | PROT_WRITE, MAP_SHARED, box->file, 0);
    if (box->shared == MAP_FAILED)
        return false;
    box->shared->plan = *plan;
    return start_process(box);
}

void box_close(struct box *box)
{
    stop_process(box);
    if (box->shared && box->shared != MAP_FAILED)
        munmap(box->shared, sizeof *box->shared);
    close(box->file);
}

void box_give_up(struct box *box) { replace(box); }

const char *box_cause(const struct box *box)
{
    const char *name = WIFSIGNALED(box->status) ? sigabbrev_np(WTERMSIG(box->status)) : NULL;
    return name ? name : "exit";
}

/* ---- waiting --------------------------------------------------------------------------------- */

static bool is_overdue(const struct box *box) { return box->overdue > GRACE_LOOKS; }

static void look(struct box *box)
{
    bool ends = box->run->must_end(box->run->arg, atomic_load(&box->shared->steps));
    atomic_store(&box->shared->stop, ends);
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

/* ---- messages. False: the worker is gone, or overdue ----------------------------------------- */

static bool fill_buffer(struct box *box)
{
    int from = box->from;
    ssize_t n = await(box, from, POLLIN) ? read(from, box->buffer, sizeof box->buffer) : 0;
    box->held = n > 0 ? (size_t)n : 0;
    box->taken = 0;
    return goes_on(box, n, from, POLLIN);
}

static size_t take_held(struct box *box, void *to, size_t length)
{
    size_t n = length < box->held ? length : box->held;
    memcpy(to, box->buffer + box->taken, n);
    box->taken += n;
    box->held -= n;
    return n;
}

/* Long pieces do not pass through the buffer. */
static bool receive(struct box *box, void *to, size_t length)
{
    for (size_t done = take_held(box, to, length); done < length;) {
        char *rest = (char *)to + done;
        if (length - done < sizeof box->buffer) {
            if (!fill_buffer(box))
                return false;
            done += take_held(box, rest, length - done);
            continue;
        }
        ssize_t n = read(box->from, rest, length - done);
        if (!goes_on(box, n, box->from, POLLIN))
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool put(struct box *box, const void *from, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t n = write(box->to, (const char *)from + done, length - done);
        if (!goes_on(box, n, box->to, POLLOUT))
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool give(struct box *box, const void *head, size_t head_length, const void *body,
                 size_t length)
{
    assert(!box->held && head_length <= sizeof box->buffer);
    if (length > sizeof box->buffer - head_length)
        return put(box, head, head_length) && put(box, body, length);
    memcpy(box->buffer, head, head_length);
    if (length)
        memcpy(box->buffer + head_length, body, length);
    return put(box, box->buffer, head_length + length);
}

/* ---- bases ----------------------------------------------------------------------------------- */

static bool lend(struct box *box, const struct key *key, const struct worker_message *message)
{
    struct blob *blob = cache_find(box->run->cache, key);
    size_t size = blob && blob->length <= message->size ? blob->length : 0;
    bool good = give(box, &size, sizeof size, size ? blob->bytes : NULL, size);
    box->run->found += size > 0;
    metrics_count(size ? COUNT_GROUND_FOUND : COUNT_GROUND_MADE, 1);
    blob_drop(blob);
    return good;
}

static struct blob *make_room(const struct box_run *run, size_t size)
{
    if (!output_has_room(run->output, size))
        return NULL;
    struct blob *blob = blob_reserve(size, NULL);
    output_made(run->output, size);
    return blob;
}

static bool keep(struct box *box, const struct key *key, const struct worker_message *message)
{
    struct blob *blob = make_room(box->run, message->size);
    size_t size = blob ? blob->length : 0;
    bool good =
        give(box, &size, sizeof size, NULL, 0) && (!blob || receive(box, blob->bytes, size));
    if (blob && good)
        cache_offer(box->run->cache, key, blob, message->nanoseconds);
    else
        blob_drop(blob);
    return good;
}

static bool answer(struct box *box, const struct worker_message *message)
{
    static const struct mw_encoder packed = {.name = "packed"};
    struct key key = {.encoder = &packed, .length = message->length};
    char *address = message->length < box->shared->plan.input ? malloc(message->length + 1) : NULL;
    bool good = address && receive(box, address, message->length);
    if (good) {
        key.address = address;
        identity_of(address, key.length, key.id);
        good = message->kind == WORKER_FIND ? lend(box, &key, message) : keep(box, &key, message);
    }
    free(address);
    return good;
}

/* ---- orders ---------------------------------------------------------------------------------- */

static bool begin(struct box *box, struct box_run *run)
{
    box->run = run;
    box->overdue = 0;
    atomic_store(&box->shared->stop, false);
    atomic_store(&box->shared->steps, 0);
    return box->pid && give(box, run->order, sizeof *run->order, run->address, run->order->length);
}

/* What a worker may say at the end. */
static bool is_sound(const struct made *made, const struct maker_order *order)
{
    return made->problems ? made->problems <= MW_PROBLEMS_MAX &&
                                made->length == made->problems * sizeof(struct mw_problem)
                          : made->length <= order->size;
}

static enum box_end fail(struct box *box)
{
    enum box_end end = is_overdue(box) ? BOX_KILLED : BOX_CRASHED;
    replace(box);
    return end;
}

enum box_end box_make(struct box *box, struct box_run *run, struct made *made)
{
    enum { MOST_MESSAGES = 2 * MW_BASES_MAX + 1 };
    struct worker_message message;
    if (!begin(box, run) && !(replace(box) && begin(box, run))) /* it may have ended meanwhile */
        return BOX_MISSING;
    for (int i = 0; i < MOST_MESSAGES && receive(box, &message, sizeof message); i++) {
        if (message.kind == WORKER_MADE && is_sound(&message.made, run->order)) {
            *made = message.made;
            box->length = made->length;
            return BOX_MADE;
        }
        if (message.kind == WORKER_MADE || !answer(box, &message))
            break;
    }
    return fail(box);
}

enum box_end box_take(struct box *box, void *to)
{
    return receive(box, to, box->length) ? BOX_MADE : fail(box);
}
