/*
 * prop_islands.c: the promises of /islands, on requests of its own.
 *
 * Every map that is made is judged by check_islands.c. Default maps must be made for every seed. Of
 * requests drawn at random each must be met or refuted, but for the narrow gap between what can be
 * laid out and what can be refuted, which is bounded here. The automaton is run again, plainly.
 *
 * MAPWRIGHT_LONG=1 tries more; among them a million default maps.
 */
#define ASK_BLOCK (96 << 20)
#define ASK_QUERY (1 << 12)

#include "ask.h"
#include "judge.h"
#include "land.h"

enum { ISLANDS = 3, BRIDGES, CELLS = 8 }; /* parts */

static const struct mw_map *answer(void) { return ask_judged(check_islands); }

static bool is_land(const struct mw_cells *grid, int x, int y)
{
    const struct mw_lattice *l = &grid->lattice;
    return x >= 0 && y >= 0 && x < l->width && y < l->height && grid->at[y * l->width + x] > 0;
}

/* ---- default maps ---------------------------------------------------------------------------- */

TEST(default_maps_are_always_made)
{
    for (uint32_t i = 0; i < (is_long() ? 1000000 : 10000); i++) {
        ask_anew("islands", i);
        ask_made(answer());
    }
}

/* ---- requests at random ---------------------------------------------------------------------- */

static void ask_anything(struct arbitrary *source, bool ordered)
{
    static const char *const land[] = {"0", "0.1", "0.333", "0.5", "0.7", "1"};
    int width = 1 + below(source, 30), height = 1 + below(source, 30);
    int least = 1 + below(source, below(source, 3) ? 12 : 50), spread = below(source, 9);
    int largest = least + (below(source, 3) ? spread : 0);
    int fewest = 1 + below(source, (width + 1) * (height + 1) / (least + 6) + 1);
    ask("&width=%d&height=%d&size=%d,%d&islands=%d,%d", width, height, least, largest, fewest,
        fewest + below(source, 6));
    ask("&edge=%s", width > 2 && height > 2 && below(source, 2) ? "sea" : "open");
    ask("&layers=%d&land=%s", 1 + below(source, 5), land[below(source, 6)]);
    ask("&iterations=%d&bridges=%s", below(source, 2) ? 0 : below(source, 30),
        below(source, 4) ? "true" : "false");
    ask("&loops=%s&order=%s", below(source, 2) ? "0" : "0.5", ordered ? "true" : "false");
}

/* Without order islands touch at corners, and some only bridges beside a third can reach. */
TEST(requests_are_met_or_refuted, .end = 2, .measures = true)
{
    int asked = rounds(3000), unknown = 0, made = 0;
    for (int i = 0; i < asked; i++) {
        struct arbitrary source = {.state = (uint64_t)i + 99};
        ask_anew("islands", (uint32_t)i);
        ask_anything(&source, _i);
        made += answer() != NULL;
        unknown += strstr(refusal, "no place was found") != NULL;
        ck_assert_msg(_i || !*refusal || strstr(refusal, "/land no land is left"), "%s: %s", query,
                      refusal);
    }
    printf("islands: %d of %d made, %d neither met nor refuted\n", made, asked, unknown);
    ck_assert_msg(unknown * 1000 <= 25 * asked, "%d of %d neither met nor refuted", unknown, asked);
    ck_assert_int_gt(made, asked / 2);
}

/* As many as can be, on 1024 by 1024 cells; of a hundred cells, so many are an island. */
static const struct {
    int share;
    const char *demand;
} crowds[] = {
    {6, "size=4,6"},
    {6, "size=1,9&loops=1"},
    {0, "order=false&land=0.3&iterations=0"},
};

TEST(crowds_of_islands_keep_every_promise, .end = COUNT(crowds))
{
    int cells = 1024 * 1024, islands = cells / 100 * crowds[_i].share;
    ask_anew("islands", (uint32_t)_i);
    ask("&width=1024&height=1024&%s", crowds[_i].demand);
    if (islands)
        ask("&islands=%d,%d", islands, islands + 1000);
    ck_assert_int_gt(ask_made(answer())->slots[ISLANDS].as.table.rows, cells / 17);
}

/* ---- the automaton --------------------------------------------------------------------------- */

static const struct mw_cells *ask_picture(const char *fields, int seed, int iterations)
{
    ask_anew("islands", (uint32_t)seed);
    ask("&order=false&edge=open&iterations=%d&%s", iterations, fields);
    return &ask_made(answer())->slots[CELLS].as.grid;
}

/* Land of one round more is what a round of Day & Night makes of it; widths end anywhere in a word
   of 64 cells. */
TEST(a_picture_is_what_the_automaton_made)
{
    static bool after[200 * 120];
    for (int i = 0; i < rounds(400); i++) {
        char fields[99];
        int width = 1 + i % 200, height = i < 200 ? 3 : 1 + i % 120, iterations = i % 7 * (i % 5);
        snprintf(fields, sizeof fields, "width=%d&height=%d&land=0.%d&islands=3,2&bridges=%s",
                 width, height, 50 + i % 30, i % 2 ? "true" : "false");
        ask_anew("islands", (uint32_t)i);
        ask("&order=false&edge=open&iterations=%d&%s", iterations + 1, fields);
        if (!answer()) /* all land may die out */
            continue;
        const struct mw_cells *grid = ask_picture(fields, i, iterations);
        for (int c = 0; c < width * height; c++) {
            int n = -is_land(grid, c % width, c / width);
            for (int k = 0; k < 9; k++)
                n += is_land(grid, c % width + k % 3 - 1, c / width + k / 3 - 1);
            after[c] = n == 3 || (n == 4 && grid->at[c] > 0) || (n >= 6 && n <= 8);
        }
        grid = ask_picture(fields, i, iterations + 1);
        for (int c = 0; c < width * height; c++)
            ck_assert_msg((grid->at[c] > 0) == after[c], "%s: cell %d", query, c);
    }
}

/* Within five standard deviations. */
TEST(cells_start_as_land_with_their_chance)
{
    enum { CELLS_IN_ALL = 300 * 300 };
    static const int chances[] = {1, 250, 333, 500, 999, 1000};
    for (int i = 0; i < COUNT(chances); i++) {
        char fields[99];
        int land = 0, slack = chances[i] % 1000 ? 750 : 0;
        snprintf(fields, sizeof fields, "width=300&height=300&land=%d.%03d", chances[i] / 1000,
                 chances[i] % 1000);
        const struct mw_cells *grid = ask_picture(fields, 5, 0);
        for (int c = 0; c < CELLS_IN_ALL; c++)
            land += grid->at[c] > 0;
        ck_assert_msg(abs(land - CELLS_IN_ALL / 1000 * chances[i]) <= slack, "%d: %d", chances[i],
                      land);
    }
}

/* ---- loops ----------------------------------------------------------------------------------- */

static int count_bridges(uint32_t seed, const char *loops)
{
    ask_anew("islands", seed);
    ask("&loops=%s", loops);
    return ask_made(answer())->slots[BRIDGES].as.table.rows;
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
