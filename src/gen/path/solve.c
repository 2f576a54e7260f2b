/*
 * solve.c: path puzzles solved, with proofs.
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
 * How a result comes about:
 *
 *     obstacle.c        simple reasons why there is no solution: rim, easy deductions
 *     sweep.c, bend.c   depth-first search, without learning: enough for most printed boards
 *     search.c, sat.c   search by learning from conflicts: solutions, or proofs of none
 *     reroute.c         another solution, in which two or three paths differ from a known one
 *     count.c           all solutions counted without listing them; strict ones are listed
 *
 * FIRST. Strict puzzles are by far easier than the others, as a bend forces so much, and a strict
 * solution is one under every rule. So the first solution is sought under the strict rule and
 * under the one asked for in turn, each time with twice the steps, strict with the larger share.
 * Before that the board is swept under the strict rule: a fraction of a millisecond, which on most
 * boards settles that rule, and shows several solutions under any.
 *
 * ANOTHER. Whether there is another needs the rule itself. Small boards are counted. Larger ones
 * with several solutions mostly have one in which two or three paths differ; otherwise the search
 * goes on with the first solution excluded.
 *
 * COUNTING shows both whether there is any and whether there is one alone, on boards that are not
 * too wide, however hard they are for a search. It cannot be resumed, so between the turns of a
 * search it is tried a few times only, with more steps each time.
 *
 * All of it ends with the run's steps, except for a few that are kept for the result.
 *
 * WHAT IS PROMISED. A solution is one under the rule. `unique` is true only after a proof, and
 * false only with a second solution or a count above one; null when the steps ended first, or
 * where it was not asked. "unsolvable" is proven. Where nothing was found and nothing proven, the
 * request fails as too hard. The same board gives the same result everywhere, since steps are
 * counted, not time.
 *
 * COST. Printed boards up to 15x18 take 1 to 3 ms, 50x50 a tenth of a second. An exact count grows
 * threefold a column of the shorter side under flow; under strict far less.
 */
#include "gen/path/grade/grade.h"
#include "gen/path/solver/solver.h"
#include "kit/integer.h"

enum count { COUNT_FIRST, COUNT_UNIQUE, COUNT_EXACT };

struct puzzle_solve {
    struct mw_rows grid;
    int32_t rule, count;
    bool hint;
};

static const char *const counts[] = {"first", "unique", "exact", NULL};
static const char *const statuses[] = {"solved", "unsolvable", NULL};
enum status { SOLVED, UNSOLVABLE };

enum { GRID }; /* place in fields */
static const struct mw_field fields[] = {
    [GRID] = MW_ROW_LIST(
        struct puzzle_solve, grid, MAX_SIDE, ".#" PATH_LETTERS,
        "The board: the same letter or digit on both ends of a path, `.` empty, `#` wall",
        .role = MW_BOARD),
    MW_CHOICE(struct puzzle_solve, rule, path_rules, FLOW,
              "flow: every cell lies on a path; strict: and no path touches itself; classic: cells "
              "may stay empty"),
    MW_CHOICE(struct puzzle_solve, count, counts, COUNT_UNIQUE,
              "first: a solution will do; unique: say whether there is another; exact: how many "
              "there are"),
    MW_BOOL(struct puzzle_solve, hint, false,
            "The next deduction instead of the solution: `grid` and `paths` stay empty"),
    MW_END,
};

enum {
    PART_STATUS,
    PART_UNIQUE,
    PART_SOLUTIONS,
    PART_REASON,
    PART_GRID,
    PART_DIFFICULTY,
    PART_EFFORT,
    PART_DEDUCTIONS,
    PART_FREE,
    PART_HINT,
    PART_PATHS
};
static const struct mw_column hint_columns[] = {
    MW_COLUMN("cells", MW_POINTS, "What it is about: mostly two neighbours; none where none helps"),
    MW_COLUMN("reason", MW_STRING, "What is known of them, and by which rule"),
    MW_END_COLUMNS,
};
static const struct mw_part parts[] = {
    MW_CHOICE_PART("status", statuses, "Whether there is a solution"),
    MW_VALUE_PART("unique", MW_BOOLEAN, "Whether there is exactly one; null: not decided",
                  .nullable = true),
    MW_VALUE_PART("solutions", MW_STRING,
                  "With count=exact: how many there are, in decimal digits; null: not counted. 0 "
                  "wherever the board is unsolvable",
                  .optional = true, .nullable = true),
    MW_VALUE_PART("reason", MW_STRING, "Why the solutions were not counted", .optional = true),
    MW_VALUE_PART("grid", MW_ROWS, "The solution, each covered cell with the label of its path",
                  .role = MW_BOARD),
    PATH_GRADE_PARTS,
    MW_VALUE_PART(
        "free", MW_INTEGER,
        "Open cells that are left when every path is as short as can be; null: unsolvable",
        .nullable = true),
    MW_TABLE_PART("hint", hint_columns, "With hint=true: the next deduction", .optional = true,
                  .single = true),
    MW_TABLE_PART("paths", path_columns, "The paths of the solution"),
    MW_END_PARTS,
};

