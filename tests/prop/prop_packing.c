/*
 * prop_packing.c: whether so many islands fit, on maps where all ways can be tried.
 *
 * Brute force knows shapes as sets of cells: all that hang together and have so many cells, put one
 * after another where they touch none before. What it finds must be made, one island more must be
 * called impossible, for every seed. On all maps to 8 by 8 no demand may be left open; on larger
 * ones no seed may have a say in the answer.
 */
#include "ask.h"
#include "check_islands.h"

static const struct mw_map *answer(void) { return ask_judged(check_islands); }

static void ask_for(uint32_t seed, int width, int height, int size, int islands)
{
    ask_anew("islands", seed);
    ask("&width=%d&height=%d&size=%d,%d&islands=%d,%d", width, height, size, size, islands,
        islands);
}

static bool is_open(void) { return strstr(refusal, "not known") != NULL; }

/* ---- brute force ----------------------------------------------------------------------------- */

enum { SETS = 1 << 19, KNOWN = 1 << 20 };

/* A map of at most 64 cells; sets of cells are bits. */
static struct {
    int width, height, cells;
    uint64_t beside[64], around[64]; /* by sides; with corners and the cell itself */
    uint64_t set[SETS];              /* the shapes, by their first cell */
    int first[65], sets;
} board;

/* Free cells, and the most islands on them. */
static struct {
    uint64_t land;
    int most;
} known[KNOWN];

static void draw_board(int width, int height)
{
    board.width = width;
    board.height = height;
    board.cells = width * height;
    for (int a = 0; a < board.cells; a++) {
        board.beside[a] = board.around[a] = 0;
        for (int b = 0; b < board.cells; b++) {
            int dx = abs(a % width - b % width), dy = abs(a / width - b / width);
            board.beside[a] |= (uint64_t)(dx + dy == 1) << b;
            board.around[a] |= (uint64_t)(dx <= 1 && dy <= 1) << b;
        }
    }
}

static uint64_t spread(const uint64_t *to, uint64_t set)
{
    uint64_t all = set;
    for (; set; set &= set - 1)
        all |= to[__builtin_ctzll(set)];
    return all;
}

static int compare(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    uint64_t first = *x & -*x, second = *y & -*y;
    if (first != second)
        return first < second ? -1 : 1;
    return (*x > *y) - (*x < *y);
}

/* All shapes of so many cells, from those of one cell less; false: too many to try. */
static bool list_shapes(int size)
{
    static uint64_t grown[SETS];
    board.sets = board.cells;
    for (int i = 0; i < board.cells; i++)
        board.set[i] = UINT64_C(1) << i;
    for (int cells = 2; cells <= size; cells++) {
        int n = 0;
        for (int i = 0; i < board.sets; i++) {
            uint64_t more = spread(board.beside, board.set[i]) & ~board.set[i];
            for (; more && n < SETS; more &= more - 1)
                grown[n++] = board.set[i] | (more & -more);
        }
        if (n == SETS)
            return false;
        qsort(grown, (size_t)n, sizeof *grown, compare);
        board.sets = 0;
        for (int i = 0; i < n; i++)
            if (!i || grown[i] != grown[i - 1])
                board.set[board.sets++] = grown[i];
    }
    for (int c = 0, i = 0; c <= board.cells; c++) {
        while (i < board.sets && c < board.cells && __builtin_ctzll(board.set[i]) < c)
            i++;
        board.first[c] = c < board.cells ? i : board.sets;
    }
    memset(known, 0, sizeof known);
    return true;
}

/* The most islands on free land: without its first cell, or with a shape that begins there. */
static int most_on(uint64_t land)
{
    if (!land)
        return 0;
    uint64_t at = land * UINT64_C(0x9e3779b97f4a7c15) >> 44;
    for (int i = 0; i < 64 && known[at].land; i++, at = (at + 1) % KNOWN)
        if (known[at].land == land)
            return known[at].most;
    int cell = __builtin_ctzll(land), most = most_on(land & (land - 1));
    for (int i = board.first[cell]; i < board.first[cell + 1]; i++)
        if (!(board.set[i] & ~land)) {
            int with = 1 + most_on(land & ~spread(board.around, board.set[i]));
            most = with > most ? with : most;
        }
    for (int i = 0; i < 64; i++, at = (at + 1) % KNOWN)
        if (!known[at].land) {
            known[at].land = land;
            known[at].most = most;
            break;
        }
    return most;
}

static void judge_size(int size)
{
    int w = board.width, h = board.height;
    if (!list_shapes(size))
        return;
    int most = most_on(board.cells < 64 ? (UINT64_C(1) << board.cells) - 1 : UINT64_MAX);
    for (uint32_t seed = 0; seed < 3; seed++) {
        ask_for(seed, w, h, size, most + 1);
        ck_assert_msg(!answer(), "brute force has only %d: %s", most, query);
        ck_assert_msg(!is_open(), "%s: %s", query, refusal);
        if (most) {
            ask_for(seed, w, h, size, most);
            ck_assert_msg(answer() != NULL, "%s: %s", query, refusal);
        }
    }
}

