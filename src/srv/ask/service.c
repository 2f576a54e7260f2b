/* service.c: cache, queue and workers, tied together. */
#include "service.h"

#include "srv/base/clock.h"
#include "srv/say/coding.h"
#include "srv/say/problem.h"

#include <string.h>
#include <unistd.h>

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
    size_t touched; /* bytes of the worker's memory */
};

static bool should_stop(void *arg, uint64_t steps)
{
    const struct task *task = arg;
    atomic_store(&task->entry->steps, steps);
    return atomic_load(&task->entry->abandoned) || atomic_load(&task->service->abort_runs) ||
           clock_now() > atomic_load(&task->entry->deadline);
}

/* What the run complained of, as a blob. */
static struct blob *fault_blob(const struct mw_run *run)
{
    const struct mw_problems *problems = mw_problems(run);
    return blob_of_fault(fault_of(problems), problems->list,
                         problems->count * sizeof *problems->list);
}

/* The bytes as an answer, if there is room for it. */
static struct blob *wrap(struct service *service, const struct key *key, const char *bytes,
                         size_t length)
{
    enum room room = output_make_room(service->output, length);
    if (room != ROOM_THERE)
        return blob_of_fault(room == ROOM_NEVER ? FAULT_TOO_BIG : FAULT_BUSY, NULL, 0);
    struct blob *blob = coding_apply(key->coding, bytes, length, key->encoder->media, false);
    output_made(service->output, length);
    return blob;
}

static void compare_cost(const struct mw_generator *generator, const struct mw_cost *expected,
                         const struct mw_run *run, uint64_t nanoseconds)
{
    metrics_estimate(generator, COST_STEPS, (double)expected->steps, (double)mw_steps(run));
    metrics_estimate(generator, COST_BYTES, (double)expected->bytes, (double)mw_peak(run));
    metrics_estimate(generator, COST_SECONDS, (double)expected->nanoseconds, (double)nanoseconds);
}

static struct blob *run_address(struct task *task, struct mw_run *run)
{
    const struct key *key = &task->entry->key;
    struct mw_request request;
    int64_t started = clock_now();
    if (!mw_bind_address(run, key->address, key->length, &request))
        return fault_blob(run);
    request.look = key->look;
    memcpy(request.id, key->id, sizeof request.id);
    struct mw_cost expected = mw_estimate(&request, key->encoder);
    atomic_store(&task->entry->steps_expected, expected.steps);
    uint64_t began = clock_cpu();
    const struct mw_map *map = mw_make(run, &request);
    int64_t made = clock_now();
    task->timing.make = made - started;
    if (!map)
        return fault_blob(run);
    struct mw_bytes bytes = mw_encode(run, key->encoder, map);
    if (!bytes.at)
        return fault_blob(run);
    compare_cost(request.generator, &expected, run, clock_cpu() - began);
    struct blob *blob = wrap(task->service, key, bytes.at, bytes.length);
    task->timing.encode = clock_now() - made;
    return blob;
}

/* NULL without memory. A run that was stopped is FAULT_LATE. */
static struct blob *make_blob(struct task *task, void *memory, size_t size)
{
    struct mw_limits limits = {
        .memory = memory, .size = size, .stop = should_stop, .stop_arg = task};
    struct mw_run *run = mw_open(&limits);
    if (!run)
        return NULL;
    struct blob *blob = run_address(task, run);
    task->touched = mw_peak(run);
    return blob;
}

/* Another coding of the same bytes needs no map. */
static struct blob *recode(struct service *service, const struct entry *entry)
{
    struct key plain = entry->key;
    plain.coding = CODING_NONE;
    if (entry->key.coding == CODING_NONE)
        return NULL;
    struct blob *known = cache_peek(service->cache, &plain);
    if (!known)
        return NULL;
    struct blob *coded = known->fault ? blob_of_fault(known->fault, known->bytes, known->length)
                                      : wrap(service, &entry->key, known->bytes, known->length);
    blob_drop(known);
    return coded;
}

/* What stopped a run is better known here than in the run. */
static struct blob *name_stop(const struct service *service, struct blob *blob)
{
    if (!blob || blob->fault != FAULT_LATE)
        return blob;
    blob_drop(blob);
    return blob_of_fault(atomic_load(&service->abort_runs) ? FAULT_DRAINING : FAULT_LATE, NULL, 0);
}

static void count(const struct key *key, const struct blob *blob, const struct timing *timing)
{
    bool stopped = !blob || blob->fault == FAULT_LATE || blob->fault == FAULT_DRAINING;
    metrics_count(stopped ? COUNT_STOPPED : blob->fault ? COUNT_REFUSED : COUNT_MADE, 1);
    metrics_phase(key->generator, PHASE_QUEUE, timing->queue);
    if (timing->make)
        metrics_phase(key->generator, PHASE_MAKE, timing->make);
    if (timing->encode)
        metrics_phase(key->generator, PHASE_ENCODE, timing->encode);
}

