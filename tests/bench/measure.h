/* measure.h: CPU time of this process, and a warm block, for benchmarks. */
#ifndef MAPWRIGHT_MEASURE_H
#define MAPWRIGHT_MEASURE_H

#include <stddef.h>
#include <stdlib.h>
#include <time.h>

/* CPU seconds of this process so far, user and system. */
static inline double measure_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline int measure_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of n times, which are put in order. */
static inline double measure_median(double *times, size_t n)
{
    qsort(times, n, sizeof *times, measure_order);
    return times[n / 2];
}

#endif
