/*
 * prop_puzzle_deduce.c: what deductions and hints say of a path puzzle holds in all its solutions,
 * as brute force lists them.
 */
#include "ask_puzzle.h"
#include "gen/path/grade/grade.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EFFORT_SPREAD = 8 }; /* one board, turned and mirrored: twice the work or half of it */

static struct puzzle_links links;

/* What rules up to HARD find, held against the number of solutions with each link. */
static void judge_findings(const struct puzzle *p, enum puzzle_rule rule, uint64_t solutions,
                           int seen[static REASONS])
{
    struct mw_run *run;
    struct board board = puzzle_board(&run, p);
    struct deduce d;
    bool good = deduce_begin(&d, run, &board, (enum rule)rule, NULL);
    for (enum difficulty level = NORMAL; good && level <= HARD; level++)
        good = path_settle(&d, level);
    ck_assert_msg(good || !solutions, "refuted, with solutions: %s", puzzle_query(p, puzzle_asked));
    ck_assert_msg(!good || d.finds < d.links || solutions == 1, "settled, with %llu solutions: %s",
                  (unsigned long long)solutions, puzzle_query(p, puzzle_asked));
    for (int32_t i = 0; solutions && i < d.finds; i++) {
        int32_t one = d.found[i].cell, other = board.next[one][d.found[i].side];
        int32_t cell = one < other ? one : other;
        uint64_t with = links.with[rule][cell / p->width + 1][cell % p->width + 1]
                                  [d.found[i].side == DOWN || d.found[i].side == UP];
        ck_assert_msg(with == (d.found[i].link ? solutions : 0), "reason %d is wrong at %d: %s",
                      d.found[i].reason, cell, puzzle_query(p, puzzle_asked));
        seen[d.found[i].reason]++;
    }
}

/* The links of a solution that is the only one. */
static void read_links(enum puzzle_rule rule, const struct mw_rowset *paths)
{
    memset(&links, 0, sizeof links);
    for (int row = 0; row < paths->rows; row++) {
        struct mw_points cells = ((struct mw_points *)paths->columns[3])[row];
        for (int i = 1; i < cells.count; i++) {
            struct mw_point a = cells.at[i - 1], b = cells.at[i];
            struct mw_point first = a.x + a.y < b.x + b.y ? a : b;
            links.with[rule][first.y + 1][first.x + 1][a.x == b.x] = 1;
        }
    }
}

TEST(deductions_hold_in_every_solution)
{
    int seen[REASONS] = {0};
    for (int i = 0; i < rounds(6000); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 600000};
        struct puzzle p;
        uint64_t counts[PUZZLE_RULES];
        if (!puzzle_draw(&p, &source, 6) || !puzzle_brute(&p, 200000, counts, &links))
            continue;
        for (int rule = 0; rule < PUZZLE_RULES; rule++)
            judge_findings(&p, (enum puzzle_rule)rule, counts[rule], seen);
    }
    for (int i = 0; i < rounds(40); i++) {
        struct puzzle p;
        enum puzzle_rule rule = i % 2 ? PUZZLE_STRICT : PUZZLE_FLOW;
        int side = i % 2 ? 14 : 8;
        snprintf(puzzle_asked, sizeof puzzle_asked, "width=%d&height=%d&rule=%s&seed=%d", side,
                 side, puzzle_rule_names[rule], i);
        const struct mw_map *map = puzzle_must("puzzle/generate");
        read_links(rule, &map->slots[8].as.table);
        puzzle_read(&p, map->slots[0].as.value.rows);
        judge_findings(&p, rule, 1, seen);
    }
    for (int reason = 0; !is_sanitized() && reason < REASONS; reason++)
        ck_assert_msg(seen[reason] > 20, "reason %d: %d times", reason, seen[reason]);
}

