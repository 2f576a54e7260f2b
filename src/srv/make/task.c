/* task.c: an address becomes bytes, on a worker. */
#include "task.h"

#include "known.h"
#include "lend.h"
#include "refuse.h"
#include "srv/base/block.h"
#include "srv/base/clock.h"

#include <string.h>

struct entry *task_entry(struct job *job)
{
    return (struct entry *)(void *)((char *)job - offsetof(struct entry, job));
}

/* An entry to be made, and what its run leaves. */
struct task {
    struct service *service;
    struct entry *entry;
    struct timing timing;
    int64_t started;  /* clock_now */
    bool overran;     /* it is to be run again, as a dear one */
    bool outgrew;     /* its memory */
    bool found;       /* by the store, */
    bool misled;      /* but it is not the map */
    struct loan loan; /* of maps that it stands on */
    struct watched watched;
    char *end; /* of the worker's memory */
};

static bool should_end(const struct task *task, int64_t now)
{
    return atomic_load(&task->entry->abandoned) || atomic_load(&task->service->abort_runs) ||
           now > atomic_load(&task->entry->deadline);
}

static bool must_end(const struct watched *watched, int64_t now)
{
    const char *at = (const char *)watched - offsetof(struct task, watched);
    return should_end((const struct task *)(const void *)at, now);
}

static bool should_stop(void *arg, uint64_t steps)
{
    struct task *task = arg;
    if (steps > atomic_load(&task->entry->steps)) /* one that is run again shows no way back */
        atomic_store(&task->entry->steps, steps);
    task->overran = pool_overruns(task->service->pool, &task->entry->job);
    return task->overran || should_end(task, clock_now());
}

/* What the run complained of, as a blob. */
static struct blob *fault_blob(struct task *task, const struct mw_run *run)
{
    const struct mw_problems *problems = mw_problems(run);
    task->outgrew = fault_of(problems) == FAULT_TOO_BIG;
    return blob_of_fault(fault_of(problems), problems->list,
                         problems->count * sizeof *problems->list);
}

/* Time against what was learned here of such maps, as that is what the lanes go by; not where some
   of it was lent. */
static void compare_cost(const struct task *task, const struct mw_cost *expected,
                         const struct mw_run *run, uint64_t nanoseconds)
{
    const struct mw_generator *generator = task->entry->key.generator;
    double here = (double)task->entry->job.nanoseconds;
    metrics_estimate(generator, COST_STEPS, (double)expected->steps, (double)mw_steps(run));
    metrics_estimate(generator, COST_BYTES, (double)expected->bytes, (double)mw_peak(run));
    if (!task->loan.count)
        metrics_estimate(generator, COST_SECONDS, here, (double)nanoseconds);
}

static struct blob *run_address(struct task *task, struct mw_run *run)
{
    const struct key *key = &task->entry->key;
    struct mw_request request;
    int64_t started = clock_now();
    if (!mw_bind_address(run, key->address, key->length, &request))
        return fault_blob(task, run);
    request.look = key->look;
    memcpy(request.id, key->id, sizeof request.id);
    struct mw_cost expected = mw_estimate(&request, key->encoder);
    atomic_store(&task->entry->steps_expected, expected.steps);
    uint64_t began = clock_cpu();
    const struct mw_map *map = mw_make(run, &request);
    int64_t made = clock_now();
    task->timing.make = made - started;
    if (!map)
        return fault_blob(task, run);
    struct mw_bytes bytes = mw_encode_with(run, key->encoder, map);
    if (!bytes.at)
        return fault_blob(task, run);
    uint64_t spent = clock_cpu() - began;
    compare_cost(task, &expected, run, spent);
    if (task->entry->job.need) /* the copy shall not stand beside what nobody reads any more */
        block_trim((char *)bytes.at + bytes.length, task->end);
    struct blob *blob = known_wrap(task->service, key, bytes.at, bytes.length);
    task->timing.encode = clock_now() - made;
    if (store_wants(task->service->store, spent))
        store_keep(task->service->store, key, bytes.at, bytes.length);
    return blob;
}

/* NULL without memory. A run that was stopped is FAULT_LATE. */
static struct blob *make_blob(struct task *task, void *memory, size_t size)
{
    struct mw_limits limits = {.memory = memory,
                               .size = size,
                               .steps = (uint64_t)task->service->config.max_steps,
                               .stop = should_stop,
                               .stop_arg = task};
    struct mw_run *run = mw_open(&limits);
    task->end = (char *)memory + size;
    if (!run)
        return NULL;
    loan_begin(&task->loan, task->service);
    mw_set_map_cache(run, &task->loan.map_cache);
    struct blob *blob = run_address(task, run);
    loan_end(&task->loan);
    return blob;
}

