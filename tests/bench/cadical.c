/* cadical.c: CPU milliseconds in which libcadical decides each board: cadical FILE... */
#include "prop/check_puzzle.h"

#include <stdio.h>
#include <time.h>

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        static struct puzzle puzzle;
        clock_t start = clock();
        if (!puzzle_load(&puzzle, argv[i]) || puzzle_reference(&puzzle, PUZZLE_STRICT, 1, 60) < 0)
            return fprintf(stderr, "%s: no board, or not decided in a minute\n", argv[i]), 1;
        printf("%.2f\n", (double)(clock() - start) * 1e3 / CLOCKS_PER_SEC);
    }
    return 0;
}
