/*
 * prop_puzzle_make.c: the promises of /puzzle/generate: boards that are made have one solution, by
 * another solver too, of every size, with few colours, of every difficulty; and they look alike.
 */
#include "ask_puzzle.h"
#include "feel.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of `seeds` boards at least `least` are made. */
static const struct {
    const char *query;
    int seeds, least;
} demands[] = {
    {"width=5&height=5", 60, 60},
    {"width=6&height=9", 40, 40},
    {"width=7&height=7", 100, 100},
    {"width=14&height=14", 40, 40},
    {"width=20&height=20", 5, 5},
    {"width=30&height=30", 3, 3},
    {"width=40&height=40", 1, 1},
    {"width=5&height=5&rule=flow", 60, 60},
    {"width=8&height=8&rule=flow", 40, 40},
    {"width=10&height=10&rule=flow", 15, 15},
    {"width=12&height=12&rule=flow", 6, 6},
    {"width=20&height=20&rule=flow", 2, 2},
    {"width=6&height=6&rule=classic", 20, 20},
    {"width=8&height=8&colors=12", 20, 20},
    {"width=9&height=9&colors=6&min_length=4", 20, 20},
    {"width=7&height=7&colors=9&rule=flow&min_length=2", 20, 20},
    /* few colours */
    {"width=12&height=12&colors=6", 20, 19},
    {"width=14&height=14&rule=classic", 6, 6},
    /* next to the smallest */
    {"width=3&height=3&colors=2", 100, 100},
    {"width=4&height=4&colors=2&min_length=4", 100, 100},
    {"width=4&height=4&colors=3&min_length=4", 100, 100},
    {"width=3&height=4&colors=2&min_length=6", 100, 100},
    {"width=5&height=5&colors=2&rule=flow", 1, 1},
    {"width=4&height=4&from=random", 100, 100},
    {"width=5&height=5&from=random&colors=4&rule=flow", 100, 100},
    /* nearly more paths than there are letters, and the largest */
    {"width=27&height=28&rule=flow&min_length=2", 8, 1},
    {"width=28&height=27&rule=classic&min_length=2", 8, 1},
    {"width=12&height=63&rule=flow&min_length=2", 8, 1},
    {"width=30&height=30&rule=flow&min_length=2", 8, 1},
    {"width=64&height=64&rule=flow&unique=false&min_length=2", 8, 1},
    {"width=64&height=64&colors=1&rule=flow&unique=false&min_length=2", 8, 1},
    {"width=63&height=63&colors=11&rule=classic&unique=false&min_length=2", 8, 1},
    {"width=64&height=64&colors=62&rule=classic&unique=false&min_length=2", 8, 1},
    {"width=64&height=64&min_length=2", 8, 1},
    {"width=64&height=64&colors=62&unique=false&min_length=2", 8, 1},
    {"width=64&height=2&colors=62&rule=classic&unique=false&min_length=2", 8, 1},
    {"width=64&height=2&colors=1&rule=flow&min_length=2", 8, 1},
    {"width=9&height=64&colors=22&rule=flow&min_length=2", 8, 1},
};

/* By the solver, and by another. puzzle_ask() has judged the paths. */
static void assert_unique(const struct mw_map *map)
{
    struct puzzle p;
    enum puzzle_rule rule = puzzle_rule_of(map->request->address);
    puzzle_read(&p, map->slots[0].as.value.rows);
    if (p.width > 14 && rule != PUZZLE_STRICT)
        return;
    if (p.width <= 14) {
        long count = puzzle_reference(&p, rule, 1, 2);
        ck_assert_msg(count < 0 || count == 1, "the reference has %ld\n%s", count, puzzle_asked);
    }
    ck_assert_int_eq(puzzle_unique(puzzle_solve(&p, rule, "unique")), 1);
}

TEST(boards_are_made, .end = COUNT(demands), .measures = true)
{
    int made = 0;
    for (int seed = 0; seed < demands[_i].seeds && made < demands[_i].least; seed++) {
        const struct mw_problem *problem;
        snprintf(puzzle_asked, sizeof puzzle_asked, "%s&seed=%d", demands[_i].query, seed);
        const struct mw_map *map = puzzle_ask("puzzle/generate", 0, &problem);
        made += map != NULL;
        if (map && !strstr(puzzle_asked, "unique=false"))
            assert_unique(map);
    }
    ck_assert_msg(made >= demands[_i].least, "%d made of %s", made, demands[_i].query);
}

