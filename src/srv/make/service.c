/* service.c: cache, queue and workers, tied together. */
#include "service.h"

#include "known.h"
#include "lend.h"
#include "srv/base/clock.h"
#include "srv/say/coding.h"
#include "srv/say/problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    SURELY = 4,      /* an estimate so many times beyond what there is has not just erred */
    LATE_FACTOR = 6, /* what was late is tried again after so many times what it was given */
    LATE_MOST_S = 600,
    MOST_ENCODERS = 16, /* for kinds of work; with more, some are learned together */
};

/* ---- an address becomes bytes, on a worker --------------------------------------------------- */

static struct entry *entry_of(struct job *job)
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
    char *end;        /* of the worker's memory */
};

static bool should_end(const struct task *task)
{
    return atomic_load(&task->entry->abandoned) || atomic_load(&task->service->abort_runs) ||
           clock_now() > atomic_load(&task->entry->deadline);
}

static bool should_stop(void *arg, uint64_t steps)
{
    struct task *task = arg;
    if (steps > atomic_load(&task->entry->steps)) /* one that is run again shows no way back */
        atomic_store(&task->entry->steps, steps);
    task->overran = pool_overruns(task->service->pool, &task->entry->job);
    return task->overran || should_end(task);
}

/* What the run complained of, as a blob. */
static struct blob *fault_blob(struct task *task, const struct mw_run *run)
{
    const struct mw_problems *problems = mw_problems(run);
    task->outgrew = fault_of(problems) == FAULT_TOO_BIG;
    return blob_of_fault(fault_of(problems), problems->list,
                         problems->count * sizeof *problems->list);
}

/* Whether a map that takes so long is one for the store. */
static bool is_dear(const struct service *service, uint64_t nanoseconds)
{
    return store_is_open(service->store) &&
           nanoseconds / 1000 >= (uint64_t)service->config.store_least_us;
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
    struct mw_bytes bytes = mw_encode(run, key->encoder, map);
    if (!bytes.at)
        return fault_blob(task, run);
    uint64_t spent = clock_cpu() - began;
    compare_cost(task, &expected, run, spent);
    if (task->entry->job.need) /* the copy shall not stand beside what nobody reads any more */
        block_trim((char *)bytes.at + bytes.length, task->end);
    struct blob *blob = known_wrap(task->service, key, bytes.at, bytes.length);
    task->timing.encode = clock_now() - made;
    if (is_dear(task->service, spent))
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
    mw_set_shelf(run, &task->loan.shelf);
    struct blob *blob = run_address(task, run);
    loan_end(&task->loan);
    return blob;
}

/* ---- what the store has ---------------------------------------------------------------------- */

static void set_cost(struct job *job, uint64_t nanoseconds, uint64_t bytes)
{
    job->estimate = nanoseconds;
    job->bytes = bytes;
}

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
    set_cost(&entry->job, entry->cost.nanoseconds, entry->cost.bytes);
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

/* A problem with the whole request, in a sentence. */
static struct blob *explained(enum fault fault, enum mw_fault cause, const char *format, ...)
{
    struct mw_problem problem = {.fault = cause};
    va_list list;
    va_start(list, format);
    vsnprintf(problem.detail, sizeof problem.detail, format, list);
    va_end(list);
    return blob_of_fault(fault, &problem, sizeof problem);
}

/* What stopped a run is better known here than in the run. A time that was over though most of it
   was its own will be over again. */
static struct blob *name_stop(const struct task *task, struct blob *blob)
{
    struct entry *entry = task->entry;
    if (!blob || blob->fault != FAULT_LATE || blob->retry_after)
        return blob;
    blob_drop(blob);
    int64_t now = clock_now(), given = atomic_load(&entry->deadline) - entry->job.submitted;
    if (atomic_load(&task->service->abort_runs))
        return blob_of_fault(FAULT_DRAINING, NULL, 0);
    if (now <= atomic_load(&entry->deadline) || now - task->started < given / 2)
        return blob_of_fault(FAULT_LATE, NULL, 0);
    return known_for(
        entry,
        explained(FAULT_LATE, MW_STOPPED,
                  "the map was not ready after %lld ms and %llu steps, and is not tried "
                  "again for a while: ask for less",
                  (long long)(given / 1000), (unsigned long long)atomic_load(&entry->steps)),
        LATE_FACTOR * given);
}

