/*
 * make.c: path puzzles made, with a proof that they have one solution.
 *
 * The obvious way is to draw random ends and to solve the board. But random ends can hardly ever be
 * joined: of 2000 boards drawn so with as many paths as rows, 5 could be solved at 5x5, one at 7x7
 * and none at 8x8 (flow). So the solution comes first, then its ends:
 *
 *     stir   dominoes cover the whole board; random moves wind them about and let them grow
 *            into as many paths as asked for, none too short (cover.c)
 *     hide   all but the ends: a board with a known solution
 *     prove  look for another solution. None: done
 *     mend   where another one differs, some more random moves; after a dozen mendings stir again
 *
 * Boards with covers in which no path touches itself nearly always have one solution under strict.
 * Under flow and classic few have, and mending comes too late: there covers are changed where
 * deductions leave links open (thin.c). No path touches itself there either, unless so few paths
 * are asked for that no such cover is found. A difficulty is reached in the same way (aim.c).
 *
 * The obvious way is there too (from=random), to compare.
 *
 * Tiny boards are not stirred: all covers are tried, in random order (every.c), so that what is
 * refused does not exist: up to 16 cells, and 25 with one path or two.
 *
 * WHY IT ENDS. Stirring, mending and proving all count steps, and when half of the run's are
 * spent (a quarter, if no cover with these paths was met), there is no result.
 *
 * WHY THE PROMISE HOLDS. The cover has exactly so many paths and none too short, which is checked
 * before the proof; and the proof is that of search.c, or that deductions settled all links.
 *
 * WHAT IT DOES NOT DO. With very few paths on large boards covers exist, such as spirals, that the
 * moves hardly reach.
 */
#include "gen/path/maker/cover.h"
#include "gen/path/solver/solver.h"
#include "kit/integer.h"

/* The budget of a request; the search stops before. */
#define MAKE_STEPS UINT64_C(600000000)

struct puzzle_make {
    int32_t width, height, colors, rule, min_length, difficulty /* 0: any */, from;
    bool unique;
};

static const char *const wishes[] = {"any", "easy", "normal", "hard", "extreme", NULL};

enum { FROM_COVER, FROM_RANDOM };
static const char *const sources[] = {"cover", "random", NULL};

static const struct mw_field fields[] = {
    MW_INT(struct puzzle_make, width, 2, MAX_SIDE, 7, "Cells across"),
    MW_INT(struct puzzle_make, height, 2, MAX_SIDE, 7, "Cells down"),
    MW_INT(struct puzzle_make, colors, 1, MAX_PATHS, 0,
           "Paths, exact; by default about as many as cells on a side", .optional = true),
    MW_CHOICE(struct puzzle_make, rule, path_rules, STRICT,
              "The rule under which the solution is the only one; strict: no path touches itself; "
              "flow: they may; classic: cells may stay empty"),
    MW_BOOL(struct puzzle_make, unique, true, "Prove that there is no other solution"),
    MW_INT(struct puzzle_make, min_length, 2, MAX_CELLS, 3, "Fewest cells of a path"),
    MW_CHOICE(
        struct puzzle_make, difficulty, wishes, 0,
        "The weakest rules of deduction that solve it without a guess; any: it is only reported"),
    MW_CHOICE(struct puzzle_make, from, sources, FROM_COVER,
              "What a board begins as; cover: its solution; random: ends anywhere, kept if they "
              "can be joined, which is rare beyond 6 x 6"),
    MW_END,
};

enum {
    PART_GRID,
    PART_SOLUTION,
    PART_COLORS,
    PART_UNIQUE,
    PART_DIFFICULTY,
    PART_EFFORT,
    PART_DEDUCTIONS,
    PART_FREE,
    PART_PATHS
};
static const struct mw_part parts[] = {
    MW_VALUE_PART("grid", MW_ROWS,
                  "The board: a letter or digit on both ends of each path, `.` elsewhere",
                  .role = MW_BOARD),
    MW_VALUE_PART("solution", MW_ROWS, "Each cell with the label of its path"),
    MW_VALUE_PART("colors", MW_INTEGER, "How many paths"),
    MW_VALUE_PART("unique", MW_BOOLEAN,
                  "Whether the solution is proven to be the only one; null: not asked",
                  .nullable = true),
    PATH_GRADE_PARTS,
    MW_VALUE_PART("free", MW_INTEGER, "Cells that are left when every path is as short as can be"),
    MW_TABLE_PART("paths", path_columns, "The paths of the solution"),
    MW_END_PARTS,
};

