/* overload.h: which requests are refused for now, and what Retry-After says. */
#ifndef MAPWRIGHT_OVERLOAD_H
#define MAPWRIGHT_OVERLOAD_H

#include "api/fault.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether a job may wait: `expected` and `patience` are microseconds; `waiting` jobs wait already,
   of `most`. */
bool overload_admits(int64_t expected, int64_t patience, int waiting, int most);

/* Whole seconds of a wait, at least one. */
unsigned overload_seconds(int64_t microseconds);
/* Retry-After of a fault whose wait is not known; 0: no Retry-After. */
unsigned overload_retry_after(enum fault);

#endif
