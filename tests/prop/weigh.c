/* weigh.c: what requests take, beside what was estimated. */
#include "weigh.h"
#include "all/registry.h"
#include "any_size.h"
#include "lib/gen.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

static const size_t block_size = (size_t)2 << 30;

/* Pages that are never touched cost nothing. */
static void *block_of_all(void)
{
    static void *block;
    if (block)
        return block;
    block = mmap(NULL, block_size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED)
        abort();
    return block;
}

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static bool is_past(void *most, uint64_t steps) { return steps > *(uint64_t *)most; }

/* What was touched of the block: what is counted, and the run itself. */
static uint64_t touched(const struct mw_run *run) { return mw_peak(run) + sizeof *run; }

/* As if the map were written by this encoder alone. */
static void write_by(struct mw_run *run, const struct mw_map *map, struct weighing *w)
{
    uint64_t steps = mw_steps(run), start = now();
    char *bottom = run->bottom;
    run->peak = 0;
    struct mw_bytes bytes = mw_encode_with(run, w->encoder, map);
    w->fault = bytes.at ? MW_OK : mw_problems(run)->list[0].fault;
    w->real.nanoseconds += now() - start;
    w->real.steps += mw_steps(run) - steps;
    w->real.bytes = touched(run) > w->real.bytes ? touched(run) : w->real.bytes;
    run->bottom = bottom;
    run->problems.count = 0;
}

enum { ENCODERS = 32 };

/* As a service must: before the map is there, and those that it stands on. */
static void estimate_all(const struct mw_request *request, struct mw_cost *costs)
{
    for (int i = 0; mw_encoders[i]; i++) {
        assert(i < ENCODERS);
        if (mw_fits(mw_encoders[i], request))
            costs[i] = mw_estimate(request, mw_encoders[i]);
    }
}

bool weigh_address(const char *address, uint64_t most, weigh_observer *observe, void *context)
{
    struct mw_limits limits = {block_of_all(), block_size, 0, is_past, &most};
    struct mw_run *run = mw_open(&limits);
    struct mw_request request;
    uint64_t start = now();
    if (!mw_bind_address(run, address, strlen(address), &request))
        return false;
    struct mw_cost estimates[ENCODERS];
    estimate_all(&request, estimates);
    const struct mw_map *map = mw_make(run, &request);
    struct mw_cost made = {mw_steps(run), touched(run), now() - start};
    enum mw_fault fault = map ? MW_OK : mw_problems(run)->list[0].fault;
    for (int i = 0; mw_encoders[i] && fault != MW_STOPPED; i++) {
        if (!mw_fits(mw_encoders[i], &request))
            continue;
        struct weighing w = {address, mw_encoders[i], fault, estimates[i], made};
        if (map)
            write_by(run, map, &w);
        observe(context, &w);
        if (!map)
            break;
    }
    return fault != MW_STOPPED;
}

bool weigh(const struct mw_generator *generator, uint64_t number, uint64_t most,
           weigh_observer *observe, void *context)
{
    static char address[1 << 20];
    struct mw_limits limits = {.memory = block_of_all(), .size = block_size};
    struct mw_request request;
    if (!any_size(mw_open(&limits), generator, number, &request) ||
        request.address_length >= sizeof address)
        return false;
    memcpy(address, request.address, request.address_length + 1);
    return weigh_address(address, most, observe, context);
}