/* Boards of which all covers can be tried; with one path or two. */
enum { TINY = 16, TINY_OF_TWO = 25 };
enum { STEPS_A_CELL = 50000 };
enum { AIM_STEPS = 100000000 }; /* until a difficulty is met */
enum { MENDING_MOVES = 40, MENDINGS = 12 };
/* Where paths may touch themselves, the square of the cells is at most this times the colors. Of
   boards from 20 x 20 to 31 x 31 one seed in four succeeds just below that; none of eight succeeds
   4 % above it, and none of some hundred beyond. On narrow boards all of some dozen seeds succeed
   far above it: up to 10 cells across, only a search can decide. */
enum { TOUCHING_LIMIT = 15000, NARROW = 10 };

static bool is_tiny(const struct puzzle_make *p)
{
    return p->width * p->height <= (p->colors > 2 ? TINY : TINY_OF_TWO);
}

/* ---- checking -------------------------------------------------------------------------------- */

/* Four fifths of a side, as on printed boards, but a path for each row of small ones; of a board
   that is not square, the root of its cells is the side. Large boards have more, under flow and
   classic so that they have one solution. */
static int32_t default_colors(const struct puzzle_make *p)
{
    int32_t cells = p->width * p->height, side = (int32_t)(mw_root(4 * cells) + 1) / 2;
    int32_t share = !p->unique || p->rule == STRICT ? 40 : cells <= 400 ? 13 : 10;
    int32_t colors = mw_max(mw_max((4 * side + 2) / 5, mw_min(side, 5)), cells / share);
    assert(side > 0 && side <= MAX_SIDE);
    return mw_clamp(mw_min(colors, cells / p->min_length), 1, MAX_PATHS);
}

/* Refuses at once what would fail with nearly every seed. */
static void check_touching(struct mw_run *run, const struct puzzle_make *p)
{
    int32_t cells = p->width * p->height, most = (int32_t)mw_root(TOUCHING_LIMIT * MAX_PATHS);
    int32_t needed = (cells * cells + TOUCHING_LIMIT - 1) / TOUCHING_LIMIT;
    const char *rule = path_rules[p->rule];
    if (!p->unique || p->rule == STRICT || p->from != FROM_COVER || p->colors >= needed ||
        mw_min(p->width, p->height) <= NARROW)
        return;
    if (needed <= MAX_PATHS)
        mw_add_problem(run, MW_NO_RESULT, "/colors",
                       "with fewer than %d colors hardly any board of %d x %d cells has a single "
                       "solution under %s: more colors, a smaller min_length or board, "
                       "rule=strict or unique=false",
                       needed, p->width, p->height, rule);
    else
        mw_add_problem(
            run, MW_NO_RESULT, "/rule",
            "boards with a single solution under %s are found up to %d cells, and %d x %d "
            "has %d: a smaller board, or rule=strict or unique=false, both to %d x %d",
            rule, most, p->width, p->height, cells, MAX_SIDE, MAX_SIDE);
}

static void check(struct mw_run *run, void *params, mw_given given)
{
    (void)given;
    struct puzzle_make *p = params;
    int32_t cells = p->width * p->height;
    if (!p->colors)
        p->colors = default_colors(p);
    if (p->min_length > cells)
        mw_add_problem(run, MW_NO_RESULT, "/min_length",
                       "is %d, more than the cells of the board: %d", p->min_length, cells);
    else if (p->colors * p->min_length > cells)
        mw_add_problem(run, MW_NO_RESULT, "/colors",
                       "%d paths of at least %d cells need %d cells, and %d x %d has %d: fewer "
                       "colors, a smaller min_length or a larger board",
                       p->colors, p->min_length, p->colors * p->min_length, p->width, p->height,
                       cells);
    else if (p->colors < 2 && p->rule == STRICT)
        mw_add_problem(
            run, MW_NO_RESULT, "/colors",
            "must be 2 or more under strict: a single path that covers the board touches itself");
    else if (p->difficulty && !p->unique)
        mw_add_problem(run, MW_NO_RESULT, "/difficulty",
                       "is that of a board with one solution: ask for `unique` too");
    else
        check_touching(run, p);
}

/* ---- making ---------------------------------------------------------------------------------- */

static void set_result(struct mw_run *run, struct mw_map *map, const struct cover *c,
                       const struct puzzle_make *p)
{
    struct board b = cover_board(run, c);
    assert(b.paths == c->target && c->paths == p->colors);
    mw_set_rows(map, PART_GRID, path_rows(run, &b, NULL));
    mw_set_rows(map, PART_SOLUTION, path_rows(run, &b, c->links));
    mw_set_int(map, PART_COLORS, c->paths);
    mw_set_int(map, PART_UNIQUE, p->unique ? true : MW_NULL);
    struct grade grade = {0};
    if (p->unique)
        grade = path_grade(run, &b, (enum rule)p->rule, c->links, HARD);
    path_set_grade(map, PART_DIFFICULTY, p->unique ? &grade : NULL);
    mw_set_int(map, PART_FREE, path_add_table(run, map, PART_PATHS, &b, c->links));
}

