/* results.h: results of an entry that need no run: from bytes that are there already, or faults. */
#ifndef MAPWRIGHT_RESULTS_H
#define MAPWRIGHT_RESULTS_H

#include "service.h"

/* NULL: there is room for so many bytes, and output_made is to be called; else a fault. */
struct blob *result_without_room(struct service *, size_t length);
/* From the same map in no coding, in the cache; NULL: it is not there. */
struct blob *result_of_plain(struct service *, const struct entry *);
/* From the store; NULL: it is not there. */
struct blob *result_of_store(struct service *, const struct entry *);

/* A fault for a job whose estimate is several times beyond what is granted here, or beyond the
   `given` microseconds; NULL: it may be tried. */
struct blob *result_of_excess(struct service *, struct entry *, int64_t given);
/* A fault for a map that crashed the process that made it. */
struct blob *result_of_crash(struct entry *);
/* A fault for a map that was not ready in time. */
struct blob *result_of_lateness(struct entry *, int64_t given);

#endif
