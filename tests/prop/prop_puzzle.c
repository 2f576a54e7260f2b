/*
 * prop_puzzle.c: the promises of /puzzle/solve and /puzzle/generate.
 *
 * Counts are held against brute force, and on larger boards against another solver (libcadical) on
 * other clauses; verdicts against both and against the table in tests/boards; boards that are made
 * against the judge and the solver. MAPWRIGHT_LONG=1 tries twenty times as many.
 */
#include "arbitrary.h"
#include "check_puzzle.h"
#include "feel.h"
#include "gen/path/grade/grade.h"
#include "gen/path/solver/solver.h"
#include "rounds.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- asking ---------------------------------------------------------------------------------- */

static _Alignas(64) char block[(size_t)1 << 30];
static char query[PUZZLE_TEXT + 200];
static uint64_t spent;

/* What the generator makes of `query`, with a budget of so many steps (0: its own); NULL: see
   *problem. A map that breaks a promise fails the test. */
static const struct mw_map *ask(const char *generator, uint64_t steps,
                                const struct mw_problem **problem)
{
    struct mw_limits limits = {.memory = block, .size = sizeof block};
    struct mw_run *run = mw_open(&limits);
    static struct mw_request request;
    static struct mw_generator brief;
    const struct mw_arg *args;
    size_t count;
    char why[300];
    bool good = mw_read_query(run, query, strlen(query), &args, &count) &&
                mw_bind(run, mw_find(generator), args, count, NULL, &request);
    brief = *mw_find(generator);
    brief.steps = steps ? steps : brief.steps;
    request.generator = &brief;
    const struct mw_map *map = good ? mw_make(run, &request) : NULL;
    if (map)
        ck_assert_msg(!check_puzzle(map, why, sizeof why), "%s\n%s", why, query);
    *problem = &mw_problems(run)->list[0];
    spent = mw_steps(run);
    return map;
}

static const struct mw_map *must(const char *generator)
{
    const struct mw_problem *problem;
    const struct mw_map *map = ask(generator, 0, &problem);
    ck_assert_msg(map != NULL, "%s: %s\n%s", problem->pointer, problem->detail, query);
    return map;
}

static const struct mw_map *solve(const struct puzzle *p, enum puzzle_rule rule, const char *count)
{
    static char rows[PUZZLE_TEXT];
    snprintf(query, sizeof query, "grid=%s&rule=%s&count=%s", puzzle_query(p, rows),
             puzzle_rule_names[rule], count);
    return must("puzzle/solve");
}

/* The parts of /puzzle/solve, in the order of the contract. */
static bool is_solved(const struct mw_map *map) { return map->slots[0].as.value.integer == 0; }
static int32_t unique(const struct mw_map *map) { return map->slots[1].as.value.integer; }
static const char *solutions(const struct mw_map *map) { return map->slots[2].as.value.string; }

/* The same question put to the counter alone; a request asks it where a search found several. */
static struct board open_board(struct mw_run **run, const struct puzzle *p)
{
    static char text[PUZZLE_SIDE * (PUZZLE_SIDE + 1)];
    struct mw_limits limits = {.memory = block, .size = sizeof block};
    *run = mw_open(&limits);
    for (int y = 0; y < p->height; y++)
        memcpy(text + y * (p->width + 1), &p->cell[y + 1][1], (size_t)p->width);
    return board_read(*run, (struct mw_rows){text, p->width, p->height});
}

static const char *count_all(const struct puzzle *p, enum puzzle_rule rule)
{
    struct mw_run *run;
    struct board board = open_board(&run, p);
    return path_count(run, &board, (enum rule)rule, UINT64_MAX);
}

/* The two searches by themselves, where there are so many solutions: whether the first went
   through. */
static bool judge_searches(const struct puzzle *p, enum puzzle_rule rule, uint64_t solutions)
{
    struct mw_run *run;
    struct board board = open_board(&run, p);
    uint8_t *found = MW_NEW(run, uint8_t, board.cells);
    struct swept swept = path_sweep(run, &board, (enum rule)rule, 2, UINT64_MAX, found);
    uint64_t most = solutions < 2 ? solutions : 2;
    ck_assert_msg((uint64_t)swept.found <= most && (!swept.over || (uint64_t)swept.found == most),
                  "swept %d of %llu\n%s", swept.found, (unsigned long long)solutions,
                  puzzle_query(p, query));
    struct search *search = search_new(run, &board, (enum rule)rule);
    uint64_t listed = 0;
    while (listed <= solutions && search_next(search, UINT64_MAX, found) == FOUND)
        listed++;
    ck_assert_msg(listed == solutions, "listed %llu of %llu\n%s", (unsigned long long)listed,
                  (unsigned long long)solutions, puzzle_query(p, query));
    return swept.over || swept.found == 2;
}

/* ---- boards ---------------------------------------------------------------------------------- */

static void scatter_walls(struct puzzle *p, struct arbitrary *source, int walls)
{
    while (walls-- > 0)
        p->cell[1 + arbitrary_below(source, (uint32_t)p->height)]
               [1 + arbitrary_below(source, (uint32_t)p->width)] = '#';
}

static bool scatter_ends(struct puzzle *p, struct arbitrary *source, int paths)
{
    for (int end = 0; end < 2 * paths; end++) {
        char *cell = NULL;
        for (int tries = 0; tries < 200 && (!cell || *cell != '.'); tries++)
            cell = &p->cell[1 + arbitrary_below(source, (uint32_t)p->height)]
                           [1 + arbitrary_below(source, (uint32_t)p->width)];
        if (*cell != '.')
            return false;
        *cell = (char)('A' + end / 2);
    }
    return true;
}

