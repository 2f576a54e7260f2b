/*
 * puzzle_solve.c: path puzzles solved, and proven.
 *
 * A board has pairs of letters; each pair is to be joined by a path from cell to cell, and paths
 * never meet. Three games are played with it, and a board that is fine in one may have many
 * solutions in the next, or none:
 *
 *     classic    cells may stay empty            A A A     A A A     A A A
 *     flow       every cell lies on a path       . . A     A A A     B B A
 *     strict     and no path touches itself      . . A     A A A     B B A
 *
 *                                               classic     flow     strict
 *
 * How an answer comes about:
 *
 *     path_obstacle.c       simple reasons why there is no solution: pieces, checkerboard, rim
 *     path_sat.c, sat.c     search by learning from clashes: solutions, or proofs of none
 *     path_window.c         another solution near a known one
 *     path_count.c          all solutions counted without listing them, and the same for strict
 *     path_count_strict.c
 *     path_solve.c          who is asked when
 *
 * WHERE IT COMES FROM. A text on making levels for «connect the colours»: backtracking over the
 * paths of one colour after the other, pruned by the least length of each path and by the free
 * cells (N*N - 2*N - the sum of least lengths: that many cells are left for detours). It is
 * exponential from 8x8 on. What it prunes, propagation does as well: a path that cannot take a
 * detour is forced. The bends on diagonals are T. Ahle's observation; loops cut as they turn up
 * are known from the travelling salesman; the line through the board from Simpath (Knuth).
 *
 * WHAT IS PROMISED. A solution is one under the rule. `unique` is true only after a proof, and
 * false only with a second solution or a count above one; null when the steps ended first, or
 * where it was not asked. «Unsolvable» is proven.
 * Where nothing was found and nothing proven, the request fails as too hard. The same board gives
 * the same answer everywhere, since steps are counted, not time.
 *
 * COST. Printed boards up to 15x18 take 1 to 3 ms, 50x50 some tenths of a second. An exact count
 * grows with the shorter side, about threefold a column under flow; under strict far less.
 */
#include "path.h"

enum count { COUNT_FIRST, COUNT_UNIQUE, COUNT_EXACT };

struct puzzle_solve {
    struct mw_rows grid;
    int32_t rule, count;
};

static const char *const counts[] = {"first", "unique", "exact", NULL};
static const char *const statuses[] = {"solved", "unsolvable", NULL};
enum status { SOLVED, UNSOLVABLE };

static const struct mw_field fields[] = {
    MW_NEEDED_ROW_LIST(
        struct puzzle_solve, grid, MAX_SIDE, ".#" PATH_LETTERS,
        "The board: the same letter or digit on both ends of a path, `.` empty, `#` wall"),
    MW_CHOICE(struct puzzle_solve, rule, path_rules, FLOW,
              "flow: every cell lies on a path; strict: and no path touches itself; classic: cells "
              "may stay empty"),
    MW_CHOICE(struct puzzle_solve, count, counts, COUNT_UNIQUE,
              "first: a solution will do; unique: say whether there is another; exact: how many "
              "there are"),
    MW_END,
};

enum { PART_STATUS, PART_UNIQUE, PART_SOLUTIONS, PART_GRID, PART_PATHS };
static const struct mw_part parts[] = {
    {.name = "status",
     .kind = MW_VALUE,
     .type = MW_ONE_OF,
     .choices = statuses,
     .help = "Whether there is a solution"},
    {.name = "unique",
     .kind = MW_VALUE,
     .type = MW_BOOLEAN,
     .nullable = true,
     .help = "Whether there is exactly one; null: not decided"},
    {.name = "solutions",
     .kind = MW_VALUE,
     .type = MW_STRING,
     .optional = true,
     .help = "With count=exact: how many there are, in decimal digits"},
    {.name = "grid",
     .kind = MW_VALUE,
     .type = MW_ROWS,
     .role = MW_BOARD,
     .help = "The solution, each covered cell with the label of its path"},
    {.name = "paths",
     .kind = MW_TABLE,
     .columns = path_columns,
     .help = "The paths of the solution"},
    MW_END_PARTS,
};

static void check(struct mw_run *run, void *params, mw_given given)
{
    (void)given;
    const struct puzzle_solve *p = params;
    if (p->grid.count)
        board_check(run, "/grid", p->grid);
    else
        mw_complain(run, MW_BAD_PARAM, "/grid",
                    "must be given: rows of equal length, such as `A..`, `.#.` and `..A`");
}

static void set_solution(struct mw_run *run, struct mw_map *map, const struct board *b,
                         const uint8_t *links)
{
    mw_set_int(map, PART_STATUS, SOLVED);
    mw_set_rows(map, PART_GRID, path_rows(run, b, links));
    path_add_table(run, map, PART_PATHS, b, links);
}

static void set_unsolvable(struct mw_run *run, struct mw_map *map, bool exact)
{
    mw_set_int(map, PART_STATUS, UNSOLVABLE);
    mw_set_int(map, PART_UNIQUE, false);
    if (exact)
        mw_set_string(map, PART_SOLUTIONS, "0");
    mw_set_rows(map, PART_GRID, (struct mw_rows){"", 0, 0});
    mw_add_table(run, map, PART_PATHS, 0);
}

static void make(struct mw_run *run, const void *params, struct mw_map *map)
{
    const struct puzzle_solve *p = params;
    const enum rule rule = (enum rule)p->rule;
    struct board b = board_read(run, p->grid);
    struct solver *solver = solver_new(run, &b, rule);
    uint8_t *links = MW_NEW(run, uint8_t, b.cells);
    enum answer answer = path_obstacle(run, &b, rule) ? EXHAUSTED : solver_first(solver, links);
    if (answer == EXHAUSTED) {
        set_unsolvable(run, map, p->count == COUNT_EXACT);
        return;
    }
    if (answer == UNDECIDED)
        mw_fail(run, MW_TOO_HARD, "",
                "is neither solved nor refuted after %llu steps, all that a request gets",
                (unsigned long long)run->budget);
    set_solution(run, map, &b, links);
    answer = p->count == COUNT_FIRST ? UNDECIDED : solver_other(solver);
    if (p->count == COUNT_EXACT) {
        const char *number = answer == EXHAUSTED ? "1" : path_count(run, &b, rule, UINT64_MAX);
        mw_set_string(map, PART_SOLUTIONS, number);
        answer = strcmp(number, "1") ? FOUND : EXHAUSTED;
    }
    mw_set_int(map, PART_UNIQUE, answer == UNDECIDED ? MW_NULL : answer == EXHAUSTED);
}

const struct mw_generator mw_puzzle_solve = {
    .name = "puzzle/solve",
    .version = 1,
    .seedless = true,
    .summary = "the solutions of a path puzzle (Numberlink, Flow), counted",
    .about = "Each letter or digit marks the two ends of a path. Paths step from cell to cell and "
             "never cross. The "
             "answer is a solution with a proof that it is the only one, or with another one at "
             "hand; or a proof "
             "that there is none; or the exact number of solutions.",
    .fields = fields,
    .parts = parts,
    .params_size = sizeof(struct puzzle_solve),
    .steps = UINT64_C(1000000000),
    .check = check,
    .make = make,
};
