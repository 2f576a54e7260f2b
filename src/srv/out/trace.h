/*
 * trace.h: distributed tracing (W3C Trace Context, level 1).
 *
 * The trace is the one of `traceparent`, or a new one; the span is always new. Both are logged. The
 * service calls no other service, so it does not read `tracestate`.
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
