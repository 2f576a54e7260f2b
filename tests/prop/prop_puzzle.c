/*
 * prop_puzzle.c: the promises of /puzzle/solve: verdicts, held against the table in tests/boards
 * and against another solver, within any budget.
 *
 * Counts are judged in prop_puzzle_count.c, deductions in prop_puzzle_deduce.c, boards that are
 * made in prop_puzzle_make.c.
 */
#include "ask_puzzle.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    char flow; /* solutions under flow: '1' one, 's' several, '?' not known */
    const char *count;
} boards[] = {
    {"7x7-6-1", '1', "1"},           {"7x7-6-2", '1', "1"},
    {"9x9-8-1", '1', "1"},           {"9x9-8-3", 's', "175"},
    {"12x12-12-1", '1', "1"},        {"12x12-12-2", 's', "84"},
    {"14x14-13-1", 's', "24418177"}, {"14x14-13-2", 's', "1103026455776"},
    {"15x18-16-1", 's', NULL},       {"24x14-19-1", 's', "26077254827896939"},
    {"24x14-19-3", 's', "391"},      {"20x20-20-1", 's', NULL},
    {"20x20-20-2", '?', NULL},       {"36x20-24-1", 's', NULL},
    {"36x20-24-2", '?', NULL},       {"40x20-36-1", 's', NULL},
    {"30x30-30-1", 's', NULL},       {"50x50-40-1", '?', NULL},
};
enum { BOARDS = sizeof boards / sizeof boards[0] };

static void load(struct puzzle *p, int i)
{
    char file[100];
    snprintf(file, sizeof file, "tests/boards/%s.txt", boards[i].name);
    ck_assert_msg(puzzle_load(p, file), "%s cannot be read: run this where the Makefile is", file);
}

TEST(boards_are_solved_and_decided, .end = BOARDS)
{
    struct puzzle p;
    load(&p, _i);
    const struct mw_map *map = puzzle_solve(&p, PUZZLE_STRICT, "unique");
    ck_assert(puzzle_is_solved(map) && puzzle_unique(map) == 1);
    if (p.width < 20) {
        map = puzzle_solve(&p, PUZZLE_STRICT, "exact");
        ck_assert_str_eq(puzzle_solutions(map), "1");
    }
    map = puzzle_solve(&p, PUZZLE_FLOW, "first");
    ck_assert(puzzle_is_solved(map));
    if (boards[_i].flow != '?') {
        map = puzzle_solve(&p, PUZZLE_FLOW, "unique");
        ck_assert_int_eq(puzzle_unique(map), boards[_i].flow == '1');
    }
    if (boards[_i].count) {
        map = puzzle_solve(&p, PUZZLE_FLOW, "exact");
        ck_assert_str_eq(puzzle_solutions(map), boards[_i].count);
    }
}

/* The second ends of two paths, exchanged. */
TEST(unsolvable_boards_are_refuted, .end = BOARDS)
{
    struct puzzle p;
    for (int a = 0; a < rounds(1) && a < 8; a++) {
        load(&p, _i);
        char one = (char)('A' + a), two = (char)('B' + a), *last_one = NULL, *last_two = NULL;
        for (int y = 1; y <= p.height; y++)
            for (int x = 1; x <= p.width; x++) {
                last_one = p.cell[y][x] == one ? &p.cell[y][x] : last_one;
                last_two = p.cell[y][x] == two ? &p.cell[y][x] : last_two;
            }
        if (!last_one || !last_two)
            return;
        *last_one = two;
        *last_two = one;
        for (int rule = PUZZLE_FLOW; rule <= PUZZLE_STRICT; rule++) {
            if (p.width > (rule == PUZZLE_FLOW ? 14 : 30) || p.height > 30)
                continue;
            long count = p.width > 14 ? -1 : puzzle_reference(&p, (enum puzzle_rule)rule, 1, 1);
            const struct mw_map *map = puzzle_solve(&p, (enum puzzle_rule)rule, "first");
            ck_assert_msg(count < 0 || puzzle_is_solved(map) == (count > 0),
                          "the reference has %ld\n%s", count, puzzle_asked);
        }
    }
}

/* Cut off at any step, the answer is whole or says that it was too hard; and what it says is
   true. */
TEST(a_budget_is_kept)
{
    struct puzzle p;
    for (int i = 0; i < rounds(150); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 300000};
        const struct mw_problem *problem;
        load(&p, (int)arbitrary_below(&source, 12));
        puzzle_solve(&p, PUZZLE_FLOW, "first");
        snprintf(strstr(puzzle_asked, "count="), 20, "count=unique");
        uint64_t steps = 1 + arbitrary_below(&source, 1u << arbitrary_below(&source, 22));
        const struct mw_map *map = puzzle_ask("puzzle/solve", steps, &problem);
        ck_assert_msg(map || problem->fault == MW_TOO_HARD, "fault %d: %s", problem->fault,
                      problem->detail);
        ck_assert_msg(!map || puzzle_is_solved(map), "refuted, but solvable\n%s", puzzle_asked);
    }
}

/* However few of the steps are left for counting, the solution that was found is given, with a
   reason why they are not counted (check_puzzle.c). */
TEST(what_cannot_be_counted_is_solved, .end = BOARDS)
{
    struct puzzle p;
    load(&p, _i);
    if (p.width * p.height < 400)
        return;
    for (int i = 0; i < rounds(3); i++) {
        struct arbitrary source = {.state = (uint64_t)_i * 1000 + (uint64_t)i};
        const struct mw_problem *problem;
        puzzle_solve(&p, PUZZLE_FLOW, "first");
        snprintf(strstr(puzzle_asked, "count="), 20, "count=exact");
        uint64_t steps = 2 * puzzle_spent + (1 << 22) + arbitrary_below(&source, 5000000);
        const struct mw_map *map = puzzle_ask("puzzle/solve", steps, &problem);
        ck_assert_msg(map, "after %llu steps: %s", (unsigned long long)steps, problem->detail);
        ck_assert(puzzle_is_solved(map) && !puzzle_solutions(map));
        ck_assert_uint_le(puzzle_spent, steps);
    }
}

/* Boards of printed size are swept, within a small part of the steps that clauses for them would
   take. */
TEST(printed_boards_are_swept, .end = BOARDS)
{
    struct puzzle p;
    load(&p, _i);
    if (p.width > 24)
        return;
    puzzle_solve(&p, PUZZLE_STRICT, "first");
    ck_assert_uint_le(puzzle_spent, 200u * (unsigned)(p.width * p.height));
}

static const struct {
    const char *query, *says;
} bad[] = {
    {"", "must be given"},
    {"grid=", NULL},
    {"grid=...", "must have a path"},
    {"grid=A.B/..A", "`B` in column 2 (from 0), the last of 1: "},
    {"grid=A.A/.A.", "`A` in column 1 (from 0), the last of 3: "},
    {"grid=A.A/..", NULL},
    {"grid=A.A/.!.", NULL},
    {"grid=.%23./...", "must have a path"},
};

TEST(bad_boards_are_refused, .end = COUNT(bad))
{
    const struct mw_problem *problem;
    snprintf(puzzle_asked, sizeof puzzle_asked, "%s", bad[_i].query);
    ck_assert(!puzzle_ask("puzzle/solve", 0, &problem));
    ck_assert_int_eq(problem->fault, MW_BAD_PARAM);
    ck_assert_msg(!strncmp(problem->pointer, "/grid", 5), "%s", problem->pointer);
    ck_assert_msg(!bad[_i].says || strstr(problem->detail, bad[_i].says), "says: %s",
                  problem->detail);
}
