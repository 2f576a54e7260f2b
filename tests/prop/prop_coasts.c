/*
 * prop_coasts.c: land of /areas and large islands look like land, in figures, on five dozen maps of
 * each kind; and what rises on islands is not the same all along their shores.
 *
 * Of a shape: the share of its cells in the disc of equal area around its centre (a disc has 1, the
 * continents .5 to .75), and its elongation (how much longer than wide it is: the root of the ratio
 * of its principal moments). Shapes must be indented, of all sorts, and long now and then.
 */
#include "arbitrary.h"
#include "mapwright_host.h"
#include "rounds.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAPS = 60, SHAPES = 4096, BYTES = 64 << 20 };

struct shapes {
    int count;
    double share[SHAPES], elongation[SHAPES];
};

static _Alignas(64) char memory[BYTES];

static const struct mw_map *make_map(const char *address)
{
    struct mw_run *run = mw_open(&(struct mw_limits){.memory = memory, .size = BYTES});
    static struct mw_request request;
    ck_assert(mw_bind_address(run, address, strlen(address), &request));
    const struct mw_map *map = mw_make(run, &request);
    ck_assert_msg(map != NULL, "%s: %s", address, map ? "" : mw_problems(run)->list[0].detail);
    return map;
}

/* Where the centre of a cell lies, the cells having an area of 1. */
static void place(const struct mw_lattice *l, int cell, double *x, double *y)
{
    bool hex = l->tiling == MW_HEX;
    double high = hex ? .9306048591020996 : 1; /* the root of the root of 3/4 */
    *x = (cell % l->width + (hex && cell / l->width % 2 ? .5 : 0)) / high;
    *y = cell / l->width * high;
}

static void look_at_shape(struct shapes *s, const struct mw_cells *grid, int id)
{
    const struct mw_lattice *l = &grid->lattice;
    double n = 0, sx = 0, sy = 0, xx = 0, yy = 0, xy = 0, inside = 0, x, y;
    for (int i = 0; i < l->width * l->height; i++)
        if (grid->at[i] == id) {
            place(l, i, &x, &y);
            n++;
            sx += x;
            sy += y;
            xx += x * x;
            yy += y * y;
            xy += x * y;
        }
    sx /= n;
    sy /= n;
    xx = xx / n - sx * sx;
    yy = yy / n - sy * sy;
    xy = xy / n - sx * sy;
    for (int i = 0; i < l->width * l->height; i++)
        if (grid->at[i] == id) {
            place(l, i, &x, &y);
            inside += (x - sx) * (x - sx) + (y - sy) * (y - sy) <= n / 3.14159265358979;
        }
    double half = (xx + yy) / 2, root = sqrt((xx - yy) * (xx - yy) / 4 + xy * xy);
    ck_assert_int_lt(s->count, SHAPES);
    s->share[s->count] = inside / n;
    s->elongation[s->count++] = sqrt((half + root) / (half - root));
}

static bool touches_rim(const struct mw_cells *grid)
{
    int width = grid->lattice.width, height = grid->lattice.height;
    for (int i = 0; i < width * height; i++) {
        bool rim = i / width % (height - 1) == 0 || i % width % (width - 1) == 0;
        if (rim && grid->at[i] > 0)
            return true;
    }
    return false;
}

