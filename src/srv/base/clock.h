/* clock.h: clocks in microseconds. */
#ifndef MAPWRIGHT_CLOCK_H
#define MAPWRIGHT_CLOCK_H

#include <stdatomic.h>
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

/* Moves a time on, unless it is later already. For any thread. */
static inline void clock_extend(atomic_int_least64_t *at, int64_t time)
{
    int64_t seen = atomic_load_explicit(at, memory_order_relaxed);
    while (seen < time && !atomic_compare_exchange_weak_explicit(
                              at, &seen, time, memory_order_relaxed, memory_order_relaxed))
        ;
}

#endif
