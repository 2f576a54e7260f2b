/*
 * task.c: the work for an entry of the cache.
 *
 * A map that is slow to make is first looked for in the store. That is a job of its own, which is
 * fast and needs no memory; if it finds nothing, it submits the job that makes the map.
 */
#include "task.h"

#include "results.h"
#include "srv/base/clock.h"
#include "srv/out/log.h"

#include <stdio.h>
#include <string.h>

static struct entry *entry_of(struct job *job)
{
    return (struct entry *)(void *)((char *)job - offsetof(struct entry, job));
}

/* An entry whose map is being made, and the result of its run. */
struct task {
    struct service *service;
    struct entry *entry;
    struct timing timing;
    int64_t started; /* clock_now */
    bool overran;    /* it took too long for the fast lane, and runs again */
    bool outgrew;    /* it needs more memory, and runs again */
    struct box *box; /* where it runs; NULL: on this thread */
    int found;       /* base maps that were in the cache */
    const void *at;  /* the result of a run on this thread */
    struct made made;
};

static bool should_end(const struct task *task, int64_t now)
{
    return atomic_load(&task->entry->abandoned) || atomic_load(&task->service->abort_runs) ||
           now > atomic_load(&task->entry->deadline);
}

static bool must_end(void *arg, uint64_t steps)
{
    struct task *task = arg;
    if (steps > atomic_load(&task->entry->steps)) /* progress never decreases in a second run */
        atomic_store(&task->entry->steps, steps);
    task->overran = task->overran || pool_overruns(task->service->pool, &task->entry->job);
    return task->overran || should_end(task, clock_now());
}

/* ---- the run --------------------------------------------------------------------------------- */

static enum box_end take(struct task *task, void *to)
{
    if (task->box)
        return box_take(task->box, to);
    memcpy(to, task->at, task->made.length);
    return BOX_MADE;
}

/* The event and its cause, with the address, in the log. */
static void report(const struct task *task, const char *event)
{
    const struct key *key = &task->entry->key;
    size_t length = key->length < RECORD_SELF ? key->length : RECORD_SELF;
    log_now(event,
            json_pack("{s:s%, s:s}", "self", key->address, length, "cause", box_cause(task->box)));
}

/* The result of a run whose process has ended. */
static struct blob *lose(const struct task *task, enum box_end end)
{
    if (end == BOX_MISSING)
        return blob_of_fault(FAULT_UNAVAILABLE, NULL, 0);
    if (end == BOX_KILLED) {
        metrics_count(COUNT_KILLED, 1);
        report(task, "kill");
        return blob_of_fault(FAULT_LATE, NULL, 0);
    }
    metrics_crash(task->entry->key.generator);
    report(task, "crash");
    return result_of_crash(task->entry);
}

/* Strings from a worker process may lack their terminator. */
static struct blob *take_problems(struct task *task)
{
    struct mw_problems problems = {.count = task->made.problems};
    enum box_end end = take(task, problems.list);
    if (end != BOX_MADE)
        return lose(task, end);
    for (size_t i = 0; i < problems.count; i++) {
        problems.list[i].pointer[MW_POINTER_MAX - 1] = '\0';
        problems.list[i].detail[MW_DETAIL_MAX - 1] = '\0';
    }
    task->outgrew = fault_of(&problems) == FAULT_TOO_BIG;
    return blob_of_fault(fault_of(&problems), problems.list, task->made.length);
}

static void put_in_store(const struct task *task, const struct blob *plain)
{
    struct store *store = task->service->store;
    const struct key *key = &task->entry->key;
    if (!store_is_open(store))
        return;
    store_put_address(store, key->id, key->address, key->length);
    if (store_wants(store, 1000 * (uint64_t)(task->made.make + task->made.encode)))
        store_put_map(store, key, plain->bytes, plain->length);
}

/* There is no room for the result. */
static struct blob *give_up(struct task *task, struct blob *blob)
{
    if (task->box)
        box_take(task->box, NULL);
    return blob;
}

static struct blob *take_map(struct task *task)
{
    const struct key *key = &task->entry->key;
    size_t length = task->made.length;
    struct blob *no = result_without_room(task->service, length);
    if (no)
        return give_up(task, no);
    struct blob *plain = blob_reserve(length, key->encoder->media);
    output_made(task->service->output, length);
    if (!plain)
        return give_up(task, NULL);
    enum box_end end = take(task, plain->bytes);
    if (end == BOX_MADE)
        put_in_store(task, plain);
    if (end == BOX_MADE && !key->coding)
        return plain;
    struct blob *blob =
        end == BOX_MADE ? coding_apply(key->coding, EFFORT_FAST, plain->bytes, length, plain->media)
                        : lose(task, end);
    blob_drop(plain);
    return blob;
}