static size_t run_job(struct job *job, void *memory, size_t size)
{
    struct service *service = job->arg;
    struct task task = {.service = service, .entry = entry_of(job)};
    task.timing.queue = clock_now() - job->submitted;
    uint64_t began = clock_cpu();
    bool late = should_stop(&task, 0);
    struct blob *blob = late ? blob_of_fault(FAULT_LATE, NULL, 0) : recode(service, task.entry);
    if (!blob && !late)
        blob = make_blob(&task, memory, size);
    blob = name_stop(service, blob);
    count(&task.entry->key, blob, &task.timing);
    task.entry->rated.cost = clock_cpu() - began;
    cache_settle(service->cache, task.entry, blob, &task.timing);
    return task.touched;
}

/* ---- asking ---------------------------------------------------------------------------------- */

static void settle_fault(struct service *service, struct entry *entry, enum fault fault)
{
    struct timing timing = {0};
    cache_settle(service->cache, entry, blob_of_fault(fault, NULL, 0), &timing);
}

static void refuse_job(struct job *job) { settle_fault(job->arg, entry_of(job), FAULT_BUSY); }

static bool withdraw(void *service, struct job *job)
{
    return pool_withdraw(((struct service *)service)->pool, job);
}

/* Unless somebody who joined has given it more time already. */
static void set_deadline(struct entry *entry, int64_t deadline)
{
    int_least64_t none = 0;
    atomic_compare_exchange_strong(&entry->deadline, &none, deadline);
}

enum claim service_ask(struct service *service, const struct key *key, struct waiter *waiter,
                       struct blob **blob)
{
    static const enum counter counters[] = {[CLAIM_HIT] = COUNT_CACHE_HIT,
                                            [CLAIM_WAIT] = COUNT_CACHE_WAIT,
                                            [CLAIM_MINE] = COUNT_CACHE_MISS};
    struct entry *entry;
    enum claim claim = cache_claim(service->cache, key, waiter, blob, &entry);
    if (claim != CLAIM_NO_MEMORY)
        metrics_count(counters[claim], 1);
    if (claim != CLAIM_MINE)
        return claim;
    set_deadline(entry, clock_now() + (int64_t)service->config.deadline_ms * 1000);
    entry->job = (struct job){.run = run_job, .refuse = refuse_job, .arg = service};
    if (atomic_load(&service->draining))
        settle_fault(service, entry, FAULT_DRAINING);
    else if (!pool_submit(service->pool, &entry->job))
        settle_fault(service, entry, FAULT_BUSY);
    return claim;
}

char *service_address(struct service *service, const char *id)
{
    char *address = cache_address(service->cache, id);
    return address ? address : operations_address(service->operations, id);
}

/* Another copy is there at once, or this one again as soon as it was started anew. */
enum { RESTART_S = 2, BUSY_S = 1 };

unsigned service_retry_after(const struct service *service, enum fault fault)
{
    (void)service;
    if (fault == FAULT_DRAINING)
        return RESTART_S;
    unsigned status = fault_rows[fault].status;
    return status == 503 || status == 429 ? BUSY_S : 0;
}

void service_measure(struct service *service, int64_t gauges[GAUGE_END])
{
    struct pool_state pool = pool_state(service->pool);
    struct cache_state cache = cache_state(service->cache);
    gauges[GAUGE_WAITING] = pool.waiting;
    gauges[GAUGE_RUNNING] = pool.running;
    gauges[GAUGE_OPERATIONS] = operations_count(service->operations);
    gauges[GAUGE_WORKERS] = pool.workers;
    gauges[GAUGE_HELD_CACHE] = (int64_t)cache.bytes;
    gauges[GAUGE_LIMIT_CACHE] = service->config.cache_bytes;
    gauges[GAUGE_CACHE_ENTRIES] = (int64_t)cache.entries;
    gauges[GAUGE_CACHE_EVICTED] = (int64_t)cache.evicted;
    gauges[GAUGE_HELD_OUTPUT] = (int64_t)blob_loose();
    gauges[GAUGE_LIMIT_OUTPUT] = service->config.output_bytes;
    gauges[GAUGE_OPEN] = atomic_load(&service->connections);
    gauges[GAUGE_DRAINING] = atomic_load(&service->leaving);
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static struct pool *make_pool(struct service *service)
{
    const struct config *config = &service->config;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct pool_plan plan = {
        .workers = config->workers ? config->workers
                   : cores > 0     ? (int)cores
                                   : 1,
        .queue = config->queue,
        .wait = (int64_t)config->wait_ms * 1000,
        .memory = (size_t)config->memory,
    };
    return pool_new(&plan);
}

static struct operations *make_operations(struct service *service)
{
    const struct config *config = &service->config;
    struct operations_plan plan = {
        .most = config->async,
        .most_per_client = config->async_per_client,
        .deadline = (int64_t)config->async_ms * 1000,
        .bytes = (size_t)config->output_bytes / 4, /* as they count among what is sent */
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
    return service->pool;
}

void service_release(struct service *service)
{
    if (service->pool)
        pool_drop(service->pool);
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
