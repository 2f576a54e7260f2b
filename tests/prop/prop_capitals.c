/*
 * prop_capitals.c: the promises of /regions with capitals: country i holds the i-th, on every kind
 * of land; what is refused says that it is for them.
 *
 * MAPWRIGHT_LONG=1 tries twenty times as many.
 */
#include "land.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two round lands and a neck between them, of one cell or some more. */
static void draw_isthmus(struct land *l, struct arbitrary *source)
{
    int r = (l->height < l->width / 2 ? l->height : l->width / 2) / 2;
    int neck = 1 + (int)arbitrary_below(source, 4), cy = l->height / 2;
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++) {
            int dx = x < l->width / 2 ? x - r : x - (l->width - 1 - r), dy = y - cy;
            bool between = x >= r && x <= l->width - 1 - r;
            l->is[y * l->width + x] =
                dx * dx + dy * dy <= r * r || (between && y >= cy && y < cy + neck);
        }
}

/* No water. */
static void draw_full(struct land *l, struct arbitrary *source)
{
    (void)source;
    memset(l->is, true, sizeof l->is);
}

static void draw_archipelago(struct land *l, struct arbitrary *source)
{
    memset(l->is, false, sizeof l->is);
    for (int isles = 4 + (int)arbitrary_below(source, 8); isles; isles--) {
        int cx = (int)arbitrary_below(source, (uint32_t)l->width),
            cy = (int)arbitrary_below(source, (uint32_t)l->height);
        int r = 1 + (int)arbitrary_below(source, 8);
        for (int y = 0; y < l->height; y++)
            for (int x = 0; x < l->width; x++)
                l->is[y * l->width + x] |= abs(x - cx) + abs(y - cy) <= r;
    }
}

/* How many of a thousand requests may be refused: with even or varied sizes, and with given ones.
   On corridors towns anywhere leave few sizes that can be. */
static const struct {
    const char *name;
    void (*draw)(struct land *, struct arbitrary *);
    int even, given;
} shores[] = {
    {"full", draw_full, 10, 10},       {"lakes", land_lakes, 30, 20},
    {"islands", land_islands, 20, 30}, {"archipelago", draw_archipelago, 20, 60},
    {"isthmus", draw_isthmus, 30, 60}, {"noise", land_noise, 250, 300},
    {"spiral", land_spiral, 400, 620}, {"maze", land_maze, 430, 950},
};
enum { SHORES = sizeof shores / sizeof shores[0] };

/* A cell of a piece, or of any land where that is 0, that is taken by nobody, and now is. */
static int draw_town(struct arbitrary *source, const struct land *l, const int *piece_of, int piece,
                     bool *taken)
{
    int cell;
    do
        cell = (int)arbitrary_below(source, (uint32_t)(l->width * l->height));
    while (!l->is[cell] || taken[cell] || (piece && piece_of[cell] != piece));
    taken[cell] = true;
    return cell;
}

static struct land draw_shore(struct arbitrary *source, int kind, int *piece_of)
{
    struct land l = land_of_shape(source, LAND_SIDE - 1);
    shores[kind].draw(&l, source);
    land_count_pieces(&l);
    memset(piece_of, 0, LAND_CELLS * sizeof *piece_of);
    for (int start = 0, pieces = 0; start < l.width * l.height; start++)
        if (l.is[start] && !piece_of[start])
            land_flood(&l, start, piece_of, ++pieces);
    return l;
}

/* Towns anywhere on land; every piece without one needs a country that has none, which is all that
   may be wanting for certain. */
