/*
 * task.c: the work for an entry of the cache.
 *
 * A map that is slow to make is first looked for in the store. That is a fast job, which needs no
 * memory; if it finds nothing, it is submitted again as the job that makes the map.
 */
#include "service.h"

#include "srv/base/clock.h"
#include "srv/out/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    CERTAIN_EXCESS = 4, /* refuse only estimates so many times above the limit */
    LATE_FACTOR = 6,    /* retry what was late after so many times its deadline */
    LONGEST_RETRY_S = 600,
    CRASH_RETRY_S = 60,
};

/* An entry whose map is being made. */
struct task {
    struct service *service;
    struct entry *entry;
    size_t size;     /* bytes of memory that it has */
    int64_t started; /* clock_now */
    bool again;      /* it took too long for the fast lane, or needs more memory: it runs again */
    struct box *box; /* where it runs; NULL: it does not */
};

/* Each sort of work by a number of its own; 0 is reading. */
static unsigned kind_of(const struct key *key)
{
    return 1 + place_of_generator(key->generator) * FORMATS + place_of_format(key->encoder);
}

/* Nanoseconds that making the map is expected to take. */
static uint64_t expect_to_make(struct service *service, const struct entry *entry)
{
    return pool_expect(service->pool, kind_of(&entry->key), entry->key.cost.nanoseconds);
}

/* ---- faults ---------------------------------------------------------------------------------- */

/* Retry-After, at least 1. */
static unsigned retry_seconds(int64_t microseconds)
{
    return (unsigned)(1 + microseconds / 1000000);
}

/* Negative cache: keeps the fault for a while, and says so. */
static struct blob *keep_fault(struct entry *entry, struct blob *blob, unsigned seconds)
{
    if (!blob)
        return NULL;
    blob->retry_after = seconds < LONGEST_RETRY_S ? seconds : LONGEST_RETRY_S;
    entry->until = clock_now() + (int64_t)blob->retry_after * 1000000;
    return blob;
}

/* A problem with the whole request, in a sentence. */
static struct blob *explain(enum fault fault, enum mw_fault cause, const char *format, ...)
{
    struct mw_problem problem = {.fault = cause};
    va_list list;
    va_start(list, format);
    vsnprintf(problem.detail, sizeof problem.detail, format, list);
    va_end(list);
    return blob_of_fault(fault, &problem, sizeof problem);
}

static bool is_certain(uint64_t estimate, uint64_t limit)
{
    return estimate / CERTAIN_EXCESS > limit;
}

/* A fault, if the estimate is several times beyond what there is; NULL: it may be tried. */
static struct blob *check_excess(struct service *service, struct entry *entry, int64_t given)
{
    static const char excess[] = "%s some %llu %s, and a request gets %llu here: ask for less";
    unsigned long long bytes = entry->key.cost.bytes, most = pool_most(service->pool);
    unsigned long long ms = expect_to_make(service, entry) / 1000000;
    unsigned long long given_ms = (unsigned long long)given / 1000;
    if (is_certain(bytes, most))
        return explain(FAULT_TOO_BIG, MW_TOO_BIG, excess, "needs", bytes, "bytes", most);
    if (!is_certain(ms, given_ms))
        return NULL;
    struct blob *blob = explain(FAULT_TOO_HARD, MW_TOO_HARD, excess, "takes", ms, "ms", given_ms);
    /* the machine may be busy only for now */
    return keep_fault(entry, blob, retry_seconds(LATE_FACTOR * given));
}

/* ---- the run --------------------------------------------------------------------------------- */

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
    task->again = task->again || pool_overruns(task->service->pool, &task->entry->job);
    return task->again || should_end(task, clock_now());
}

/* The event and its cause, with the address, in the log. */
static void report(const struct task *task, const char *event)
{
    const struct key *key = &task->entry->key;
    size_t length = key->length < RECORD_SELF ? key->length : RECORD_SELF;
    log_event(event, json_pack("{s:s%, s:s}", "self", key->address, length, "cause",
                               box_cause(task->box)));
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
    return keep_fault(task->entry, blob_of_fault(FAULT_CRASHED, NULL, 0), CRASH_RETRY_S);
}

/* Strings from a worker process may lack their terminator. */
static struct blob *take_problems(struct task *task)
{
    struct mw_problems problems = {.count = task->box->made.problems};
    enum box_end end = box_take(task->box, problems.list);
    if (end != BOX_MADE)
        return lose(task, end);
    for (size_t i = 0; i < problems.count; i++) {
        problems.list[i].pointer[MW_POINTER_MAX - 1] = '\0';
        problems.list[i].detail[MW_DETAIL_MAX - 1] = '\0';
    }
    enum fault fault = fault_of(&problems);
    if (fault == FAULT_TOO_BIG && task->size < pool_most(task->service->pool)) {
        task->again = true;
        task->entry->job.bytes = UINT64_MAX;
    }
    return blob_of_fault(fault, problems.list, task->box->made.length);
}