/* Who waits is answered before the claim is given back. With the entry go its steps. */
static void settle(struct service *service, struct entry *entry, struct blob *blob,
                   const struct timing *timing)
{
    struct question *question = entry->question;
    store_let_go(service->store, question);
    cache_settle(service->cache, entry, blob, timing);
    store_settle(service->store, question);
}

static enum outcome run_job(struct job *job, void *memory, size_t size)
{
    struct service *service = job->arg;
    struct task task = {.service = service, .entry = entry_of(job), .started = clock_now()};
    task.timing.queue = task.started - job->submitted;
    task.timing.store = task.entry->asked;
    uint64_t began = clock_cpu();
    bool late = should_end(&task);
    struct blob *blob =
        late ? blob_of_fault(FAULT_LATE, NULL, 0) : known_coding(service, task.entry);
    if (!blob)
        blob = take_found(&task);
    bool fresh = !blob && !task.misled;
    if (fresh)
        blob = make_blob(&task, memory, size);
    if (needs_more(&task, size)) {
        blob_drop(blob);
        metrics_count(COUNT_AGAIN, 1);
        return JOB_AGAIN;
    }
    blob = name_stop(&task, blob);
    count(&task, blob);
    bool done = fresh && blob && !blob->fault && !task.loan.count;
    task.entry->rated.cost = clock_cpu() - began;
    settle(service, task.entry, blob, &task.timing);
    return done ? JOB_DONE : JOB_CUT;
}

/* ---- asking ---------------------------------------------------------------------------------- */

static void settle_with(struct service *service, struct entry *entry, struct blob *blob)
{
    struct timing timing = {0};
    settle(service, entry, blob, &timing);
}

static void refuse_job(struct job *job)
{
    struct blob *blob = blob_of_fault(FAULT_BUSY, NULL, 0);
    if (blob)
        blob->retry_after = service_seconds(job->expected);
    settle_with(job->arg, entry_of(job), blob);
}

/* Whoever has it: the store or the pool. */
static bool withdraw(void *arg, struct job *job)
{
    struct service *service = arg;
    struct question *question = entry_of(job)->question;
    bool waits =
        (question && store_withdraw(service->store, question)) || pool_withdraw(service->pool, job);
    if (waits)
        store_settle(service->store, question);
    return waits;
}

/* Unless somebody who joined has given it more time already. */
static void set_deadline(struct entry *entry, int64_t deadline)
{
    int_least64_t none = 0;
    atomic_compare_exchange_strong(&entry->deadline, &none, deadline);
}

static int64_t time_given(const struct service *service, const struct order *order)
{
    const struct config *config = &service->config;
    return (int64_t)(order->patient ? config->async_ms : config->deadline_ms) * 1000;
}

/* More than is granted, whatever the estimate is off by. NULL: it may be tried. */
static struct blob *refuse_excess(const struct service *service, const struct mw_cost *cost)
{
    uint64_t steps = (uint64_t)service->config.max_steps, bytes = pool_most(service->pool);
    if (steps && cost->steps / SURELY > steps)
        return explained(FAULT_TOO_HARD, MW_TOO_HARD,
                         "takes some %llu steps, and a request gets %llu here: ask for less",
                         (unsigned long long)cost->steps, (unsigned long long)steps);
    if (cost->bytes / SURELY > bytes)
        return explained(FAULT_TOO_BIG, MW_TOO_BIG,
                         "needs some %llu bytes, and a request gets %llu here: ask for less",
                         (unsigned long long)cost->bytes, (unsigned long long)bytes);
    return NULL;
}

/* The same of time, for which a machine may be too busy now. */
static struct blob *refuse_endless(struct service *service, const struct order *order,
                                   struct entry *entry)
{
    int64_t given = time_given(service, order);
    uint64_t takes = pool_expect(service->pool, entry->job.kind, order->cost.nanoseconds) / 1000;
    if (takes / SURELY <= (uint64_t)given)
        return NULL;
    return known_for(entry,
                     explained(FAULT_TOO_HARD, MW_TOO_HARD,
                               "takes some %llu steps, which are some %llu ms here, and a request "
                               "gets %lld ms: ask for less",
                               (unsigned long long)order->cost.steps,
                               (unsigned long long)takes / 1000, (long long)(given / 1000)),
                     LATE_FACTOR * given);
}

/* Each sort of work by a number of its own; 0 is reading. */
static unsigned kind_of(const struct key *key)
{
    unsigned generator = 0, encoder = 0;
    while (mw_generators[generator] && mw_generators[generator] != key->generator)
        generator++;
    while (mw_encoders[encoder] && mw_encoders[encoder] != key->encoder)
        encoder++;
    return 1 + generator * MOST_ENCODERS + encoder;
}

