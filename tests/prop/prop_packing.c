/*
 * prop_packing.c: whether so many islands fit, on maps where all ways can be tried.
 *
 * Brute force knows shapes as sets of cells: all that hang together and have so many cells, put one
 * after another where they touch none before. The generator must make as many islands as that, or
 * one fewer, and never more; and it must answer alike for every seed.
 */
#include "ask.h"
#include "judge.h"
#include "test.h"

static const struct mw_map *answer(void) { return ask_judged(check_islands); }

static void ask_for(uint32_t seed, int width, int height, int size, int islands)
{
    ask_anew("islands", seed);
    ask("&width=%d&height=%d&edge=open&size=%d,%d&islands=%d,%d", width, height, size, size,
        islands, islands);
}

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

/* Whether so many islands are made; the same for every seed. */
static bool is_made(int size, int islands)
{
    bool made = false;
    for (uint32_t seed = 0; seed < 3; seed++) {
        ask_for(seed, board.width, board.height, size, islands);
        bool again = answer() != NULL;
        ck_assert_msg(!seed || again == made, "seeds differ: %s", query);
        made = again;
    }
    return made;
}

/* How many islands fewer than fit are made: 0 or 1. */
static int judge_size(int size)
{
    if (!list_shapes(size))
        return 0;
    int most = most_on(board.cells < 64 ? (UINT64_C(1) << board.cells) - 1 : UINT64_MAX);
    ck_assert_msg(!is_made(size, most + 1), "brute force has only %d: %s", most, query);
    if (!most || is_made(size, most))
        return 0;
    ck_assert_msg(most == 1 || is_made(size, most - 1), "%s: %s", query, refusal);
    return 1;
}

static const struct {
    int width, height, most; /* cells of an island, tried */
} boards[] = {{4, 6, 8}, {5, 5, 8}, {5, 6, 7},  {6, 6, 7}, {3, 8, 9}, {4, 8, 7},
              {7, 6, 5}, {2, 8, 9}, {1, 16, 7}, {3, 5, 7}, {4, 4, 7}, {7, 7, 4},
              {8, 5, 5}, {8, 6, 4}, {8, 7, 3},  {8, 8, 3}};

TEST(small_maps_hold_all_that_fit_or_one_fewer, .end = COUNT(boards))
{
    int fewer = 0, sizes = boards[_i].most + is_long();
    draw_board(boards[_i].width, boards[_i].height);
    for (int size = 1; size <= sizes; size++)
        fewer += judge_size(size);
    ck_assert_msg(3 * fewer <= 2 * sizes, "%d of %d sizes hold one island fewer", fewer, sizes);
}
