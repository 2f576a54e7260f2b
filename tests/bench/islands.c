/*
 * islands.c: what the stages of /islands cost.
 *
 *     islands SIDE      one plane of SIDE x SIDE cells: ns a cell and round of the automaton, ns a
 * cell of labelling it, as «automaton <ns> label <ns>»
 *
 * Each is the best of several in a warm block. Whole maps are measured by `make`.
 */
#include "gen/islands/life.h"
#include "measure.h"

#include <stdio.h>
#include <sys/mman.h>

enum { ROUNDS = 20 };

struct best {
    double automaton, label;
};

static struct best measure(const struct mw_limits *limits, int32_t side, int runs)
{
    struct best best = {1e9, 1e9};
    for (int i = 0; i < runs; i++) {
        struct mw_run *run = mw_open(limits);
        run->seed = "bench";
        run->generator = "islands";
        run->ticks = INT64_MAX;
        struct mw_rng rng = mw_stream(run, "land");
        struct plane plane;
        struct components components;
        plane_new(run, &plane, side, side);
        plane_scatter(run, &plane, &rng, 333);
        double start = measure_now();
        life_run(run, &plane, ROUNDS);
        double lived = measure_now();
        life_label(run, &plane, &components);
        double end = measure_now();
        best.automaton = lived - start < best.automaton ? lived - start : best.automaton;
        best.label = end - lived < best.label ? end - lived : best.label;
    }
    return best;
}

int main(int argc, char **argv)
{
    size_t size = (size_t)1 << 30;
    struct mw_limits limits = {.size = size};
    limits.memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (limits.memory == MAP_FAILED)
        return perror("mmap"), 1;
    int32_t side = argc > 1 ? atoi(argv[1]) : 4096;
    double cells = (double)side * side;
    struct best best = measure(&limits, side, side > 1000 ? 9 : 500);
    printf("automaton %.5f label %.4f\n", best.automaton / cells / ROUNDS * 1e9,
           best.label / cells * 1e9);
    return 0;
}
