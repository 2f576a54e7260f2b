/* service.c: cache, queue and workers, tied together. */
#include "service.h"

#include "results.h"
#include "srv/base/clock.h"
#include "task.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- claims ---------------------------------------------------------------------------------- */

static bool withdraw(void *arg, struct job *job)
{
    const struct service *service = arg;
    return pool_withdraw(service->pool, job);
}

static int64_t time_given(const struct service *service, const struct order *order)
{
    const struct config *config = &service->config;
    return (int64_t)(order->patient ? config->async_ms : config->deadline_ms) * 1000;
}

/* Each sort of work by a number of its own; 0 is reading. With more encoders some are learned
   together. */
static unsigned kind_of(const struct key *key)
{
    enum { MOST_ENCODERS = 16 };
    unsigned generator = 0, encoder = 0;
    while (mw_generators[generator] && mw_generators[generator] != key->generator)
        generator++;
    while (mw_encoders[encoder] && mw_encoders[encoder] != key->encoder)
        encoder++;
    return 1 + generator * MOST_ENCODERS + encoder;
}

/* A fault, if the map is not begun; or NULL. A draining copy does not say that a map takes too
   long, as a client that was promised more time asks another copy next. */
static struct blob *refuse(struct service *service, struct entry *entry, int64_t given)
{
    if (atomic_load(&service->abort_runs))
        return blob_of_fault(FAULT_DRAINING, NULL, 0);
    struct blob *excess = result_of_excess(service, entry, given);
    if (!excess || !atomic_load(&service->draining))
        return excess;
    blob_drop(excess);
    return blob_of_fault(FAULT_DRAINING, NULL, 0);
}

/* Has the map made, or the entry settled with a fault. */
static void begin(struct service *service, const struct order *order, struct entry *entry)
{
    struct timing timing = {0};
    int64_t given = time_given(service, order);
    entry->begun = clock_now();
    entry_allow(entry, entry->begun + given);
    entry->cost = order->cost;
    entry->kind = kind_of(order->key);
    struct blob *no = refuse(service, entry, given);
    if (no)
        cache_settle(service->cache, entry, no, &timing);
    else
        task_begin(service, entry, order->client, order->patient ? given : 0);
}

enum claim service_ask(struct service *service, const struct order *order, struct waiter *waiter,
                       struct blob **blob)
{
    static const enum counter counters[] = {[CLAIM_HIT] = COUNT_CACHE_HIT,
                                            [CLAIM_WAIT] = COUNT_CACHE_WAIT,
                                            [CLAIM_MINE] = COUNT_CACHE_MISS};
    struct entry *entry;
    waiter->insists = order->patient;
    enum claim claim = cache_claim(service->cache, order->key, waiter, blob, &entry);
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

void service_measure(struct service *service, int64_t gauges[GAUGE_END])
{
    struct pool_state pool = pool_state(service->pool);
    struct cache_state cache = cache_state(service->cache);
    gauges[GAUGE_WAITING_FAST] = pool.waiting - pool.slow_waiting;
    gauges[GAUGE_WAITING_SLOW] = pool.slow_waiting;
    gauges[GAUGE_RUNNING_FAST] = pool.running - pool.slow_running;
    gauges[GAUGE_RUNNING_SLOW] = pool.slow_running;
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

static struct pool_plan plan_pool(const struct config *config)
{
    return (struct pool_plan){
        .workers = config->workers,
        .queue = config->queue,
        .wait = (int64_t)config->wait_ms * 1000,
        .memory = (size_t)config->memory,
    };
}

/* An address may be several times as long as the body, for its escapes. */
static bool open_boxes(struct service *service, const struct pool_plan *pool)
{
    enum { ESCAPES = 16, LEAST = 1024 * 1024 };
    const struct config *config = &service->config;
    struct worker_plan plan = {.own = pool_own(pool),
                               .block = (size_t)config->memory,
                               .input = ESCAPES * (size_t)config->max_body + LEAST,
                               .bases = (size_t)config->cache_bytes / 2 + LEAST,
                               .server = getpid()};
    service->boxes = calloc((size_t)config->workers, sizeof *service->boxes);
    bool good = service->boxes;
    for (int i = 0; good && i < config->workers; i++)
        good = box_open(&service->boxes[i], &plan, "/proc/self/exe");
    return good;
}

static void on_operation(void *arg)
{
    const struct service *service = arg;
    if (service->store)
        store_wake(service->store);
}

/* Other copies need the address of what has begun before the map is made. */
static void report_address(struct service *service, const struct operation_report *report)
{
    char *address = operations_address(service->operations, report->key.id);
    if (address)
        store_put_address(service->store, report->key.id, address, strlen(address));
    free(address);
}

static void report_operations(void *arg)
{
    struct service *service = arg;
    size_t count;
    struct operation_report *reports = operations_report(service->operations, &count);
    for (const struct operation_report *one = reports; one < reports + count; one++) {
        if (one->state == OPERATION_BEGUN)
            report_address(service, one);
        if (store_report(service->store, one))
            operations_cancel(service->operations, one->key.id, one->client, true);
    }
    free(reports);
}

static struct operations *make_operations(struct service *service)
{
    const struct config *config = &service->config;
    struct operations_plan plan = {
        .most = config->async,
        .most_per_client = config->async_per_client,
        .deadline = (int64_t)config->async_ms * 1000,
        .bytes = (size_t)config->output_bytes / 4, /* as they count as output */
        .changed = on_operation,
        .arg = service,
    };
    return operations_new(service->cache, &plan);
}

/* False: out of memory. */
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

/* False: the store could not be set up. */
static bool make_store(struct service *service)
{
    const struct config *config = &service->config;
    struct store_plan plan = {
        .at = config->store,
        .ca = config->store_ca,
        .askers = (size_t)config->workers,
        .key = config->store_key ? config->store_key : "",
        .patience = (int64_t)config->store_wait_ms * 1000,
        .least = config->store_least_us,
        .report = report_operations,
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
    const struct pool_plan pool = plan_pool(config);
    *what = "worker processes (or try --isolate=off)";
    if (config->isolate && !open_boxes(service, &pool))
        return false;
    *what = "memory";
    service->files = static_files_new();
    service->cache = cache_new((size_t)config->cache_bytes, withdraw, service);
    service->operations = service->cache ? make_operations(service) : NULL;
    service->output = output_new((size_t)config->output_bytes);
    if (!make_limits(service) || !service->files || !service->operations || !service->output)
        return false;
    *what = "workers (try fewer --workers or less --memory)";
    service->pool = pool_new(&pool);
    if (!service->pool)
        return false;
    *what = "the store (is there a certificate in --store-ca?)";
    return make_store(service);
}

int service_stop(struct service *service, int64_t until)
{
    const struct timespec moment = {.tv_nsec = 5000000};
    atomic_store(&service->abort_runs, true);
    for (;;) {
        struct pool_state pool = pool_state(service->pool);
        int left = pool.running + pool.waiting;
        if (!left || clock_now() >= until)
            return left;
        nanosleep(&moment, NULL);
    }
}

void service_release(struct service *service)
{
    if (service->pool)
        pool_drop(service->pool);
    for (int i = 0; service->boxes && i < service->config.workers && service->boxes[i].program; i++)
        box_close(&service->boxes[i]);
    free(service->boxes);
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