/* EXHAUSTED where the cover is the only solution of its board; FOUND with another one. A tiny board
   is swept first, which is faster than making clauses: some hundred thousand may be tried. */
static enum answer look_for_other(const struct puzzle_make *p, const struct cover *c,
                                  uint8_t *other)
{
    char *mark = mw_mark(c->run);
    struct board b = cover_board(c->run, c);
    uint64_t steps = (uint64_t)b.cells * STEPS_A_CELL;
    struct swept swept = {0};
    if (is_tiny(p))
        swept = path_sweep(c->run, &b, (enum rule)p->rule, 2, steps, other);
    enum answer answer = swept.found > 1 ? FOUND : swept.over ? EXHAUSTED : UNDECIDED;
    if (answer == UNDECIDED) {
        struct clause_search *search = search_new(c->run, &b, (enum rule)p->rule);
        search_exclude(search, c->links);
        answer = search_next(search, steps, other);
    }
    mw_rewind(c->run, mark);
    return answer;
}

/* Changes covers until one has the difficulty. */
static bool search_difficulty(const struct puzzle_make *p, struct cover *c)
{
    uint8_t other[MAX_CELLS];
    enum difficulty wanted = (enum difficulty)(p->difficulty - 1);
    assert(p->difficulty && p->unique);
    enum rule rule = (enum rule)p->rule;
    bool met = false;
    for (int32_t i = 1; mw_spent(c->run) < AIM_STEPS; i++) {
        bool thin = rule != STRICT && i % 2 == 0;
        if (thin ? !cover_thin(c, rule, AIM_STEPS) : !cover_make(c, true, !met && i % 8 == 7))
            continue;
        met = true;
        if (!cover_aim(c, rule, wanted, AIM_STEPS))
            continue;
        cover_vary(c, rule, wanted, AIM_STEPS);
        if (wanted < EXTREME || look_for_other(p, c, other) == EXHAUSTED)
            return true;
    }
    return false;
}

/* Stirs and mends until the demand is met. */
static bool search_cover(const struct puzzle_make *p, struct cover *c)
{
    uint8_t other[MAX_CELLS];
    int32_t cells = c->board->cells, met = 0, missed = 0;
    assert(!is_tiny(p) && p->from == FROM_COVER);
    bool again = true;
    if (p->unique && p->rule != STRICT && cover_thin(c, (enum rule)p->rule, MAKE_STEPS / 2))
        return true;
    for (int32_t i = 1; mw_spent(c->run) < MAKE_STEPS / (met ? 2 : 4); i++) {
        /* of few paths the moves may reach no cover in which no path touches itself */
        bool strict = p->rule == STRICT || met >= missed;
        bool good = again ? cover_make(c, strict, !met && missed % 8 == 7)
                          : cover_settle(c, COVER_PATIENCE * cells);
        met += good;
        missed += !good;
        again = !good || i % MENDINGS == 0;
        if (!good)
            continue;
        enum answer answer = p->unique ? look_for_other(p, c, other) : EXHAUSTED;
        if (answer == EXHAUSTED)
            return true;
        again |= answer == UNDECIDED;
        if (!again)
            cover_stir_where(c, other, MENDING_MOVES);
    }
    return false;
}

static bool is_wanted(const struct puzzle_make *p, const struct cover *c)
{
    char *mark = mw_mark(c->run);
    struct board b = cover_board(c->run, c);
    enum difficulty found = path_grade(c->run, &b, (enum rule)p->rule, c->links, HARD).difficulty;
    mw_rewind(c->run, mark);
    return !p->difficulty || found == (enum difficulty)(p->difficulty - 1);
}

static bool meets(const void *params, struct cover *c)
{
    const struct puzzle_make *p = params;
    uint8_t other[MAX_CELLS];
    return cover_number(c, p->rule == STRICT) &&
           (!p->unique || (look_for_other(p, c, other) == EXHAUSTED && is_wanted(p, c)));
}

static void scatter_ends(struct cover *c, struct board *b)
{
    for (int32_t i = 0; i < 2 * c->target; i++) {
        int32_t cell;
        do {
            cell = (int32_t)mw_below(&c->rng, (uint32_t)b->cells);
            mw_tick(c->run, 1);
        } while (b->path[cell] != OPEN);
        b->path[cell] = (int8_t)(i / 2);
        b->ends[i / 2][i % 2] = cell;
    }
    b->paths = c->target;
}

/* Whether random ends can be joined, in a way that meets the demand. */
static bool draw_ends(const struct puzzle_make *p, struct cover *c)
{
    char *mark = mw_mark(c->run);
    enum rule rule = (enum rule)p->rule;
    struct board b = board_new(c->run, c->board->width, c->board->height);
    scatter_ends(c, &b);
    bool good = !path_obstacle(c->run, &b, rule) &&
                search_next(search_new(c->run, &b, rule), (uint64_t)b.cells * STEPS_A_CELL,
                            c->links) == FOUND;
    mw_rewind(c->run, mark);
    return good;
}