/* In the coding that is asked for. Takes the reference. */
static struct blob *code(const struct entry *entry, struct blob *plain)
{
    enum coding coding = entry->key.coding;
    if (!plain || plain->fault || !coding)
        return plain;
    struct blob *blob =
        coding_apply(coding, EFFORT_FAST, plain->bytes, plain->length, plain->media);
    blob_drop(plain);
    return blob;
}

/* Without room for the map its bytes are left. */
static struct blob *take_map(struct task *task)
{
    struct blob *plain = output_blob(task->box->made.length, task->entry->key.encoder->media);
    bool room = plain && !plain->fault;
    enum box_end end = box_take(task->box, room ? plain->bytes : NULL);
    if (!room)
        return plain;
    if (end != BOX_MADE) {
        blob_drop(plain);
        return lose(task, end);
    }
    store_put(task->service->store, &task->entry->key, plain,
              1000 * (uint64_t)(task->box->made.make + task->box->made.encode));
    return code(task->entry, plain);
}

static struct blob *take_result(struct task *task, enum box_end end)
{
    if (end != BOX_MADE)
        return lose(task, end);
    task->entry->timing.of[PHASE_MAKE] = task->box->made.make;
    if (task->box->made.problems)
        return take_problems(task);
    int64_t began = clock_now();
    struct blob *blob = take_map(task);
    task->entry->timing.of[PHASE_ENCODE] = task->box->made.encode + clock_now() - began;
    return blob;
}

/* NULL without memory. A run that was stopped is FAULT_LATE. */
static struct blob *make_map(struct task *task)
{
    const struct key *key = &task->entry->key;
    struct maker_order order = {.look = key->look, .length = key->length, .size = task->size};
    memcpy(order.id, key->id, sizeof order.id);
    snprintf(order.encoder, sizeof order.encoder, "%s", key->encoder->name);
    order.look.format = NULL; /* the encoder stands for it */
    if (!atomic_load(&task->entry->steps))
        atomic_store(&task->entry->steps, 1);
    const struct map_run run = {&order, key->address, must_end, task};
    struct service *service = task->service;
    task->box = &service->boxes[task->entry->job.worker];
    return take_result(task, box_make(task->box, &run));
}

/* ---- the job that makes the map -------------------------------------------------------------- */

static void refuse_job(struct job *job)
{
    struct service *service = job->arg;
    struct blob *blob = blob_of_fault(FAULT_BUSY, NULL, 0);
    if (blob)
        blob->retry_after = retry_seconds(job->expected);
    cache_settle(service->cache, entry_of(job), blob);
}

void task_submit(struct service *service, struct entry *entry)
{
    entry->job.arg = service;
    entry->job.refuse = refuse_job;
    if (!pool_submit(service->pool, &entry->job))
        refuse_job(&entry->job);
}

static enum counter outcome_of(const struct blob *blob)
{
    if (!blob || blob->fault == FAULT_LATE || blob->fault == FAULT_DRAINING)
        return COUNT_STOPPED;
    return blob->fault ? COUNT_REFUSED : COUNT_MADE;
}

static void settle(struct service *service, struct entry *entry, struct blob *blob)
{
    const int64_t *took = entry->timing.of;
    for (enum phase phase = PHASE_STORE; phase < PHASE_SEND; phase++)
        if (took[phase] || phase == PHASE_QUEUE)
            metrics_phase(entry->key.generator, phase, took[phase]);
    entry->took = 1000 * (uint64_t)(took[PHASE_STORE] + took[PHASE_MAKE] + took[PHASE_ENCODE]);
    cache_settle(service->cache, entry, blob);
}

/* The run knows only that it was stopped. If most of the time was over since the workers had it,
   the time will be too short again. */
static struct blob *explain_stop(const struct task *task, struct blob *blob)
{
    struct entry *entry = task->entry;
    if (!blob || blob->fault != FAULT_LATE || blob->retry_after)
        return blob;
    blob_drop(blob);
    if (atomic_load(&task->service->abort_runs))
        return blob_of_fault(FAULT_DRAINING, NULL, 0);
    int64_t now = clock_now(), deadline = atomic_load(&entry->deadline);
    int64_t given = deadline - entry->begun;
    bool lasts = now > deadline && now - task->started >= (deadline - entry->job.submitted) / 2;
    blob = explain(FAULT_LATE, MW_STOPPED, "the map was not ready after %lld ms and %llu steps%s",
                   (long long)(given / 1000), (unsigned long long)atomic_load(&entry->steps),
                   lasts ? ", and is not tried again for a while: ask for less" : "");
    return lasts ? keep_fault(entry, blob, retry_seconds(LATE_FACTOR * given)) : blob;
}