/* A board that is given and still empty will come from another map. */
static void check(struct mw_run *run, void *params, mw_given given)
{
    const struct puzzle_solve *p = params;
    if (p->grid.count)
        board_check(run, "/grid", p->grid);
    else if (!(given >> GRID & 1))
        mw_add_problem(run, MW_BAD_PARAM, "/grid",
                       "must be given: rows of equal length, such as `A..`, `.#.` and `..A`");
}

/* ---- the engines together -------------------------------------------------------------------- */

enum { FIRST_SLICE = 1 << 22, LAST_STEPS = 1 << 21 };
/* For the proof that a solution is the only one: some two seconds. */
enum { PROOF_STEPS = 250000000 };
/* Counting is tried on boards with up to COUNT_SIDE cells on the shorter side, with COUNT_STEPS
   times the steps of a search; early on boards of SMALL cells, where it nearly always succeeds;
   with a quarter of that from WIDE on, where it rarely does. */
enum { COUNT_SIDE = 20, COUNT_STEPS = 16, SMALL = 200, WIDE = 18, VAIN_STEPS = 200000000 };

struct solver {
    struct mw_run *run;
    const struct board *board;
    enum rule rule;
    struct clause_search *own, *strict; /* made when they are first needed */
    struct swept swept;                 /* under the strict rule */
    bool strict_over;
    uint64_t end;            /* steps of the run after which no engine goes on */
    uint64_t slice;          /* steps of a search before another engine's turn */
    uint64_t counted;        /* the most steps that counting took */
    uint8_t *first;          /* the solution that was found first */
    char number[MAX_DIGITS]; /* of solutions, once they have been counted */
};

/* As many steps, or what is left of them. */
static uint64_t at_most(uint64_t steps, const struct solver *s)
{
    uint64_t spent = mw_spent(s->run), left = spent < s->end ? s->end - spent : 0;
    return steps < left ? steps : left;
}

/* The steps of the run, without those that writing the result takes. */
static uint64_t last_of(const struct mw_run *run)
{
    return run->budget > LAST_STEPS ? run->budget - LAST_STEPS : 0;
}

static enum answer search_for(struct solver *s, struct clause_search **search, enum rule rule,
                              uint64_t steps, uint8_t *links)
{
    if (!*search)
        *search = search_new(s->run, s->board, rule);
    return search_next(*search, at_most(steps, s), links);
}

/* Whether there are exactly `known` solutions (EXHAUSTED) or more, by counting; unless as many
   steps were not enough before. */
static enum answer count(struct solver *s, uint64_t steps, const char *known)
{
    steps = at_most(steps, s);
    if (!*s->number && steps > s->counted) {
        char *mark = mw_mark(s->run);
        const char *number = path_count(s->run, s->board, s->rule, steps);
        assert(!number || strlen(number) < sizeof s->number);
        if (number)
            memcpy(s->number, number, strlen(number) + 1);
        mw_rewind(s->run, mark);
        s->counted = steps;
    }
    return !*s->number ? UNDECIDED : strcmp(s->number, known) ? FOUND : EXHAUSTED;
}

/* Counting cannot be resumed, so it is tried a few times. */
static enum answer count_at_times(struct solver *s, const char *known)
{
    const struct board *b = s->board;
    uint64_t slices = s->slice / FIRST_SLICE;
    assert(slices > 0);
    int32_t side = mw_min(b->width, b->height);
    bool due = slices == (b->cells <= SMALL ? 1 : 4) || slices == 16;
    if (!due || side > COUNT_SIDE)
        return UNDECIDED;
    return count(s, s->slice * COUNT_STEPS / (side < WIDE ? 1 : 4), known);
}

/* The next turns are twice as long, up to half the budget: searches that are out of memory take few
   steps, and the number would overflow. */
static void lengthen_turns(struct solver *s)
{
    if (s->slice < s->run->budget / 2)
        s->slice *= 2;
}

