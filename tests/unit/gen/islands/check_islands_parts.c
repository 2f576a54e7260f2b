/* check_islands_parts.c: bridges and summits, on small worlds. */
#include "gen/islands/islands.h"
#include "unit/unit.h"

#include <stdio.h>

/* A world of air for `fewest` to `most` islands of `least` to `largest` cells. */
static struct island_map new_world(struct mw_run *run, int32_t width, int32_t height,
                                   const int32_t islands[2], const int32_t size[2])
{
    int32_t w = width + 2;
    run->ticks = INT64_MAX;
    struct island_map s = {.run = run,
                           .rng = unit_rng((uint64_t)(width * 99 + height)),
                           .width = width,
                           .height = height,
                           .longest = 99,
                           .stride = w,
                           .cells = w * (height + 2),
                           .ring = {1, w + 1, w, w - 1, -1, -w - 1, -w, -w + 1},
                           .fewest = islands[0],
                           .most = islands[1],
                           .least = size[0],
                           .largest = size[1],
                           .room = width * height};
    s.at = MW_NEW(run, int32_t, s.cells);
    s.size = MW_NEW0(run, int32_t, s.room + 2);
    s.list = MW_NEW(run, int32_t, width * height);
    for (int32_t i = 0; i < s.cells; i++) {
        int32_t x = i % w - 1, y = i / w - 1;
        s.at[i] = x < 0 || y < 0 || x >= width || y >= height ? CELL_RIM : CELL_AIR;
    }
    return s;
}

/* ---- bridges --------------------------------------------------------------------------------- */

/* A world from rows of digits (islands) and dots (air), a slash after each but the last. */
static struct island_map draw(struct mw_run *run, const char *text)
{
    static const int32_t islands[2] = {1, 9}, size[2] = {1, 99};
    int32_t width = (int32_t)strcspn(text, "/"), height = (int32_t)(strlen(text) + 1) / (width + 1);
    struct island_map s = new_world(run, width, height, islands, size);
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++) {
            char c = text[y * (width + 1) + x];
            int32_t id = c == '.' ? 0 : c - '0';
            s.at[world_cell(&s, x, y)] = id;
            s.count = mw_max(s.count, id);
            s.size[id]++;
        }
    return s;
}

/* Writes "1-2: 3,0 4,0" for each bridge, a line each. */
static const char *bridge(struct island_map *s, int32_t loops, struct bridges *b)
{
    static char text[4096];
    size_t n = 0;
    uint16_t *steps = MW_NEW(s->run, uint16_t, s->cells);
    islands_bridge(s, loops, steps, b);
    text[0] = '\0';
    for (int32_t i = 0; i < b->count; i++) {
        struct mw_point *at = MW_NEW(s->run, struct mw_point, b->list[i].length);
        islands_lay(s, steps, &b->list[i], at);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%d-%d:", i ? "; " : "", b->list[i].from,
                              b->list[i].to);
        for (int32_t k = 0; k < b->list[i].length; k++)
            n += (size_t)snprintf(text + n, sizeof text - n, " %d,%d", at[k].x, at[k].y);
    }
    return text;
}

TEST(bridges_are_short_and_pass_no_third)
{
    static const struct {
        const char *world, *bridges;
        int32_t loops;
    } rows[] = {
        {"1", "", 0},
        {"1.2", "1-2: 1,0", 0},
        {"1..2", "1-2: 1,0 2,0", 1000},
        {"1/././2", "1-2: 0,1 0,2", 0},
        {"2.1.3", "1-2: 1,0; 1-3: 3,0", 0},
        {"1.2/.../3.4", "1-2: 1,0; 1-3: 0,1; 2-4: 2,1", 0},
        {"1.2/.../3.4", "1-2: 1,0; 1-3: 0,1; 2-4: 2,1; 3-4: 1,2", 1000},
        /* Four ties around a cell that no zone reaches. */
        {".1.2./1...2/...../3...4/.3.4.", "1-2: 2,0; 1-3: 0,2; 2-4: 4,2", 0},
        /* The figure of the essay. */
        {"11..2/111.2/1..../..33.", "1-2: 3,1; 1-3: 2,2", 0},
        /* Three beside a cell, which is a bridge beside a third. */
        {"1.2/.3.", "1-3: 0,1; 2-3: 2,1", 1000},
        /* Islands that touch at corners: 5 is joined beside a third, and only once. */
        {".1.2./3...4/..5../6...7/.8.9.",
         "1-2: 2,0; 1-3: 0,0; 2-4: 4,0; 2-5: 2,0 2,1; 3-6: 0,2; 4-7: 4,2; 6-8: 1,3; 7-9: 3,3; "
         "8-9: 2,4",
         1000},
    };
    for (int i = 0; i < COUNT(rows); i++) {
        struct island_map s = draw(unit_open(), rows[i].world);
        struct bridges b;
        const char *text = bridge(&s, rows[i].loops, &b);
        ck_assert_msg(!strcmp(text, rows[i].bridges), "%s: %s", rows[i].world, text);
    }
}

/* ---- summits --------------------------------------------------------------------------------- */

enum { WIDE = 64, HIGH = 24 };

/* An island 1 of the cells for which `is_land` holds; writes its heights. */
static struct island_map raise(bool is_land(int32_t x, int32_t y), int32_t layers, int32_t *cells,
                               int32_t *heights)
{
    const int32_t any[2] = {1, WIDE * HIGH};
    struct mw_run *run = unit_open();
    struct island_map s = new_world(run, WIDE, HIGH, any, any);
    s.count = 1;
    s.rng = unit_rng((uint64_t)layers);
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

/* A coarser one with three of them, of which the first has the others beside it. */
static bool corner(int32_t x, int32_t y)
{
    bool knot = x >= 32 && x <= 34 && y >= 9 && y <= 12;
    return knot || (x == 35 && y == 10) || y == 0 || (x % 6 == 0 && y < 23);
}

static bool (*const lands[])(int32_t, int32_t) = {block, strip, comb, knot, knots, corner};

TEST(large_islands_have_two_summits, .end = COUNT(lands))
{
    static int32_t cells[WIDE * HIGH], heights[WIDE * HIGH];
    for (int32_t layers = 2; layers < 64; layers++) {
        struct island_map s = raise(lands[_i], layers, cells, heights);
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