/* From the same map in no coding, if that is in the cache; else NULL. It needs room of its own. */
static struct blob *code_plain(struct service *service, const struct entry *entry)
{
    struct key plain = entry->key;
    plain.coding = CODING_NONE;
    struct blob *known = entry->key.coding ? cache_find(service->cache, &plain) : NULL;
    bool good = known && !known->fault;
    struct blob *room = good ? output_blob(known->length, known->media) : NULL, *coded = room;
    if (room && !room->fault) {
        coded = code(entry, blob_ref(known));
        blob_drop(room);
    }
    blob_drop(known);
    return coded;
}

static struct blob *find_or_make(struct task *task)
{
    if (should_end(task, task->started))
        return blob_of_fault(FAULT_LATE, NULL, 0);
    struct blob *blob = code_plain(task->service, task->entry);
    return blob ? blob : make_map(task);
}

/* Only a run that was ended, or had too little memory: not one that crashed, or was done before it
   saw that it should end. */
static bool runs_again(const struct task *task, const struct blob *blob)
{
    return task->again && blob && (blob->fault == FAULT_LATE || blob->fault == FAULT_TOO_BIG);
}

static bool run_task(struct job *job, size_t size)
{
    struct service *service = job->arg;
    struct entry *entry = entry_of(job);
    struct task task = {.service = service, .entry = entry, .size = size, .started = clock_now()};
    entry->timing = (struct timing){{[PHASE_STORE] = entry->timing.of[PHASE_STORE],
                                     [PHASE_QUEUE] = task.started - job->submitted}};
    struct blob *blob = find_or_make(&task);
    bool made = false;
    if (runs_again(&task, blob)) {
        blob_drop(blob);
        metrics_count(COUNT_AGAIN, 1);
        task_submit(service, entry);
    } else {
        blob = explain_stop(&task, blob);
        metrics_count(outcome_of(blob), 1);
        made = task.box && blob && !blob->fault;
        settle(service, entry, blob);
    }
    if (task.box && !atomic_load(&service->abort_runs))
        box_restart(task.box); /* when the client has its answer */
    return made;
}

/* From now on the job makes the map. */
static void order_map(struct entry *entry)
{
    entry->job.run = run_task;
    entry->job.kind = kind_of(&entry->key);
    entry->job.estimate = entry->key.cost.nanoseconds;
    entry->job.bytes = entry->key.cost.bytes;
}

/* ---- the job that asks the store ------------------------------------------------------------- */

static bool run_lookup(struct job *job, size_t size)
{
    (void)size;
    struct service *service = job->arg;
    struct entry *entry = entry_of(job);
    int64_t started = clock_now();
    struct blob *blob = code(entry, store_find_map(service->store, &entry->key));
    entry->timing.of[PHASE_QUEUE] = started - job->submitted;
    entry->timing.of[PHASE_STORE] = clock_now() - started;
    if (!blob) {
        order_map(entry);
        task_submit(service, entry);
        return false;
    }
    metrics_count(blob->fault ? COUNT_REFUSED : COUNT_FOUND, 1);
    settle(service, entry, blob);
    return false;
}

/* ---- beginning ------------------------------------------------------------------------------- */

/* A fault, if the map is not begun; or NULL. A draining copy does not say that a map takes too
   long, as a client that was promised more time asks another copy next. */
static struct blob *refuse(struct service *service, struct entry *entry, int64_t given)
{
    struct blob *excess = check_excess(service, entry, given);
    if (!atomic_load(&service->abort_runs) && !(excess && atomic_load(&service->draining)))
        return excess;
    blob_drop(excess);
    return blob_of_fault(FAULT_DRAINING, NULL, 0);
}

void task_begin(struct service *service, struct entry *entry, uint64_t client, bool patient)
{
    const struct config *config = &service->config;
    int64_t given = (patient ? config->async_ms : config->deadline_ms) * INT64_C(1000);
    entry->begun = clock_now();
    clock_extend(&entry->deadline, entry->begun + given);
    entry->job = (struct job){.run = run_lookup,
                              .estimate = STORE_NANOSECONDS,
                              .client = client,
                              .patience = patient ? given : 0};
    struct blob *no = refuse(service, entry, given);
    if (!store_wants(service->store, expect_to_make(service, entry)))
        order_map(entry);
    if (no)
        cache_settle(service->cache, entry, no);
    else
        task_submit(service, entry);
}
