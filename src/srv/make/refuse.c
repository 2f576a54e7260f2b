/* refuse.c: what takes more than it is given. */
#include "refuse.h"

#include "known.h"

#include <stdarg.h>
#include <stdio.h>

enum {
    SURELY = 4,      /* an estimate so many times beyond what there is has not just erred */
    LATE_FACTOR = 6, /* what was late is tried again after so many times what it was given */
};

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

/* Of time, for which a machine may be too busy now. */
static struct blob *refuse_endless(struct service *service, struct entry *entry, int64_t given)
{
    const struct mw_cost *cost = &entry->cost;
    uint64_t takes = pool_expect(service->pool, entry->job.kind, cost->nanoseconds) / 1000;
    if (takes / SURELY <= (uint64_t)given)
        return NULL;
    return known_for(entry,
                     explained(FAULT_TOO_HARD, MW_TOO_HARD,
                               "takes some %llu steps, which are some %llu ms here, and a request "
                               "gets %lld ms: ask for less",
                               (unsigned long long)cost->steps, (unsigned long long)takes / 1000,
                               (long long)(given / 1000)),
                     LATE_FACTOR * given);
}

struct blob *refuse_excess(struct service *service, struct entry *entry, int64_t given)
{
    const struct mw_cost *cost = &entry->cost;
    uint64_t steps = (uint64_t)service->config.max_steps, bytes = pool_most(service->pool);
    if (steps && cost->steps / SURELY > steps)
        return explained(FAULT_TOO_HARD, MW_TOO_HARD,
                         "takes some %llu steps, and a request gets %llu here: ask for less",
                         (unsigned long long)cost->steps, (unsigned long long)steps);
    if (cost->bytes / SURELY > bytes)
        return explained(FAULT_TOO_BIG, MW_TOO_BIG,
                         "needs some %llu bytes, and a request gets %llu here: ask for less",
                         (unsigned long long)cost->bytes, (unsigned long long)bytes);
    return refuse_endless(service, entry, given);
}

struct blob *refuse_late(struct entry *entry, int64_t given)
{
    return known_for(
        entry,
        explained(FAULT_LATE, MW_STOPPED,
                  "the map was not ready after %lld ms and %llu steps, and is not tried "
                  "again for a while: ask for less",
                  (long long)(given / 1000), (unsigned long long)atomic_load(&entry->steps)),
        LATE_FACTOR * given);
}