/* A walk over cells that are still dots in `taken`; its ends get the label. */
static void lay_walk(struct puzzle *p, struct puzzle *taken, struct arbitrary *source, char label)
{
    int x = 1 + (int)arbitrary_below(source, (uint32_t)p->width),
        y = 1 + (int)arbitrary_below(source, (uint32_t)p->height);
    int x0 = x, y0 = y, most = 2 + (int)arbitrary_below(source, 10);
    for (int length = 1; taken->cell[y][x] == '.' && length <= most; length++) {
        int ways[4][2], n = 0;
        taken->cell[y][x] = label;
        for (int d = 0; d < 4; d++) {
            int x2 = x + (d == 0) - (d == 2), y2 = y + (d == 1) - (d == 3);
            if (taken->cell[y2][x2] == '.') {
                ways[n][0] = x2;
                ways[n++][1] = y2;
            }
        }
        if (!n || length == most)
            break;
        int way = (int)arbitrary_below(source, (uint32_t)n);
        x = ways[way][0];
        y = ways[way][1];
    }
    if ((x != x0 || y != y0) && taken->cell[y0][x0] == label && taken->cell[y][x] == label)
        p->cell[y0][x0] = p->cell[y][x] = label;
}

/* Ends anywhere, or at the ends of walks, with or without walls: about half of them can be
   solved. */
static bool draw_board(struct puzzle *p, struct arbitrary *source, int side)
{
    char text[PUZZLE_SIDE * (PUZZLE_SIDE + 1)];
    int width = 1 + (int)arbitrary_below(source, (uint32_t)side),
        height = 1 + (int)arbitrary_below(source, (uint32_t)side);
    for (int i = 0; i < height * (width + 1); i++)
        text[i] = i % (width + 1) == width ? '/' : '.';
    text[height * (width + 1) - 1] = '\0';
    puzzle_parse(p, text);
    if (arbitrary_below(source, 2))
        scatter_walls(p, source, (int)arbitrary_below(source, (uint32_t)(width * height / 4 + 1)));
    if (arbitrary_below(source, 2))
        return scatter_ends(p, source,
                            1 + (int)arbitrary_below(source, (uint32_t)(width * height / 6 + 1)));
    struct puzzle taken = *p;
    for (int i = 0; i < width * height; i++)
        if (puzzle_paths(p) < 20)
            lay_walk(p, &taken, source, (char)('A' + puzzle_paths(p)));
    for (int y = 1; arbitrary_below(source, 2) && y <= height; y++)
        for (int x = 1; x <= width; x++)
            if (taken.cell[y][x] == '.')
                p->cell[y][x] = '#';
    return puzzle_paths(p) > 0;
}

static void mirror(struct puzzle *p)
{
    for (int y = 1; y <= p->height; y++)
        for (int x = 1; x <= p->width / 2; x++) {
            char c = p->cell[y][x];
            p->cell[y][x] = p->cell[y][p->width + 1 - x];
            p->cell[y][p->width + 1 - x] = c;
        }
}

static void transpose(struct puzzle *p)
{
    struct puzzle old = *p;
    p->width = old.height;
    p->height = old.width;
    for (int y = 1; y <= p->height; y++)
        for (int x = 1; x <= p->width; x++)
            p->cell[y][x] = old.cell[x][y];
}

static const struct {
    const char *name;
    char flow; /* solutions under flow: '1' one, 's' several, '?' not known */
    const char *count;
} boards[] = {
    {"7x7-6-1", '1', "1"},
    {"7x7-6-2", '1', "1"},
    {"7x7-6-3", '1', "1"},
    {"9x9-8-1", '1', "1"},
    {"9x9-8-2", '1', "1"},
    {"9x9-8-3", 's', "175"},
    {"12x12-12-1", '1', "1"},
    {"12x12-12-2", 's', "84"},
    {"12x12-12-3", 's', "13"},
    {"14x14-13-1", 's', "24418177"},
    {"14x14-13-2", 's', "1103026455776"},
    {"14x14-13-3", 's', "4644889"},
    {"15x18-16-1", 's', NULL},
    {"15x18-16-2", 's', NULL},
    {"15x18-16-3", 's', NULL},
    {"24x14-19-1", 's', "26077254827896939"},
    {"24x14-19-2", 's', "3031771"},
    {"24x14-19-3", 's', "391"},
    {"20x20-20-1", '?', NULL},
    {"20x20-20-2", '?', NULL},
    {"20x20-20-3", '?', NULL},
    {"36x20-24-1", '?', NULL},
    {"36x20-24-2", '?', NULL},
    {"36x20-24-3", '?', NULL},
    {"40x20-36-1", '?', NULL},
    {"40x20-36-2", '?', NULL},
    {"40x20-36-3", '?', NULL},
    {"30x30-30-1", '?', NULL},
    {"30x30-30-2", '?', NULL},
    {"30x30-30-3", '?', NULL},
    {"50x50-40-1", '?', NULL},
    {"50x50-40-3", '?', NULL},
    {"50x50-40-7", '?', NULL},
};
enum { BOARDS = sizeof boards / sizeof boards[0] };

static void load(struct puzzle *p, int i)
{
    char file[100];
    snprintf(file, sizeof file, "tests/boards/%s.txt", boards[i].name);
    ck_assert_msg(puzzle_load(p, file), "%s cannot be read: run this where the Makefile is", file);
}

/* ---- solving --------------------------------------------------------------------------------- */

enum { LISTED = 60 }; /* solutions, one by one */

