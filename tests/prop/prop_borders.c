/*
 * prop_borders.c: roughness acts on maps of all sizes alike, and countries keep good form. The maps
 * are those of fixed seeds; `make bench-look` measures hundreds.
 */
#include "mapwright_host.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COUNTRIES = 128, BYTES = 64 << 20 };

static _Alignas(64) char block[BYTES];

struct size {
    int width, height, count, maps;
};

struct map {
    int width, height, count;
    bool hex;
    const int32_t *cells;
};

static struct map make_map(struct size size, bool hex, double variation, double roughness, int seed)
{
    char address[200];
    snprintf(address, sizeof address,
             "/regions?width=%d&height=%d&grid=%s&count=%d&variation=%g&roughness=%g&seed=%d",
             size.width, size.height, hex ? "hex" : "square", size.count, variation, roughness,
             seed);
    struct mw_run *run = mw_open(&(struct mw_limits){.memory = block, .size = BYTES});
    struct mw_request request;
    ck_assert(mw_bind_address(run, address, strlen(address), &request));
    const struct mw_map *map = mw_make(run, &request);
    ck_assert_msg(map, "%s", map ? "" : mw_problems(run)->list[0].detail);
    return (struct map){size.width, size.height, size.count, hex, map->slots[5].as.grid.at};
}

