/*
 * make.c: what a map costs: CPU time of making and of writing it, steps, memory.
 *
 *     make [-n RUNS] [-f FORMAT] ADDRESS...
 *
 * A line each: the median of RUNS maps in one warm block (the seed counts up from run to run), as
 * seconds, ns a cell, steps a cell and bytes a cell at most before output; then how it is written,
 * as JSON or another format.
 */
#include "mapwright_host.h"
#include "measure.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { RUNS_MOST = 1000 };

struct cost {
    double make, encode, cells;
    uint64_t steps;
    size_t peak, bytes;
};

static int64_t cells_of(const struct mw_map *map)
{
    const struct mw_part *parts = map->request->generator->parts;
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        if (parts[p].kind == MW_GRID)
            return (int64_t)map->slots[p].as.grid.lattice.width *
                   map->slots[p].as.grid.lattice.height;
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        if (parts[p].kind == MW_TABLE)
            return map->slots[p].as.table.rows;
    return 1;
}

/* The address without its seed, and that seed put on. */
static size_t with_seed(char *to, size_t size, const char *address, int seed)
{
    const char *old = strstr(address, "&seed=");
    int keep = (int)(old ? (size_t)(old - address) : strlen(address));
    return (size_t)snprintf(to, size, "%.*s%sseed=%d", keep, address,
                            strchr(address, '?') ? "&" : "?", seed);
}

static void give_up(const char *address, const struct mw_run *run)
{
    const struct mw_problem *p = &mw_problems(run)->list[0];
    fprintf(stderr, "%s: %s: %s\n", address, p->pointer, p->detail);
    exit(1);
}

static struct cost cost_of(const struct mw_limits *limits, const char *address, const char *format,
                           int seed)
{
    static char named[1 << 20];
    struct mw_run *run = mw_open(limits);
    struct mw_request request;
    size_t length = with_seed(named, sizeof named, address, seed);
    if (!mw_bind_address(run, named, length, &request))
        give_up(named, run);
    double start = measure_now();
    const struct mw_map *map = mw_make(run, &request);
    double made = measure_now();
    if (!map)
        give_up(named, run);
    size_t peak = mw_peak(run);
    struct mw_bytes bytes = mw_encode_with(run, mw_encoder_named(format), map);
    double end = measure_now();
    if (!bytes.at)
        give_up(named, run);
    return (struct cost){made - start,  end - made, (double)cells_of(map),
                         mw_steps(run), peak,       bytes.length};
}

static void measure(const struct mw_limits *limits, const char *address, const char *format,
                    int runs)
{
    double make[RUNS_MOST], encode[RUNS_MOST];
    struct cost cost = cost_of(limits, address, format, 0); /* warms the block */
    for (int i = 0; i < runs; i++) {
        cost = cost_of(limits, address, format, i + 1);
        make[i] = cost.make;
        encode[i] = cost.encode;
    }
    printf(
        "%.6f s %8.1f ns/cell %6.1f steps/cell %5.1f bytes/cell | %s %.6f s %10zu bytes | %.90s\n",
        measure_median(make, (size_t)runs), measure_median(make, (size_t)runs) / cost.cells * 1e9,
        (double)cost.steps / cost.cells, (double)cost.peak / cost.cells, format,
        measure_median(encode, (size_t)runs), cost.bytes, address);
}

int main(int argc, char **argv)
{
    size_t size = (size_t)6 << 30;
    struct mw_limits limits = {.size = size};
    limits.memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    const char *format = "json";
    int runs = 5;
    if (limits.memory == MAP_FAILED)
        return perror("mmap"), 1;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-n") && i + 1 < argc)
            runs = atoi(argv[++i]);
        else if (!strcmp(argv[i], "-f") && i + 1 < argc)
            format = argv[++i];
        else
            measure(&limits, argv[i], format, runs < 1 ? 1 : runs > RUNS_MOST ? RUNS_MOST : runs);
    }
    return 0;
}