START_TEST(counts_are_those_of_brute_force)
{
    int judged = 0, solvable = 0, swept = 0;
    for (int i = 0; i < rounds(23000); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 1};
        struct puzzle p;
        uint64_t counts[PUZZLE_RULES];
        if (!draw_board(&p, &source, 6) || !puzzle_brute(&p, 4000000, counts, NULL))
            continue;
        for (int rule = 0; rule < PUZZLE_RULES; rule++) {
            char number[24];
            snprintf(number, sizeof number, "%llu", (unsigned long long)counts[rule]);
            const struct mw_map *map = solve(&p, (enum puzzle_rule)rule, "exact");
            ck_assert_msg(!strcmp(solutions(map), number), "%s solutions, not %s\n%s", number,
                          solutions(map), query);
            map = solve(&p, (enum puzzle_rule)rule, "unique");
            ck_assert_msg(
                is_solved(map) == (counts[rule] > 0) && unique(map) == (counts[rule] == 1),
                "%s solutions, verdict %d %d\n%s", number, is_solved(map), unique(map), query);
            map = solve(&p, (enum puzzle_rule)rule, "first");
            ck_assert(is_solved(map) == (counts[rule] > 0));
            ck_assert_str_eq(count_all(&p, (enum puzzle_rule)rule), number);
            if (i % 4 == 0 && counts[rule] < LISTED)
                swept += judge_searches(&p, (enum puzzle_rule)rule, counts[rule]);
        }
        judged++;
        solvable += counts[PUZZLE_FLOW] > 0;
    }
    ck_assert_int_ge(judged, rounds(20000));
    ck_assert_int_ge(swept, rounds(10000));
    ck_assert_int_ge(solvable * 4, judged);
    ck_assert_int_le(solvable * 4, judged * 3);
}
END_TEST

/* The board in a corner of a larger one, all else walls, but for paths of two cells until there are
   so many in all: as many solutions, in states of more words. */
static void surround(struct puzzle *p, int side, int paths)
{
    static const char labels[] = PATH_LETTERS;
    struct puzzle small = *p;
    int used = puzzle_paths(p), x0 = side - p->width;
    memset(p->cell, '#', sizeof p->cell);
    for (int y = 1; y <= small.height; y++)
        memcpy(&p->cell[y][1 + x0], &small.cell[y][1], (size_t)small.width);
    p->width = side;
    p->height = 2 * side + 4;
    for (int y = 1; y <= p->height; y += 2)
        for (int x = 1; x < side; x += 3)
            if (used < paths && (y > small.height + 1 || x + 2 <= x0))
                p->cell[y][x] = p->cell[y][x + 1] = labels[used++];
    ck_assert_int_eq(used, paths);
}

/* Below two empty rooms, where one path runs from corner to corner: as many solutions under classic
   as it has itself, times 789360053252 * 575780564, which is more than 64 bits hold. */
static void put_below_rooms(struct puzzle *p)
{
    struct puzzle small = *p;
    memset(p->cell, '#', sizeof p->cell);
    for (int side = 8, top = 1; side >= 7; top += side + 1, side--) {
        for (int y = top; y < top + side; y++)
            memset(&p->cell[y][1], '.', (size_t)side);
        p->cell[top][1] = p->cell[top + side - 1][side] = (char)('0' + side);
    }
    for (int y = 1; y <= small.height; y++)
        memcpy(&p->cell[17 + y][1], &small.cell[y][1], (size_t)small.width);
    p->width = 8;
    p->height = 17 + small.height;
}

__extension__ typedef unsigned __int128 wide_number;

static const char *digits(wide_number n)
{
    static char text[40];
    char *at = text + sizeof text - 1;
    do
        *--at = (char)('0' + (int)(n % 10));
    while (n /= 10);
    return at;
}

START_TEST(counts_of_wide_states_are_those_of_brute_force)
{
    int judged = 0;
    for (int i = 0; i < rounds(2000); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 500000};
        struct puzzle p, wide, wider, below;
        uint64_t counts[PUZZLE_RULES];
        if (!draw_board(&p, &source, 6) || !puzzle_brute(&p, 1000000, counts, NULL))
            continue;
        wide = wider = below = p;
        surround(&wide, 12, 30);
        surround(&wider, 20, 62);
        for (int rule = 0; rule < PUZZLE_RULES; rule++) {
            ck_assert_str_eq(count_all(&wide, (enum puzzle_rule)rule), digits(counts[rule]));
            ck_assert_str_eq(count_all(&wider, (enum puzzle_rule)rule), digits(counts[rule]));
        }
        judged++;
        if (i % 8)
            continue;
        put_below_rooms(&below);
        ck_assert_str_eq(count_all(&below, PUZZLE_CLASSIC),
                         digits((wide_number)counts[PUZZLE_CLASSIC] * 789360053252 * 575780564));
    }
    ck_assert_int_ge(judged, rounds(1700));
}
END_TEST

/* Strict boards with several solutions are rare: of the boards of 4 x 4 these and their mirror
   images have two, with 3 and 2 paths. Many such rooms, walled off from each other, make boards
   that nobody can list. */
static const char *const rooms[] = {
    "A..B/.BA./.CC./....",
    "A.../.BC./.AC./B...",
    "..../.%%./.AB./B..A",
    "...A/.%B./.%A./...B",
};
enum { ROOM = 4, ROOMS_ACROSS = 12 };

static void add_room(struct puzzle *p, int number, const char *room, int *paths)
{
    static const char labels[] = PATH_LETTERS;
    int x0 = number % ROOMS_ACROSS * (ROOM + 1), y0 = number / ROOMS_ACROSS * (ROOM + 1), most = 0;
    for (int i = 0; i < ROOM * ROOM; i++) {
        char c = room[i / ROOM * (ROOM + 1) + i % ROOM];
        int path = c - 'A';
        most = path > most ? path : most;
        p->cell[1 + y0 + i / ROOM][1 + x0 + i % ROOM] = c == '%'   ? '#'
                                                        : c == '.' ? '.'
                                                                   : labels[*paths + path];
    }
    p->width = p->width > x0 + ROOM ? p->width : x0 + ROOM;
    p->height = y0 + ROOM;
    *paths += most + 1;
}