TEST(capitals_on_masks, .end = SHORES)
{
    static int piece_of[LAND_CELLS];
    int asked = 0, refused = 0;
    for (int i = 0; i < rounds(60); i++) {
        struct arbitrary source = {.state = (uint64_t)(i + 5000000 * (_i + 1))};
        struct land l = draw_shore(&source, _i, piece_of);
        bool taken[LAND_CELLS] = {false}, met[LAND_CELLS] = {false};
        if (l.cells < 60)
            continue;
        int count = l.pieces + (int)arbitrary_below(&source, (uint32_t)(l.cells / 24));
        int towns = 1 + (int)arbitrary_below(&source, (uint32_t)count), empty = l.pieces;
        land_ask_lattice(&l, (uint32_t)i);
        land_ask("&count=%d", count);
        land_ask_look(&source, arbitrary_below(&source, 3) == 0);
        for (int k = 0; k < towns; k++) {
            int cell = draw_town(&source, &l, piece_of, 0, taken);
            land_ask("%s%d,%d", k ? ";" : "&capitals=", cell % l.width, cell / l.width);
            empty -= !met[piece_of[cell]];
            met[piece_of[cell]] = true;
        }
        land_ask_mask(&l);
        bool made = land_answer();
        ck_assert_msg(made || strstr(land_refusal, "/capitals") == land_refusal, "%s",
                      land_refusal);
        if (empty > count - towns) {
            ck_assert_msg(!made && strstr(land_refusal, "separate pieces"), "%.2000s", land_query);
            continue;
        }
        asked++;
        refused += !made;
    }
    land_judge_refusals(refused, asked, shores[_i].even, "even, with capitals,", shores[_i].name);
}

/* Cuts a piece into sizes of a dozen cells or more; how many. */
static int cut_piece(struct arbitrary *source, int cells, int *sizes)
{
    int count = 0;
    for (int left = cells; left > 0; left -= sizes[count++])
        sizes[count] = left < 36 ? left : 12 + (int)arbitrary_below(source, (uint32_t)left / 3);
    return count;
}

/* Country i has size i and holds capital i: sizes that fill every piece, in any order, and for the
   first of them a capital on its piece. */
TEST(capitals_and_sizes, .end = SHORES)
{
    static int piece_of[LAND_CELLS], sizes[LAND_CELLS], home[LAND_CELLS];
    int asked = 0, refused = 0;
    for (int i = 0; i < rounds(is_sanitized() ? 24 : 60); i++) {
        struct arbitrary source = {.state = (uint64_t)(i + 9000000 * (_i + 1))};
        struct land l = draw_shore(&source, _i, piece_of);
        bool taken[LAND_CELLS] = {false};
        if (l.cells < 60)
            continue;
        int count = 0, cells[LAND_CELLS] = {0};
        for (int c = 0; c < l.width * l.height; c++)
            cells[piece_of[c]] += l.is[c];
        for (int p = 1, n; p <= l.pieces; p++, count += n) {
            n = cut_piece(&source, cells[p], sizes + count);
            for (int k = 0; k < n; k++)
                home[count + k] = p;
        }
        for (int k = count - 1; k > 0; k--) {
            int other = (int)arbitrary_below(&source, (uint32_t)k + 1), size = sizes[k],
                h = home[k];
            sizes[k] = sizes[other], home[k] = home[other];
            sizes[other] = size, home[other] = h;
        }
        land_ask_lattice(&l, (uint32_t)i);
        land_ask_sizes(sizes, count);
        land_ask_look(&source, false);
        for (int k = 0, towns = 1 + (int)arbitrary_below(&source, (uint32_t)count); k < towns;
             k++) {
            int cell = draw_town(&source, &l, piece_of, home[k], taken);
            land_ask("%s%d,%d", k ? ";" : "&capitals=", cell % l.width, cell / l.width);
        }
        land_ask_mask(&l);
        asked++;
        refused += !land_answer();
    }
    land_judge_refusals(refused, asked, shores[_i].given, "given, with capitals,", shores[_i].name);
}

/* Different cells of the map, all of it or its upper left quarter, in no order. */
static void ask_capitals(struct arbitrary *source, const struct land *l, int count, bool crowded)
{
    bool taken[LAND_CELLS] = {false};
    for (int k = 0; k < count; k++) {
        int x, y;
        do {
            x = (int)arbitrary_below(source, (uint32_t)(crowded ? (l->width + 1) / 2 : l->width));
            y = (int)arbitrary_below(source, (uint32_t)(crowded ? (l->height + 1) / 2 : l->height));
        } while (taken[y * l->width + x]);
        taken[y * l->width + x] = true;
        land_ask("%s%d,%d", k ? ";" : "&capitals=", x, y);
    }
}

/* Countries of two dozen cells or more, and towns strewn over the map, or crowded into a quarter of
   it: next to always there is a map that gives each country its town. */
