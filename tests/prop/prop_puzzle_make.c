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

TEST(boards_are_made, .end = COUNT(demands))
{
    for (int seed = 0; seed < rounds(demands[_i].seeds); seed++) {
        const struct mw_problem *problem;
        struct puzzle p;
        int n = snprintf(puzzle_asked, sizeof puzzle_asked,
                         "width=%d&height=%d&rule=%s&min_length=%d&seed=%d", demands[_i].width,
                         demands[_i].height, puzzle_rule_names[demands[_i].rule],
                         demands[_i].min_length, seed);
        if (demands[_i].colours)
            snprintf(puzzle_asked + n, sizeof puzzle_asked - (size_t)n, "&colours=%d",
                     demands[_i].colours);
        const struct mw_map *map = puzzle_ask("puzzle/generate", 0, &problem);
        ck_assert_msg(map != NULL, "%s: %s\n%s", problem->pointer, problem->detail, puzzle_asked);
        struct mw_rows rows = map->slots[0].as.value.rows;
        static char text[PUZZLE_SIDE * (PUZZLE_SIDE + 1)];
        for (int y = 0; y < rows.count; y++) {
            memcpy(text + y * (rows.width + 1), rows.at + y * (rows.width + 1), (size_t)rows.width);
            text[y * (rows.width + 1) + rows.width] = y + 1 < rows.count ? '/' : '\0';
        }
        ck_assert(puzzle_parse(&p, text));
        if (demands[_i].width <= 14) {
            long count = puzzle_reference(&p, demands[_i].rule, 1, 2);
            ck_assert_msg(count < 0 || count == 1, "the reference has %ld\n%s", count,
                          puzzle_asked);
        }
        ck_assert_int_eq(puzzle_unique(puzzle_solve(&p, demands[_i].rule, "unique")), 1);
    }
}

/* Sizes at which covers once had more paths than there are letters, and the largest. */
static const struct {
    int width, height, colours; /* 0: by default */
    const char *rule;
    bool unique, made;
} sizes[] = {
    {27, 28, 0, "flow", true, true},      {28, 27, 0, "classic", true, true},
    {27, 29, 0, "flow", true, true},      {12, 63, 0, "flow", true, true},
    {30, 30, 0, "flow", true, true},      {30, 30, 20, "flow", true, false},
    {40, 40, 0, "flow", true, false},     {63, 63, 11, "flow", true, false},
    {64, 64, 0, "classic", true, false},  {64, 64, 0, "flow", false, true},
    {64, 64, 1, "flow", false, true},     {63, 63, 11, "classic", false, true},
    {64, 64, 62, "classic", false, true}, {64, 64, 0, "strict", true, true},
    {64, 64, 62, "strict", false, true},  {64, 2, 62, "classic", false, true},
    {64, 2, 1, "flow", true, true},       {10, 64, 22, "flow", true, true},
};

/* A made board is judged by puzzle_ask. Every refusal here comes before the search. */
TEST(boards_of_every_size_are_made_or_refused_at_once, .end = COUNT(sizes))
{
    bool made = false;
    for (int seed = 1; seed <= 8 && !made; seed++) {
        const struct mw_problem *problem;
        int n =
            snprintf(puzzle_asked, sizeof puzzle_asked,
                     "width=%d&height=%d&rule=%s&unique=%s&min_length=2&seed=%d", sizes[_i].width,
                     sizes[_i].height, sizes[_i].rule, sizes[_i].unique ? "true" : "false", seed);
        if (sizes[_i].colours)
            snprintf(puzzle_asked + n, sizeof puzzle_asked - (size_t)n, "&colours=%d",
                     sizes[_i].colours);
        made = puzzle_ask("puzzle/generate", 0, &problem) != NULL;
        ck_assert_msg(made || sizes[_i].made || strstr(problem->detail, "rule=strict"), "%s\n%s",
                      problem->detail, puzzle_asked);
        ck_assert_msg(made || sizes[_i].made || puzzle_spent < 1000000, "%llu steps\n%s",
                      (unsigned long long)puzzle_spent, puzzle_asked);
    }
    ck_assert_msg(made == sizes[_i].made, "made: %d\n%s", made, puzzle_asked);
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
                         "width=%d&height=%d&colours=%d&rule=%s&min_length=2&seed=%d",
                         tiny[_i].width, tiny[_i].height, colours, puzzle_rule_names[rule], seed);
                bool made = puzzle_ask("puzzle/generate", 0, &problem) != NULL;
                ck_assert_msg(made == some, "made %d, and there is %d\n%s", made, some,
                              puzzle_asked);
            }
        }
}