static struct blob *take_result(struct task *task, enum box_end end)
{
    if (end != BOX_MADE)
        return lose(task, end);
    task->timing.make = task->made.make;
    if (task->made.problems)
        return take_problems(task);
    int64_t began = clock_now();
    struct blob *blob = take_map(task);
    task->timing.encode = task->made.encode + clock_now() - began;
    return blob;
}

/* In the thread's worker process, or on the thread itself. */
static struct blob *run_order(struct task *task, const struct maker_order *order, void *memory)
{
    const struct service *service = task->service;
    const char *address = task->entry->key.address;
    struct box_run run = {.order = order,
                          .address = address,
                          .cache = service->cache,
                          .output = service->output,
                          .must_end = must_end,
                          .arg = task};
    const struct maker maker = {order, address, memory, must_end, task, NULL};
    if (service->boxes) {
        task->box = &service->boxes[pool_place(service->pool, &task->entry->job)];
        enum box_end end = box_make(task->box, &run, &task->made);
        task->found = run.found;
        return take_result(task, end);
    }
    task->at = maker_run(&maker, &task->made);
    return take_result(task, BOX_MADE);
}

/* NULL without memory. A run that was stopped is FAULT_LATE. */
static struct blob *make_map(struct task *task, void *memory, size_t size)
{
    const struct key *key = &task->entry->key;
    struct maker_order order = {.look = key->look, .length = key->length, .size = size};
    memcpy(order.id, key->id, sizeof order.id);
    snprintf(order.encoder, sizeof order.encoder, "%s", key->encoder->name);
    order.look.format = NULL; /* the encoder stands for it */
    atomic_store(&task->entry->steps_expected, task->entry->cost.steps);
    return run_order(task, &order, memory);
}

/* ---- the job that makes the map -------------------------------------------------------------- */

static enum counter outcome_of(const struct blob *blob)
{
    if (!blob || blob->fault == FAULT_LATE || blob->fault == FAULT_DRAINING)
        return COUNT_STOPPED;
    return blob->fault ? COUNT_REFUSED : COUNT_MADE;
}

static void settle(struct service *service, struct entry *entry, struct blob *blob,
                   const struct timing *timing)
{
    const struct key *key = &entry->key;
    metrics_phase(key->generator, PHASE_QUEUE, timing->queue);
    if (timing->store)
        metrics_phase(key->generator, PHASE_STORE, timing->store);
    if (timing->make)
        metrics_phase(key->generator, PHASE_MAKE, timing->make);
    if (timing->encode)
        metrics_phase(key->generator, PHASE_ENCODE, timing->encode);
    entry->rated.cost = 1000 * (uint64_t)(timing->store + timing->make + timing->encode);
    cache_settle(service->cache, entry, blob, timing);
}

/* Whether to run again with more time or memory, as the job now says. */
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

/* *fresh: the map was made. */
static struct blob *find_or_make(struct task *task, void *memory, size_t size, bool *fresh)
{
    bool late = should_end(task, task->started);
    struct blob *blob =
        late ? blob_of_fault(FAULT_LATE, NULL, 0) : result_of_plain(task->service, task->entry);
    *fresh = !blob;
    return blob ? blob : make_map(task, memory, size);
}

static enum outcome run_task(struct job *job, void *memory, size_t size)
{
    struct service *service = job->arg;
    struct task task = {.service = service, .entry = entry_of(job), .started = clock_now()};
    task.timing.queue = task.started - job->submitted;
    task.timing.store = task.entry->asked;
    bool fresh;
    struct blob *blob = find_or_make(&task, memory, size, &fresh);
    if (needs_more(&task, size)) {
        blob_drop(blob);
        metrics_count(COUNT_AGAIN, 1);
        return JOB_AGAIN;
    }
    blob = explain_stop(&task, blob);
    metrics_count(outcome_of(blob), 1);
    bool done = fresh && blob && !blob->fault && !task.found;
    settle(service, task.entry, blob, &task.timing);
    return done ? JOB_DONE : JOB_CUT;
}

static void refuse_job(struct job *job)
{
    struct service *service = job->arg;
    struct timing timing = {0};
    struct blob *blob = blob_of_fault(FAULT_BUSY, NULL, 0);
    if (blob)
        blob->retry_after = overload_seconds(job->expected);
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
    int64_t asked = clock_now();
    struct blob *blob = result_of_plain(service, entry);
    if (!blob)
        blob = result_of_store(service, entry);
    timing.store = entry->asked = clock_now() - asked;
    if (blob) {
        metrics_count(blob->fault ? COUNT_REFUSED : COUNT_FOUND, 1);
        settle(service, entry, blob, &timing);
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
