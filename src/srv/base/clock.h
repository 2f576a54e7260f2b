/* clock.h: clocks in microseconds. */
#ifndef MAPWRIGHT_CLOCK_H
#define MAPWRIGHT_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t clock_read(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Monotonic. */
static inline int64_t clock_now(void) { return clock_read(CLOCK_MONOTONIC); }

#endif
