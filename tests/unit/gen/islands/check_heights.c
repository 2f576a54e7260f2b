/* check_heights.c: land rises by one layer a step, and large islands have two summits. */
#include "worlds.h"

enum { WIDE = 64, HIGH = 24 };

/* An island 1 of the cells for which `is_land` holds; writes its heights. */
static struct island_map raise(bool is_land(int32_t x, int32_t y), int32_t layers, int32_t *cells,
                               int32_t *heights)
{
    const int32_t any[2] = {1, WIDE * HIGH};
    struct mw_run *run = unit_open();
    struct island_map s = worlds_new(run, WIDE, HIGH, any, any);
    s.count = 1;
    for (int32_t i = 0; i < WIDE * HIGH; i++) {
        cells[i] = is_land(i % WIDE, i / WIDE);
        s.size[1] += cells[i];
    }
    islands_raise(&s, cells, layers, heights);
    return s;
}

static int32_t at(const int32_t *grid, int32_t x, int32_t y)
{
    return x < 0 || y < 0 || x >= WIDE || y >= HIGH ? 0 : grid[y * WIDE + x];
}

/* Marks a level place in `seen`; whether nothing beside it is higher. */
static bool flood(const int32_t *cells, const int32_t *heights, bool *seen, int32_t x, int32_t y,
                  int32_t height)
{
    if (!at(cells, x, y) || at(heights, x, y) != height)
        return at(heights, x, y) < height || !at(cells, x, y);
    if (seen[y * WIDE + x])
        return true;
    seen[y * WIDE + x] = true;
    bool east = flood(cells, heights, seen, x + 1, y, height),
         west = flood(cells, heights, seen, x - 1, y, height),
         south = flood(cells, heights, seen, x, y + 1, height),
         north = flood(cells, heights, seen, x, y - 1, height);
    return east && west && south && north;
}

static int count_summits(const int32_t *cells, const int32_t *heights)
{
    bool seen[WIDE * HIGH] = {false};
    int summits = 0;
    for (int32_t i = 0; i < WIDE * HIGH; i++)
        if (cells[i] && !seen[i])
            summits += flood(cells, heights, seen, i % WIDE, i / WIDE, heights[i]);
    return summits;
}

static void check_steps(const int32_t *cells, const int32_t *heights, int32_t layers)
{
    for (int32_t y = 0; y < HIGH; y++)
        for (int32_t x = 0; x < WIDE; x++) {
            int32_t height = at(heights, x, y);
            ck_assert_int_eq(height > 0, at(cells, x, y) > 0);
            ck_assert_int_le(height, layers);
            if (at(cells, x + 1, y) && height)
                ck_assert_int_le(mw_abs(height - at(heights, x + 1, y)), 1);
            if (at(cells, x, y + 1) && height)
                ck_assert_int_le(mw_abs(height - at(heights, x, y + 1)), 1);
        }
}

static bool block(int32_t x, int32_t y) { return x > 1 && x < 60 && y > 1 && y < 22; }
static bool strip(int32_t x, int32_t y) { return x < 62 && (y == 3 || y == 4 || y == 5); }
/* A comb of single cells: no cell has two steps to the shore. */
static bool comb(int32_t x, int32_t y) { return y == 0 || (x % 3 == 0 && y < 22); }
/* One with a cell that has, and one with two beside each other. */
static bool knot(int32_t x, int32_t y)
{
    return comb(x, y) || (x >= 8 && x <= 10 && y >= 9 && y <= 11);
}
static bool knots(int32_t x, int32_t y)
{
    return comb(x, y) || (x >= 8 && x <= 10 && y >= 9 && y <= 12);
}

static bool (*const lands[])(int32_t, int32_t) = {block, strip, comb, knot, knots};

TEST(large_islands_have_two_summits, .end = COUNT(lands))
{
    static int32_t cells[WIDE * HIGH], heights[WIDE * HIGH];
    for (int32_t layers = 2; layers < 20; layers++) {
        struct island_map s = raise(lands[_i], layers, cells, heights);
        ck_assert_int_ge(s.size[1], 180);
        check_steps(cells, heights, layers);
        if (s.size[1] >= 300)
            ck_assert_int_ge(count_summits(cells, heights), 2);
    }
}

TEST(one_layer_is_level)
{
    static int32_t cells[WIDE * HIGH], heights[WIDE * HIGH];
    raise(block, 1, cells, heights);
    ck_assert_mem_eq(heights, cells, sizeof cells);
}