/* The country across side i of a cell; 0: there is none. */
static int beside(const struct map *m, int x, int y, int i)
{
    static const int hexagon[2][6][2] = {{{1, 0}, {-1, 0}, {0, 1}, {-1, 1}, {0, -1}, {-1, -1}},
                                         {{1, 0}, {-1, 0}, {1, 1}, {0, 1}, {1, -1}, {0, -1}}};
    static const int square[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    const int *step = m->hex ? hexagon[y & 1][i] : square[i];
    int bx = x + step[0], by = y + step[1];
    bool inside = 0 <= bx && bx < m->width && 0 <= by && by < m->height;
    return inside ? m->cells[by * m->width + bx] : 0;
}

/* ---- lengths --------------------------------------------------------------------------------- */

struct lengths {
    double sides;        /* between countries */
    double cells, teeth; /* at a border; of these, with one neighbour of their own country */
};

static void add_lengths(const struct map *m, struct lengths *sum)
{
    int all = m->hex ? 6 : 4;
    for (int y = 0; y < m->height; y++)
        for (int x = 0; x < m->width; x++) {
            int own = m->cells[y * m->width + x], same = 0, other = 0;
            for (int i = 0; i < all; i++) {
                int country = beside(m, x, y, i);
                same += country == own;
                other += country && country != own;
            }
            sum->sides += other / 2.0;
            sum->cells += other > 0;
            sum->teeth += other == all - 1 && same == 1;
        }
}

static struct lengths measure(struct size size, bool hex, double variation, double roughness)
{
    struct lengths sum = {0};
    for (int seed = 1; seed <= size.maps; seed++) {
        struct map map = make_map(size, hex, variation, roughness, seed);
        add_lengths(&map, &sum);
    }
    return sum;
}

static const struct size sizes[] = {{40, 30, 6, 32},   {80, 60, 6, 16},   {80, 60, 14, 16},
                                    {160, 120, 6, 12}, {160, 120, 24, 8}, {320, 240, 50, 4},
                                    {640, 480, 6, 8},  {640, 480, 100, 2}};

/* Borders of full roughness are twice as long as smooth ones on all maps, and of half roughness
   half as long again. */
TEST(roughness_acts_at_every_size, .end = 4, .measures = true)
{
    bool hex = _i & 1;
    double variation = .5 * (_i / 2), least[2] = {INFINITY, INFINITY}, most[2] = {0, 0};
    for (int i = 0; i < COUNT(sizes); i++) {
        struct lengths smooth = measure(sizes[i], hex, variation, 0);
        for (int full = 0; full < 2; full++) {
            struct lengths rough = measure(sizes[i], hex, variation, full ? 1 : .5);
            double ratio = rough.sides / smooth.sides, teeth = rough.teeth / rough.cells;
            printf("regions: %s, %d x %d into %d, variation %.1f, roughness %s: %.2f times as "
                   "long, %.1f %% teeth\n",
                   hex ? "hex" : "square", sizes[i].width, sizes[i].height, sizes[i].count,
                   variation, full ? "1" : "0.5", ratio, teeth * 100);
            ck_assert_msg(ratio >= (full ? 1.8 : 1.3), "only %.2f times as long", ratio);
            ck_assert_msg(teeth <= (hex ? .02 : .05), "%.3f of the cells at borders are teeth",
                          teeth);
            least[full] = fmin(least[full], ratio);
            most[full] = fmax(most[full], ratio);
        }
    }
    for (int full = 0; full < 2; full++)
        ck_assert_msg(most[full] <= least[full] * 1.25, "%.2f to %.2f", least[full], most[full]);
}

/* ---- forms ----------------------------------------------------------------------------------- */

struct form {
    double cells, x, y, xx, yy, xy; /* sums over its cells */
    double sides, rim;              /* all; that face no country */
    int neighbour;                  /* one of them; -1: there are several */
};

static void find_forms(const struct map *m, struct form form[MOST_COUNTRIES + 1])
{
    memset(form, 0, (MOST_COUNTRIES + 1) * sizeof *form);
    for (int y = 0; y < m->height; y++)
        for (int x = 0; x < m->width; x++) {
            int own = m->cells[y * m->width + x];
            struct form *f = &form[own];
            double px = x + (m->hex && y & 1 ? .5 : 0), py = m->hex ? y * sqrt(3) / 2 : y;
            f->cells++;
            f->x += px, f->y += py;
            f->xx += px * px, f->yy += py * py, f->xy += px * py;
            for (int i = 0; i < (m->hex ? 6 : 4); i++) {
                int other = beside(m, x, y, i);
                f->sides += other != own;
                f->rim += !other;
                if (other && other != own)
                    f->neighbour = !f->neighbour || f->neighbour == other ? other : -1;
            }
        }
}

/* Of the ellipse with the same moments, the longer axis by the shorter. */
static double elongation(const struct form *f)
{
    double mx = f->x / f->cells, my = f->y / f->cells;
    double vx = f->xx / f->cells - mx * mx, vy = f->yy / f->cells - my * my;
    double d = hypot(vx - vy, 2 * (f->xy / f->cells - mx * my));
    return sqrt((vx + vy + d) / fmax(1e-9, vx + vy - d));
}

/* 1 for a disc, less for all else. */
static double roundness(const struct form *f, bool hex)
{
    double perimeter = hex ? f->sides / sqrt(3) : f->sides;
    return 4 * acos(-1) * f->cells * (hex ? sqrt(3) / 2 : 1) / (perimeter * perimeter);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { MAPS = 48, COUNTRIES = 14 };
static const struct size form_sizes[] = {
    {40, 30, COUNTRIES, 0}, {80, 60, COUNTRIES, 0}, {160, 120, COUNTRIES, 0}};

/* Equal countries are no bands. */
TEST(equal_countries_are_no_bands, .end = 2 * COUNT(form_sizes), .measures = true)
{
    static double all[MAPS * COUNTRIES];
    static struct form form[MOST_COUNTRIES + 1];
    struct size size = form_sizes[_i / 2];
    for (int seed = 1; seed <= MAPS; seed++) {
        struct map map = make_map(size, _i & 1, 0, .5, seed);
        find_forms(&map, form);
        for (int k = 1; k <= COUNTRIES; k++)
            all[(seed - 1) * COUNTRIES + k - 1] = elongation(&form[k]);
    }
    qsort(all, COUNT(all), sizeof *all, compare);
    double median = all[COUNT(all) / 2], most = all[COUNT(all) * 9 / 10];
    printf("regions: %s, %d x %d: elongation %.2f (median), %.2f (of nine in ten)\n",
           _i & 1 ? "hex" : "square", size.width, size.height, median, most);
    ck_assert_msg(most <= 2.5, "elongation of nine in ten countries: %.2f", most);
}

/* Of countries that vary the largest is no disc on any map, and hardly one lies in the arms of
   another alone. */
TEST(countries_that_vary_keep_good_form, .end = 2 * COUNT(form_sizes), .measures = true)
{
    static struct form form[MOST_COUNTRIES + 1];
    struct size size = form_sizes[_i / 2];
    double round = 0, roundest = 0;
    int framed = 0;
    for (int seed = 1; seed <= MAPS; seed++) {
        struct map map = make_map(size, _i & 1, 1, .5, seed);
        find_forms(&map, form);
        int largest = 1;
        for (int k = 1; k <= COUNTRIES; k++) {
            framed += form[k].neighbour > 0 && form[k].sides > 2 * form[k].rim;
            largest = form[k].cells > form[largest].cells ? k : largest;
        }
        double quotient = roundness(&form[largest], map.hex);
        ck_assert_msg(quotient <= .5, "seed %d: quotient of the largest %.3f", seed, quotient);
        round += quotient / MAPS;
        roundest = fmax(roundest, quotient);
    }
    double share = (double)framed / (MAPS * COUNTRIES);
    printf("regions: %s, %d x %d: quotient of the largest %.2f (mean), %.2f (greatest), %.1f %% "
           "lie in a frame\n",
           _i & 1 ? "hex" : "square", size.width, size.height, round, roundest, share * 100);
    ck_assert_msg(share <= .01, "%d countries have a frame of another", framed);
}