TEST(countries_hold_their_capitals, .end = 2)
{
    static const int most[2] = {5, 60}; /* of a thousand */
    int asked = 0, refused = 0;
    for (int i = 0; i < rounds(250); i++) {
        struct arbitrary source = {.state = (uint64_t)(i + 3000000 * (_i + 1))};
        struct land l = land_of_shape(&source, LAND_SIDE - 1);
        int room = l.width * l.height / 24;
        int count = 1 + (int)arbitrary_below(&source, (uint32_t)(room < 40 ? room + 1 : 40));
        if (l.width < 4 || l.height < 4)
            continue;
        land_ask_lattice(&l, (uint32_t)i);
        land_ask("&width=%d&height=%d&count=%d", l.width, l.height, count);
        land_ask_look(&source, arbitrary_below(&source, 3) == 0);
        ask_capitals(&source, &l, 1 + (int)arbitrary_below(&source, (uint32_t)count), _i);
        asked++;
        refused += !land_answer();
    }
    land_judge_refusals(refused, asked, most[_i], "even", _i ? "crowded capitals" : "capitals");
}

/* Sizes that vary anyhow give way to capitals, wherever these are. */
TEST(sizes_that_vary_give_way_to_capitals, .end = 2)
{
    clock_t end = cpu_limit(5);
    for (int i = 0; i < rounds(300) && clock() < end; i++) {
        struct arbitrary source = {.state = (uint64_t)(i + 7000000 * (_i + 1))};
        struct land l = land_of_shape(&source, LAND_SIDE - 1);
        int cells = (_i ? (l.width + 1) / 2 * ((l.height + 1) / 2) : l.width * l.height);
        int count = 1 + (int)arbitrary_below(&source, (uint32_t)(cells < 40 ? cells : 40));
        land_ask_lattice(&l, (uint32_t)i);
        land_ask("&width=%d&height=%d&count=%d", l.width, l.height, count);
        land_ask_look(&source, true);
        ask_capitals(&source, &l, count, _i);
        ck_assert_msg(land_answer(), "%s: %s", land_query, land_refusal);
    }
}

/* Countries of a cell or three: brute force finds a way for each of these. */
static const struct {
    bool hex;
    uint32_t seed;
    const char *rest;
} midgets[] = {
    {false, 751, "width=6&height=1&count=4&capitals=5,0;0,0;2,0;1,0"},
    {false, 239, "width=6&height=1&sizes=1,1,3,1&capitals=5,0;1,0"},
    {true, 432, "width=6&height=1&count=4&capitals=4,0;5,0;3,0;0,0"},
    {false, 30, "width=2&height=4&count=4&capitals=1,1;0,2;0,0"},
    {true, 852, "width=3&height=2&count=4&roughness=0.5&capitals=1,1;1,0;0,1;0,0"},
    {true, 200, "width=5&height=3&count=9&capitals=2,0;1,0;4,0;0,1;2,1;4,2;0,0;2,2;3,2"},
};

TEST(midgets_hold_their_capitals, .end = sizeof midgets / sizeof midgets[0])
{
    struct land l = {.hex = midgets[_i].hex};
    land_ask_lattice(&l, midgets[_i].seed);
    land_ask("&%s%s", midgets[_i].rest, strstr(midgets[_i].rest, "rough") ? "" : "&roughness=0");
    ck_assert_msg(land_answer(), "%s: %s", land_query, land_refusal);
}

/* ---- small maps that can be divided ---------------------------------------------------------- */

enum { SMALL_SIDE = 6, SMALL_CELLS = SMALL_SIDE * SMALL_SIDE };

/* Cells of a country that grows anyhow over what is free from `start` on; how many there are. */
static int grow_anyhow(const struct land *l, struct arbitrary *source, int *of, int start, int k,
                       int size)
{
    int cells[SMALL_CELLS] = {start}, count = 1;
    of[start] = k;
    for (int tries = 0; count < size && tries < 200; tries++) {
        int from = cells[arbitrary_below(source, (uint32_t)count)];
        int to = land_beside(l, from, (int)arbitrary_below(source, (uint32_t)land_sides(l)));
        if (to < 0 || of[to])
            continue;
        of[to] = k;
        cells[count++] = to;
    }
    return count;
}

/* Countries whose sizes differ by one at most; false: they did not fit this time. */
static bool draw_countries(const struct land *l, struct arbitrary *source, int count, int *of)
{
    int cells = l->width * l->height, rest = cells % count;
    memset(of, 0, SMALL_CELLS * sizeof *of);
    for (int k = 1, start = 0; k <= count; k++) {
        int larger =
            rest > 0 && arbitrary_below(source, (uint32_t)(count - k + 1)) < (uint32_t)rest;
        while (of[start])
            start++;
        if (grow_anyhow(l, source, of, start, k, cells / count + larger) < cells / count + larger)
            return false;
        rest -= larger;
    }
    return true;
}

