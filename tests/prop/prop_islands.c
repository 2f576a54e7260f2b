/*
 * prop_islands.c: the promises of /islands, on requests of its own.
 *
 * Every map that is made is judged by check_islands.c. Default maps and a row of demands must be
 * met for every seed. Of requests drawn at random each must be met or refuted, but for the narrow
 * gap between what can be laid out and what can be refuted, which is bounded here.
 *
 * MAPWRIGHT_LONG=1 tries more; among them a million default maps.
 */
#include "ask.h"
#include "check_islands.h"
#include "test.h"

enum { ISLANDS = 3, BRIDGES, CELLS = 8 }; /* parts */

static void ask_islands(uint32_t seed) { ask_anew("islands", seed); }
static const struct mw_map *answer(void) { return ask_judged(check_islands); }

/* 4 pi A / P^2 of all islands of a map, added up. */
static double roundness(const struct mw_map *map)
{
    const struct mw_cells *grid = &map->slots[CELLS].as.grid;
    int w = grid->lattice.width, h = grid->lattice.height, n = map->slots[ISLANDS].as.table.rows;
    int *area = calloc((size_t)n + 1, sizeof *area), *coast = calloc((size_t)n + 1, sizeof *coast);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int id = grid->at[y * w + x];
            if (id <= 0)
                continue;
            area[id]++;
            coast[id] += (x == 0 || grid->at[y * w + x - 1] != id) +
                         (x == w - 1 || grid->at[y * w + x + 1] != id);
            coast[id] += (y == 0 || grid->at[(y - 1) * w + x] != id) +
                         (y == h - 1 || grid->at[(y + 1) * w + x] != id);
        }
    double sum = 0;
    for (int id = 1; id <= n; id++)
        sum += 12.566370614 * area[id] / ((double)coast[id] * coast[id]);
    free(area);
    free(coast);
    return sum;
}

/* ---- demands that must be met ---------------------------------------------------------------- */

TEST(default_maps_are_always_made)
{
    double sum = 0;
    long islands = 0;
    for (uint32_t i = 0; i < (is_long() ? 1000000 : 10000); i++) {
        ask_islands(i);
        const struct mw_map *map = answer();
        ck_assert_msg(map != NULL, "%s: %s", query, refusal);
        sum += roundness(map);
        islands += map->slots[ISLANDS].as.table.rows;
    }
    double mean = sum / (double)islands;
    if (is_long())
        fprintf(stderr, "islands: mean isoperimetric quotient %.3f\n", mean);
    ck_assert_msg(mean > .22 && mean < .36, "islands look like blocks or threads: %.3f", mean);
}

static const char *const demands[] = {
    "islands=15,15",
    "islands=16,18&edge=open",
    "islands=13,16",
    "size=20,20",
    "islands=4,4&size=60,62",
    "islands=1,1&size=300,300",
    "islands=30,30&size=4,6",
    "islands=21,21&edge=open",
    "islands=1,1&size=576,576&edge=open",
    "islands=1,1&size=484,484",
    "islands=144,144&size=1,1&edge=open",
    "islands=121,121&size=1,1",
    "land=0",
    "land=1",
    "iterations=0&land=0.5",
    "bridges=false",
    "loops=1",
    "layers=64",
    "width=200&height=9&islands=20,30",
    "width=1&height=600",
};

/* Whatever the size of the map, its defaults work. */
TEST(defaults_fit_every_map)
{
    for (int i = 0; i < 26 * 26; i++) {
        ask_islands((uint32_t)i);
        ask("&width=%d&height=%d%s", 1 + i % 26, 1 + i / 26, i % 3 ? "" : "&order=false&land=1");
        ck_assert_msg(answer() != NULL || i % 3 == 0, "%s: %s", query, refusal);
    }
}

TEST(demands_are_met_for_every_seed, .end = COUNT(demands))
{
    for (uint32_t i = 0; i < (uint32_t)rounds(300); i++) {
        ask_islands(i);
        ask("&%s", demands[_i]);
        ck_assert_msg(answer() != NULL, "%s: %s", query, refusal);
    }
}

