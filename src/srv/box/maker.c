/* maker.c: makes one map. */
#include "maker.h"

#include "srv/base/clock.h"

#include <assert.h>
#include <string.h>

static const void *report_problems(const struct mw_run *run, struct made *made)
{
    const struct mw_problems *problems = mw_problems(run);
    assert(problems->count);
    made->problems = problems->count;
    made->length = problems->count * sizeof *problems->list;
    return problems->list;
}

static const void *make(const struct maker *maker, struct mw_run *run, struct made *made)
{
    const struct maker_order *order = maker->order;
    struct mw_request request;
    int64_t started = clock_now();
    if (!mw_bind_address(run, maker->address, order->length, &request))
        return report_problems(run, made);
    request.look = order->look;
    memcpy(request.id, order->id, sizeof request.id);
    const struct mw_map *map = mw_make(run, &request);
    int64_t finished = clock_now();
    made->make = finished - started;
    if (!map)
        return report_problems(run, made);
    struct mw_bytes bytes = mw_encode_with(run, mw_encoder_named(order->encoder), map);
    made->encode = clock_now() - finished;
    made->length = bytes.length;
    return bytes.at ? bytes.at : report_problems(run, made);
}

const void *maker_run(const struct maker *maker, struct made *made)
{
    const struct maker_order *order = maker->order;
    const struct mw_limits limits = {
        .memory = maker->block, .size = order->size, .stop = maker->stop, .stop_arg = maker->arg};
    struct mw_run *run = mw_open(&limits);
    assert(run); /* the least block of a worker is larger than a run */
    *made = (struct made){0};
    const void *at = make(maker, run, made);
    made->steps = mw_steps(run);
    made->peak = mw_peak(run);
    return at;
}