static const struct {
    int width, height, most; /* cells of an island, tried */
} boards[] = {{4, 6, 8}, {5, 5, 8}, {5, 6, 7}, {6, 6, 7}, {3, 8, 9}, {4, 8, 7}, {7, 6, 5},
              {2, 8, 9}, {7, 7, 4}, {8, 5, 5}, {8, 6, 4}, {8, 7, 3}, {8, 8, 3}};

START_TEST(the_answer_on_small_maps_is_right)
{
    draw_board(boards[_i].width, boards[_i].height);
    for (int size = 1; size <= boards[_i].most + is_long(); size++)
        judge_size(size);
}
END_TEST

/* ---- all small maps -------------------------------------------------------------------------- */

START_TEST(no_small_map_is_left_open)
{
    for (int width = 1; width <= 8; width++)
        for (int height = 1; height <= 8; height++)
            for (int size = 1; size <= width * height; size++) {
                int islands = (width + 1) * (height + 1) / (size + 3);
                for (bool made = false; !made; islands--) {
                    ask_for((uint32_t)islands, width, height, size, islands);
                    made = answer() != NULL;
                    ck_assert_msg(!is_open(), "%s: %s", query, refusal);
                    ck_assert(islands > 0);
                }
            }
}
END_TEST

static const char *const puzzles[] = {
    "width=6&height=6&islands=4,4&size=6,6", "width=4&height=6&islands=4,4&size=3,3",
    "width=8&height=8&islands=4,4&size=11,11", "width=11&height=13&islands=12,12&size=7,7"};

START_TEST(tight_places_are_found_for_every_seed)
{
    int others = 0;
    char first[64] = "";
    for (uint32_t seed = 0; seed < 20; seed++) {
        ask_anew("islands", seed);
        ask("&%s", puzzles[_i]);
        const struct mw_map *map = answer();
        ck_assert_msg(map != NULL, "%s: %s", query, refusal);
        const struct mw_cells *grid = &map->slots[8].as.grid;
        char picture[64];
        for (int i = 0; i < 63; i++)
            picture[i] =
                i < grid->lattice.width * grid->lattice.height && grid->at[i] > 0 ? '#' : '.';
        picture[63] = '\0';
        if (!seed)
            memcpy(first, picture, sizeof first);
        others += strcmp(first, picture) != 0;
    }
    ck_assert_msg(_i > 1 || others > 3, "%s: all seeds give the same map", query);
}
END_TEST

/* ---- larger maps ----------------------------------------------------------------------------- */

/* More than shelves hold, and no more than the corners allow. */
static const struct {
    int width, height, size, islands;
    const char *says; /* "": it is made */
} demands[] = {
    {20, 8, 3, 23, ""},
    {9, 17, 12, 9, "9 islands of size 12 do not fit: all ways to lay them out were tried, 8 can"},
    {18, 15, 16, 12, "11 can be laid out"},
    {10, 10, 6, 9, ""},
    {12, 10, 14, 6, ""},
    {9, 15, 4, 17, ", 16 can"},
    {15, 15, 16, 10, "9 can be laid out"},
    {15, 11, 48, 3, ", 2 can"}, /* so large that one could lie in a lake of another */
};

static void check_demand(int i, uint32_t seed)
{
    ask_for(seed, demands[i].width, demands[i].height, demands[i].size, demands[i].islands);
    bool made = answer() != NULL;
    ck_assert_msg(made == !*demands[i].says, "%s: %s", query, refusal);
    ck_assert_msg(strstr(refusal, demands[i].says) != NULL, "%s: %s", query, refusal);
}

START_TEST(no_seed_has_a_say)
{
    for (uint32_t seed = 0; seed < (_i < 4 || is_long() ? 20 : 2); seed++)
        check_demand(_i, seed);
}
END_TEST

/* What a refusal says can be laid out is laid out when asked for. */
START_TEST(a_refusal_names_what_can_be_had)
{
    int islands = atoi(demands[_i].says);
    islands = islands == demands[_i].islands ? islands - 1 : islands;
    if (!islands)
        return;
    ask_for(1, demands[_i].width, demands[_i].height, demands[_i].size, islands);
    ck_assert_msg(answer() != NULL, "%s: %s", query, refusal);
}
END_TEST

Suite *prop_packing(void);
Suite *prop_packing(void)
{
    Suite *suite = suite_create("packing of islands");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 3600);
    tcase_add_loop_test(all, the_answer_on_small_maps_is_right, 0,
                        (int)(sizeof boards / sizeof boards[0]));
    tcase_add_test(all, no_small_map_is_left_open);
    tcase_add_loop_test(all, tight_places_are_found_for_every_seed, 0,
                        (int)(sizeof puzzles / sizeof puzzles[0]));
    int n = (int)(sizeof demands / sizeof demands[0]);
    TCase *measures = add_measures(suite);
    tcase_add_loop_test(measures, no_seed_has_a_say, 0, n);
    tcase_add_loop_test(all, a_refusal_names_what_can_be_had, 0, n);
    suite_add_tcase(suite, all);
    return suite;
}