/* ---- requests at random ---------------------------------------------------------------------- */

static void ask_anything(struct arbitrary *source)
{
    static const char *const land[] = {"0", "0.1", "0.333", "0.5", "0.7", "1"};
    int width = 1 + (int)arbitrary_below(source, 30), height = 1 + (int)arbitrary_below(source, 30);
    int least = 1 + (int)arbitrary_below(source, arbitrary_below(source, 3) ? 12 : 50);
    int largest = least + (arbitrary_below(source, 3) ? (int)arbitrary_below(source, 9) : 0);
    int room = (width + 1) * (height + 1) / (least + 6) + 1,
        fewest = 1 + (int)arbitrary_below(source, (uint32_t)room);
    ask("&width=%d&height=%d&size=%d,%d&islands=%d,%d", width, height, least, largest, fewest,
        fewest + (int)arbitrary_below(source, 6));
    ask("&edge=%s", width > 2 && height > 2 && arbitrary_below(source, 2) ? "sea" : "open");
    ask("&layers=%d&land=%s&iterations=%d&bridges=%s&loops=%s", 1 + (int)arbitrary_below(source, 5),
        land[arbitrary_below(source, 6)], (int)arbitrary_below(source, 30),
        arbitrary_below(source, 4) ? "true" : "false", arbitrary_below(source, 2) ? "0" : "0.5");
}

TEST(all_else_is_met_or_refuted, .measures = true)
{
    int asked = rounds(3000), unknown = 0;
    for (int i = 0; i < asked; i++) {
        struct arbitrary source = {.state = (uint64_t)i + 99};
        ask_islands((uint32_t)i);
        ask_anything(&source);
        unknown += !answer() && strstr(refusal, "no place was found") != NULL;
    }
    if (is_long())
        fprintf(stderr, "islands: %d of %d neither met nor refuted\n", unknown, asked);
    ck_assert_msg(unknown * 1000 <= 25 * asked, "%d of %d neither met nor refuted", unknown, asked);
}

/* ---- the land as it is ----------------------------------------------------------------------- */

static bool is_land(const struct mw_cells *grid, int x, int y)
{
    const struct mw_lattice *l = &grid->lattice;
    return x >= 0 && y >= 0 && x < l->width && y < l->height && grid->at[y * l->width + x] > 0;
}

static const struct mw_map *ask_picture(const char *demand, uint32_t seed, int rounds)
{
    ask_islands(seed);
    ask("&order=false&edge=open&%s&iterations=%d", demand, rounds);
    return answer();
}

static const char *const pictures[] = {
    "land=0.5&width=90&height=70", "land=0.333&width=40&height=40&bridges=false",
    "land=0.62&width=33&height=120&islands=3,2&size=600,500", /* which do not count */
};

/* Land of one round more is what a round of Day & Night makes of it. */
TEST(a_picture_is_what_the_automaton_made, .end = COUNT(pictures))
{
    static bool after[90 * 120];
    for (uint32_t i = 0; i < 12; i++) {
        int rounds = (int)(i * i), width = 0;
        const struct mw_map *map = ask_picture(pictures[_i], i / 3, rounds);
        ck_assert_msg(map != NULL, "%s: %s", query, refusal);
        const struct mw_cells *grid = &map->slots[CELLS].as.grid;
        width = grid->lattice.width;
        for (int y = 0; y < grid->lattice.height; y++)
            for (int x = 0; x < width; x++) {
                int n = -is_land(grid, x, y);
                for (int k = 0; k < 9; k++)
                    n += is_land(grid, x + k % 3 - 1, y + k / 3 - 1);
                after[y * width + x] =
                    n == 3 || (n == 4 && is_land(grid, x, y)) || (n >= 6 && n <= 8);
            }
        map = ask_picture(pictures[_i], i / 3, rounds + 1);
        ck_assert_msg(map != NULL, "%s: %s", query, refusal);
        grid = &map->slots[CELLS].as.grid;
        for (int c = 0; c < width * grid->lattice.height; c++)
            ck_assert_msg((grid->at[c] > 0) == after[c], "%s: cell %d", query, c);
    }
}

