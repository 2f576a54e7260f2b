/*
 * task.c: the work for an entry of the cache.
 *
 * A map that is slow to make is first looked for in the store. That is a job of its own, which is
 * fast and needs no memory; if it finds nothing, it submits the job that makes the map.
 */
#include "task.h"

#include "base_cache.h"
#include "results.h"
#include "srv/base/block.h"
#include "srv/base/clock.h"

#include <assert.h>
#include <string.h>

static struct entry *entry_of(struct job *job)
{
    return (struct entry *)(void *)((char *)job - offsetof(struct entry, job));
}

/* An entry whose map is being made, and what its run leaves. */
struct task {
    struct service *service;
    struct entry *entry;
    struct timing timing;
    int64_t started; /* clock_now */
    bool overran;    /* it took too long for the fast lane, and is to be run again */
    bool outgrew;    /* its memory */
    struct base_cache bases;
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
    if (steps > atomic_load(&task->entry->steps)) /* progress never goes back in a second run */
        atomic_store(&task->entry->steps, steps);
    task->overran = pool_overruns(task->service->pool, &task->entry->job);
    return task->overran || should_end(task, clock_now());
}

/* The problems that the run found. */
static struct blob *fault_blob(struct task *task, const struct mw_run *run)
{
    const struct mw_problems *problems = mw_problems(run);
    task->outgrew = fault_of(problems) == FAULT_TOO_BIG;
    return blob_of_fault(fault_of(problems), problems->list,
                         problems->count * sizeof *problems->list);
}

/* Time is compared with the estimate that was corrected by what was learned here, as that decides
   on the lane; not if bases were found, which saves time. */
static void compare_cost(const struct task *task, const struct mw_cost *expected,
                         const struct mw_run *run, uint64_t nanoseconds)
{
    const struct mw_generator *generator = task->entry->key.generator;
    double here = (double)task->entry->job.nanoseconds;
    metrics_estimate(generator, COST_STEPS, (double)expected->steps, (double)mw_steps(run));
    metrics_estimate(generator, COST_BYTES, (double)expected->bytes, (double)mw_peak(run));
    if (!task->bases.count)
        metrics_estimate(generator, COST_SECONDS, here, (double)nanoseconds);
}

static void put_in_store(const struct task *task, const struct mw_bytes *bytes,
                         uint64_t nanoseconds)
{
    struct store *store = task->service->store;
    const struct key *key = &task->entry->key;
    if (!store_is_open(store))
        return;
    store_put_address(store, key->id, key->address, key->length);
    if (store_wants(store, nanoseconds))
        store_put_map(store, key, bytes->at, bytes->length);
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
    if (task->entry->job.need) /* free what is not read any more before the bytes are copied */
        block_trim((char *)bytes.at + bytes.length, task->end);
    struct blob *blob = result_of_bytes(task->service, key, bytes.at, bytes.length);
    put_in_store(task, &bytes, spent);
    task->timing.encode = clock_now() - made;
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
    base_cache_begin(&task->bases, task->service);
    mw_set_map_cache(run, &task->bases.map_cache);
    struct blob *blob = run_address(task, run);
    base_cache_end(&task->bases);
    return blob;
}

/* ---- the job that makes the map -------------------------------------------------------------- */

static enum counter outcome_of(const struct blob *blob)
{
    if (!blob || blob->fault == FAULT_LATE || blob->fault == FAULT_DRAINING)
        return COUNT_STOPPED;
    return blob->fault ? COUNT_REFUSED : COUNT_MADE;
}

static void count_phases(const struct key *key, const struct timing *timing)
{
    metrics_phase(key->generator, PHASE_QUEUE, timing->queue);
    if (timing->store)
        metrics_phase(key->generator, PHASE_STORE, timing->store);
    if (timing->make)
        metrics_phase(key->generator, PHASE_MAKE, timing->make);
    if (timing->encode)
        metrics_phase(key->generator, PHASE_ENCODE, timing->encode);
}

