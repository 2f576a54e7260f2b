/*
 * stand.c: what it costs that a map stands on another: CPU time of both in one run, against the one
 * below made alone and the one above made from what it reads of that. At most 1.05 is the promise.
 *
 *     stand [RUNS]
 */
#include "../prop/flat.h"
#include "mapwright_host.h"
#include "measure.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = 512 << 20, RUNS_MOST = 500 };

static const char *const worlds[] = {
    "/regions?count=20&mask=/areas?width=100%26height=100%26area=4000%26seed=1&seed=",
    "/regions?count=100&mask=/areas?width=1000%26height=1000%26area=400000%26seed=1&seed=",
    "/regions?count=200&variation=1&mask=/islands?width=300%26height=300%26order=false%26land=0.5"
    "%26seed=1&seed=",
    "/areas?count=9&mask=/regions?width=400%26height=400%26count=30%26seed=1%26of=1,2,3&seed=",
    "/starlanes?positions=/regions?width=400%26height=400%26count=1000%26seed=1&seed=",
};

static char *block;

/* Seconds that making takes; NULL `map`: not asked for. */
static double make(const char *address, size_t length, const struct mw_map **map)
{
    static struct mw_request request;
    struct mw_run *run = mw_open(&(struct mw_limits){.memory = block, .size = BLOCK});
    if (!mw_bind_address(run, address, length, &request))
        exit(1);
    double start = measure_now();
    const struct mw_map *made = mw_make(run, &request);
    double took = measure_now() - start;
    if (!made) {
        fprintf(stderr, "%s: %s\n", address, mw_problems(run)->list[0].detail);
        exit(1);
    }
    if (map)
        *map = made;
    return took;
}

static void measure(const char *world, int runs)
{
    static double apart[RUNS_MOST], together[RUNS_MOST];
    for (int i = 0; i < runs; i++) {
        char address[1024], below[1024];
        const struct mw_map *map;
        int length = snprintf(address, sizeof address, "%s%d", world, i);
        together[i] = make(address, (size_t)length, &map);
        const struct mw_request *ground = &map->request->bases->request;
        snprintf(below, sizeof below, "%s", ground->address);
        char *flat = flat_address(map);
        apart[i] = make(below, strlen(below), NULL);
        apart[i] += make(flat, strlen(flat), NULL);
        free(flat);
    }
    double one = measure_median(together, (size_t)runs), two = measure_median(apart, (size_t)runs);
    printf("%8.3f ms together, %8.3f apart: %.3f   %s\n", one * 1e3, two * 1e3, one / two, world);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int runs = argc > 1 ? atoi(argv[1]) : 100;
    block = aligned_alloc(64, BLOCK);
    if (!block)
        return 1;
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++)
        measure(worlds[i], runs < 1 ? 1 : runs > RUNS_MOST ? RUNS_MOST : runs);
    return 0;
}
