/*
 * trace.h: the place of a request among those of other programs (W3C Trace Context, level 1).
 *
 * The trace is the one that `traceparent` names, or a new one; our part in it, the span, is always
 * new. Both stand in the log. Nothing is asked of others on the way to an answer, so `tracestate`
 * has nowhere to go and is not read.
 */
#ifndef MAPWRIGHT_TRACE_H
#define MAPWRIGHT_TRACE_H

#include <stdbool.h>
#include <stdint.h>

struct trace {
    uint64_t id[2];  /* high half first; never both 0 */
    uint64_t span;   /* ours; never 0 */
    uint64_t parent; /* the caller's span; 0: it named none */
    uint8_t flags;   /* the caller's; bit 0: it keeps this trace */
};

/* `traceparent` NULL: there was none. One that is not valid counts as none. `random` is the state
   of random_next. */
struct trace trace_begin(const char *traceparent, uint64_t *random);

#endif