/* Half land, 200 rounds: large islands, of which none is like another. */
TEST(half_land_is_a_picture_worth_having)
{
    for (uint32_t i = 0; i < 4; i++) {
        const struct mw_map *map = ask_picture("land=0.5&width=300&height=300", i, 200);
        ck_assert_msg(map != NULL, "%s: %s", query, refusal);
        const int32_t *size = map->slots[ISLANDS].as.table.columns[2];
        int32_t land = 0, largest = 0;
        for (int32_t k = 0; k < map->slots[ISLANDS].as.table.rows; k++) {
            land += size[k];
            largest = size[k] > largest ? size[k] : largest;
        }
        ck_assert_msg(land > 300 * 300 / 4 && land < 300 * 300 * 6 / 10, "%d cells of land", land);
        ck_assert_msg(largest > 1000, "the largest has %d cells", largest);
    }
}

/* On rough land islands touch at corners, and some only bridges beside a third can reach. */
TEST(pictures_keep_every_promise)
{
    static const char *const land[] = {"0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.9"};
    int asked = rounds(3000), made = 0;
    for (int i = 0; i < asked; i++) {
        struct arbitrary source = {.state = (uint64_t)i + 7};
        ask_islands((uint32_t)i);
        ask("&order=false&width=%d&height=%d", 1 + (int)arbitrary_below(&source, 25),
            1 + (int)arbitrary_below(&source, 25));
        ask("&land=%s&iterations=%d&layers=%d", land[arbitrary_below(&source, 7)],
            arbitrary_below(&source, 2) ? 0 : (int)arbitrary_below(&source, 40),
            1 + (int)arbitrary_below(&source, 5));
        ask("&bridges=%s&loops=%s", arbitrary_below(&source, 5) ? "true" : "false",
            arbitrary_below(&source, 2) ? "0" : "0.5");
        made += answer() != NULL;
        ck_assert_msg(*refusal == '\0' || strstr(refusal, "/land no land is left"), "%s: %s", query,
                      refusal);
    }
    ck_assert_int_gt(made, asked * 7 / 10);
}

/* ---- as many as can be ----------------------------------------------------------------------- */

/* A million on 4096 by 4096 cells where all is tried, a sixteenth of that where not. */
static const struct {
    int share; /* of a hundred cells, an island */
    const char *demand;
} crowds[] = {
    {6, "size=4,6"},
    {6, "size=1,9&loops=1"},
    {0, "order=false&land=0.3&iterations=0"},
};

TEST(a_million_islands_keep_every_promise, .end = COUNT(crowds))
{
    int side = is_long() ? 4096 : 1024, islands = side * side / 100 * crowds[_i].share;
    size_t size = (size_t)side * (size_t)side * 80;
    struct mw_limits limits = {.memory = aligned_alloc(64, size), .size = size};
    ck_assert(limits.memory != NULL);
    struct mw_run *run = mw_open(&limits);
    struct mw_request request;
    char why[256];
    ask_islands((uint32_t)_i);
    ask("&width=%d&height=%d&%s", side, side, crowds[_i].demand);
    if (islands)
        ask("&islands=%d,%d", islands, islands + 1000);
    ck_assert(mw_bind_address(run, query, written, &request));
    const struct mw_map *map = mw_make(run, &request);
    ck_assert_msg(map != NULL, "%s: %s", query, mw_problems(run)->list[0].detail);
    ck_assert_int_gt(map->slots[ISLANDS].as.table.rows, side * side / 17);
    const char *bad = check_islands(map, why, sizeof why);
    ck_assert_msg(!bad, "%s: %s", query, bad);
    free(limits.memory);
}

/* ---- loops ----------------------------------------------------------------------------------- */

static int count_bridges(uint32_t seed, const char *loops)
{
    ask_islands(seed);
    ask("&loops=%s", loops);
    const struct mw_map *map = answer();
    ck_assert(map != NULL);
    return map->slots[BRIDGES].as.table.rows;
}

