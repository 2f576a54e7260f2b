/*
 * prop_regions.c: the promises of /regions, on thousands of requests of every kind of land.
 *
 * Every map that is made is judged by check_regions.c. A full map must be made, whatever is asked
 * of it; with a mask so many countries are asked for that at least a fair part of the requests has
 * an answer, and how many are refused is bounded for each kind of land.
 *
 * MAPWRIGHT_LONG=1 tries twenty times as many.
 */
#include "check_regions.h"
#include "lots.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 48, CELLS = SIDE * SIDE };

/* A board under construction: land or not, row by row, as the mask is spelled. */
struct land {
    int width, height;
    bool hex;
    int wrap; /* 0 none, 1 x, 2 xy */
    bool is[CELLS];
    int cells, pieces;
};

static const char *const wraps[] = {"none", "x", "xy"};

/* ---- kinds of land --------------------------------------------------------------------------- */

static bool noise(struct lots *lots, int percent)
{
    return lots_below(lots, 100) < (uint32_t)percent;
}

static void draw_noise(struct land *l, struct lots *lots)
{
    int percent = 30 + (int)lots_below(lots, 70);
    for (int i = 0; i < l->width * l->height; i++)
        l->is[i] = noise(lots, percent);
}

/* Land with round lakes. */
static void draw_lakes(struct land *l, struct lots *lots)
{
    memset(l->is, true, sizeof l->is);
    for (int lakes = 1 + (int)lots_below(lots, 6); lakes; lakes--) {
        int cx = (int)lots_below(lots, (uint32_t)l->width),
            cy = (int)lots_below(lots, (uint32_t)l->height);
        int r = (int)lots_below(lots, 8);
        for (int y = 0; y < l->height; y++)
            for (int x = 0; x < l->width; x++)
                if ((x - cx) * (x - cx) + (y - cy) * (y - cy) <= r * r)
                    l->is[y * l->width + x] = false;
    }
}

/* Round islands that may touch. */
static void draw_islands(struct land *l, struct lots *lots)
{
    draw_lakes(l, lots);
    for (int i = 0; i < l->width * l->height; i++)
        l->is[i] = !l->is[i];
}

static void draw_comb(struct land *l, struct lots *lots)
{
    int gap = 1 + (int)lots_below(lots, 3);
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++)
            l->is[y * l->width + x] = y == 0 || x % (gap + 1) == 0;
}

static bool is_land(const struct land *l, int x, int y)
{
    return x >= 0 && y >= 0 && x < l->width && y < l->height && l->is[y * l->width + x];
}

/* One corridor, straight on until land lies two cells ahead, then to the right. */
static void draw_spiral(struct land *l, struct lots *lots)
{
    static const int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1};
    (void)lots;
    memset(l->is, false, sizeof l->is);
    l->is[0] = true;
    for (int x = 0, y = 0, way = 0, turns = 0; turns < 2;) {
        int nx = x + dx[way], ny = y + dy[way];
        bool inside = nx >= 0 && ny >= 0 && nx < l->width && ny < l->height;
        if (!inside || is_land(l, nx, ny) || is_land(l, nx + dx[way], ny + dy[way])) {
            way = (way + 1) % 4;
            turns++;
            continue;
        }
        l->is[ny * l->width + nx] = true;
        x = nx;
        y = ny;
        turns = 0;
    }
}

/* Cells at even places, joined by a random walk that never closes: a perfect maze, grown cell by
 * cell. */
static void draw_maze(struct land *l, struct lots *lots)
{
    static const int dx[] = {2, 0, -2, 0}, dy[] = {0, 2, 0, -2};
    memset(l->is, false, sizeof l->is);
    l->is[0] = true;
    for (int tries = 0; tries < 20 * l->width * l->height; tries++) {
        int x = (int)lots_below(lots, (uint32_t)l->width),
            y = (int)lots_below(lots, (uint32_t)l->height);
        int way = (int)lots_below(lots, 4), nx = x + dx[way], ny = y + dy[way];
        bool good = !(x & 1) && !(y & 1) && nx >= 0 && ny >= 0 && nx < l->width && ny < l->height;
        if (!good || !l->is[y * l->width + x] || l->is[ny * l->width + nx])
            continue;
        l->is[ny * l->width + nx] = l->is[(y + ny) / 2 * l->width + (x + nx) / 2] = true;
    }
}