/* A capital anywhere in each of the first countries. */
static void ask_capitals_of(const struct land *l, struct arbitrary *source, const int *of,
                            int towns)
{
    for (int k = 1; k <= towns; k++) {
        int cell;
        do
            cell = (int)arbitrary_below(source, (uint32_t)(l->width * l->height));
        while (of[cell] != k);
        land_ask("%s%d,%d", k > 1 ? ";" : "&capitals=", cell % l->width, cell / l->width);
    }
}

/* Capitals that were taken from a map, so that there is one: nineteen seeds of twenty find one. */
TEST(small_maps_are_divided_by_nearly_every_seed, .end = 2)
{
    int asked = 0, made = 0, slighted = 0;
    for (int i = 0; i < rounds(is_sanitized() ? 60 : 300); i++) {
        struct arbitrary source = {.state = (uint64_t)(i + 11000000 * (_i + 1))};
        struct land l = {.width = 3 + (int)arbitrary_below(&source, SMALL_SIDE - 2),
                         .height = 3 + (int)arbitrary_below(&source, SMALL_SIDE - 2),
                         .hex = _i};
        int cells = l.width * l.height, of[SMALL_CELLS];
        int count = 2 + (int)arbitrary_below(&source, (uint32_t)cells / 2);
        int towns = count - (int)arbitrary_below(&source, 2) * (count / 3), good = 0;
        while (!draw_countries(&l, &source, count, of)) {
        }
        struct arbitrary drawn = source;
        for (uint32_t seed = 0; seed < 20; seed++) {
            source = drawn;
            land_ask_lattice(&l, seed);
            land_ask("&width=%d&height=%d&count=%d&roughness=%s", l.width, l.height, count,
                     i % 3 ? "0.5" : "0");
            ask_capitals_of(&l, &source, of, towns);
            good += land_answer();
        }
        asked += 20;
        made += good;
        slighted += good < 19;
        if (good < 19 && is_long())
            printf("regions: %d of 20 seeds: %s\n", good, land_query);
    }
    printf("regions: small maps, %s: %.2f %% of seeds, %d maps with fewer than 19 of 20\n",
           _i ? "hex" : "square", 100.0 * made / asked, slighted);
    ck_assert_int_eq(slighted, 0);
}

/* On a torus two cells high a walk to and fro, cut into stretches, is an answer: a capital on each,
   and its size. */
TEST(two_rows_of_a_torus_are_divided, .end = 2)
{
    static int sizes[LAND_CELLS];
    int asked = 0, refused = 0;
    for (int i = 0; i < rounds(100); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 77};
        struct land l = {.width = 2 + (int)arbitrary_below(&source, 22), .height = 2, .wrap = 2};
        l.hex = _i;
        int n = land_draw_sizes(&source, 2 * l.width, sizes);
        land_ask_lattice(&l, (uint32_t)i);
        land_ask("&width=%d&height=2", l.width);
        land_ask_sizes(sizes, n);
        for (int k = 0, at = 0; k < n; at += sizes[k++]) {
            int cell = at + (int)arbitrary_below(&source, (uint32_t)sizes[k]), x = cell / 2;
            int y = cell % 2 ^ (l.hex ? 0 : x % 2); /* rows of hexagons lie to and fro */
            land_ask("%s%d,%d", k ? ";" : "&capitals=", x, y);
        }
        asked++;
        refused += !land_answer();
    }
    land_judge_refusals(refused, asked, 30, "two rows", _i ? "hex" : "square");
}

/* On a torus a cell wide it has to meet itself. */
TEST(the_only_country_holds_any_cell)
{
    for (int i = 0; i < 36; i++) {
        struct land l = {.width = 1 + i % 3, .height = 2 + i / 12 * 2, .hex = i & 1, .wrap = 2};
        land_ask_lattice(&l, (uint32_t)i);
        land_ask("&width=%d&height=%d&count=1&capitals=0,%d", l.width, l.height, i & 1);
        ck_assert_msg(land_answer(), "%s: %s", land_query, land_refusal);
    }
}