static enum answer find_first(struct solver *s, int wanted)
{
    uint64_t steps = at_most(UINT64_MAX, s);
    s->swept = path_sweep(s->run, s->board, STRICT, wanted, steps, s->first);
    if (s->swept.found)
        return FOUND;
    s->strict_over = s->swept.over;
    if (s->rule == STRICT && s->strict_over)
        return EXHAUSTED;
    for (s->slice = FIRST_SLICE; at_most(1, s); lengthen_turns(s)) {
        if (s->rule != STRICT && !s->strict_over) {
            enum answer answer = search_for(s, &s->strict, STRICT, 4 * s->slice, s->first);
            if (answer == FOUND)
                return FOUND;
            s->strict_over = answer == EXHAUSTED;
        }
        enum answer answer = search_for(s, &s->own, s->rule, s->slice, s->first);
        if (answer != UNDECIDED)
            return answer;
        if (count_at_times(s, "0") == EXHAUSTED)
            return EXHAUSTED;
    }
    return UNDECIDED;
}

/* FOUND where there is another solution than the first. */
static enum answer find_other(struct solver *s)
{
    assert(s->swept.found <= 2);
    enum answer answer = UNDECIDED;
    if (s->rule != STRICT && s->board->cells <= SMALL)
        answer = count(s, FIRST_SLICE * COUNT_STEPS, "1");
    if (answer != UNDECIDED)
        return answer;
    if (s->swept.found > 1)
        return FOUND;
    s->end = mw_spent(s->run) + at_most(PROOF_STEPS, s);
    if (s->rule == STRICT && s->swept.over)
        return EXHAUSTED;
    if (s->rule != STRICT &&
        path_reroute(s->run, s->board, s->rule, at_most(FIRST_SLICE, s), s->first))
        return FOUND;
    uint8_t *links = MW_NEW(s->run, uint8_t, s->board->cells);
    if (!s->own)
        s->own = search_new(s->run, s->board, s->rule);
    search_exclude(s->own, s->first);
    for (s->slice = FIRST_SLICE; answer == UNDECIDED && at_most(1, s); lengthen_turns(s)) {
        answer = search_next(s->own, at_most(s->slice, s), links);
        if (answer == UNDECIDED)
            answer = count_at_times(s, "1");
    }
    return answer;
}

/* ---- results --------------------------------------------------------------------------------- */

/* A result without paths. */
static void set_nothing(struct mw_run *run, struct mw_map *map, enum status status)
{
    mw_set_int(map, PART_STATUS, status);
    mw_set_int(map, PART_UNIQUE, status == UNSOLVABLE ? false : MW_NULL);
    if (status == UNSOLVABLE)
        mw_set_string(map, PART_SOLUTIONS, "0");
    mw_set_rows(map, PART_GRID, (struct mw_rows){"", 0, 0});
    path_set_grade(map, PART_DIFFICULTY, NULL);
    mw_set_int(map, PART_FREE, MW_NULL);
    mw_add_table(run, map, PART_PATHS, 0);
}

static void set_solution(struct mw_run *run, struct mw_map *map, const struct board *b,
                         const uint8_t *links)
{
    mw_set_int(map, PART_STATUS, SOLVED);
    mw_set_rows(map, PART_GRID, path_rows(run, b, links));
    mw_set_int(map, PART_FREE, path_add_table(run, map, PART_PATHS, b, links));
}

static void set_difficulty(struct mw_run *run, struct mw_map *map, const struct board *b,
                           enum rule rule, const uint8_t *links)
{
    bool known = links && mw_spent(run) + grade_steps(b) <= last_of(run);
    struct grade grade = {0};
    if (known)
        grade = path_grade(run, b, rule, links, HARD);
    assert(!grade.broken);
    path_set_grade(map, PART_DIFFICULTY, known ? &grade : NULL);
}

static void set_hint(struct mw_run *run, struct mw_map *map, const struct board *b, enum rule rule,
                     const uint8_t *links)
{
    struct hint hint = {.reason = "the board has no solution"};
    if (links)
        hint = path_hint(run, b, rule, links);
    struct mw_point *cells = MW_NEW(run, struct mw_point, 2);
    for (int32_t i = 0; i < hint.count; i++)
        cells[i] = (struct mw_point){hint.cells[i] % b->width, hint.cells[i] / b->width};
    mw_add_table(run, map, PART_HINT, 1);
    mw_points_column(map, PART_HINT, 0)[0] = (struct mw_points){cells, hint.count};
    mw_string_column(map, PART_HINT, 1)[0] = hint.reason;
}