static const struct {
    const char *query;
    int seeds;
} known[] = {
    {"width=3&height=3&colours=2", 100},
    {"width=4&height=4&colours=2&min_length=4", 100},
    {"width=4&height=4&colours=3&min_length=4", 100},
    {"width=3&height=4&colours=2&min_length=6", 100},
    {"width=5&height=5&colours=2&rule=flow", 1},
    {"width=4&height=4&from=random", 100},
    {"width=5&height=5&from=random&colours=4&rule=flow", 100},
};

TEST(known_tiny_boards_are_made, .end = COUNT(known))
{
    for (int seed = 0; seed < known[_i].seeds; seed++) {
        snprintf(puzzle_asked, sizeof puzzle_asked, "%s&seed=%d", known[_i].query, seed);
        puzzle_must("puzzle/generate");
    }
}

TEST(impossible_demands_are_refused)
{
    static const char *const demand[][2] = {
        {"width=3&height=3&colours=4", "/colours"},
        {"width=5&height=5&min_length=26", "/min_length"},
        {"width=2&height=2&colours=1", "/colours"},
        {"width=8&height=8&colours=32", "/colours"},
    };
    const struct mw_problem *problem;
    for (size_t i = 0; i < sizeof demand / sizeof demand[0]; i++) {
        snprintf(puzzle_asked, sizeof puzzle_asked, "%s&seed=1", demand[i][0]);
        ck_assert(!puzzle_ask("puzzle/generate", 0, &problem));
        ck_assert_msg(problem->fault == MW_NO_RESULT, "%s: %s", demand[i][0], problem->detail);
        ck_assert_str_eq(problem->pointer, demand[i][1]);
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

/* How many guesses a plain search takes, in the middle of some boards. */
static long usual_guesses(int side, enum puzzle_rule rule, const char *difficulty)
{
    enum { SAMPLE = 41, MOST = 1000 };
    long guesses[SAMPLE];
    for (int seed = 0; seed < SAMPLE; seed++) {
        struct puzzle p;
        snprintf(puzzle_asked, sizeof puzzle_asked,
                 "width=%d&height=%d&rule=%s&difficulty=%s&seed=%d", side, side,
                 puzzle_rule_names[rule], difficulty, seed);
        puzzle_read(&p, puzzle_must("puzzle/generate")->slots[0].as.value.rows);
        guesses[seed] = puzzle_guesses(&p, rule, MOST);
    }
    qsort(guesses, SAMPLE, sizeof *guesses, by_value);
    return guesses[SAMPLE / 2];
}

TEST(harder_boards_take_more_guesses, .end = 6, .measures = true)
{
    static const struct {
        int side;
        enum puzzle_rule rule;
        int farther; /* hundredths: extreme ones over hard ones, at least */
    } kinds[] = {{8, PUZZLE_STRICT, 120},  {10, PUZZLE_STRICT, 150}, {12, PUZZLE_STRICT, 150},
                 {14, PUZZLE_STRICT, 150}, {8, PUZZLE_FLOW, 250},    {10, PUZZLE_FLOW, 200}};
    long before = -1;
    for (int i = 0; i < 4; i++) {
        long guesses = usual_guesses(kinds[_i].side, kinds[_i].rule, difficulty_names[i]);
        if (is_long())
            printf("%dx%d %s: %ld guesses\n", kinds[_i].side, kinds[_i].side, difficulty_names[i],
                   guesses);
        ck_assert_msg(guesses > before, "%s: %ld, easier ones %ld", difficulty_names[i], guesses,
                      before);
        ck_assert_msg(i < 3 || 100 * guesses >= kinds[_i].farther * before, "%ld after %ld",
                      guesses, before);
        before = guesses;
    }
}

/* Boards look the same at every size: steps of both directions, ends as even as by chance (their
   chi square per degree of freedom is 1 then; begun as a path a row, 50 at 64x64), on the rim as
   elsewhere, few midgets but some, paths about twice as long as their ends are apart, of all
   lengths. Where few colours make them long, they wind more, and their ends lie on the diagonals
   from the corners. */
static const struct {
    const char *query;
    int seeds;
    double clumps, lumps, midgets, wound; /* at most */
    double alike, some;                   /* spread of lengths, midgets: at least */
} looks[] = {
    {"width=7&height=7", 60, 2.5, 1, 0.2, 2.1, 0.7, 0},
    {"width=10&height=10", 100, 2.5, 1, 0.06, 2.1, 0.7, 0.02},
    {"width=14&height=14", 50, 2.5, 1, 0.06, 2.1, 0.7, 0.01},
    {"width=64&height=10", 20, 2.5, 1, 0.05, 2.2, 0.7, 0.01},
    {"width=10&height=30", 30, 2.5, 1, 0.05, 2.2, 0.7, 0.01},
    {"width=24&height=14&rule=flow", 10, 2.5, 1, 0.08, 2.2, 0.7, 0},
    {"width=20&height=20&unique=false", 40, 2.5, 1, 0.05, 2.2, 0.7, 0},
    {"width=40&height=40&unique=false", 8, 2.5, 1, 0.05, 2.3, 0.7, 0},
    {"width=64&height=64&unique=false", 3, 2.5, 1.15, 0.05, 2.6, 0.7, 0},
    {"width=50&height=50&colours=40&unique=false", 3, 2.5, 1.3, 0.05, 2.6, 0.7, 0},
    {"width=9&height=9&colours=4", 20, 5.5, 1.3, 0.05, 2.8, 0.72, 0},
    {"width=14&height=14&colours=7", 20, 3.5, 1.15, 0.05, 2.6, 0.74, 0},
    {"width=14&height=14&colours=5", 20, 5, 1.3, 0.05, 3.5, 0.7, 0},
    {"width=12&height=12&colours=6&rule=flow", 10, 2.5, 1.5, 0.05, 2.9, 0.6, 0},
    {"width=14&height=14&colours=9&rule=flow", 6, 3.2, 1.15, 0.05, 2.4, 0.7, 0},
    {"width=7&height=7&rule=flow", 40, 2.5, 1, 0.2, 2.1, 0.7, 0},
    {"width=10&height=10&rule=flow", 25, 2.5, 1, 0.05, 2.2, 0.7, 0},
    {"width=17&height=17&rule=flow", 12, 2.5, 1, 0.06, 2.1, 0.7, 0},
    {"width=10&height=10&rule=classic", 25, 3.2, 1, 0.05, 2.2, 0.7, 0},
    {"width=10&height=10&difficulty=hard", 40, 2.5, 1, 0.06, 2.2, 0.7, 0},
    {"width=14&height=14&difficulty=easy", 40, 2.5, 1, 0.05, 2.2, 0.74, 0},
};

TEST(boards_look_alike_at_every_size, .end = COUNT(looks), .measures = true)
{
    struct feel f = {0};
    for (int seed = 0; seed < looks[_i].seeds; seed++) {
        snprintf(puzzle_asked, sizeof puzzle_asked, "%s&seed=%d", looks[_i].query, seed);
        const struct mw_map *map = puzzle_must("puzzle/generate");
        struct mw_rows rows = map->slots[0].as.value.rows;
        feel_add(&f, rows.width, rows.count, &map->slots[7].as.table);
    }
    double level = (double)f.level / (double)f.steps, midgets = (double)f.midgets / (double)f.paths;
    double detour = f.detour / f.boards, spread = f.spread / f.boards;
    double lumps = f.lumps / f.boards;
    if (is_long())
        printf("%s: %.2f %.2f %.2f %.2f %.3f %.2f %.2f\n", looks[_i].query, level, feel_clumps(&f),
               lumps, f.rim / f.fair_rim, midgets, detour, spread);
    ck_assert_double_le(fabs(level - 0.5), 0.05);
    ck_assert_double_le(feel_clumps(&f), looks[_i].clumps);
    ck_assert_double_le(lumps, looks[_i].lumps);
    ck_assert_double_le(f.rim, 1.1 * f.fair_rim + sqrt(f.fair_rim)); /* of few ends, as chance is */
    ck_assert_double_ge(f.rim, 0.5 * f.fair_rim);
    ck_assert_double_le((double)f.leaning, 0.3 * (double)f.tiles);
    ck_assert_double_le(midgets, looks[_i].midgets);
    ck_assert_double_ge(midgets, looks[_i].some);
    ck_assert_double_ge(detour, 1.8);
    ck_assert_double_le(detour, looks[_i].wound);
    ck_assert_double_ge(spread, looks[_i].alike);
    ck_assert_double_le(spread, 0.9);
}

/* So few colours as printed boards have: of twenty, nineteen are made (of others all, above). */
static const struct {
    const char *query;
    int seeds, least;
} sparse[] = {
    {"width=12&height=12&colours=6", 20, 19},
    {"width=14&height=14&rule=classic", 6, 6},
};

TEST(boards_of_few_colours_are_made, .end = COUNT(sparse), .measures = true)
{
    int made = 0;
    for (int seed = 0; seed < sparse[_i].seeds; seed++) {
        const struct mw_problem *problem;
        snprintf(puzzle_asked, sizeof puzzle_asked, "%s&seed=%d", sparse[_i].query, seed);
        made += puzzle_ask("puzzle/generate", 0, &problem) != NULL;
    }
    ck_assert_int_ge(made, sparse[_i].least);
}