START_TEST(strict_boards_with_many_solutions_are_counted)
{
    struct arbitrary source = {.state = (uint64_t)_i + 400000};
    for (int count = 1; count <= 31; count += count < 3 ? 1 : 4) {
        struct puzzle p;
        int paths = 0;
        char number[24];
        memset(&p, 0, sizeof p);
        memset(p.cell, '#', sizeof p.cell);
        for (int i = 0; i < count; i++)
            add_room(&p, i, rooms[arbitrary_below(&source, 2) + (count < 20 ? 0 : 2)], &paths);
        for (int turn = 0; turn < (int)arbitrary_below(&source, 8); turn++) {
            mirror(&p);
            transpose(&p);
        }
        snprintf(number, sizeof number, "%llu", 1ULL << count);
        const struct mw_map *map = solve(&p, PUZZLE_STRICT, "exact");
        ck_assert_msg(!strcmp(solutions(map), number), "%s, not %s\n%s", solutions(map), number,
                      query);
        uint64_t counts[PUZZLE_RULES];
        if (count <= 3 && puzzle_brute(&p, 100000000, counts, NULL))
            ck_assert_uint_eq(counts[PUZZLE_STRICT], 1u << count);
    }
}
END_TEST

/* Larger boards, with a number of solutions that the reference can list. */
START_TEST(counts_are_those_of_the_reference)
{
    int judged = 0;
    for (int i = 0; i < rounds(150); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 100000};
        struct puzzle p;
        if (!draw_board(&p, &source, 11))
            continue;
        for (int rule = 0; rule < PUZZLE_RULES; rule++) {
            long count = puzzle_reference(&p, (enum puzzle_rule)rule, 60, 0.5);
            if (count < 0)
                continue;
            const struct mw_map *map = solve(&p, (enum puzzle_rule)rule, "unique");
            ck_assert_msg(is_solved(map) == (count > 0), "the reference has %ld\n%s", count, query);
            ck_assert_msg(unique(map) == MW_NULL || unique(map) == (count == 1),
                          "the reference has %ld\n%s", count, query);
            if (count > 60)
                continue;
            map = solve(&p, (enum puzzle_rule)rule, "exact");
            ck_assert_msg(strtol(solutions(map), NULL, 10) == count,
                          "%s, the reference has %ld\n%s", solutions(map), count, query);
            judged++;
        }
    }
    ck_assert_int_ge(judged, rounds(100));
}
END_TEST

START_TEST(boards_are_solved_and_decided)
{
    struct puzzle p;
    load(&p, _i);
    const struct mw_map *map = solve(&p, PUZZLE_STRICT, "unique");
    ck_assert(is_solved(map) && unique(map) == 1);
    if (p.width < 20) {
        map = solve(&p, PUZZLE_STRICT, "exact");
        ck_assert_str_eq(solutions(map), "1");
    }
    map = solve(&p, PUZZLE_FLOW, "first");
    ck_assert(is_solved(map));
    if (boards[_i].flow != '?') {
        map = solve(&p, PUZZLE_FLOW, "unique");
        ck_assert_int_eq(unique(map), boards[_i].flow == '1');
    }
    if (boards[_i].count) {
        map = solve(&p, PUZZLE_FLOW, "exact");
        ck_assert_str_eq(solutions(map), boards[_i].count);
    }
}
END_TEST

/* The frontier passes through the board another way each time; the count stays. */
START_TEST(counts_do_not_change_when_a_board_is_turned)
{
    for (int i = 0; i < rounds(12); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 200000};
        struct puzzle p;
        char number[400] = "";
        while (!draw_board(&p, &source, 10) || p.width * p.height < 40)
            ;
        for (int rule = 0; rule < PUZZLE_RULES; rule++)
            for (int turn = 0; turn < 4; turn++) {
                const struct mw_map *map = solve(&p, (enum puzzle_rule)rule, "exact");
                ck_assert_msg(turn == 0 || !strcmp(number, solutions(map)), "%s and %s\n%s", number,
                              solutions(map), query);
                snprintf(number, sizeof number, "%s", solutions(map));
                mirror(&p);
                transpose(&p);
            }
    }
}
END_TEST

/* One path through an empty board from corner to corner: published numbers, beyond 64 and 128
   bits. */
START_TEST(counts_of_published_size)
{
    static const struct {
        int width, height;
        const char *count;
    } rows[] = {
        /* self-avoiding walks between opposite corners of a square (OEIS A007764) */
        {2, 2, "2"},
        {3, 3, "12"},
        {4, 4, "184"},
        {5, 5, "8512"},
        {6, 6, "1262816"},
        {7, 7, "575780564"},
        {8, 8, "789360053252"},
        {9, 9, "3266598486981642"},
        {10, 10, "41044208702632496804"},
        {11, 11, "1568758030464750013214100"},
        {12, 12, "182413291514248049241470885236"},
        {13, 13, "64528039343270018963357185158482118"},
        {14, 14, "69450664761521361664274701548907358996488"},
    };
    struct puzzle p;
    memset(&p, 0, sizeof p);
    memset(p.cell, '#', sizeof p.cell);
    p.width = rows[_i].width;
    p.height = rows[_i].height;
    for (int y = 1; y <= p.height; y++)
        memset(&p.cell[y][1], '.', (size_t)p.width);
    p.cell[1][1] = p.cell[p.height][p.width] = 'A';
    ck_assert_str_eq(solutions(solve(&p, PUZZLE_CLASSIC, "exact")), rows[_i].count);
}
END_TEST

