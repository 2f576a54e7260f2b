/*
 * prop_puzzle_count.c: path puzzles counted.
 *
 * Counts are held against brute force, against another solver (libcadical) on other clauses, and
 * against published numbers; so are the searches by themselves. MAPWRIGHT_LONG=1 tries twenty times
 * as many.
 */
#include "ask_puzzle.h"
#include "gen/path/solver/solver.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *count_all(const struct puzzle *p, enum puzzle_rule rule)
{
    struct mw_run *run;
    struct board board = puzzle_board(&run, p);
    return path_count(run, &board, (enum rule)rule, UINT64_MAX);
}

/* The two searches by themselves, where there are so many solutions: whether the first went
   through. */
static bool judge_searches(const struct puzzle *p, enum puzzle_rule rule, uint64_t solutions)
{
    struct mw_run *run;
    struct board board = puzzle_board(&run, p);
    uint8_t *found = MW_NEW(run, uint8_t, board.cells);
    struct swept swept = path_sweep(run, &board, (enum rule)rule, 2, UINT64_MAX, found);
    uint64_t most = solutions < 2 ? solutions : 2;
    ck_assert_msg((uint64_t)swept.found <= most && (!swept.over || (uint64_t)swept.found == most),
                  "swept %d of %llu\n%s", swept.found, (unsigned long long)solutions,
                  puzzle_query(p, puzzle_asked));
    if (swept.found && rule != PUZZLE_STRICT)
        ck_assert_msg(!path_reroute(run, &board, (enum rule)rule, 1u << 30, found) || solutions > 1,
                      "rerouted, with one solution\n%s", puzzle_query(p, puzzle_asked));
    struct clause_search *search = search_new(run, &board, (enum rule)rule);
    uint64_t listed = 0;
    while (listed <= solutions && search_next(search, UINT64_MAX, found) == FOUND)
        listed++;
    ck_assert_msg(listed == solutions, "listed %llu of %llu\n%s", (unsigned long long)listed,
                  (unsigned long long)solutions, puzzle_query(p, puzzle_asked));
    return swept.over || swept.found == 2;
}

enum { LISTED = 60 }; /* solutions, one by one */

