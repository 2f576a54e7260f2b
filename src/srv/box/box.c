/* box.c: a thread's worker process. */
#include "box.h"

#include "srv/base/block.h"
#include "srv/base/clock.h"

#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* A run that has to end is told so, and killed after so many looks at it: looks, not time, so that
   a machine that slept does not count. */
enum {
    LOOK_MS = 5,
    OVERDUE_LOOK_MS = 50,
    GRACE_LOOKS = 250 / OVERDUE_LOOK_MS,
    START_LOOKS = 10000 / OVERDUE_LOOK_MS
};

/* ---- waiting --------------------------------------------------------------------------------- */

static bool is_alive(const struct box *box)
{
    siginfo_t info = {0};
    return box->pid && !waitid(P_PID, (id_t)box->pid, &info, WEXITED | WNOHANG | WNOWAIT) &&
           !info.si_pid;
}

static bool is_overdue(const struct box *box)
{
    return box->overdue > (box->run ? GRACE_LOOKS : START_LOOKS);
}

/* False: the worker is gone, or overdue. */
static bool look(struct box *box)
{
    const struct map_run *run = box->run;
    bool ends = !run || run->stop(run->arg, atomic_load(&box->window->steps));
    atomic_store(&box->window->stop, ends);
    box->overdue = ends ? box->overdue + 1 : 0;
    return !is_overdue(box) && is_alive(box);
}

static bool await_turn(struct box *box)
{
    bool good = true;
    while (good &&
           !window_await(box->window, TURN_WORKER, box->overdue ? OVERDUE_LOOK_MS : LOOK_MS))
        good = look(box);
    return good;
}

static bool pass(struct box *box)
{
    window_pass(box->window, TURN_WORKER);
    return await_turn(box);
}

/* ---- the process ----------------------------------------------------------------------------- */

/* As the settings hold secrets. */
static void take_settings_out(char **environment)
{
    char **kept = environment;
    for (; *environment; environment++)
        if (strncmp(*environment, "MAPWRIGHT_", strlen("MAPWRIGHT_")) != 0)
            *kept++ = *environment;
    *kept = NULL;
}

static bool spawn(struct box *box)
{
    char name[] = WORKER_NAME, *words[] = {name, NULL};
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, box->file, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, box->file, STDOUT_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    bool good = !posix_spawn(&box->pid, box->program, &files, NULL, words, environ);
    posix_spawn_file_actions_destroy(&files);
    if (!good)
        box->pid = 0;
    return good;
}

static void stop_process(struct box *box)
{
    if (box->pid && !kill(box->pid, SIGKILL))
        waitpid(box->pid, &box->status, 0);
    box->pid = 0;
}

/* Starts one in place of the one that is there, and waits until it is ready. It is spawned, not
   forked: so it takes the same time however large the server is, holds nothing of the server, and
   is laid out in memory anew. The last one may have written over the plan. */
static bool replace(struct box *box)
{
    stop_process(box);
    box->run = NULL;
    box->overdue = 0;
    box->window->plan = box->plan;
    atomic_store(&box->window->turn, TURN_WORKER);
    if (spawn(box) && await_turn(box))
        return true;
    stop_process(box);
    return false;
}

static size_t window_size(const struct box *box) { return sizeof *box->window + box->plan.input; }

bool box_open(struct box *box, const struct worker_plan *plan, const char *program)
{
    assert(plan->input >= WINDOW_PIECE);
    *box = (struct box){.plan = *plan, .program = program, .file = -1};
    if (!program)
        return (box->block = block_for_runs(plan->own, plan->block));
    take_settings_out(environ);
    box->file = memfd_create(WORKER_NAME, MFD_CLOEXEC);
    if (box->file < 0 || ftruncate(box->file, (off_t)window_size(box)))
        return false;
    box->window = mmap(NULL, window_size(box), PROT_READ | PROT_WRITE, MAP_SHARED, box->file, 0);
    return box->window != MAP_FAILED && replace(box);
}

void box_close(struct box *box)
{
    stop_process(box);
    block_drop(box->block, box->plan.block);
    if (box->window && box->window != MAP_FAILED)
        munmap(box->window, window_size(box));
    if (box->file >= 0)
        close(box->file);
}

const char *box_cause(const struct box *box)
{
    const char *name = WIFSIGNALED(box->status) ? sigabbrev_np(WTERMSIG(box->status)) : NULL;
    return name ? name : "exit";
}

/* ---- orders ---------------------------------------------------------------------------------- */

static void begin(struct box *box, const struct map_run *run)
{
    box->run = run;
    box->overdue = 0;
    atomic_store(&box->window->stop, false);
    atomic_store(&box->window->steps, 0);
    box->window->order = *run->order;
    memcpy(box->window->bytes, run->address, run->order->length);
}

/* What a worker may say at the end of a run that took so many microseconds. */
static bool is_sound(const struct made *made, const struct maker_order *order, int64_t took)
{
    bool fits = made->problems ? made->problems <= MW_PROBLEMS_MAX &&
                                     made->length == made->problems * sizeof(struct mw_problem)
                               : made->length <= order->size;
    return fits && made->make >= 0 && made->make <= took && made->encode >= 0 &&
           made->encode <= took - made->make;
}

static enum box_end fail(struct box *box)
{
    enum box_end end = is_overdue(box) ? BOX_KILLED : BOX_CRASHED;
    stop_process(box);
    return end;
}

void box_restart(struct box *box)
{
    if (!box->block && !box->pid)
        replace(box);
}

/* False: the worker is gone, or overdue, or its result is not sound. */
static bool await_result(struct box *box)
{
    int64_t began = clock_now();
    if (!pass(box))
        return false;
    box->made = box->window->made;
    return is_sound(&box->made, box->run->order, clock_now() - began);
}

enum box_end box_make(struct box *box, const struct map_run *run)
{
    size_t length = run->order->length;
    if (box->block) {
        box->result = map_run(run, box->block, &box->made);
        return BOX_MADE;
    }
    if (length > box->plan.input || (!is_alive(box) && !replace(box))) /* it may have ended */
        return BOX_MISSING;
    begin(box, run);
    bool good = await_result(box);
    if (length > WINDOW_PIECE) /* its memory goes back to the system */
        fallocate(box->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  (off_t)sizeof *box->window + WINDOW_PIECE, (off_t)length);
    return good ? BOX_MADE : fail(box);
}

static bool take_pieces(struct box *box, char *to)
{
    for (size_t done = 0, n;; done += n) {
        n = window_piece(box->made.length - done);
        if (to)
            memcpy(to + done, box->window->bytes, n);
        if (done + n == box->made.length)
            return true;
        if (!pass(box))
            return false;
    }
}

enum box_end box_take(struct box *box, void *to)
{
    if (!box->block)
        return take_pieces(box, to) ? BOX_MADE : fail(box);
    if (to)
        memcpy(to, box->result, box->made.length);
    block_trim(box->block + box->plan.own, box->block + box->plan.block);
    return BOX_MADE;
}