static const struct {
    const char *query, *says; /* a part of the problem's detail, or its pointer */
} refused[] = {
    {"width=30&height=30&colors=20&rule=flow&min_length=2", "rule=strict"},
    {"width=40&height=40&rule=flow&min_length=2", "rule=strict"},
    {"width=63&height=63&colors=11&rule=flow&min_length=2", "rule=strict"},
    {"width=64&height=64&rule=classic&min_length=2", "rule=strict"},
    {"width=3&height=3&colors=4", "/colors"},
    {"width=5&height=5&min_length=26", "/min_length"},
    {"width=2&height=2&colors=1", "/colors"},
    {"width=8&height=8&colors=32", "/colors"},
};

TEST(what_cannot_be_made_is_refused_at_once, .end = COUNT(refused))
{
    const struct mw_problem *problem;
    snprintf(puzzle_asked, sizeof puzzle_asked, "%s&seed=1", refused[_i].query);
    ck_assert(!puzzle_ask("puzzle/generate", 0, &problem));
    ck_assert_int_eq(problem->fault, MW_NO_RESULT);
    ck_assert_uint_lt(puzzle_spent, 1000000);
    ck_assert_msg(strstr(problem->detail, refused[_i].says) ||
                      !strcmp(problem->pointer, refused[_i].says),
                  "%s: %s", problem->pointer, problem->detail);
}

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
    int width, height, colours; /* at most */
} tiny[] = {
    {"../..", 2, 2, 2},
    {".../...", 3, 2, 3},
    {".../.../...", 3, 3, 3},
    {"..../....", 4, 2, 3},
    {"...../.....", 5, 2, 3},
    {".../.../.../...", 3, 4, 3},
    {"....../....../......", 6, 3, 2},
    {"..../..../..../..../....", 4, 5, 1},
    {"...../...../...../...../.....", 5, 5, 1},
};

TEST(tiny_boards_are_made_where_there_are_any, .end = COUNT(tiny))
{
    for (int colours = 1; colours <= tiny[_i].colours; colours++)
        for (int rule = 0; rule < PUZZLE_RULES; rule++) {
            struct puzzle p;
            puzzle_parse(&p, tiny[_i].rows);
            bool some =
                some_is_unique(&p, 'A', (char)('A' + colours - 1), NULL, (enum puzzle_rule)rule);
            for (int seed = 0; seed < 5; seed++) {
                const struct mw_problem *problem;
                snprintf(puzzle_asked, sizeof puzzle_asked,
                         "width=%d&height=%d&colors=%d&rule=%s&min_length=2&seed=%d",
                         tiny[_i].width, tiny[_i].height, colours, puzzle_rule_names[rule], seed);
                bool made = puzzle_ask("puzzle/generate", 0, &problem) != NULL;
                ck_assert_msg(made == some, "made %d, and there is %d\n%s", made, some,
                              puzzle_asked);
            }
        }
}

static const char *const difficulty_names[] = {"easy", "normal", "hard", "extreme"};

TEST(boards_of_each_difficulty_are_made, .end = 40, .measures = true)
{
    static const int sides[] = {7, 10, 14, 17, 20};
    enum puzzle_rule rule = _i % 2 ? PUZZLE_STRICT : PUZZLE_FLOW;
    int difficulty = _i / 2 % 4, side = sides[_i / 8];
    if (side == 7 && difficulty == 3)
        return; /* nearly all boards as small as that are easier */
    for (int seed = 0; seed < rounds(side < 14 ? 10 : side < 17 ? 3 : 1); seed++) {
        snprintf(puzzle_asked, sizeof puzzle_asked,
                 "width=%d&height=%d&rule=%s&difficulty=%s&seed=%d", side, side,
                 puzzle_rule_names[rule], difficulty_names[difficulty], seed);
        puzzle_must("puzzle/generate"); /* the judge looks at the difficulty */
    }
}

static int by_value(const void *a, const void *b)
{
    return (*(const long *)a > *(const long *)b) - (*(const long *)a < *(const long *)b);
}

/* The median over some boards of the conflicts of another solver, or of the effort that they are
   said to take. */