TEST(counts_are_those_of_brute_force)
{
    int judged = 0, solvable = 0, swept = 0;
    for (int i = 0; i < rounds(23000); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 1};
        struct puzzle p;
        uint64_t counts[PUZZLE_RULES];
        if (!puzzle_draw(&p, &source, 6) || !puzzle_brute(&p, 4000000, counts, NULL))
            continue;
        for (int rule = 0; rule < PUZZLE_RULES; rule++) {
            char number[24];
            snprintf(number, sizeof number, "%llu", (unsigned long long)counts[rule]);
            const struct mw_map *map = puzzle_solve(&p, (enum puzzle_rule)rule, "exact");
            ck_assert_msg(!strcmp(puzzle_solutions(map), number), "%s solutions, not %s\n%s",
                          number, puzzle_solutions(map), puzzle_asked);
            map = puzzle_solve(&p, (enum puzzle_rule)rule, "unique");
            ck_assert_msg(puzzle_is_solved(map) == (counts[rule] > 0) &&
                              puzzle_unique(map) == (counts[rule] == 1),
                          "%s solutions, verdict %d %d\n%s", number, puzzle_is_solved(map),
                          puzzle_unique(map), puzzle_asked);
            map = puzzle_solve(&p, (enum puzzle_rule)rule, "first");
            ck_assert(puzzle_is_solved(map) == (counts[rule] > 0));
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

TEST(counts_of_wide_states_are_those_of_brute_force)
{
    int judged = 0;
    for (int i = 0; i < rounds(2000); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 500000};
        struct puzzle p, wide, wider, below;
        uint64_t counts[PUZZLE_RULES];
        if (!puzzle_draw(&p, &source, 6) || !puzzle_brute(&p, 1000000, counts, NULL))
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

/* Strict boards with several solutions are rare: of the boards of 4 x 4 with two paths this one and
   its mirror images have two. Of many such rooms, walled off from each other, there are more
   solutions than are listed. */
static const char room[] = "..../.##./.AB./B..A";
enum { ROOM = 4, ROOMS_ACROSS = 12 };

static void add_room(struct puzzle *p, int number)
{
    static const char labels[] = PATH_LETTERS;
    int x0 = number % ROOMS_ACROSS * (ROOM + 1), y0 = number / ROOMS_ACROSS * (ROOM + 1);
    for (int i = 0; i < ROOM * ROOM; i++) {
        char c = room[i / ROOM * (ROOM + 1) + i % ROOM];
        p->cell[1 + y0 + i / ROOM][1 + x0 + i % ROOM] = c < 'A' ? c : labels[2 * number + c - 'A'];
    }
    p->width = p->width > x0 + ROOM ? p->width : x0 + ROOM;
    p->height = y0 + ROOM;
}

TEST(strict_solutions_are_counted_to_a_thousand, .end = 4)
{
    for (int count = 1; count <= 31; count += count < 3 ? 1 : 4) {
        struct puzzle p;
        char number[24];
        puzzle_blank(&p, 0, 0);
        for (int i = 0; i < count; i++)
            add_room(&p, i);
        for (int turn = 0; turn < _i; turn++) {
            puzzle_mirror(&p);
            puzzle_transpose(&p);
        }
        snprintf(number, sizeof number, "%llu", 1ULL << count);
        const struct mw_map *map = puzzle_solve(&p, PUZZLE_STRICT, "exact");
        const char *said = puzzle_solutions(map);
        ck_assert_msg(count > 9 ? !said || !*said : !strcmp(said, number), "%s, not %s\n%s", said,
                      number, puzzle_asked);
        ck_assert_int_eq(puzzle_unique(map), false);
    }
}

/* Larger boards, with a number of solutions that the reference can list. */
TEST(counts_are_those_of_the_reference, .measures = true)
{
    int judged = 0;
    for (int i = 0; i < rounds(150); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 100000};
        struct puzzle p;
        if (!puzzle_draw(&p, &source, 11))
            continue;
        for (int rule = 0; rule < PUZZLE_RULES; rule++) {
            long count = puzzle_reference(&p, (enum puzzle_rule)rule, 60, 0.5);
            if (count < 0)
                continue;
            const struct mw_map *map = puzzle_solve(&p, (enum puzzle_rule)rule, "unique");
            ck_assert_msg(puzzle_is_solved(map) == (count > 0), "the reference has %ld\n%s", count,
                          puzzle_asked);
            ck_assert_msg(puzzle_unique(map) == MW_NULL || puzzle_unique(map) == (count == 1),
                          "the reference has %ld\n%s", count, puzzle_asked);
            if (count > 60)
                continue;
            map = puzzle_solve(&p, (enum puzzle_rule)rule, "exact");
            ck_assert_msg(strtol(puzzle_solutions(map), NULL, 10) == count,
                          "%s, the reference has %ld\n%s", puzzle_solutions(map), count,
                          puzzle_asked);
            judged++;
        }
    }
    ck_assert_int_ge(judged, rounds(100));
}

/* The frontier passes through the board another way each time; the count stays. */
TEST(counts_do_not_change_when_a_board_is_turned)
{
    for (int i = 0; i < rounds(12); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 200000};
        struct puzzle p;
        char number[400] = "";
        while (!puzzle_draw(&p, &source, 10) || p.width * p.height < 40)
            ;
        for (int rule = 0; rule < PUZZLE_RULES; rule++)
            for (int turn = 0; turn < 4; turn++) {
                const struct mw_map *map = puzzle_solve(&p, (enum puzzle_rule)rule, "exact");
                ck_assert_msg(turn == 0 || !strcmp(number, puzzle_solutions(map)), "%s and %s\n%s",
                              number, puzzle_solutions(map), puzzle_asked);
                snprintf(number, sizeof number, "%s", puzzle_solutions(map));
                puzzle_mirror(&p);
                puzzle_transpose(&p);
            }
    }
}

/* A board as brute force counts it, on which a step over two cells at once mixes pairs up. */
TEST(pairs_that_close_side_by_side_are_told_apart)
{
    uint64_t counts[PUZZLE_RULES];
    struct puzzle p;
    ck_assert(puzzle_parse(&p, "B#A.../.#A.../....../B...#C/.###C."));
    ck_assert(puzzle_brute(&p, 4000000, counts, NULL));
    ck_assert_uint_eq(counts[PUZZLE_CLASSIC], 87);
    ck_assert_str_eq(puzzle_solutions(puzzle_solve(&p, PUZZLE_CLASSIC, "exact")), "87");
    /* and one on which equal states meet whose pairs had different names */
    ck_assert(puzzle_parse(&p, ".....B/....../.AAB../....../....../......"));
    ck_assert_str_eq(puzzle_solutions(puzzle_solve(&p, PUZZLE_CLASSIC, "exact")), "223755");
}

/* One path through an empty board from corner to corner, of 2 x 2 to 14 x 14 cells: self-avoiding
   walks (OEIS A007764), beyond 64 and 128 bits. */
static const char *const walks[] = {
    "2",
    "12",
    "184",
    "8512",
    "1262816",
    "575780564",
    "789360053252",
    "3266598486981642",
    "41044208702632496804",
    "1568758030464750013214100",
    "182413291514248049241470885236",
    "64528039343270018963357185158482118",
    "69450664761521361664274701548907358996488",
};

TEST(counts_of_published_size, .end = COUNT(walks), .measures = true)
{
    struct puzzle p;
    puzzle_blank(&p, _i + 2, _i + 2);
    p.cell[1][1] = p.cell[p.height][p.width] = 'A';
    ck_assert_str_eq(puzzle_solutions(puzzle_solve(&p, PUZZLE_CLASSIC, "exact")), walks[_i]);
}

/* Ten rooms of 5 x 5, each with 8512 walks: 8512^10; one frontier counts more than 2^64. */
TEST(a_number_larger_than_a_word_is_counted_again)
{
    struct puzzle p;
    puzzle_blank(&p, 5, 59);
    for (int i = 0; i < 10; i++) {
        p.cell[6 * i + 1][1] = p.cell[6 * i + 5][5] = (char)('A' + i);
        for (int x = 1; x <= 5 && i < 9; x++)
            p.cell[6 * i + 6][x] = '#';
    }
    ck_assert_str_eq(puzzle_solutions(puzzle_solve(&p, PUZZLE_CLASSIC, "exact")),
                     "1996715317215192264300939347192367284224");
}

/* A wide board is solved, and counting is given up long before all steps are spent. */
TEST(a_count_in_vain_ends_soon, .measures = true)
{
    static const char rows[] =
        "A..................B/...CA.C.........D.../..................E./.........E........../"
        "..................../...D.........FG...../..........B...H..G../............I..JH.../"
        "..................../I.............K....L/.........M......M.../....N.............../"
        "..K.....J..........L/......F...O........./.......P............/..................../"
        "....Q.N...P.....Q.../.....R..R.......S.../S..T..........O...../T...................";
    struct puzzle p;
    ck_assert(puzzle_parse(&p, rows));
    const struct mw_map *map = puzzle_solve(&p, PUZZLE_FLOW, "exact");
    ck_assert(puzzle_is_solved(map));
    ck_assert(!puzzle_solutions(map) || !*puzzle_solutions(map));
    ck_assert_uint_lt(puzzle_spent, 300000000);
}
