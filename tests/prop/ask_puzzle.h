/*
 * ask_puzzle.h: boards of path puzzles, drawn, asked about and judged; for the suites of promises.
 */
#ifndef MAPWRIGHT_ASK_PUZZLE_H
#define MAPWRIGHT_ASK_PUZZLE_H

#include "arbitrary.h"
#include "check_puzzle.h"
#include "gen/path/board/board.h"
#include "rounds.h"
#include "test.h"

enum { PUZZLE_ASKED = PUZZLE_TEXT + 200 };
extern char puzzle_asked[PUZZLE_ASKED]; /* the query */
extern uint64_t puzzle_spent;           /* steps of the last request */

/* ---- asking ---------------------------------------------------------------------------------- */

/* What the generator makes of the query, with a budget of so many steps (0: its own); NULL: see
   *problem. A map that breaks a promise fails the test. */
const struct mw_map *puzzle_ask(const char *generator, uint64_t steps,
                                const struct mw_problem **problem);
/* The same where a refusal fails the test. */
const struct mw_map *puzzle_must(const char *generator);
const struct mw_map *puzzle_solve(const struct puzzle *, enum puzzle_rule, const char *count);

/* Of /puzzle/solve. */
bool puzzle_is_solved(const struct mw_map *);
int32_t puzzle_unique(const struct mw_map *);
const char *puzzle_solutions(const struct mw_map *);

/* The board for the engines by themselves, in a run that takes the place of the one before. */
struct board puzzle_board(struct mw_run **, const struct puzzle *);

/* ---- boards ---------------------------------------------------------------------------------- */

/* Ends anywhere, or at the ends of walks, with or without walls: about half of them can be solved.
   False: none was drawn. */
bool puzzle_draw(struct puzzle *, struct arbitrary *, int side);
void puzzle_mirror(struct puzzle *);
void puzzle_transpose(struct puzzle *);

#endif