static long usual(const char *query, bool conflicts)
{
    enum { SAMPLE = 41 };
    long figure[SAMPLE];
    int sample = conflicts ? SAMPLE : 15;
    for (int seed = 0; seed < sample; seed++) {
        struct puzzle p;
        snprintf(puzzle_asked, sizeof puzzle_asked, "%s&seed=%d", query, seed);
        const struct mw_map *map = puzzle_must("puzzle/generate");
        puzzle_read(&p, map->slots[0].as.value.rows);
        figure[seed] = conflicts ? puzzle_conflicts(&p, puzzle_rule_of(map->request->address))
                                 : map->slots[5].as.value.integer;
    }
    qsort(figure, (size_t)sample, sizeof *figure, by_value);
    return figure[sample / 2];
}

static const struct {
    const char *query;
    int farther; /* extreme ones take so many times as many as easy ones, in tenths, at least */
} kinds[] = {{"width=8&height=8", 25},
             {"width=10&height=10", 17},
             {"width=8&height=8&rule=flow", 80},
             {"width=10&height=10&rule=flow", 80}};

TEST(harder_boards_take_another_solver_more_conflicts, .end = COUNT(kinds), .measures = true)
{
    long conflicts[4];
    for (int i = 0; i < 4; i++) {
        char query[100];
        snprintf(query, sizeof query, "%s&difficulty=%s", kinds[_i].query, difficulty_names[i]);
        conflicts[i] = usual(query, true);
        ck_assert_msg(!i || conflicts[i] > conflicts[i - 1], "%s: %ld, easier ones %ld", query,
                      conflicts[i], conflicts[i - 1]);
    }
    ck_assert_int_ge(10 * conflicts[3], kinds[_i].farther * conflicts[0]);
}

/* Boards look the same at every size: steps of both directions; ends as even as by chance (their
   chi square per degree of freedom is 1 then; begun as a path a row, 50 at 64x64), but fewer on the
   rim; few paths of three cells; paths twice as long as their ends are apart, of all lengths. Where
   few colours make them long, they wind more, and their ends lie on the diagonals from the
   corners. Of 137 published boards .31 to .33 of the paths are as short as they can be, and .16 to
   .24 of the ends lie on the rim. */
static const struct {
    const char *query;
    int seeds;
    double clumps, lumps, midgets, wound, direct, alike; /* at most; spread of lengths: at least */
} looks[] = {
    {"width=7&height=7", 60, 3.5, 1, 0.08, 2.3, 0.65, 0.55},
    {"width=8&height=8", 100, 3.5, 1, 0.06, 2.3, 0.45, 0.55},
    {"width=12&height=12", 60, 3.5, 1, 0.06, 2.3, 0.45, 0.55},
    {"width=10&height=10", 100, 3.5, 1, 0.06, 2.3, 0.45, 0.55},
    {"width=14&height=14", 50, 3.5, 1, 0.06, 2.3, 0.45, 0.55},
    {"width=64&height=10", 20, 3.5, 1, 0.05, 2.6, 0.45, 0.6},
    {"width=10&height=30", 30, 3.5, 1, 0.05, 2.4, 0.45, 0.6},
    {"width=24&height=14&rule=flow", 10, 3.5, 1, 0.08, 2.3, 0.52, 0.6},
    {"width=20&height=20&unique=false", 40, 3.5, 1, 0.05, 2.3, 0.45, 0.6},
    {"width=40&height=40&unique=false", 8, 3.5, 1, 0.05, 2.5, 0.45, 0.6},
    {"width=64&height=64&unique=false", 3, 2.5, 1.15, 0.05, 2.7, 0.45, 0.6},
    {"width=50&height=50&colors=40&unique=false", 3, 2.5, 1.3, 0.05, 2.7, 0.45, 0.6},
    {"width=9&height=9&colors=4", 20, 8, 1.3, 0.05, 2.9, 0.45, 0.55},
    {"width=14&height=14&colors=7", 20, 3.5, 1.15, 0.05, 2.7, 0.45, 0.6},
    {"width=14&height=14&colors=5", 20, 5, 1.3, 0.05, 3.6, 0.45, 0.6},
    {"width=12&height=12&colors=6&rule=flow", 6, 2.5, 1.5, 0.05, 2.9, 0.52, 0.5},
    {"width=14&height=14&colors=9&rule=flow", 4, 3.2, 1.15, 0.05, 2.5, 0.52, 0.6},
    {"width=7&height=7&rule=flow", 40, 3.5, 1, 0.08, 2.3, 0.65, 0.55},
    {"width=10&height=10&rule=flow", 25, 3.5, 1, 0.06, 2.3, 0.52, 0.55},
    {"width=17&height=17&rule=flow", 12, 3.5, 1, 0.06, 2.2, 0.52, 0.6},
    {"width=10&height=10&rule=classic", 25, 3.2, 1, 0.06, 2.3, 0.52, 0.55},
    {"width=10&height=10&difficulty=hard", 40, 3.5, 1, 0.06, 2.3, 0.45, 0.55},
    {"width=14&height=14&difficulty=easy", 40, 3.5, 1, 0.05, 2.3, 0.45, 0.6},
};