static void submit(struct service *service, struct entry *entry)
{
    if (!pool_submit(service->pool, &entry->job))
        refuse_job(&entry->job);
}

/* On the store's thread: a worker looks into what was found, or makes the map. */
static void on_store_answer(void *arg, struct blob *found)
{
    enum { OPEN_NS = 50000, BYTE_NS = 10 };
    struct entry *entry = arg;
    struct service *service = entry->job.arg;
    entry->asked = clock_now() - entry->asked;
    entry->found = found;
    if (found)
        set_cost(&entry->job, OPEN_NS + found->length * BYTE_NS, 0);
    submit(service, entry);
}

/* While another copy makes the map it is waited for, for half the time that there is. */
static bool ask_store(struct service *service, const struct order *order, struct entry *entry)
{
    if (!service->store)
        return false;
    uint64_t takes = pool_expect(service->pool, entry->job.kind, order->cost.nanoseconds);
    struct question_plan plan = {.key = &entry->key,
                                 .until = clock_now() + time_given(service, order) / 2,
                                 .steps = &entry->steps,
                                 .expected = &entry->steps_expected,
                                 .answer = on_store_answer,
                                 .arg = entry};
    store_note(service->store, &entry->key);
    if (!is_dear(service, takes))
        return false;
    entry->asked = clock_now();
    if (store_ask(service->store, &plan, &entry->question))
        return true;
    entry->asked = 0;
    return false;
}

/* Has the map made, or its entry settled with why not. */
static void begin(struct service *service, const struct order *order, struct entry *entry)
{
    struct blob *no = NULL;
    set_deadline(entry, clock_now() + time_given(service, order));
    entry->cost = order->cost;
    entry->job = (struct job){.run = run_job,
                              .refuse = refuse_job,
                              .arg = service,
                              .kind = kind_of(order->key),
                              .estimate = order->cost.nanoseconds,
                              .bytes = order->cost.bytes,
                              .client = order->client,
                              .patience = order->patient ? time_given(service, order) : 0};
    if (atomic_load(&service->abort_runs))
        settle_with(service, entry, blob_of_fault(FAULT_DRAINING, NULL, 0));
    else if ((no = refuse_excess(service, &order->cost)) ||
             (no = refuse_endless(service, order, entry)))
        settle_with(service, entry, no);
    else if (!ask_store(service, order, entry))
        submit(service, entry);
}

/* Who has more time than those before may try what they were refused. */
static bool tries_anew(const struct service *service, const struct order *order, enum claim claim,
                       struct blob *blob)
{
    if (claim != CLAIM_HIT || !blob->retry_after || !order->patient)
        return false;
    blob_drop(blob);
    cache_forget(service->cache, order->key);
    return true;
}

enum claim service_ask(struct service *service, const struct order *order, struct waiter *waiter,
                       struct blob **blob)
{
    static const enum counter counters[] = {[CLAIM_HIT] = COUNT_CACHE_HIT,
                                            [CLAIM_WAIT] = COUNT_CACHE_WAIT,
                                            [CLAIM_MINE] = COUNT_CACHE_MISS};
    struct entry *entry;
    enum claim claim = cache_claim(service->cache, order->key, waiter, blob, &entry);
    if (tries_anew(service, order, claim, *blob))
        claim = cache_claim(service->cache, order->key, waiter, blob, &entry);
    if (claim != CLAIM_NO_MEMORY)
        metrics_count(counters[claim], 1);
    if (claim == CLAIM_MINE)
        begin(service, order, entry);
    return claim;
}

char *service_address(struct service *service, const char *id)
{
    char *address = cache_address(service->cache, id);
    return address ? address : operations_address(service->operations, id);
}

/* Another copy is there at once, or this one again as soon as it was started anew. */
enum { RESTART_S = 2, BUSY_S = 1 };

unsigned service_retry_after(enum fault fault)
{
    if (fault == FAULT_DRAINING)
        return RESTART_S;
    unsigned status = fault_rows[fault].status;
    return status == 503 || status == 429 ? BUSY_S : 0;
}

