/*
 * solver.h: the engines that solve boards of path puzzles, and that count solutions.
 */
#ifndef MAPWRIGHT_SOLVER_H
#define MAPWRIGHT_SOLVER_H

#include "gen/path/board/board.h"

/* Room for a number of solutions, with a NUL: no cell more than doubles it. */
enum { MAX_DIGITS = MAX_CELLS / 3 };

/* The number of solutions, in decimal digits (count.c). NULL where it takes more than so many steps
   or half of the memory, or where there are more than a thousand under strict. */
const char *path_count(struct mw_run *, const struct board *, enum rule, uint64_t steps);

enum answer { UNDECIDED, FOUND, EXHAUSTED };

/* Depth first, cell by cell (sweep.c): up to `wanted` solutions, one or two, the first of them in
   `links`. It gives up after a number of cells that grows with the board, or half of the steps;
   `over`: there are no others. */
struct swept {
    int found;
    bool over;
};
struct swept path_sweep(struct mw_run *, const struct board *, enum rule, int wanted,
                        uint64_t steps, uint8_t *links);

/* By clauses (search.c): solutions one by one, all different. */
struct clause_search;
struct clause_search *search_new(struct mw_run *, const struct board *, enum rule);
/* Another solution, within so many steps. */
enum answer search_next(struct clause_search *, uint64_t steps, uint8_t *links);
/* From now on that solution is not found. */
void search_exclude(struct clause_search *, const uint8_t *links);

/* Whether another solution under flow or classic is found by replacing two or three paths of a
   known one (reroute.c). Nothing is begun after so many steps. */
bool path_reroute(struct mw_run *, const struct board *, enum rule, uint64_t steps,
                  const uint8_t *links);

#endif