TEST(loops_are_a_share_of_the_further_pairs)
{
    for (uint32_t i = 0; i < 200; i++) {
        int none = count_bridges(i, "0"), all = count_bridges(i, "1");
        ck_assert_int_eq(count_bridges(i, "0.25"), none + (all - none) / 4);
        ck_assert_int_eq(count_bridges(i, "0.6"), none + (all - none) * 6 / 10);
        ck_assert_int_gt(all, none);
    }
}

/* ---- refusals -------------------------------------------------------------------------------- */

static const struct {
    const char *query, *says;
} refusals[] = {
    {"islands=13,9", "/islands the fewest, 13, must not be more than the most, 9"},
    {"size=23,18", "/size the fewest, 23, must not be more than the most, 18"},
    {"islands=23,30&edge=open", "a map of 24 by 24 has 625, which is room for 22"},
    {"islands=23,30", "a map of 22 by 22 inside the rim has 529, which is room for 18"},
    {"islands=20,30", "which is room for 18: with edge=open they fit"},
    {"size=577,600", "does not fit on a map of 22 by 22 inside the rim"},
    {"size=500,600", "does not fit on a map of 22 by 22 inside the rim: with edge=open it does"},
    {"size=577,600&edge=open", "does not fit on a map of 24 by 24"},
    {"width=2&height=9&edge=sea", "/edge must be open: a map of 2 by 9 is nothing but rim"},
    {"order=false&land=0", "/land no land is left after round 20"},
    {"width=3&height=3&size=1,1&islands=5,5&edge=open", "which is room for 4"},
    {"islands=22,22&edge=open", "21 can be laid out"},
    {"width=26&height=26&islands=22,22", "21 can be laid out"},
    {"width=2&height=7&size=3,3&islands=3,3", "2 can be laid out"},
};

TEST(what_cannot_be_is_refused_with_the_numbers, .end = COUNT(refusals))
{
    ask_islands(1);
    ask("&%s", refusals[_i].query);
    ck_assert_msg(!answer(), "made: %s", query);
    ck_assert_msg(strstr(refusal, refusals[_i].says) != NULL, "%s: %s", query, refusal);
}

/* An island covers at least as many corners as is said: by brute force over all shapes of few
   cells. */
enum { GRID = 6 };

static int cover_of(const bool *cell)
{
    int points = 0;
    for (int y = 0; y <= GRID; y++)
        for (int x = 0; x <= GRID; x++) {
            bool used = false;
            for (int k = 0; k < 4; k++) {
                int cx = x - k % 2, cy = y - k / 2;
                used |= cx >= 0 && cy >= 0 && cx < GRID && cy < GRID && cell[cy * GRID + cx];
            }
            points += used;
        }
    return points;
}

/* The least cover of shapes that grow from `cell` by `more` cells. */
static int least_cover(bool *cell, int more)
{
    if (!more)
        return cover_of(cell);
    int best = GRID * GRID * 4;
    for (int i = 0; i < GRID * GRID; i++) {
        int x = i % GRID, y = i / GRID;
        bool beside = (x && cell[i - 1]) || (x < GRID - 1 && cell[i + 1]) ||
                      (y && cell[i - GRID]) || (y < GRID - 1 && cell[i + GRID]);
        if (cell[i] || !beside)
            continue;
        cell[i] = true;
        int cover = least_cover(cell, more - 1);
        cell[i] = false;
        best = cover < best ? cover : best;
    }
    return best;
}

TEST(the_bound_on_islands_is_true)
{
    for (int size = 1; size <= 6; size++) {
        bool cell[GRID * GRID] = {false};
        cell[GRID * GRID / 2 + GRID / 2] = true;
        int cover = least_cover(cell, size - 1), fit = 25 * 25 / cover;
        ask_islands(1);
        ask("&edge=open&size=%d,%d&islands=%d,%d", size, size, fit + 1, fit + 1);
        ck_assert_msg(!answer(), "made: %s", query);
        char says[80];
        snprintf(says, sizeof says, "which is room for %d", fit);
        ck_assert_msg(strstr(refusal, says) != NULL, "%s: %s, not %d", query, refusal, fit);
    }
}