/* The second ends of two paths, exchanged. */
START_TEST(unsolvable_boards_are_refuted)
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
            const struct mw_map *map = solve(&p, (enum puzzle_rule)rule, "first");
            ck_assert_msg(count < 0 || is_solved(map) == (count > 0), "the reference has %ld\n%s",
                          count, query);
        }
    }
}
END_TEST

/* Cut off at any step, the answer is whole or says that it was too hard; and what it says is
   true. */
START_TEST(a_budget_is_kept)
{
    struct puzzle p;
    for (int i = 0; i < rounds(150); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 300000};
        const struct mw_problem *problem;
        load(&p, (int)arbitrary_below(&source, 18));
        solve(&p, PUZZLE_FLOW, "first");
        snprintf(strstr(query, "count="), 20, "count=unique");
        uint64_t steps = 1 + arbitrary_below(&source, 1u << arbitrary_below(&source, 22));
        const struct mw_map *map = ask("puzzle/solve", steps, &problem);
        ck_assert_msg(map || problem->fault == MW_TOO_HARD, "fault %d: %s", problem->fault,
                      problem->detail);
        ck_assert_msg(!map || is_solved(map), "refuted, but solvable\n%s", query);
    }
}
END_TEST

/* However few of the steps are left for counting, the solution that was found is given, with a
   reason why they are not counted (check_puzzle.c). */
START_TEST(what_cannot_be_counted_is_solved)
{
    struct puzzle p;
    load(&p, _i);
    if (p.width * p.height < 400)
        return;
    for (int i = 0; i < rounds(3); i++) {
        struct arbitrary source = {.state = (uint64_t)_i * 1000 + (uint64_t)i};
        const struct mw_problem *problem;
        solve(&p, PUZZLE_FLOW, "first");
        snprintf(strstr(query, "count="), 20, "count=exact");
        uint64_t steps = 2 * spent + (1 << 22) + arbitrary_below(&source, 5000000);
        const struct mw_map *map = ask("puzzle/solve", steps, &problem);
        ck_assert_msg(map, "after %llu steps: %s", (unsigned long long)steps, problem->detail);
        ck_assert(is_solved(map) && !solutions(map));
        ck_assert_uint_le(spent, steps);
    }
}
END_TEST

/* Boards of printed size are swept, within a small part of the steps that clauses for them would
   take. */
START_TEST(printed_boards_are_swept)
{
    struct puzzle p;
    load(&p, _i);
    if (p.width > 24)
        return;
    solve(&p, PUZZLE_STRICT, "first");
    ck_assert_uint_le(spent, 200u * (unsigned)(p.width * p.height));
}
END_TEST

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

START_TEST(bad_boards_are_refused)
{
    const struct mw_problem *problem;
    snprintf(query, sizeof query, "%s", bad[_i].query);
    ck_assert(!ask("puzzle/solve", 0, &problem));
    ck_assert_int_eq(problem->fault, MW_BAD_PARAM);
    ck_assert_msg(!strncmp(problem->pointer, "/grid", 5), "%s", problem->pointer);
    ck_assert_msg(!bad[_i].says || strstr(problem->detail, bad[_i].says), "says: %s",
                  problem->detail);
}
END_TEST

/* ---- making ---------------------------------------------------------------------------------- */

static const struct {
    int width, height, colours; /* 0: by default */
    enum puzzle_rule rule;
    int min_length, seeds;
} demands[] = {
    {5, 5, 0, PUZZLE_STRICT, 3, 60},  {6, 9, 0, PUZZLE_STRICT, 3, 40},
    {7, 7, 0, PUZZLE_STRICT, 3, 100}, {14, 14, 0, PUZZLE_STRICT, 3, 40},
    {20, 20, 0, PUZZLE_STRICT, 3, 5}, {30, 30, 0, PUZZLE_STRICT, 3, 3},
    {40, 40, 0, PUZZLE_STRICT, 3, 1}, {5, 5, 0, PUZZLE_FLOW, 3, 60},
    {8, 8, 0, PUZZLE_FLOW, 3, 40},    {10, 10, 0, PUZZLE_FLOW, 3, 15},
    {12, 12, 0, PUZZLE_FLOW, 3, 6},   {20, 20, 0, PUZZLE_FLOW, 3, 2},
    {8, 8, 12, PUZZLE_STRICT, 3, 20}, {9, 9, 6, PUZZLE_STRICT, 4, 20},
    {7, 7, 9, PUZZLE_FLOW, 2, 20},    {6, 6, 0, PUZZLE_CLASSIC, 3, 20},
};

START_TEST(boards_are_made)
{
    for (int seed = 0; seed < rounds(demands[_i].seeds); seed++) {
        const struct mw_problem *problem;
        struct puzzle p;
        int n = snprintf(query, sizeof query, "width=%d&height=%d&rule=%s&min_length=%d&seed=%d",
                         demands[_i].width, demands[_i].height, puzzle_rule_names[demands[_i].rule],
                         demands[_i].min_length, seed);
        if (demands[_i].colours)
            snprintf(query + n, sizeof query - (size_t)n, "&colours=%d", demands[_i].colours);
        const struct mw_map *map = ask("puzzle/generate", 0, &problem);
        ck_assert_msg(map != NULL, "%s: %s\n%s", problem->pointer, problem->detail, query);
        struct mw_rows rows = map->slots[0].as.value.rows;
        static char text[PUZZLE_SIDE * (PUZZLE_SIDE + 1)];
        for (int y = 0; y < rows.count; y++) {
            memcpy(text + y * (rows.width + 1), rows.at + y * (rows.width + 1), (size_t)rows.width);
            text[y * (rows.width + 1) + rows.width] = y + 1 < rows.count ? '/' : '\0';
        }
        ck_assert(puzzle_parse(&p, text));
        if (demands[_i].width <= 14) {
            long count = puzzle_reference(&p, demands[_i].rule, 1, 2);
            ck_assert_msg(count < 0 || count == 1, "the reference has %ld\n%s", count, query);
        }
        ck_assert_int_eq(unique(solve(&p, demands[_i].rule, "unique")), 1);
    }
}
END_TEST

