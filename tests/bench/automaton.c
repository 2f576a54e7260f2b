/* automaton.c: cell-rounds a second of the automaton of /islands: automaton SIDE ROUNDS */
#include "gen/islands/islands.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
    int32_t side = argc > 1 ? atoi(argv[1]) : 4096, rounds = argc > 2 ? atoi(argv[2]) : 20;
    struct mw_limits limits = {.size = (size_t)1 << 28};
    limits.memory = aligned_alloc(64, limits.size);
    double best = 0;
    for (int i = 0; i < 9; i++) {
        struct mw_run *run = mw_open(&limits);
        run->ticks = INT64_MAX;
        run->seed = run->generator = "bench";
        struct mw_rng rng = mw_stream(run, "land");
        struct plane plane;
        plane_new(run, &plane, side, side);
        plane_scatter(run, &plane, &rng, 333);
        clock_t start = clock();
        life_run(run, &plane, rounds);
        double speed = (double)side * side * rounds * CLOCKS_PER_SEC / (double)(clock() - start);
        best = speed > best ? speed : best;
    }
    printf("%.0f\n", best);
    free(limits.memory);
    return 0;
}
