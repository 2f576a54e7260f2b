/*
 * make.c: the CPU time of making a map and of writing it, the steps, and the memory.
 *
 *     make [-n RUNS] [-f FORMAT] ADDRESS...
 *
 * A line for each address: the median of RUNS maps in one warm block (the seed counts up from run
 * to run, where the generator has one).
 */
#include "mapwright_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { RUNS_MAX = 1000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times, int n)
{
    qsort(times, (size_t)n, sizeof *times, by_value);
    return times[n / 2];
}

struct cost {
    double make, encode;
    uint64_t steps;
    size_t peak, bytes;
};

static void exit_with_problem(const char *address, const struct mw_run *run)
{
    const struct mw_problem *p = &mw_problems(run)->list[0];
    fprintf(stderr, "%.200s: %s: %s\n", address, p->pointer, p->detail);
    exit(1);
}

static struct cost measure_once(const struct mw_limits *limits, const char *address,
                                const char *format, int seed)
{
    static char seeded[1 << 20];
    struct mw_run *run = mw_open(limits);
    struct mw_request request;
    int length = snprintf(seeded, sizeof seeded, "%s", address);
    if (!strstr(address, "/solve"))
        length += sprintf(seeded + length, "%cseed=%d", strchr(address, '?') ? '&' : '?', seed);
    if (!mw_bind_address(run, seeded, (size_t)length, &request))
        exit_with_problem(seeded, run);
    double start = now();
    const struct mw_map *map = mw_make(run, &request);
    double made = now();
    if (!map)
        exit_with_problem(seeded, run);
    size_t peak = mw_peak(run);
    struct mw_bytes bytes = mw_encode_with(run, mw_encoder_named(format), map);
    if (!bytes.at)
        exit_with_problem(seeded, run);
    return (struct cost){made - start, now() - made, mw_steps(run), peak, bytes.length};
}

static void measure(const struct mw_limits *limits, const char *address, const char *format,
                    int runs)
{
    double make[RUNS_MAX], encode[RUNS_MAX];
    struct cost cost = measure_once(limits, address, format, 0); /* warms the block */
    for (int i = 0; i < runs; i++) {
        cost = measure_once(limits, address, format, i + 1);
        make[i] = cost.make;
        encode[i] = cost.encode;
    }
    printf("%.7f s, %llu steps, %zu bytes of memory | %s %.7f s, %zu bytes | %.90s\n",
           median(make, runs), (unsigned long long)cost.steps, cost.peak, format,
           median(encode, runs), cost.bytes, address);
}

int main(int argc, char **argv)
{
    struct mw_limits limits = {.size = (size_t)6 << 30};
    limits.memory = mmap(NULL, limits.size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (limits.memory == MAP_FAILED)
        return perror("mmap"), 1;
    const char *format = "json";
    int runs = 5;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-n") && i + 1 < argc)
            runs = atoi(argv[++i]);
        else if (!strcmp(argv[i], "-f") && i + 1 < argc)
            format = argv[++i];
        else
            measure(&limits, argv[i], format, runs < 1 ? 1 : runs > RUNS_MAX ? RUNS_MAX : runs);
    }
    return 0;
}