/* Draws ends anywhere, until they can be joined. */
static void make_random(const struct puzzle_make *p, struct cover *c)
{
    int32_t drawn = 0;
    do {
        if (mw_spent(c->run) > MAKE_STEPS / 4)
            mw_fail(c->run, MW_NO_RESULT, "/from",
                    "of %d random boards of %d x %d cells with colors=%d none was good under %s: "
                    "try a smaller board, other colors, another seed, or from=cover",
                    drawn, p->width, p->height, p->colors, path_rules[p->rule]);
        drawn++;
    } while (!draw_ends(p, c) || !meets(p, c));
}

static void refuse(struct mw_run *run, const struct puzzle_make *p, bool tiny)
{
    mw_fail(run, MW_NO_RESULT, p->difficulty ? "/difficulty" : "/colors",
            "%s of %d x %d cells with colors=%d and min_length=%d that has a%s solution under "
            "%s%s%s: try other colors, a smaller min_length or %s",
            tiny ? "there is no board" : "found no board", p->width, p->height, p->colors,
            p->min_length, p->unique ? " single" : "", path_rules[p->rule],
            p->difficulty ? " and is " : "", p->difficulty ? wishes[p->difficulty] : "",
            tiny ? "a larger board" : "another seed");
}

static void make(struct mw_run *run, const void *params, struct mw_map *map)
{
    const struct puzzle_make *p = params;
    struct board b = board_new(run, p->width, p->height);
    struct cover c = cover_new(run, &b, p->colors, p->min_length);
    bool tiny = is_tiny(p);
    if (p->from == FROM_RANDOM)
        make_random(p, &c);
    else if (!(tiny            ? cover_every(&c, meets, p)
               : p->difficulty ? search_difficulty(p, &c)
                               : search_cover(p, &c)))
        refuse(run, p, tiny);
    set_result(run, map, &c, p);
}

/* ---- what it will take ----------------------------------------------------------------------- */

enum { SHORT = 8 /* cells of a path */, FARTHEST = 40 };

/*
 * Steps, as measured. A cover takes some thousand a cell; six times as many where paths are too
 * short for the taste, and up to FARTHEST times where they are long and ends have far to go: by the
 * fourth power of their length over the cells. Under strict the proof that there is one solution
 * takes little beside that; under the other rules it soon takes most of the budget, or the next
 * seed a hundredth of it. A difficulty is the rarer the smaller the board. Tiny boards have
 * somewhat fewer covers than sets of cells. Random ends take a quarter of the budget beyond some
 * 75 cells.
 */
static int64_t steps_of(const struct puzzle_make *p, int64_t n)
{
    static const int millions[] = {0, 2, 10, 50, 300}; /* for a board of one cell */
    int64_t squared = p->colors * p->colors, far = n * n * n / squared / squared / 1000;
    int64_t times = 1 + (n < SHORT * p->colors ? 5 : 0) + mw_min64(far, FARTHEST);
    int64_t proof = p->unique && p->rule != STRICT ? n * n / 2 : 0;
    if (p->from == FROM_RANDOM)
        return mw_min64(n * n * n * n * n / 16, MAKE_STEPS / 4);
    if (is_tiny(p))
        return INT64_C(1) << n;
    return n * (1000 * times + proof) + INT64_C(1000000) * millions[p->difficulty] / n;
}

static void forecast(const void *params, struct mw_forecast *f)
{
    const struct puzzle_make *p = params;
    uint64_t n = (uint64_t)p->width * (uint64_t)p->height;
    f->plan = (struct mw_lattice){p->width, p->height, MW_SQUARE, MW_WRAP_NONE};
    f->cells = 2 * n;
    f->rows = (uint64_t)p->colors;
    f->items = n;
    f->steps = (uint64_t)mw_min64(steps_of(p, (int64_t)n), MAKE_STEPS / 2);
    f->nanoseconds = 10000 + 7 * f->steps;
    f->kept = 16384 + 92 * n;
    f->bytes = f->kept + (p->unique || p->from ? (UINT64_C(1) << 20) + 14000 * n : 0);
}

const struct mw_generator mw_puzzle_generate = {
    .name = "puzzle/generate",
    .version = 4,
    .summary = MW_PROSE("a path puzzle with a known solution, by default the only one"),
    .about = MW_PROSE(
        "Paths are laid over the whole board at random, stirred until they wind, and "
        "hidden but for their ends; a solver then proves that there is no other way to lay "
        "them."),
    .fields = fields,
    .parts = parts,
    .params_size = sizeof(struct puzzle_make),
    .steps = MAKE_STEPS,
    .check = check,
    .forecast = forecast,
    .make = make,
};
