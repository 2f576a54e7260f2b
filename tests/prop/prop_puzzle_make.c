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
        struct puzzle p;
        int n = snprintf(puzzle_asked, sizeof puzzle_asked,
                         "width=%d&height=%d&rule=%s&min_length=%d&seed=%d", demands[_i].width,
                         demands[_i].height, puzzle_rule_names[demands[_i].rule],
                         demands[_i].min_length, seed);
        if (demands[_i].colours)
            snprintf(puzzle_asked + n, sizeof puzzle_asked - (size_t)n, "&colors=%d",
                     demands[_i].colours);
        puzzle_read(&p, puzzle_must("puzzle/generate")->slots[0].as.value.rows);
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
TEST(boards_of_every_size_are_made_or_refused_at_once, .end = COUNT(sizes), .measures = true)
{
    bool made = false;
    for (int seed = 1; seed <= 8 && !made; seed++) {
        const struct mw_problem *problem;
        int n =
            snprintf(puzzle_asked, sizeof puzzle_asked,
                     "width=%d&height=%d&rule=%s&unique=%s&min_length=2&seed=%d", sizes[_i].width,
                     sizes[_i].height, sizes[_i].rule, sizes[_i].unique ? "true" : "false", seed);
        if (sizes[_i].colours)
            snprintf(puzzle_asked + n, sizeof puzzle_asked - (size_t)n, "&colors=%d",
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
                         "width=%d&height=%d&colors=%d&rule=%s&min_length=2&seed=%d",
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
    {"width=3&height=3&colors=2", 100},
    {"width=4&height=4&colors=2&min_length=4", 100},
    {"width=4&height=4&colors=3&min_length=4", 100},
    {"width=3&height=4&colors=2&min_length=6", 100},
    {"width=5&height=5&colors=2&rule=flow", 1},
    {"width=4&height=4&from=random", 100},
    {"width=5&height=5&from=random&colors=4&rule=flow", 100},
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
        {"width=3&height=3&colors=4", "/colors"},
        {"width=5&height=5&min_length=26", "/min_length"},
        {"width=2&height=2&colors=1", "/colors"},
        {"width=8&height=8&colors=32", "/colors"},
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

/* Boards look the same at every size: steps of both directions; ends as even as by chance (their
   chi square per degree of freedom is 1 then; begun as a path a row, 50 at 64x64), but fewer on the
   rim; few paths of three cells; paths twice as long as their ends are apart, of all lengths. Where
   few colours make them long, they wind more, and their ends lie on the diagonals from the
   corners. */
static const struct {
    const char *query;
    int seeds;
    double clumps, lumps, midgets, wound, alike; /* at most; spread of lengths: at least */
} looks[] = {
    {"width=7&height=7", 60, 3.5, 1, 0.08, 2.3, 0.55},
    {"width=10&height=10", 100, 3.5, 1, 0.06, 2.3, 0.55},
    {"width=14&height=14", 50, 3.5, 1, 0.06, 2.3, 0.55},
    {"width=64&height=10", 20, 3.5, 1, 0.05, 2.6, 0.6},
    {"width=10&height=30", 30, 3.5, 1, 0.05, 2.4, 0.6},
    {"width=24&height=14&rule=flow", 10, 3.5, 1, 0.08, 2.3, 0.6},
    {"width=20&height=20&unique=false", 40, 3.5, 1, 0.05, 2.3, 0.6},
    {"width=40&height=40&unique=false", 8, 3.5, 1, 0.05, 2.5, 0.6},
    {"width=64&height=64&unique=false", 3, 2.5, 1.15, 0.05, 2.7, 0.6},
    {"width=50&height=50&colors=40&unique=false", 3, 2.5, 1.3, 0.05, 2.7, 0.6},
    {"width=9&height=9&colors=4", 20, 8, 1.3, 0.05, 2.9, 0.55},
    {"width=14&height=14&colors=7", 20, 3.5, 1.15, 0.05, 2.7, 0.6},
    {"width=14&height=14&colors=5", 20, 5, 1.3, 0.05, 3.6, 0.6},
    {"width=12&height=12&colors=6&rule=flow", 10, 2.5, 1.5, 0.05, 2.9, 0.5},
    {"width=14&height=14&colors=9&rule=flow", 6, 3.2, 1.15, 0.05, 2.5, 0.6},
    {"width=7&height=7&rule=flow", 40, 3.5, 1, 0.08, 2.3, 0.55},
    {"width=10&height=10&rule=flow", 25, 3.5, 1, 0.06, 2.3, 0.55},
    {"width=17&height=17&rule=flow", 12, 3.5, 1, 0.06, 2.2, 0.6},
    {"width=10&height=10&rule=classic", 25, 3.2, 1, 0.06, 2.3, 0.55},
    {"width=10&height=10&difficulty=hard", 40, 3.5, 1, 0.06, 2.3, 0.55},
    {"width=14&height=14&difficulty=easy", 40, 3.5, 1, 0.05, 2.3, 0.6},
};

static struct feel feel_of(const char *query, int seeds)
{
    struct feel f = {0};
    for (int seed = 0; seed < seeds; seed++) {
        snprintf(puzzle_asked, sizeof puzzle_asked, "%s&seed=%d", query, seed);
        const struct mw_map *map = puzzle_must("puzzle/generate");
        struct mw_rows rows = map->slots[0].as.value.rows;
        feel_add(&f, rows.width, rows.count, &map->slots[8].as.table);
    }
    return f;
}

TEST(boards_look_alike_at_every_size, .end = COUNT(looks), .measures = true)
{
    struct feel f = feel_of(looks[_i].query, looks[_i].seeds);
    double level = (double)f.level / (double)f.steps, midgets = (double)f.midgets / (double)f.paths;
    double detour = f.detour / f.boards, spread = f.spread / f.boards;
    double lumps = f.lumps / f.boards;
    if (is_long())
        printf("%s: %.2f %.2f %.2f %.2f %.3f %.2f %.2f\n", looks[_i].query, level, feel_clumps(&f),
               lumps, f.rim / f.fair_rim, midgets, detour, spread);
    ck_assert_double_le(fabs(level - 0.5), 0.05);
    ck_assert_double_le(feel_clumps(&f), looks[_i].clumps);
    ck_assert_double_le(lumps, looks[_i].lumps);
    ck_assert_double_le(f.rim, 1.5 * f.fair_rim + sqrt(f.fair_rim)); /* of few ends, as chance is */
    ck_assert_double_ge(f.rim, 0.5 * f.fair_rim);
    ck_assert_double_le((double)f.leaning, 0.3 * (double)f.tiles);
    ck_assert_double_le(midgets, looks[_i].midgets);
    ck_assert_double_ge(detour, 1.8);
    ck_assert_double_le(detour, looks[_i].wound);
    ck_assert_double_ge(spread, looks[_i].alike);
    ck_assert_double_le(spread, 0.9);
}

/* Of 137 published boards .31 to .33 of the paths are as short as they can be, and .16 to .24 of
   the ends lie on the rim. */
static const struct {
    const char *query;
    int seeds;
} published[] = {{"width=8&height=8", 100},           {"width=9&height=9", 100},
                 {"width=10&height=10", 100},         {"width=11&height=11", 100},
                 {"width=12&height=12", 100},         {"width=13&height=13", 60},
                 {"width=14&height=14", 60},          {"width=8&height=8&rule=flow", 60},
                 {"width=14&height=14&rule=flow", 20}};

TEST(paths_wind_and_end_inside_as_on_published_boards, .end = COUNT(published), .measures = true)
{
    struct feel f = feel_of(published[_i].query, published[_i].seeds);
    double direct = (double)f.direct / (double)f.paths, rim = f.rim / (2 * (double)f.paths);
    if (is_long())
        printf("%s: direct %.3f rim %.3f\n", published[_i].query, direct, rim);
    ck_assert_double_le(direct, 0.45);
    ck_assert_double_le(rim, 0.25);
    ck_assert_double_ge(rim, 0.08);
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

/* In the middle of some boards. */
static long usual_effort(const char *query)
{
    enum { SAMPLE = 15 };
    long effort[SAMPLE];
    for (int seed = 0; seed < SAMPLE; seed++) {
        snprintf(puzzle_asked, sizeof puzzle_asked, "%s&seed=%d", query, seed);
        effort[seed] = puzzle_must("puzzle/generate")->slots[5].as.value.integer;
    }
    qsort(effort, SAMPLE, sizeof *effort, by_value);
    return effort[SAMPLE / 2];
}

TEST(effort_rises_with_size_and_difficulty, .measures = true)
{
    static const int sides[] = {7, 10, 14, 20};
    long usual[COUNT(sides)][3];
    for (size_t i = 0; i < COUNT(sides); i++)
        for (int level = 0; level < 3; level++) {
            char query[100];
            snprintf(query, sizeof query, "width=%d&height=%d&difficulty=%s", sides[i], sides[i],
                     difficulty_names[level]);
            usual[i][level] = usual_effort(query);
            ck_assert_int_ge(usual[i][level], level ? usual[i][level - 1] + 3 : 20);
            ck_assert_int_ge(usual[i][level], i ? usual[i - 1][level] + 5 : 20);
        }
    /* easy by its rules, and long */
    ck_assert_int_ge(usual_effort("width=18&height=18&colors=4&difficulty=easy"), usual[0][2] + 10);
}

/* So few colours as printed boards have: of twenty, nineteen are made (of others all, above). */
static const struct {
    const char *query;
    int seeds, least;
} sparse[] = {
    {"width=12&height=12&colors=6", 20, 19},
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