/* Whether some placing of ends, of path `label` on, has one solution, which covers the board. */
static bool some_is_unique(struct puzzle *p, char label, char last, const char *from,
                           enum puzzle_rule rule)
{
    uint64_t counts[PUZZLE_RULES];
    if (label > last) {
        ck_assert(puzzle_brute(p, 1000000, counts, NULL));
        return counts[rule] == 1 && counts[rule == PUZZLE_STRICT ? rule : PUZZLE_FLOW] == 1;
    }
    int width = p->width, cells = width * p->height;
    bool some = false;
    for (int i = 0; i < cells * cells && !some; i++) {
        char *one = &p->cell[1 + i / cells / width][1 + i / cells % width];
        char *two = &p->cell[1 + i % cells / width][1 + i % cells % width];
        if (one <= from || two <= one || *one != '.' || *two != '.')
            continue;
        *one = *two = label;
        some = some_is_unique(p, (char)(label + 1), last, one, rule);
        *one = *two = '.';
    }
    return some;
}

static const struct {
    const char *rows;
    int width, height;
} tiny[] = {{"../..", 2, 2},     {".../...", 3, 2},     {".../.../...", 3, 3},
            {"..../....", 4, 2}, {"...../.....", 5, 2}, {".../.../.../...", 3, 4}};

START_TEST(tiny_boards_are_made_where_there_are_any)
{
    for (int colours = 1; colours <= 3; colours++)
        for (int rule = 0; rule < PUZZLE_RULES; rule++) {
            struct puzzle p;
            puzzle_parse(&p, tiny[_i].rows);
            if (2 * colours > p.width * p.height)
                continue;
            bool some =
                some_is_unique(&p, 'A', (char)('A' + colours - 1), NULL, (enum puzzle_rule)rule);
            for (int seed = 0; seed < 5; seed++) {
                const struct mw_problem *problem;
                snprintf(query, sizeof query,
                         "width=%d&height=%d&colours=%d&rule=%s&min_length=2&seed=%d",
                         tiny[_i].width, tiny[_i].height, colours, puzzle_rule_names[rule], seed);
                bool made = ask("puzzle/generate", 0, &problem) != NULL;
                ck_assert_msg(made == some, "made %d, and there is %d\n%s", made, some, query);
            }
        }
}
END_TEST

static const char *const known[] = {
    "width=3&height=3&colours=2",
    "width=4&height=4&colours=2&min_length=4",
    "width=4&height=4&colours=3&min_length=4",
    "width=3&height=4&colours=2&min_length=6",
    "width=4&height=4&from=random",
    "width=5&height=5&from=random&colours=4&rule=flow",
};

START_TEST(known_tiny_boards_are_made)
{
    for (int seed = 0; seed < 100; seed++) {
        snprintf(query, sizeof query, "%s&seed=%d", known[_i], seed);
        must("puzzle/generate");
    }
}
END_TEST

START_TEST(impossible_demands_are_refused)
{
    static const char *const demand[] = {
        "width=3&height=3&colours=4",
        "width=5&height=5&min_length=26",
        "width=2&height=2&colours=1",
        "width=8&height=8&colours=32",
    };
    const struct mw_problem *problem;
    for (size_t i = 0; i < sizeof demand / sizeof demand[0]; i++) {
        snprintf(query, sizeof query, "%s&seed=1", demand[i]);
        ck_assert(!ask("puzzle/generate", 0, &problem));
        ck_assert_msg(problem->fault == MW_NO_RESULT, "%s: %s", demand[i], problem->detail);
        ck_assert_str_eq(problem->pointer, "/colours");
    }
}
END_TEST

/* ---- deductions ------------------------------------------------------------------------------ */

static struct puzzle_links links;