/* Whether the run only needs more than was expected; the job says so. */
static bool needs_more(const struct task *task, size_t size)
{
    if (task->outgrew)
        task->entry->job.bytes = UINT64_MAX;
    return task->overran || (task->outgrew && size < pool_most(task->service->pool));
}

/* The run knows only that it was stopped. If most of the time was over since the workers had it,
   the time will be too short again. */
static struct blob *explain_stop(const struct task *task, struct blob *blob)
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
    return result_of_lateness(entry, deadline - entry->begun);
}

/* Watched, as it may take long. *fresh: the map was made. */
static struct blob *find_or_make(struct task *task, void *memory, size_t size, bool *fresh)
{
    const struct key *key = &task->entry->key;
    task->watched =
        (struct watched){.must_end = must_end, .address = key->address, .length = key->length};
    watch_begin(&task->service->watch, &task->watched);
    bool late = should_end(task, task->started);
    struct blob *blob =
        late ? blob_of_fault(FAULT_LATE, NULL, 0) : result_of_plain(task->service, task->entry);
    *fresh = !blob;
    if (*fresh)
        blob = make_blob(task, memory, size);
    watch_end(&task->service->watch, &task->watched);
    return blob;
}

static enum outcome run_task(struct job *job, void *memory, size_t size)
{
    struct service *service = job->arg;
    struct task task = {.service = service, .entry = entry_of(job), .started = clock_now()};
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
    blob = explain_stop(&task, blob);
    metrics_count(outcome_of(blob), 1);
    count_phases(&task.entry->key, &task.timing);
    bool done = fresh && blob && !blob->fault && !task.bases.count;
    task.entry->rated.cost = clock_cpu() - began;
    cache_settle(service->cache, task.entry, blob, &task.timing);
    return done ? JOB_DONE : JOB_CUT;
}

static void refuse_job(struct job *job)
{
    struct service *service = job->arg;
    struct timing timing = {0};
    struct blob *blob = blob_of_fault(FAULT_BUSY, NULL, 0);
    if (blob)
        blob->retry_after = service_seconds(job->expected);
    cache_settle(service->cache, entry_of(job), blob, &timing);
}

static void submit_task(struct service *service, struct entry *entry)
{
    entry->job.run = run_task;
    entry->job.kind = entry->kind;
    entry->job.estimate = entry->cost.nanoseconds;
    entry->job.bytes = entry->cost.bytes;
    if (!pool_submit(service->pool, &entry->job))
        refuse_job(&entry->job);
}

/* ---- the job that asks the store ------------------------------------------------------------- */

static enum outcome run_lookup(struct job *job, void *memory, size_t size)
{
    (void)memory, (void)size;
    struct service *service = job->arg;
    struct entry *entry = entry_of(job);
    struct timing timing = {.queue = clock_now() - job->submitted};
    uint64_t began = clock_cpu();
    int64_t asked = clock_now();
    struct blob *blob = result_of_plain(service, entry);
    if (!blob)
        blob = result_of_store(service, entry);
    timing.store = entry->asked = clock_now() - asked;
    if (blob) {
        metrics_count(blob->fault ? COUNT_REFUSED : COUNT_FOUND, 1);
        count_phases(&entry->key, &timing);
        entry->rated.cost = clock_cpu() - began;
        cache_settle(service->cache, entry, blob, &timing);
    } else {
        submit_task(service, entry);
    }
    return JOB_CUT;
}

static void submit_lookup(struct service *service, struct entry *entry)
{
    entry->job.run = run_lookup;
    entry->job.estimate = STORE_NANOSECONDS;
    if (!pool_submit(service->pool, &entry->job))
        refuse_job(&entry->job);
}

void task_begin(struct service *service, struct entry *entry, uint64_t client, int64_t patience)
{
    uint64_t takes = pool_expect(service->pool, entry->kind, entry->cost.nanoseconds);
    entry->job =
        (struct job){.refuse = refuse_job, .arg = service, .client = client, .patience = patience};
    if (store_wants(service->store, takes))
        submit_lookup(service, entry);
    else
        submit_task(service, entry);
}