/* The shapes of rows with at least so many cells, of many maps. */
static void look_at_maps(struct shapes *s, const char *generator, const char *query, int least)
{
    s->count = 0;
    for (int seed = 1; seed <= MAPS; seed++) {
        char address[200];
        snprintf(address, sizeof address, "/%s?%s&seed=%d", generator, query, seed);
        const struct mw_map *map = make_map(address);
        int p = 0, cells = 0, size = 0;
        while (map->request->generator->parts[p].kind != MW_TABLE)
            p++;
        while (map->request->generator->parts[cells].kind != MW_GRID)
            cells++;
        while (strcmp(map->request->generator->parts[p].columns[size].name, "size"))
            size++;
        const struct mw_rowset *table = &map->slots[p].as.table;
        const struct mw_cells *grid = &map->slots[cells].as.grid;
        ck_assert_msg(!touches_rim(grid), "%s touches the rim", address);
        for (int k = 0; k < table->rows; k++)
            if (((const int32_t *)table->columns[size])[k] >= least)
                look_at_shape(s, grid, k + 1);
    }
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void check_shapes(struct shapes *s, const char *query)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < s->count; i++) {
        sum += s->share[i];
        squares += s->share[i] * s->share[i];
    }
    double mean = sum / s->count, spread = sqrt(squares / s->count - mean * mean);
    qsort(s->elongation, (size_t)s->count, sizeof *s->elongation, by_size);
    double longish = s->elongation[s->count * 9 / 10];
    printf("%s: %d shapes, %.3f in the disc, spread %.3f, elongation %.2f\n", query, s->count, mean,
           spread, longish);
    ck_assert_msg(mean <= .75, "%s: %.3f in the disc", query, mean);
    ck_assert_msg(spread >= .10, "%s: spread %.3f", query, spread);
    ck_assert_msg(longish >= 2, "%s: elongation %.2f", query, longish);
}

static const struct {
    const char *generator, *query;
} lands[] = {
    {"areas", ""},
    {"areas", "width=40&height=40&area=500"},
    {"areas", "width=150&height=150"},
    {"areas", "width=165&height=165&area=9000"},
    {"areas", "width=100&height=100&grid=hex"},
    {"areas", "width=120&height=80&count=4"},
    {"areas", "width=80&height=80&holes=false"},
    {"areas", "width=90&height=90&algorithm=coast&area=1600&edge=sea"},
    {"islands", "width=120&height=120&islands=4,7&size=500,900"},
    {"islands", "width=300&height=300&islands=5,9&size=500,9000"},
    {"islands", "width=60&height=60&islands=1,1&size=500,800"},
    {"islands", "width=200&height=200&islands=2,3&size=4000,6000&edge=sea"},
};

TEST(large_land_has_coasts, .end = COUNT(lands), .measures = true)
{
    static struct shapes shapes;
    look_at_maps(&shapes, lands[_i].generator, lands[_i].query, 500);
    check_shapes(&shapes, lands[_i].query);
}

/* Cells two steps inland of an island, by their height: one or two layers. */
static void count_parallel(const struct mw_map *map, int id, int number[3])
{
    enum { CELLS = 8 };
    const struct mw_cells *grid = &map->slots[CELLS].as.grid,
                          *heights = &map->slots[CELLS + 1].as.grid;
    int width = grid->lattice.width, size = width * grid->lattice.height;
    for (int i = width; i < size - width; i++) {
        int near = 0, far = 0;
        const int beside[4] = {1, -1, width, -width};
        for (int k = 0; k < 4 && grid->at[i] == id; k++) {
            near += grid->at[i + beside[k]] != id;
            for (int n = 0; n < 4 && grid->at[i + beside[k]] == id; n++)
                far += grid->at[i + beside[k] + beside[n]] != id;
        }
        if (grid->at[i] == id && !near && far)
            number[heights->at[i]]++;
    }
}

/* Of islands of 300 cells or more, with a parallel of ten cells or more. */
TEST(heights_vary_along_the_shore, .measures = true)
{
    int all = 0, varied = 0;
    for (int seed = 1; seed <= 30; seed++) {
        char address[200];
        snprintf(address, sizeof address,
                 "/islands?width=90&height=90&islands=3,6&size=300,700&layers=%d&seed=%d",
                 2 + seed % 9, seed);
        const struct mw_map *map = make_map(address);
        for (int id = 1; id <= map->slots[3].as.table.rows; id++) {
            int number[3] = {0};
            count_parallel(map, id, number);
            ck_assert_int_eq(number[0], 0);
            all += number[1] + number[2] >= 10;
            varied += number[1] && number[2] && number[1] + number[2] >= 10;
        }
    }
    printf("%d of %d islands are not of one height two steps inland\n", varied, all);
    ck_assert_int_gt(all, 80);
    ck_assert_int_ge(varied * 100, all * 85);
}
