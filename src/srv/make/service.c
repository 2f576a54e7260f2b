/* service.c: cache, queue and workers, tied together. */
#include "service.h"

#include "srv/base/clock.h"
#include "srv/out/static_files.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

char *service_address(struct service *service, const char *id)
{
    char *address = cache_address(service->cache, id);
    return address ? address : operations_address(service->operations, id);
}

void service_measure(struct service *service, int64_t gauges[GAUGE_END])
{
    pool_measure(service->pool, gauges);
    cache_measure(service->cache, gauges);
    gauges[GAUGE_OPERATIONS] = operations_count(service->operations);
    gauges[GAUGE_HELD_OUTPUT] = (int64_t)blob_loose();
    gauges[GAUGE_LIMIT_OUTPUT] = service->config.output_bytes;
    gauges[GAUGE_STORE_OPEN] = store_is_open(service->store);
    gauges[GAUGE_OPEN] = atomic_load(&service->connections);
    gauges[GAUGE_DRAINING] = atomic_load(&service->leaving);
}

/* ---- beginning and end ----------------------------------------------------------------------- */

/* An address may be several times as long as the body, for its escapes. */
static bool open_boxes(struct service *service)
{
    enum { ESCAPES = 16, LEAST = 1024 * 1024 };
    const struct config *config = &service->config;
    struct worker_plan plan = {.own = pool_own(config),
                               .block = (size_t)config->memory,
                               .input = ESCAPES * (size_t)config->max_body + LEAST,
                               .server = getpid()};
    service->boxes = calloc((size_t)config->workers, sizeof *service->boxes);
    bool good = service->boxes;
    for (int i = 0; good && i < config->workers; i++)
        good = box_open(&service->boxes[i], &plan, config->isolate ? "/proc/self/exe" : NULL);
    return good;
}

static void on_operation(void *arg)
{
    const struct service *service = arg;
    if (service->store)
        store_wake(service->store);
}

/* False: out of memory. */
static bool make_parts(struct service *service)
{
    const struct config *config = &service->config;
    service->cache = cache_new((size_t)config->cache_bytes);
    output_limit((size_t)config->output_bytes);
    if (service->cache)
        service->operations = operations_new(service->cache, config, on_operation, service);
    service->limits = limits_new(config->rate, config->burst);
    return service->operations && service->limits;
}

bool service_init(struct service *service, const struct config *config, const char **what)
{
    *service = (struct service){.config = *config};
    *what = "worker processes (try less --memory, fewer --workers, or --isolate=off)";
    if (!open_boxes(service))
        return false;
    *what = "memory and workers (try fewer --workers)";
    if (!make_parts(service) || !(service->pool = pool_new(config)) || !static_files_start())
        return false;
    *what = "the store (is there a certificate in --store-ca?)";
    if (*config->store.host)
        service->store = store_new(config, service->operations);
    return service->store || !*config->store.host;
}

int service_stop(struct service *service, int64_t until)
{
    const struct timespec moment = {.tv_nsec = 5000000};
    atomic_store(&service->abort_runs, true);
    for (;;) {
        int64_t gauges[GAUGE_END];
        pool_measure(service->pool, gauges);
        int left = (int)(gauges[GAUGE_RUNNING_FAST] + gauges[GAUGE_RUNNING_SLOW] +
                         gauges[GAUGE_WAITING_FAST] + gauges[GAUGE_WAITING_SLOW]);
        if (!left || clock_now() >= until)
            return left;
        nanosleep(&moment, NULL);
    }
}

void service_release(struct service *service)
{
    if (service->pool)
        pool_drop(service->pool);
    for (int i = 0; service->boxes && i < service->config.workers && service->boxes[i].plan.own;
         i++)
        box_close(&service->boxes[i]);
    free(service->boxes);
    if (service->store)
        store_drop(service->store);
    if (service->operations)
        operations_drop(service->operations);
    if (service->cache)
        cache_drop(service->cache);
    if (service->limits)
        limits_drop(service->limits);
    if (service->keys)
        keys_drop(service->keys);
}