/* What rules up to HARD find, held against the number of solutions with each link. */
static void judge_findings(const struct puzzle *p, enum puzzle_rule rule, uint64_t solutions,
                           int seen[static REASONS])
{
    struct mw_run *run;
    struct board board = open_board(&run, p);
    struct deduce d = deduce_new(run, &board, (enum rule)rule);
    bool good = deduce_begin(&d);
    for (enum difficulty level = NORMAL; good && level <= HARD; level++)
        good = path_settle(&d, level);
    ck_assert_msg(good || !solutions, "refuted, with solutions: %s", puzzle_query(p, query));
    ck_assert_msg(!good || d.finds < d.links || solutions == 1, "settled, with %llu solutions: %s",
                  (unsigned long long)solutions, puzzle_query(p, query));
    for (int32_t i = 0; solutions && i < d.finds; i++) {
        int32_t one = d.found[i].cell, other = board.next[one][d.found[i].side];
        int32_t cell = one < other ? one : other;
        uint64_t with = links.with[rule][cell / p->width + 1][cell % p->width + 1]
                                  [d.found[i].side == DOWN || d.found[i].side == UP];
        ck_assert_msg(with == (d.found[i].link ? solutions : 0), "reason %d is wrong at %d: %s",
                      d.found[i].reason, cell, puzzle_query(p, query));
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

static void read_board(struct puzzle *p, struct mw_rows grid)
{
    static char rows[PUZZLE_TEXT];
    memcpy(rows, grid.at, (size_t)((grid.width + 1) * grid.count));
    for (int y = 0; y < grid.count; y++)
        rows[y * (grid.width + 1) + grid.width] = y + 1 < grid.count ? '/' : '\0';
    ck_assert(puzzle_parse(p, rows));
}

START_TEST(deductions_hold_in_every_solution)
{
    int seen[REASONS] = {0};
    for (int i = 0; i < rounds(6000); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 600000};
        struct puzzle p;
        uint64_t counts[PUZZLE_RULES];
        if (!draw_board(&p, &source, 6) || !puzzle_brute(&p, 200000, counts, &links))
            continue;
        for (int rule = 0; rule < PUZZLE_RULES; rule++)
            judge_findings(&p, (enum puzzle_rule)rule, counts[rule], seen);
    }
    for (int i = 0; i < rounds(40); i++) {
        struct puzzle p;
        enum puzzle_rule rule = i % 2 ? PUZZLE_STRICT : PUZZLE_FLOW;
        int side = i % 2 ? 14 : 8;
        snprintf(query, sizeof query, "width=%d&height=%d&rule=%s&seed=%d", side, side,
                 puzzle_rule_names[rule], i);
        const struct mw_map *map = must("puzzle/generate");
        read_links(rule, &map->slots[7].as.table);
        read_board(&p, map->slots[0].as.value.rows);
        judge_findings(&p, rule, 1, seen);
    }
    for (int reason = 0; reason < REASONS; reason++)
        ck_assert_msg(seen[reason] > 20, "reason %d: %d times", reason, seen[reason]);
}
END_TEST

START_TEST(hints_are_true)
{
    int helpful = 0;
    for (int i = 0; i < rounds(1500); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 700000};
        struct puzzle p;
        uint64_t counts[PUZZLE_RULES];
        char rows[PUZZLE_TEXT];
        if (!draw_board(&p, &source, 6) || !puzzle_brute(&p, 200000, counts, &links))
            continue;
        for (int rule = 0; rule < PUZZLE_RULES; rule++) {
            snprintf(query, sizeof query, "grid=%s&rule=%s&hint=true", puzzle_query(&p, rows),
                     puzzle_rule_names[rule]);
            const struct mw_map *map = must("puzzle/solve");
            const struct mw_rowset *hint = &map->slots[8].as.table;
            struct mw_points cells = ((struct mw_points *)hint->columns[0])[0];
            const char *reason = ((const char **)hint->columns[1])[0];
            ck_assert(is_solved(map) == (counts[rule] > 0));
            if (!cells.count || !counts[rule])
                continue;
            bool down = cells.at[0].x == cells.at[1].x;
            struct mw_point at =
                cells.at[cells.at[1].x + cells.at[1].y < cells.at[0].x + cells.at[0].y];
            uint64_t with = links.with[rule][at.y + 1][at.x + 1][down];
            ck_assert_msg(with == (strstr(reason, "they are linked") ? counts[rule] : 0), "%s\n%s",
                          reason, query);
            ck_assert(!strstr(reason, "they are linked") != !strstr(reason, "they are not linked"));
            helpful++;
        }
    }
    ck_assert_int_gt(helpful, rounds(1500));
}
END_TEST

static const char *const difficulty_names[] = {"easy", "normal", "hard", "extreme"};

START_TEST(boards_of_each_difficulty_are_made)
{
    static const int sides[] = {7, 10, 14, 17, 20};
    enum puzzle_rule rule = _i % 2 ? PUZZLE_STRICT : PUZZLE_FLOW;
    int difficulty = _i / 2 % 4, side = sides[_i / 8];
    if (side == 7 && difficulty == 3)
        return; /* nearly all boards as small as that are easier */
    for (int seed = 0; seed < rounds(side < 14 ? 10 : side < 17 ? 3 : 1); seed++) {
        snprintf(query, sizeof query, "width=%d&height=%d&rule=%s&difficulty=%s&seed=%d", side,
                 side, puzzle_rule_names[rule], difficulty_names[difficulty], seed);
        must("puzzle/generate"); /* the judge looks at the difficulty */
    }
}
END_TEST

static int by_value(const void *a, const void *b)
{
    return (*(const long *)a > *(const long *)b) - (*(const long *)a < *(const long *)b);
}

/* How many guesses a plain search takes, in the middle of some boards. */
static long usual_guesses(int side, enum puzzle_rule rule, const char *difficulty)
{
    enum { SAMPLE = 41, MOST = 20000 };
    long guesses[SAMPLE];
    for (int seed = 0; seed < SAMPLE; seed++) {
        struct puzzle p;
        snprintf(query, sizeof query, "width=%d&height=%d&rule=%s&difficulty=%s&seed=%d", side,
                 side, puzzle_rule_names[rule], difficulty, seed);
        read_board(&p, must("puzzle/generate")->slots[0].as.value.rows);
        guesses[seed] = puzzle_guesses(&p, rule, MOST);
    }
    qsort(guesses, SAMPLE, sizeof *guesses, by_value);
    return guesses[SAMPLE / 2];
}

START_TEST(harder_boards_take_more_guesses)
{
    static const struct {
        int side;
        enum puzzle_rule rule;
    } kinds[] = {{8, PUZZLE_STRICT},
                 {10, PUZZLE_STRICT},
                 {12, PUZZLE_STRICT},
                 {14, PUZZLE_STRICT},
                 {9, PUZZLE_FLOW}};
    long before = -1;
    for (int i = 0; i < 4; i++) {
        long guesses = usual_guesses(kinds[_i].side, kinds[_i].rule, difficulty_names[i]);
        if (is_long())
            printf("%dx%d %s: %ld guesses\n", kinds[_i].side, kinds[_i].side, difficulty_names[i],
                   guesses);
        ck_assert_msg(guesses > before, "%s: %ld, easier ones %ld", difficulty_names[i], guesses,
                      before);
        before = guesses;
    }
}
END_TEST

/* Boards look the same at every size: steps of both directions, ends as even as by chance (their
   chi square per degree of freedom is 1 then; begun as a path a row, 50 at 64x64), few midgets,
   paths about twice as long as their ends are apart, of all lengths. */