void service_measure(struct service *service, int64_t gauges[GAUGE_END])
{
    struct pool_state pool = pool_state(service->pool);
    struct cache_state cache = cache_state(service->cache);
    gauges[GAUGE_WAITING_CHEAP] = pool.waiting - pool.dear_waiting;
    gauges[GAUGE_WAITING_DEAR] = pool.dear_waiting;
    gauges[GAUGE_RUNNING_CHEAP] = pool.running - pool.dear_running;
    gauges[GAUGE_RUNNING_DEAR] = pool.dear_running;
    gauges[GAUGE_OPERATIONS] = operations_count(service->operations);
    gauges[GAUGE_WORKERS] = pool.workers;
    gauges[GAUGE_HELD_CACHE] = (int64_t)cache.bytes;
    gauges[GAUGE_LIMIT_CACHE] = service->config.cache_bytes;
    gauges[GAUGE_HELD_RUNS] = (int64_t)pool.reserved;
    gauges[GAUGE_LIMIT_RUNS] = (int64_t)pool.memory;
    gauges[GAUGE_CACHE_ENTRIES] = (int64_t)cache.entries;
    gauges[GAUGE_CACHE_EVICTED] = (int64_t)cache.evicted;
    gauges[GAUGE_HELD_OUTPUT] = (int64_t)blob_loose();
    gauges[GAUGE_LIMIT_OUTPUT] = service->config.output_bytes;
    gauges[GAUGE_STORE_OPEN] = store_is_open(service->store);
    gauges[GAUGE_OPEN] = atomic_load(&service->connections);
    gauges[GAUGE_DRAINING] = atomic_load(&service->leaving);
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static struct pool *make_pool(struct service *service)
{
    const struct config *config = &service->config;
    struct pool_plan plan = {
        .workers = config->workers,
        .queue = config->queue,
        .wait = (int64_t)config->wait_ms * 1000,
        .memory = (size_t)config->memory,
    };
    return pool_new(&plan);
}

static void on_promise(void *arg, enum promise promise, const char *id, uint64_t client)
{
    const struct service *service = arg;
    store_promise(service->store, promise, id, client);
}

/* By its client, at another copy. */
static void on_waived(void *arg, const char *id, uint64_t client)
{
    const struct service *service = arg;
    operations_cancel(service->operations, id, client);
}

static struct operations *make_operations(struct service *service)
{
    const struct config *config = &service->config;
    struct operations_plan plan = {
        .most = config->async,
        .most_per_client = config->async_per_client,
        .deadline = (int64_t)config->async_ms * 1000,
        .bytes = (size_t)config->output_bytes / 4, /* as they count among what is sent */
        .tell = on_promise,
        .arg = service,
    };
    return operations_new(service->cache, &plan);
}

static struct output *make_output(const struct config *config)
{
    struct output_plan plan = {
        .limit = (size_t)config->output_bytes,
        .rate = (size_t)config->send_rate,
        .window = (int64_t)config->send_ms * 1000,
    };
    return output_new(&plan);
}

/* Whether they are there, or none are wanted. */
static bool make_limits(struct service *service)
{
    const struct config *config = &service->config;
    struct limits_plan plan = {.rate = config->rate,
                               .burst = config->burst,
                               .connections = config->connections_per_client};
    if (!plan.rate && !plan.connections)
        return true;
    service->limits = limits_new(&plan);
    return service->limits;
}

/* Whether it is there, or none is wanted. */
static bool make_store(struct service *service)
{
    const struct config *config = &service->config;
    struct store_plan plan = {
        .at = config->store,
        .patience = (int64_t)config->store_wait_ms * 1000,
        .log = config->log,
        .waived = on_waived,
        .arg = service,
    };
    if (!*plan.at.host)
        return true;
    service->store = store_new(&plan);
    return service->store;
}

bool service_init(struct service *service, const struct config *config, const char **what)
{
    *service = (struct service){.config = *config};
    *what = "memory";
    service->files = static_files_new();
    service->cache = cache_new((size_t)config->cache_bytes, withdraw, service);
    service->operations = service->cache ? make_operations(service) : NULL;
    service->output = make_output(config);
    if (!make_limits(service) || !service->files || !service->operations || !service->output)
        return false;
    *what = "workers (try fewer --workers or less --memory)";
    service->pool = make_pool(service);
    if (!service->pool)
        return false;
    *what = "the store's thread";
    return make_store(service);
}

void service_release(struct service *service)
{
    if (service->store)
        store_stop(service->store);
    if (service->pool)
        pool_drop(service->pool);
    if (service->store)
        store_drop(service->store);
    if (service->operations)
        operations_drop(service->operations);
    if (service->cache)
        cache_drop(service->cache);
    if (service->output)
        output_drop(service->output);
    if (service->files)
        static_files_drop(service->files);
    if (service->limits)
        limits_drop(service->limits);
    if (service->keys)
        keys_drop(service->keys);
}