TEST(hints_are_true)
{
    int helpful = 0;
    for (int i = 0; i < rounds(1500); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 700000};
        struct puzzle p;
        uint64_t counts[PUZZLE_RULES];
        char rows[PUZZLE_TEXT];
        if (!puzzle_draw(&p, &source, 6) || !puzzle_brute(&p, 200000, counts, &links))
            continue;
        for (int rule = 0; rule < PUZZLE_RULES; rule++) {
            snprintf(puzzle_asked, sizeof puzzle_asked, "grid=%s&rule=%s&hint=true",
                     puzzle_query(&p, rows), puzzle_rule_names[rule]);
            const struct mw_map *map = puzzle_must("puzzle/solve");
            const struct mw_rowset *hint = &map->slots[9].as.table;
            struct mw_points cells = ((struct mw_points *)hint->columns[0])[0];
            const char *reason = ((const char **)hint->columns[1])[0];
            ck_assert(puzzle_is_solved(map) == (counts[rule] > 0));
            if (!cells.count || !counts[rule])
                continue;
            bool down = cells.at[0].x == cells.at[1].x;
            struct mw_point at =
                cells.at[cells.at[1].x + cells.at[1].y < cells.at[0].x + cells.at[0].y];
            uint64_t with = links.with[rule][at.y + 1][at.x + 1][down];
            ck_assert_msg(with == (strstr(reason, "they are linked") ? counts[rule] : 0), "%s\n%s",
                          reason, puzzle_asked);
            ck_assert(!strstr(reason, "they are linked") != !strstr(reason, "they are not linked"));
            helpful++;
        }
    }
    ck_assert_int_gt(helpful, rounds(1500));
}

/* What the rules up to each difficulty leave of a board; without a solution at hand, so that
   boards with none or several can be held against each other as well. */
static struct grade grade_of(const struct puzzle *p, enum puzzle_rule rule)
{
    struct mw_run *run;
    struct board board = puzzle_board(&run, p);
    struct grade grade = path_grade(run, &board, (enum rule)rule, NULL, HARD);
    grade.stuck = NULL; /* it is the run's */
    return grade;
}

/* The same for all eight ways in which the board may lie. The number of deductions and the effort
   are not: of a link that follows by two rules, one of them is counted. */
static enum difficulty judge_symmetry(struct puzzle p, enum puzzle_rule rule)
{
    char rows[PUZZLE_TEXT], turned[PUZZLE_TEXT];
    struct grade first = grade_of(&p, rule);
    puzzle_query(&p, rows);
    for (int way = 1; way < 8; way++) {
        (way % 2 ? puzzle_mirror : puzzle_transpose)(&p);
        struct grade grade = grade_of(&p, rule);
        ck_assert_msg(grade.broken == first.broken, "%s: one of these is refuted: %s, %s",
                      puzzle_rule_names[rule], rows, puzzle_query(&p, turned));
        if (first.broken)
            continue;
        ck_assert_msg(grade.difficulty == first.difficulty, "%s: difficulty %d of %s, %d of %s",
                      puzzle_rule_names[rule], first.difficulty, rows, grade.difficulty,
                      puzzle_query(&p, turned));
        ck_assert_msg(abs(grade.effort - first.effort) <= EFFORT_SPREAD,
                      "effort %d of %s, %d of %s", first.effort, rows, grade.effort,
                      puzzle_query(&p, turned));
        for (int level = EASY; level < EXTREME; level++)
            ck_assert_msg(grade.open[level] == first.open[level],
                          "%s: rules up to %d leave open %d of %s, %d of %s",
                          puzzle_rule_names[rule], level, first.open[level], rows,
                          grade.open[level], puzzle_query(&p, turned));
    }
    return first.broken ? ANY : first.difficulty;
}

TEST(difficulty_is_the_same_however_the_board_lies)
{
    static const char *const known[] = {"B../B../..A/CA./C..", "CC.BB/.A.../..A.."};
    int seen[DIFFICULTIES + 1] = {0};
    struct puzzle p;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        puzzle_parse(&p, known[i]);
        for (int rule = 0; rule < PUZZLE_RULES; rule++)
            judge_symmetry(p, (enum puzzle_rule)rule);
    }
    for (int i = 0; i < rounds(6000); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 800000};
        if (!puzzle_draw(&p, &source, 4 + i % 4))
            continue;
        for (int rule = 0; rule < PUZZLE_RULES; rule++)
            seen[judge_symmetry(p, (enum puzzle_rule)rule)]++;
    }
    for (int i = 0; i < rounds(60); i++) {
        enum puzzle_rule rule = (enum puzzle_rule)(i % PUZZLE_RULES);
        snprintf(puzzle_asked, sizeof puzzle_asked, "width=7&height=7&rule=%s&seed=%d",
                 puzzle_rule_names[rule], i);
        puzzle_read(&p, puzzle_must("puzzle/generate")->slots[0].as.value.rows);
        seen[judge_symmetry(p, rule)]++;
    }
    for (int level = EASY; !is_sanitized() && level < DIFFICULTIES; level++)
        ck_assert_msg(seen[level] > rounds(10), "%d boards of difficulty %d", seen[level], level);
}