/* Counts, as far as possible; returns what is then known about other solutions. */
static enum answer set_number(const struct solver *s, struct mw_map *map, enum answer other)
{
    int32_t side = mw_min(s->board->width, s->board->height);
    bool hopeful = s->rule == STRICT || side <= WIDE; /* others would fail after a long wait */
    uint64_t steps = at_most(hopeful ? UINT64_MAX : VAIN_STEPS, s);
    const char *number = other == EXHAUSTED ? "1"
                         : *s->number       ? mw_copy_text(s->run, s->number, strlen(s->number))
                                            : path_count(s->run, s->board, s->rule, steps);
    mw_set_string(map, PART_SOLUTIONS, number);
    if (!number) {
        mw_set_string(map, PART_REASON,
                      "to count them takes more steps or memory than a request gets");
        return other;
    }
    assert(strcmp(number, "0"));
    return strcmp(number, "1") ? FOUND : EXHAUSTED;
}

/* Whether the first solution is the only one; the number of them is set where it was asked. */
static int32_t set_count(struct solver *s, struct mw_map *map, enum count asked)
{
    enum answer answer = asked == COUNT_FIRST ? UNDECIDED : find_other(s);
    s->end = last_of(s->run);
    if (asked == COUNT_EXACT)
        answer = set_number(s, map, answer);
    return answer == UNDECIDED ? MW_NULL : answer == EXHAUSTED;
}

static void make(struct mw_run *run, const void *params, struct mw_map *map)
{
    const struct puzzle_solve *p = params;
    const enum rule rule = (enum rule)p->rule;
    struct board b = board_read(run, p->grid);
    struct solver s = {.run = run, .board = &b, .rule = rule, .end = last_of(run)};
    s.first = MW_NEW(run, uint8_t, b.cells);
    enum answer answer = path_obstacle(run, &b, rule)
                             ? EXHAUSTED
                             : find_first(&s, p->count == COUNT_FIRST || p->hint ? 1 : 2);
    if (answer == UNDECIDED)
        mw_fail(run, MW_TOO_HARD, "",
                "is neither solved nor refuted after %llu steps, all that a request gets",
                (unsigned long long)run->budget);
    if (p->hint)
        set_hint(run, map, &b, rule, answer == FOUND ? s.first : NULL);
    if (answer == EXHAUSTED || p->hint) {
        set_nothing(run, map, answer == EXHAUSTED ? UNSOLVABLE : SOLVED);
        return;
    }
    set_solution(run, map, &b, s.first);
    int32_t unique = set_count(&s, map, (enum count)p->count);
    mw_set_int(map, PART_UNIQUE, unique);
    set_difficulty(run, map, &b, rule, unique == true ? s.first : NULL);
}

/* ---- what it will take ----------------------------------------------------------------------- */

/*
 * A search. A solution, or a proof under strict, takes some hundred steps a cell on boards that
 * print, a proof under the other rules some fifty for each other cell; one board in twenty takes a
 * hundred times as many, and what it learns fills memory: a few kilobytes a cell as a rule, hardly
 * ever above a hundred.
 */
static void forecast(const void *params, struct mw_forecast *f)
{
    const struct puzzle_solve *p = params;
    uint64_t n = (uint64_t)p->grid.width * (uint64_t)p->grid.count;
    bool sparing = p->count == COUNT_FIRST || (p->rule == STRICT && p->count == COUNT_UNIQUE);
    f->plan = (struct mw_lattice){p->grid.width, p->grid.count, MW_SQUARE, MW_WRAP_NONE};
    f->cells = n;
    f->rows = (uint64_t)mw_min64((int64_t)n / 2, MAX_PATHS);
    f->items = n;
    f->steps = n * (sparing ? 200 + n * n / 100 : 500 + 45 * n);
    f->nanoseconds = 10000 + 5 * f->steps;
    f->kept = 8192 + 80 * n;
    f->bytes = f->kept + (sparing ? 65536 + 8000 * n : (UINT64_C(1) << 20) + 14000 * n);
}

const struct mw_generator mw_puzzle_solve = {
    .name = "puzzle/solve",
    .version = 5,
    .seedless = true,
    .summary = MW_PROSE("the solutions of a path puzzle (Numberlink, Flow), counted"),
    .about =
        MW_PROSE("Each letter or digit marks the two ends of a path. Paths step from cell to cell "
                 "and never cross. The answer is a solution with a proof that it is the only one, "
                 "or with another one at hand; or a proof that there is none; or the exact number "
                 "of solutions."),
    .fields = fields,
    .parts = parts,
    .params_size = sizeof(struct puzzle_solve),
    .steps = UINT64_C(1000000000),
    .check = check,
    .forecast = forecast,
    .make = make,
};