static const struct {
    const char *query;
    int seeds, large;       /* from 10x10 on midgets are few */
    double straight, wound; /* the range of the detour */
} looks[] = {
    {"width=7&height=7", 60, 0, 1.65, 2.2},
    {"width=10&height=10", 100, 1, 1.8, 2.3},
    {"width=14&height=14", 50, 1, 1.8, 2.3},
    {"width=20&height=20&unique=false", 40, 1, 1.8, 2.4},
    {"width=40&height=40&unique=false", 8, 1, 1.8, 2.5},
    {"width=64&height=64&unique=false", 3, 1, 1.8, 3.2},
    {"width=50&height=50&colours=40&unique=false", 3, 1, 1.8, 3},
    {"width=10&height=10&rule=flow", 25, 1, 1.6, 2.3},
    {"width=17&height=17&rule=flow", 8, 1, 1.4, 2.2},
    {"width=10&height=10&rule=classic", 25, 1, 1.7, 2.4},
};

START_TEST(boards_look_alike_at_every_size)
{
    struct feel f = {0};
    for (int seed = 0; seed < looks[_i].seeds; seed++) {
        snprintf(query, sizeof query, "%s&seed=%d", looks[_i].query, seed);
        const struct mw_map *map = must("puzzle/generate");
        struct mw_rows rows = map->slots[0].as.value.rows;
        feel_add(&f, rows.width, rows.count, &map->slots[7].as.table);
    }
    double level = (double)f.level / (double)f.steps, midgets = (double)f.midgets / (double)f.paths;
    double detour = f.detour / f.boards, spread = f.spread / f.boards;
    ck_assert_double_le(fabs(level - 0.5), 0.05);
    ck_assert_double_le(feel_clumps(&f), 3);
    ck_assert_double_le(f.rim, 1.1 * f.fair_rim);
    ck_assert_double_le((double)f.leaning, 0.3 * (double)f.tiles);
    ck_assert(!looks[_i].large || midgets <= 0.08);
    ck_assert_double_ge(detour, looks[_i].straight);
    ck_assert_double_le(detour, looks[_i].wound);
    ck_assert(spread >= 0.6 && spread <= 0.9);
}
END_TEST

/* So few colours as printed boards have: of twenty, nineteen are made. */
static const struct {
    const char *query;
    int seeds, least;
} sparse[] = {
    {"width=9&height=9&colours=4", 20, 19},
    {"width=12&height=12&colours=6", 20, 19},
    {"width=14&height=14&colours=7", 20, 19},
    {"width=14&height=14&colours=5", 20, 19},
    {"width=12&height=12&colours=6&rule=flow", 4, 4},
    {"width=14&height=14&colours=9&rule=flow", 6, 6},
    {"width=14&height=14&rule=classic", 6, 6},
};

START_TEST(boards_of_few_colours_are_made)
{
    int made = 0;
    for (int seed = 0; seed < sparse[_i].seeds; seed++) {
        const struct mw_problem *problem;
        snprintf(query, sizeof query, "%s&seed=%d", sparse[_i].query, seed);
        made += ask("puzzle/generate", 0, &problem) != NULL;
    }
    ck_assert_int_ge(made, sparse[_i].least);
}
END_TEST

static TCase *add(Suite *suite, const char *name, const TTest *test, int loops)
{
    TCase *one = tcase_create(name);
    tcase_set_timeout(one, 3600);
    tcase_add_loop_test(one, test, 0, loops);
    suite_add_tcase(suite, one);
    return one;
}

/* What many boards come to: the same code as above, so a sanitizer has nothing to learn from it. */
static void measure(Suite *suite, const char *name, const TTest *test, int loops)
{
    tcase_set_tags(add(suite, name, test, loops), "measures");
}

Suite *prop_puzzle(void);
Suite *prop_puzzle(void)
{
    Suite *suite = suite_create("promises of puzzle");
    add(suite, "brute", counts_are_those_of_brute_force, 1);
    add(suite, "wide", counts_of_wide_states_are_those_of_brute_force, 1);
    add(suite, "many", strict_boards_with_many_solutions_are_counted, 4);
    measure(suite, "reference", counts_are_those_of_the_reference, 1);
    add(suite, "boards", boards_are_solved_and_decided, BOARDS);
    add(suite, "turned", counts_do_not_change_when_a_board_is_turned, 1);
    measure(suite, "published", counts_of_published_size, 13);
    add(suite, "unsolvable", unsolvable_boards_are_refuted, BOARDS);
    add(suite, "budget", a_budget_is_kept, 1);
    add(suite, "uncounted", what_cannot_be_counted_is_solved, BOARDS);
    add(suite, "swept", printed_boards_are_swept, BOARDS);
    add(suite, "bad", bad_boards_are_refused, (int)(sizeof bad / sizeof bad[0]));
    add(suite, "made", boards_are_made, (int)(sizeof demands / sizeof demands[0]));
    measure(suite, "looks", boards_look_alike_at_every_size, (int)(sizeof looks / sizeof looks[0]));
    measure(suite, "sparse", boards_of_few_colours_are_made,
            (int)(sizeof sparse / sizeof sparse[0]));
    add(suite, "tiny", tiny_boards_are_made_where_there_are_any,
        (int)(sizeof tiny / sizeof tiny[0]));
    add(suite, "known", known_tiny_boards_are_made, (int)(sizeof known / sizeof known[0]));
    add(suite, "impossible", impossible_demands_are_refused, 1);
    add(suite, "deductions", deductions_hold_in_every_solution, 1);
    add(suite, "hints", hints_are_true, 1);
    measure(suite, "difficulty", boards_of_each_difficulty_are_made, 40);
    measure(suite, "guesses", harder_boards_take_more_guesses, 5);
    return suite;
}
