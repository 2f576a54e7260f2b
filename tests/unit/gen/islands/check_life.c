/* check_life.c: the automaton, the scatter and the components, against the plainest way. */
#include "gen/islands/life.h"
#include "unit/unit.h"

#include <stdlib.h>

enum { SIDE = 200 };

struct board {
    int width, height;
    bool cell[SIDE * SIDE];
};

static int alive_at(const struct board *b, int x, int y)
{
    return x >= 0 && y >= 0 && x < b->width && y < b->height && b->cell[y * b->width + x];
}

static void live_plainly(struct board *b)
{
    static struct board next;
    next = *b;
    for (int i = 0; i < b->width * b->height; i++) {
        int x = i % b->width, y = i / b->width, n = -alive_at(b, x, y);
        for (int k = 0; k < 9; k++)
            n += alive_at(b, x + k % 3 - 1, y + k / 3 - 1);
        next.cell[i] = n == 3 || n == 6 || n == 7 || n == 8 || (n == 4 && b->cell[i]);
    }
    *b = next;
}

static bool bit_at(const struct plane *p, int x, int y)
{
    return plane_row(p, y)[x / 64] >> x % 64 & 1;
}

static void read_plane(const struct plane *p, struct board *b)
{
    b->width = p->width;
    b->height = p->height;
    for (int i = 0; i < b->width * b->height; i++)
        b->cell[i] = bit_at(p, i % b->width, i / b->width);
}

static struct mw_run *scatter(struct plane *p, uint64_t number, int32_t width, int32_t height,
                              int32_t thousandths)
{
    struct mw_run *run = unit_open();
    struct mw_rng rng = unit_rng(number);
    run->ticks = INT64_MAX;
    plane_new(run, p, width, height);
    plane_scatter(run, p, &rng, thousandths);
    return run;
}

/* Bits beyond the width, the words between rows, and the rows outside are zeros. */
static void check_margins(const struct plane *p)
{
    for (int32_t y = -1; y <= p->height; y++)
        for (int32_t x = -64; x < p->stride * 64; x++)
            if (y < 0 || y == p->height || x < 0 || x >= p->width)
                ck_assert_msg(!(plane_row(p, y)[(x + 64) / 64 - 1] >> (x + 64) % 64 & 1),
                              "%d by %d: a bit at %d,%d", p->width, p->height, x, y);
}

static void check_rounds(uint64_t number, int32_t width, int32_t height, int32_t land, int rounds)
{
    static struct board board;
    struct plane p;
    struct mw_run *run = scatter(&p, number, width, height, land);
    read_plane(&p, &board);
    for (int k = 0; k < rounds; k++)
        live_plainly(&board);
    life_run(run, &p, rounds);
    check_margins(&p);
    for (int k = 0; k < width * height; k++)
        ck_assert_msg(bit_at(&p, k % width, k / width) == board.cell[k],
                      "%d by %d after %d rounds: cell %d", width, height, rounds, k);
}

TEST(the_automaton_is_day_and_night)
{
    for (uint64_t i = 0; i < 200; i++) {
        struct mw_rng rng = unit_rng(i);
        int32_t width = mw_between(&rng, 1, SIDE), height = mw_between(&rng, 1, SIDE);
        check_rounds(i, width, height, mw_between(&rng, 0, 1000), mw_between(&rng, 0, 5));
    }
}

TEST(words_end_anywhere)
{
    for (int32_t width = 1; width <= SIDE; width++)
        for (int32_t height = 1; height <= 3; height++)
            check_rounds((uint64_t)width, width, height, 400 + width, 1 + width % 3);
}

/* All that lives at the edge has air beyond it: full land loses its corners, and keeps its
   sides. */
TEST(outside_is_air)
{
    struct plane p;
    struct mw_run *run = scatter(&p, 1, 64, 64, 1000);
    life_run(run, &p, 1);
    for (int i = 0; i < 64 * 64; i++) {
        int x = i % 64, y = i / 64;
        bool side = x == 0 || x == 63, end = y == 0 || y == 63;
        ck_assert_int_eq(bit_at(&p, x, y), !(side != end)); /* 3 neighbours, 5, 8 */
    }
}

TEST(cells_are_thrown_with_their_chance)
{
    static const int32_t chances[] = {0, 1, 250, 333, 500, 999, 1000};
    for (int i = 0; i < COUNT(chances); i++) {
        struct plane p;
        long set = 0, cells = 1000 * 1000;
        scatter(&p, 5, 1000, 1000, chances[i]);
        for (int k = 0; k < cells; k++)
            set += bit_at(&p, k % 1000, k / 1000);
        long slack = chances[i] % 1000 ? 2500 : 0; /* 5 sigma */
        ck_assert_msg(labs(set - cells * chances[i] / 1000) <= slack, "%d: %ld of %ld", chances[i],
                      set, cells);
    }
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* Gives what hangs together with a cell the label; how many cells. */
static int flood(const struct board *b, int *label, int start, int as)
{
    static int queue[SIDE * SIDE];
    int n = 0;
    queue[n++] = start;
    label[start] = as;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++) {
            int x = queue[i] % b->width + (k == 0) - (k == 1);
            int y = queue[i] / b->width + (k == 2) - (k == 3), next = y * b->width + x;
            if (!alive_at(b, x, y) || label[next] >= 0)
                continue;
            label[next] = as;
            queue[n++] = next;
        }
    return n;
}

/* Each run is as long as can be, its root the first run of its component, which knows the size. */
static void check_labels(uint64_t number, int32_t width, int32_t height, int32_t land)
{
    static struct board b;
    static int label[SIDE * SIDE];
    struct plane p;
    struct components c;
    life_label(scatter(&p, number, width, height, land), &p, &c);
    read_plane(&p, &b);
    memset(label, -1, sizeof label);
    for (int32_t y = 0, r = 0; y < height; y++) {
        ck_assert_int_eq(c.first[y], r);
        for (int32_t x = 0; x < width; x++) {
            if (!alive_at(&b, x, y) || alive_at(&b, x - 1, y))
                continue;
            int cell = y * width + x, end = x;
            while (alive_at(&b, end, y))
                end++;
            ck_assert_int_eq(c.runs[r].from, x);
            ck_assert_int_eq(c.runs[r].to, end);
            int size = label[cell] < 0 ? flood(&b, label, cell, r) : 0;
            ck_assert_int_eq(c.root[r], label[cell]);
            ck_assert_int_eq(c.size[r], size);
            r++;
        }
    }
    ck_assert_int_eq(c.first[height], c.count);
}

TEST(labels_are_the_components)
{
    for (uint64_t i = 0; i < 200; i++) {
        struct mw_rng rng = unit_rng(i);
        int32_t width = mw_between(&rng, 1, SIDE), height = mw_between(&rng, 1, SIDE);
        check_labels(i, width, height, mw_between(&rng, 0, 1000));
    }
    for (int32_t width = 1; width <= SIDE; width++)
        check_labels((uint64_t)width, width, 20, 600);
}
