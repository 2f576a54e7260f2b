/*
 * feel.c: see the header.
 */
#include "feel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How likely an end is on a cell of the rim, where another cell has 1. */
static const double RIM_WEIGHT = 0.4;

enum { LENGTH = 1, SHORTEST = 2, CELLS = 3, SIDE = 64, TILES = SIDE / FEEL_TILE };

struct tally {
    long all[TILES][TILES], level[TILES][TILES]; /* steps by the tile they begin in */
};

static void add_steps(struct feel *f, struct tally *t, struct mw_points cells)
{
    for (int32_t i = 0; i + 1 < cells.count; i++) {
        struct mw_point a = cells.at[i], b = cells.at[i + 1];
        t->all[a.y / FEEL_TILE][a.x / FEEL_TILE]++;
        t->level[a.y / FEEL_TILE][a.x / FEEL_TILE] += a.y == b.y;
        f->level += a.y == b.y;
    }
    f->steps += cells.count - 1;
}

static bool is_on_rim(int x, int y, int width, int height)
{
    return !x || !y || x == width - 1 || y == height - 1;
}

static void add_end(struct feel *f, int width, int height, struct mw_point end)
{
    f->ends[end.y * FEEL_BLOCKS / height][end.x * FEEL_BLOCKS / width]++;
    f->rim += is_on_rim(end.x, end.y, width, height);
}

static void add_tiles(struct feel *f, const struct tally *t, int width, int height)
{
    for (int y = 0; y < height / FEEL_TILE; y++)
        for (int x = 0; x < width / FEEL_TILE; x++) {
            long lean = labs(2 * t->level[y][x] - t->all[y][x]);
            f->tiles++;
            f->leaning += 2 * lean > t->all[y][x];
        }
}

static void add_fair(struct feel *f, int width, int height, int ends)
{
    int inner = width > 2 && height > 2 ? (width - 2) * (height - 2) : 0;
    double rim = RIM_WEIGHT * (width * height - inner), each = ends / (rim + inner);
    f->fair_rim += each * rim;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            f->fair[y * FEEL_BLOCKS / height][x * FEEL_BLOCKS / width] +=
                is_on_rim(x, y, width, height) ? each * RIM_WEIGHT : each;
}

/* One board; its lumps are not known yet. */
static void add_board(struct feel *f, int width, int height, const struct mw_rowset *paths)
{
    struct tally t;
    const struct mw_points *tracks = paths->columns[CELLS];
    const int32_t *length = paths->columns[LENGTH], *shortest = paths->columns[SHORTEST];
    double detour = 0, squares = 0, mean = (double)width * height / paths->rows;
    memset(&t, 0, sizeof t);
    for (int32_t p = 0; p < paths->rows; p++) {
        int32_t n = tracks[p].count;
        struct mw_point a = tracks[p].at[0], b = tracks[p].at[n - 1];
        add_steps(f, &t, tracks[p]);
        add_end(f, width, height, a);
        add_end(f, width, height, b);
        detour += (double)(n - 1) / (abs(a.x - b.x) + abs(a.y - b.y));
        squares += (n - mean) * (n - mean);
        f->midgets += n <= 3;
        f->direct += length[p] == shortest[p];
    }
    f->boards++;
    f->paths += paths->rows;
    f->detour += detour / paths->rows;
    f->spread += sqrt(squares / paths->rows) / mean;
    add_tiles(f, &t, width, height);
    add_fair(f, width, height, 2 * paths->rows);
}

double feel_clumps(const struct feel *f)
{
    double sum = 0;
    for (int y = 0; y < FEEL_BLOCKS; y++)
        for (int x = 0; x < FEEL_BLOCKS; x++) {
            double off = f->ends[y][x] - f->fair[y][x];
            sum += off * off / f->fair[y][x];
        }
    return sum / (FEEL_BLOCKS * FEEL_BLOCKS - 1);
}

void feel_add(struct feel *f, int width, int height, const struct mw_rowset *paths)
{
    struct feel own = {0};
    add_board(&own, width, height, paths);
    add_board(f, width, height, paths);
    f->lumps += feel_clumps(&own);
}
