/* work.c: an address becomes bytes, on a worker. */
#include "work.h"

#include "api/identity.h"
#include "srv/base/clock.h"
#include "srv/say/coding.h"
#include "srv/say/problem.h"

#include <string.h>

static struct blob *blame(struct mw_run *run)
{
    const struct mw_problems *problems = mw_problems(run);
    enum fault fault = fault_of(problems);
    return blob_of_fault(fault, problems->list, problems->count * sizeof *problems->list);
}

static struct blob *run_address(struct work *work, struct mw_run *run)
{
    const struct key *key = work->key;
    struct mw_request request;
    int64_t started = clock_now();
    if (!mw_bind_address(run, key->address, key->length, &request))
        return blame(run);
    request.look = key->look;
    memcpy(request.id, key->id, sizeof request.id);
    const struct mw_map *map = mw_make(run, &request);
    int64_t made = clock_now();
    work->timing.make = made - started;
    if (!map)
        return blame(run);
    struct mw_bytes bytes = mw_encode(run, key->encoder, map);
    if (!bytes.at)
        return blame(run);
    struct blob *blob = coding_apply(key->coding, bytes.at, bytes.length, key->encoder->media);
    work->timing.encode = clock_now() - made;
    return blob;
}

struct blob *work_do(struct work *work)
{
    struct mw_limits limits = {
        .memory = work->memory, .size = work->size, .stop = work->stop, .stop_arg = work->arg};
    struct mw_run *run = mw_open(&limits);
    if (!run)
        return NULL;
    struct blob *blob = run_address(work, run);
    work->touched = mw_peak(run);
    return blob;
}