static void draw_checkers(struct land *l, struct lots *lots)
{
    (void)lots;
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++)
            l->is[y * l->width + x] = (x + y) % 2 == 0;
}

/* ---- counting pieces ------------------------------------------------------------------------- */

/* The cell across a side, or -1; told here once more, not taken from the library. */
static int beside(const struct land *l, int cell, int side)
{
    static const int square[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    static const int hexagon[2][6][2] = {{{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}},
                                         {{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {0, -1}, {1, -1}}};
    int y = cell / l->width, x = cell % l->width;
    const int *step = l->hex ? hexagon[y & 1][side] : square[side];
    x += step[0];
    y += step[1];
    if (l->wrap > 0)
        x = (x + l->width) % l->width;
    if (l->wrap > 1)
        y = (y + l->height) % l->height;
    return x < 0 || y < 0 || x >= l->width || y >= l->height ? -1 : y * l->width + x;
}

static void count_pieces(struct land *l)
{
    static int queue[CELLS];
    bool met[CELLS] = {false};
    l->cells = l->pieces = 0;
    for (int start = 0; start < l->width * l->height; start++) {
        if (!l->is[start] || met[start])
            continue;
        int n = 0;
        l->pieces++;
        met[start] = true;
        queue[n++] = start;
        for (int i = 0; i < n; i++)
            for (int s = 0; s < (l->hex ? 6 : 4); s++) {
                int other = beside(l, queue[i], s);
                if (other < 0 || !l->is[other] || met[other])
                    continue;
                met[other] = true;
                queue[n++] = other;
            }
        l->cells += n;
    }
}

/* ---- asking ---------------------------------------------------------------------------------- */

static char query[CELLS * 8];
static size_t written;

static void ask(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void ask(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    written += (size_t)vsnprintf(query + written, sizeof query - written, format, list);
    va_end(list);
    ck_assert_uint_lt(written, sizeof query);
}

static void ask_lattice(const struct land *l, uint32_t seed)
{
    written = 0;
    ask("seed=%u&grid=%s&wrap=%s", (unsigned)seed, l->hex ? "hex" : "square", wraps[l->wrap]);
}

static void ask_mask(const struct land *l)
{
    for (int i = 0; i < l->width * l->height; i++)
        ask("%s%s", i == 0 ? "&mask=" : i % l->width == 0 ? "/" : "", l->is[i] ? "%23" : ".");
}

static void ask_look(struct lots *lots, bool varied)
{
    ask("&roughness=%.1f", (double)lots_below(lots, 11) / 10);
    if (varied)
        ask("&variation=%.1f", (double)(1 + lots_below(lots, 10)) / 10);
}

/* True when a map was made; one that breaks a promise, or a fault that is no refusal, fails the
 * test. */
static bool answer(void)
{
    static _Alignas(64) char block[48 << 20];
    struct mw_limits limits = {.memory = block, .size = sizeof block};
    struct mw_run *run = mw_open(&limits);
    const struct mw_arg *args;
    size_t count;
    char why[300];
    struct mw_request request;
    bool good = mw_read_query(run, query, written, &args, &count) &&
                mw_bind(run, mw_find("regions"), args, count, NULL, &request);
    const struct mw_map *map = good ? mw_make(run, &request) : NULL;
    if (map) {
        ck_assert_msg(!check_regions(map, why, sizeof why), "%s\n%s", why, query);
        return true;
    }
    const struct mw_problem *problem = &mw_problems(run)->list[0];
    ck_assert_msg(problem->fault == MW_NO_RESULT, "fault %d %s: %s\n%s", problem->fault,
                  problem->pointer, problem->detail, query);
    return false;
}

static int rounds(int n) { return getenv("MAPWRIGHT_LONG") ? 20 * n : n; }

static struct land shape(struct lots *lots, uint32_t most)
{
    struct land l = {.hex = lots_below(lots, 3) > 0};
    l.wrap = lots_below(lots, 2) ? 0 : (int)lots_below(lots, 3);
    l.width = 1 + (int)lots_below(lots, most);
    l.height = 1 + (int)lots_below(lots, most);
    if (l.hex && l.wrap == 2)
        l.height += l.height & 1;
    memset(l.is, true, sizeof l.is);
    return l;
}

/* Of few, of many, of as many as there are, and of nearly as many. */
static int draw_count(struct lots *lots, int least, int most)
{
    int span = most - least + 1, few = span < 12 ? span : 12;
    switch (lots_below(lots, 5)) {
    case 0: return most - (int)lots_below(lots, (uint32_t)few);
    case 1: return least + (int)lots_below(lots, (uint32_t)span);
    case 2: return least + (int)lots_below(lots, (uint32_t)(span / 4 + 1));
    default: return least + (int)lots_below(lots, (uint32_t)few);
    }
}

/* ---- the tests ------------------------------------------------------------------------------- */

START_TEST(a_full_map_is_always_made)
{
    for (int i = 0; i < rounds(1200); i++) {
        struct lots lots = {.state = (uint64_t)i + 1};
        struct land l = shape(&lots, SIDE - 1);
        ask_lattice(&l, (uint32_t)i);
        ask("&width=%d&height=%d&count=%d", l.width, l.height,
            draw_count(&lots, 1, l.width * l.height));
        ask_look(&lots, lots_below(&lots, 2) == 0);
        ck_assert_msg(answer(), "refused: %s", query);
    }
}
END_TEST

/* Exact sizes: the map cut at random places, or at places near each other. */
START_TEST(sizes_are_met_to_the_cell)
{
    for (int i = 0; i < rounds(500); i++) {
        struct lots lots = {.state = (uint64_t)i + 1000000};
        struct land l = shape(&lots, 30);
        int left = l.width * l.height;
        uint32_t reach = 1 + lots_below(&lots, (uint32_t)left);
        ask_lattice(&l, (uint32_t)i);
        ask("&width=%d&height=%d", l.width, l.height);
        for (bool first = true; left > 0; first = false) {
            int size = 1 + (int)lots_below(&lots, reach < (uint32_t)left ? reach : (uint32_t)left);
            ask("%s%d", first ? "&sizes=" : ",", size);
            left -= size;
        }
        ask_look(&lots, false);
        ck_assert_msg(answer(), "refused: %s", query);
    }
}
END_TEST

/* How many of a hundred requests may be refused: some cannot be met on such land, and nobody knows
 * which. */
static const struct {
    const char *name;
    void (*draw)(struct land *, struct lots *);
    int refused_percent;
} lands[] = {
    {"noise", draw_noise, 12},       {"lakes", draw_lakes, 3},   {"islands", draw_islands, 6},
    {"comb", draw_comb, 20},         {"spiral", draw_spiral, 3}, {"maze", draw_maze, 35},
    {"checkers", draw_checkers, 10},
};

START_TEST(masks)
{
    int asked = 0, refused = 0;
    for (int i = 0; i < rounds(250); i++) {
        struct lots lots = {.state = (uint64_t)(i + 7919 * _i)};
        struct land l = shape(&lots, lots_below(&lots, 4) ? 20 : SIDE - 1);
        lands[_i].draw(&l, &lots);
        count_pieces(&l);
        if (!l.cells)
            continue;
        ask_lattice(&l, (uint32_t)i);
        ask("&count=%d", draw_count(&lots, l.pieces, l.cells));
        ask_look(&lots, lots_below(&lots, 4) == 0);
        ask_mask(&l);
        asked++;
        refused += !answer();
    }
    if (getenv("MAPWRIGHT_LONG"))
        fprintf(stderr, "regions on %s: %d of %d refused\n", lands[_i].name, refused, asked);
    ck_assert_msg(refused * 100 <= asked * lands[_i].refused_percent, "%s: %d of %d are refused",
                  lands[_i].name, refused, asked);
}
END_TEST

/* Fewer countries than pieces, more than cells: refused, in advance. */
START_TEST(what_cannot_be_is_refused)
{
    for (int i = 0; i < rounds(100); i++) {
        struct lots lots = {.state = (uint64_t)i + 5000};
        struct land l = shape(&lots, 20);
        draw_noise(&l, &lots);
        count_pieces(&l);
        ask_lattice(&l, (uint32_t)i);
        ask("&count=%d", i & 1 || l.pieces < 2
                             ? l.cells + 1 + (int)lots_below(&lots, 9)
                             : 1 + (int)lots_below(&lots, (uint32_t)l.pieces - 1));
        ask_mask(&l);
        ck_assert_msg(!answer(), "made: %s", query);
    }
}
END_TEST

/* ---- look ------------------------------------------------------------------------------------ */

struct look {
    double mean, least;
};

/* Isoperimetric quotients 4 pi A / P^2 of 400 countries of 1000 hexagons, whose area is 1 and whose
   side is the root of 2 / (3 root 3). */
static struct look look_at(const char *roughness)
{
    enum { BYTES = 32 << 20, MAPS = 4, COUNTRIES = 100 };
    struct look look = {0, 1};
    char *memory = aligned_alloc(64, BYTES);
    for (int seed = 1; seed <= MAPS; seed++) {
        char address[128];
        int n = snprintf(address, sizeof address,
                         "/regions?width=316&height=316&count=%d&roughness=%s&seed=%d", COUNTRIES,
                         roughness, seed);
        struct mw_run *run = mw_open(&(struct mw_limits){.memory = memory, .size = BYTES});
        struct mw_request request;
        ck_assert(mw_bind_address(run, address, (size_t)n, &request));
        const struct mw_map *map = mw_make(run, &request);
        ck_assert_ptr_nonnull(map);
        int32_t *const *column = (int32_t *const *)map->slots[4].as.table.columns;
        for (int k = 0; k < COUNTRIES; k++) {
            double border = column[3][k],
                   quotient = 4 * 3.14159265 * column[1][k] / (border * border * 0.3849);
            look.mean += quotient / (MAPS * COUNTRIES);
            look.least = quotient < look.least ? quotient : look.least;
        }
    }
    free(memory);
    return look;
}

START_TEST(borders_are_as_rough_as_asked)
{
    static const char *const steps[] = {"0", "0.25", "0.5", "0.75", "1"};
    double means[5];
    for (int i = 0; i < 5; i++) {
        struct look look = look_at(steps[i]);
        means[i] = look.mean;
        ck_assert_msg(!i || look.mean < means[i - 1], "%s is no rougher: %.3f", steps[i],
                      look.mean);
        ck_assert_msg(i != 2 || look.least >= 0.10, "a country of quotient %.3f", look.least);
        printf("regions: roughness %s: mean quotient %.3f, least %.3f\n", steps[i], look.mean,
               look.least);
    }
    ck_assert_msg(means[2] >= 0.22 && means[2] <= 0.34, "mean %.3f by default", means[2]);
    ck_assert_msg(means[0] >= 0.42 && means[4] <= 0.15, "from %.3f to %.3f only", means[0],
                  means[4]);
}
END_TEST

Suite *prop_regions(void);
Suite *prop_regions(void)
{
    Suite *suite = suite_create("promises of regions");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 3600);
    tcase_add_test(all, a_full_map_is_always_made);
    tcase_add_test(all, sizes_are_met_to_the_cell);
    tcase_add_loop_test(all, masks, 0, (int)(sizeof lands / sizeof lands[0]));
    tcase_add_test(all, what_cannot_be_is_refused);
    tcase_add_test(all, borders_are_as_rough_as_asked);
    suite_add_tcase(suite, all);
    return suite;
}