/* ---- what the store has ---------------------------------------------------------------------- */

/* NULL: it has nothing, or something else, and then the job is what it was. */
static struct blob *take_found(struct task *task)
{
    struct entry *entry = task->entry;
    if (!entry->found)
        return NULL;
    int64_t began = clock_now();
    struct blob *blob = known_found(task->service, entry);
    blob_drop(entry->found);
    entry->found = NULL;
    task->found = blob;
    task->misled = !blob;
    task->timing.encode = clock_now() - began;
    metrics_count(blob ? COUNT_STORE_FOUND : COUNT_STORE_WRONG, 1);
    entry->job.estimate = entry->cost.nanoseconds;
    entry->job.bytes = entry->cost.bytes;
    return blob;
}

static enum counter outcome_of(const struct task *task, const struct blob *blob)
{
    if (!blob || blob->fault == FAULT_LATE || blob->fault == FAULT_DRAINING)
        return COUNT_STOPPED;
    return blob->fault ? COUNT_REFUSED : task->found ? COUNT_FOUND : COUNT_MADE;
}

static void count(const struct task *task, const struct blob *blob)
{
    const struct key *key = &task->entry->key;
    const struct timing *timing = &task->timing;
    metrics_count(outcome_of(task, blob), 1);
    metrics_phase(key->generator, PHASE_QUEUE, timing->queue);
    if (timing->store)
        metrics_phase(key->generator, PHASE_STORE, timing->store);
    if (timing->make)
        metrics_phase(key->generator, PHASE_MAKE, timing->make);
    if (timing->encode)
        metrics_phase(key->generator, PHASE_ENCODE, timing->encode);
}

/* Whether the run only needs more than was expected of it; the job says so. */
static bool needs_more(const struct task *task, size_t size)
{
    struct job *job = &task->entry->job;
    if (task->outgrew)
        job->bytes = UINT64_MAX;
    return task->misled || task->overran ||
           (task->outgrew && size < pool_most(task->service->pool));
}

/* What stopped a run is better known here than in the run. A time that was over though most of it,
   since the workers had it, was its own will be over again. */
static struct blob *name_stop(const struct task *task, struct blob *blob)
{
    struct entry *entry = task->entry;
    if (!blob || blob->fault != FAULT_LATE || blob->retry_after)
        return blob;
    blob_drop(blob);
    int64_t now = clock_now(), deadline = atomic_load(&entry->deadline);
    if (atomic_load(&task->service->abort_runs))
        return blob_of_fault(FAULT_DRAINING, NULL, 0);
    if (now <= deadline || now - task->started < (deadline - entry->job.submitted) / 2)
        return blob_of_fault(FAULT_LATE, NULL, 0);
    return refuse_late(entry, deadline - entry->begun);
}

void task_settle(struct service *service, struct entry *entry, struct blob *blob,
                 const struct timing *timing)
{
    struct question *question = entry->question;
    store_let_go(service->store, question);
    cache_settle(service->cache, entry, blob, timing);
    store_settle(service->store, question);
}

/* What may take long, so it is watched; *fresh: the map was made anew. */
static struct blob *find_or_make(struct task *task, void *memory, size_t size, bool *fresh)
{
    const struct key *key = &task->entry->key;
    task->watched =
        (struct watched){.must_end = must_end, .address = key->address, .length = key->length};
    watch_begin(&task->service->watch, &task->watched);
    bool late = should_end(task, task->started);
    struct blob *blob =
        late ? blob_of_fault(FAULT_LATE, NULL, 0) : known_coding(task->service, task->entry);
    if (!blob)
        blob = take_found(task);
    *fresh = !blob && !task->misled;
    if (*fresh)
        blob = make_blob(task, memory, size);
    watch_end(&task->service->watch, &task->watched);
    return blob;
}

enum outcome task_run(struct job *job, void *memory, size_t size)
{
    struct service *service = job->arg;
    struct task task = {.service = service, .entry = task_entry(job), .started = clock_now()};
    task.timing.queue = task.started - job->submitted;
    task.timing.store = task.entry->asked;
    uint64_t began = clock_cpu();
    bool fresh;
    struct blob *blob = find_or_make(&task, memory, size, &fresh);
    if (needs_more(&task, size)) {
        blob_drop(blob);
        metrics_count(COUNT_AGAIN, 1);
        return JOB_AGAIN;
    }
    blob = name_stop(&task, blob);
    count(&task, blob);
    bool done = fresh && blob && !blob->fault && !task.loan.count;
    task.entry->rated.cost = clock_cpu() - began;
    task_settle(service, task.entry, blob, &task.timing);
    return done ? JOB_DONE : JOB_CUT;
}
