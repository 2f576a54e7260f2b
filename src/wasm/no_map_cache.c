/* no_map_cache.c: a module has no cache of maps that others are built on. */
#include "all/map_cache.h"
#include "lib/run.h"

const struct mw_map *mw_make_below(struct mw_run *run, const struct mw_request *request)
{
    return mw_make_alone(run, request);
}