TEST(boards_look_alike_at_every_size, .end = COUNT(looks), .measures = true)
{
    struct feel f = {0};
    for (int seed = 0; seed < looks[_i].seeds; seed++) {
        snprintf(puzzle_asked, sizeof puzzle_asked, "%s&seed=%d", looks[_i].query, seed);
        const struct mw_map *map = puzzle_must("puzzle/generate");
        struct mw_rows rows = map->slots[0].as.value.rows;
        feel_add(&f, rows.width, rows.count, &map->slots[8].as.table);
    }
    double level = (double)f.level / (double)f.steps, midgets = (double)f.midgets / (double)f.paths;
    double detour = f.detour / f.boards, spread = f.spread / f.boards;
    double direct = (double)f.direct / (double)f.paths, rim = f.rim / (2 * (double)f.paths);
    if (is_long())
        printf("%s: %.2f %.2f %.2f %.2f %.3f %.2f %.2f %.2f %.2f\n", looks[_i].query, level,
               feel_clumps(&f), f.lumps / f.boards, f.rim / f.fair_rim, midgets, detour, spread,
               direct, rim);
    ck_assert_double_le(fabs(level - 0.5), 0.05);
    ck_assert_double_le(feel_clumps(&f), looks[_i].clumps);
    ck_assert_double_le(f.lumps / f.boards, looks[_i].lumps);
    ck_assert_double_le(f.rim, 1.5 * f.fair_rim + sqrt(f.fair_rim)); /* of few ends, as chance is */
    ck_assert_double_ge(f.rim, 0.5 * f.fair_rim);
    ck_assert_double_le(rim, 0.27);
    ck_assert_double_le((double)f.leaning, 0.3 * (double)f.tiles);
    ck_assert_double_le(midgets, looks[_i].midgets);
    ck_assert_double_le(direct, looks[_i].direct);
    ck_assert_double_ge(detour, 1.8);
    ck_assert_double_le(detour, looks[_i].wound);
    ck_assert_double_ge(spread, looks[_i].alike);
    ck_assert_double_le(spread, 0.9);
}

TEST(colours_are_by_default_as_many_as_on_printed_boards)
{
    static const int colours[][2] = {{5, 5}, {7, 6}, {9, 7}, {10, 8}, {14, 11}, {20, 16}};
    for (size_t i = 0; i < COUNT(colours); i++) {
        snprintf(puzzle_asked, sizeof puzzle_asked, "width=%d&height=%d&seed=1", colours[i][0],
                 colours[i][0]);
        ck_assert_int_eq(puzzle_must("puzzle/generate")->slots[2].as.value.integer, colours[i][1]);
    }
}

TEST(effort_rises_with_size_and_difficulty, .measures = true)
{
    static const int sides[] = {7, 10, 14, 20};
    long effort[COUNT(sides)][3];
    for (int i = 0; i < COUNT(sides); i++)
        for (int level = 0; level < 3; level++) {
            char query[100];
            snprintf(query, sizeof query, "width=%d&height=%d&difficulty=%s", sides[i], sides[i],
                     difficulty_names[level]);
            effort[i][level] = usual(query, false);
            ck_assert_int_ge(effort[i][level], level ? effort[i][level - 1] + 3 : 20);
            ck_assert_int_ge(effort[i][level], i ? effort[i - 1][level] + 5 : 20);
        }
    /* easy by its rules, and long */
    ck_assert_int_ge(usual("width=18&height=18&colors=4&difficulty=easy", false),
                     effort[0][2] + 10);
}
