/*
 * prop_look.c: the countries of /regions look like those of a continent, in figures (look.c), on
 * two dozen maps of each kind; `make bench-look` prints figures of hundreds.
 */
#include "arbitrary.h"
#include "look.h"
#include "mapwright_host.h"
#include "rounds.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOOK_WIDTH = 320,
    LOOK_HEIGHT = 240,
    LOOK_CELLS = LOOK_WIDTH * LOOK_HEIGHT,
    LOOK_COUNT = 80,
    LOOK_MAPS = 24,
    LOOK_BYTES = 32 << 20
};

static _Alignas(64) char look_block[LOOK_BYTES];

/* The cells of a map, until the next is made. */
static const int32_t *make_address(const char *address)
{
    struct mw_run *run = mw_open(&(struct mw_limits){.memory = look_block, .size = LOOK_BYTES});
    struct mw_request request;
    ck_assert(mw_bind_address(run, address, strlen(address), &request));
    const struct mw_map *map = mw_make(run, &request);
    ck_assert_msg(map, "%s", map ? "" : mw_problems(run)->list[0].detail);
    return map->slots[5].as.grid.at;
}

static const int32_t *make_look(bool hex, int count, const char *fields, int seed)
{
    char address[160];
    snprintf(address, sizeof address, "/regions?width=%d&height=%d&grid=%s&count=%d&%s&seed=%d",
             LOOK_WIDTH, LOOK_HEIGHT, hex ? "hex" : "square", count, fields, seed);
    return make_address(address);
}

/* Some maps of a thousand cells a country. */
static struct look look_at_maps(bool hex, const char *fields)
{
    struct look look = {0};
    for (int seed = 1; seed <= LOOK_MAPS; seed++)
        look_at(&look, make_look(hex, LOOK_COUNT, fields, seed), LOOK_WIDTH, LOOK_HEIGHT, hex,
                LOOK_COUNT);
    return look;
}

/* No country shows which way the axes of the map run: a third of those that are longer than wide
   lie within 15 degrees of them if they lie anyhow. */
TEST(countries_lie_anyhow, .measures = true)
{
    static const char *const fields[] = {"roughness=0", "roughness=0.5", "roughness=1",
                                         "variation=1"};
    for (int i = 0; i < 8; i++) {
        struct look look = look_at_maps(i & 1, fields[i / 2]);
        double share = (double)look.along / look.longish;
        printf(
            "regions: %s %s: %.0f %% along the axes, %.2f neighbours, quotients spread by %.3f\n",
            i & 1 ? "hex" : "square", fields[i / 2], share * 100,
            (double)look.neighbours / look.countries, look_spread(&look));
        ck_assert_int_ge(look.longish, 600);
        ck_assert_msg(share <= .40, "%.2f of %d lie along the axes", share, look.longish);
    }
}

enum { COAST_WIDTH = 160, COAST_HEIGHT = 120, COAST_COUNT = 20, COAST_MAPS = 48 };

/* Rows of land, round, so that no coast shows the axes, with bays and lakes. */
static void draw_coast(char *mask, bool hex, int seed)
{
    struct arbitrary source = {.state = (uint64_t)seed};
    int cx[12], cy[12], r[12];
    for (int i = 0; i < 12; i++) {
        cx[i] = (int)arbitrary_below(&source, COAST_WIDTH);
        cy[i] = (int)arbitrary_below(&source, COAST_HEIGHT);
        r[i] = 2 + (int)arbitrary_below(&source, 7);
    }
    for (int y = 0; y < COAST_HEIGHT; y++)
        for (int x = 0; x < COAST_WIDTH; x++) {
            int dx = x - COAST_WIDTH / 2, dy = y - COAST_HEIGHT / 2,
                bay = abs((x + y) % 22 - 11) / 3;
            bool land = dx * dx + dy * dy * (hex ? 3 : 4) / 4 < (50 - bay) * (50 - bay);
            for (int i = 0; i < 12; i++)
                land &= (x - cx[i]) * (x - cx[i]) + (y - cy[i]) * (y - cy[i]) > r[i] * r[i];
            mask[y * (COAST_WIDTH + 1) + x] = "#."[!land];
            mask[y * (COAST_WIDTH + 1) + COAST_WIDTH] = '/';
        }
    mask[COAST_HEIGHT * (COAST_WIDTH + 1) - 1] = '\0';
}

/* On land with lakes they do no less. */
TEST(countries_on_masks_lie_anyhow, .end = 6, .measures = true)
{
    static char address[4 * COAST_WIDTH * COAST_HEIGHT], mask[(COAST_WIDTH + 1) * COAST_HEIGHT];
    struct look look = {0};
    for (int seed = 1; seed <= COAST_MAPS; seed++) {
        draw_coast(mask, _i & 1, seed);
        int n = sprintf(address, "/regions?grid=%s&count=%d&roughness=%.1f&seed=%d&mask=",
                        _i & 1 ? "hex" : "square", COAST_COUNT, .5 * (_i / 2), seed);
        for (const char *c = mask; *c; c++)
            n += sprintf(address + n, *c == '#' ? "%%23" : "%c", *c);
        look_at(&look, make_address(address), COAST_WIDTH, COAST_HEIGHT, _i & 1, COAST_COUNT);
    }
    double share = (double)look.along / look.longish;
    printf("regions: %s with lakes, roughness %.1f: %.0f %% along the axes, %d like T, %d like Y\n",
           _i & 1 ? "hex" : "square", .5 * (_i / 2), share * 100, look.tees, look.wyes);
    ck_assert_int_ge(look.longish, 80);
    ck_assert_msg(share <= .40, "%.2f of %d lie along the axes", share, look.longish);
    ck_assert_msg(_i > 3 || look.wyes * 5 > look.tees * 6, "%d Y, %d T", look.wyes, look.tees);
}

enum { ARM = 60, ARMS = 8, WIDEST_ARM = 6, ARM_COUNT = 15, ARM_MAPS = 12 };

/* One arm of land, to and fro; how many rows that are. */
static int draw_arm(char *mask, int wide)
{
    int rows = ARMS * (wide + 1) - 1;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < ARM; x++) {
            int back = y / (wide + 1) & 1 ? x : ARM - 1 - x;
            mask[y * (ARM + 1) + x] = "#."[y % (wide + 1) == wide && back >= wide];
            mask[y * (ARM + 1) + ARM] = '/';
        }
    mask[rows * (ARM + 1) - 1] = '\0';
    return rows;
}

static int compare_ints(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

enum { MOST_MASK = 91 * 70 };

/* The sides between countries of maps on a mask; the median. */
static int median_of_sides(const char *mask, int width, int rows, bool hex, int count)
{
    static char address[MOST_MASK * 3 + 200];
    int sides[ARM_MAPS] = {0};
    for (int i = 0; i < ARM_MAPS; i++) {
        int n = sprintf(address, "/regions?grid=%s&count=%d&seed=%d&mask=", hex ? "hex" : "square",
                        count, i);
        for (const char *c = mask; *c; c++)
            n += sprintf(address + n, *c == '#' ? "%%23" : "%c", *c);
        const int32_t *cell = make_address(address);
        for (int c = 0; c < width * rows; c++) {
            int right = c % width < width - 1 ? cell[c + 1] : 0;
            int below = c < width * (rows - 1) ? cell[c + width] : 0;
            sides[i] += cell[c] && right && cell[c] != right;
            sides[i] += cell[c] && below && cell[c] != below;
        }
    }
    qsort(sides, ARM_MAPS, sizeof *sides, compare_ints);
    printf("regions: %s, land %d wide into %d: %d sides between countries (median), %d to %d\n",
           hex ? "hex" : "square", width, count, sides[ARM_MAPS / 2], sides[0],
           sides[ARM_MAPS - 1]);
    return sides[ARM_MAPS / 2];
}

/* Along an arm of land one country lies behind the other, not beside it: borders go across. */
TEST(countries_lie_across_arms, .end = 6, .measures = true)
{
    static char mask[MOST_MASK];
    int wide = 4 + _i / 2, rows = draw_arm(mask, wide);
    int median = median_of_sides(mask, ARM, rows, _i & 1, ARM_COUNT);
    ck_assert_msg(median <= (ARM_COUNT - 1) * 3 * wide, "borders of %d sides", median);
}

/* So on a comb, along its teeth. */
TEST(countries_lie_across_teeth, .end = 2, .measures = true)
{
    enum { WIDTH = 90, ROWS = 70, GAP = 3, COUNT = 45 };
    static char mask[MOST_MASK];
    int wide = 3 + 2 * _i;
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x <= WIDTH; x++)
            mask[y * (WIDTH + 1) + x] = x == WIDTH                                    ? '/'
                                        : y < ROWS - wide && x % (wide + GAP) >= wide ? '.'
                                                                                      : '#';
    mask[ROWS * (WIDTH + 1) - 1] = '\0';
    int median = median_of_sides(mask, WIDTH, ROWS, true, COUNT);
    ck_assert_msg(median <= COUNT * 4 * wide, "borders of %d sides", median);
}

/* Like those of one continent: six neighbours or a few less, of many forms, three at a point. */
TEST(countries_are_like_real_ones, .measures = true)
{
    for (int hex = 0; hex < 2; hex++) {
        struct look look = look_at_maps(hex, "roughness=0.5");
        double neighbours = (double)look.neighbours / look.countries;
        printf("regions: %s: %d points, %d like T, %d like Y\n", hex ? "hex" : "square",
               look.points, look.tees, look.wyes);
        ck_assert_msg(neighbours > 5.8 && neighbours < 6, "%.2f neighbours", neighbours);
        ck_assert_msg(look_spread(&look) >= .08, "quotients spread by %.3f", look_spread(&look));
        ck_assert_msg(look.wyes * 2 > look.tees * 3, "%d Y, %d T", look.wyes, look.tees);
    }
}

/* Borders wander on all scales: at its roughest one is much longer by a short ruler, and longer by
   a long one; and their divider dimension is that of borders, on fine scales and on coarse ones. */
TEST(borders_are_as_rough_as_asked, .end = 2, .measures = true)
{
    static const char *const fields[] = {"roughness=0", "roughness=0.25", "roughness=0.5",
                                         "roughness=0.75", "roughness=1"};
    static const double dimensions[] = {1.03, 0, 1.11, 0, 1.2};
    struct look looks[5];
    for (int i = 0; i < 5; i++) {
        looks[i] = look_at_maps(_i, fields[i]);
        ck_assert_msg(!i || looks[i].length[SHORT_RULER] > looks[i - 1].length[SHORT_RULER],
                      "%s is no rougher", fields[i]);
        double all = look_dimension(&looks[i], SHORT_RULER, LONGEST_RULER);
        double fine = look_dimension(&looks[i], SHORT_RULER, MIDDLE_RULER);
        double coarse = look_dimension(&looks[i], MIDDLE_RULER, LONGEST_RULER);
        ck_assert_msg(!dimensions[i] || fabs(all - dimensions[i]) <= .035,
                      "%s: borders of dimension %.3f", fields[i], all);
        ck_assert_msg(fabs(fine - coarse) <= .1, "%s: %.3f on fine scales, %.3f on coarse ones",
                      fields[i], fine, coarse);
    }
    double fine = looks[4].length[SHORT_RULER] / looks[0].length[SHORT_RULER];
    double coarse = looks[4].length[LONG_RULER] / looks[0].length[LONG_RULER];
    ck_assert_msg(fine >= 1.6, "only %.2f times as long", fine);
    ck_assert_msg(coarse >= 1.25, "only %.2f times as long by a long ruler", coarse);
}

static int compare_ratios(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of two dozen countries as on a continent, the largest is 10 to 40 times the smallest. */
TEST(countries_vary_as_on_a_continent, .measures = true)
{
    enum { COUNTRIES = 24 };
    double ratio[LOOK_MAPS];
    for (int i = 0; i < LOOK_MAPS; i++) {
        const int32_t *cells = make_look(true, COUNTRIES, "variation=1", i + 1);
        int size[COUNTRIES + 1] = {0}, least = LOOK_CELLS, most = 0;
        for (int c = 0; c < LOOK_CELLS; c++)
            size[cells[c]]++;
        for (int k = 1; k <= COUNTRIES; k++) {
            least = size[k] < least ? size[k] : least;
            most = size[k] > most ? size[k] : most;
        }
        ratio[i] = (double)most / least;
    }
    qsort(ratio, LOOK_MAPS, sizeof *ratio, compare_ratios);
    double median = ratio[LOOK_MAPS / 2];
    ck_assert_msg(median >= 10 && median <= 40, "the largest is %.1f times the smallest", median);
}

/* The same map, other borders: few cells change hands as borders go from calm to ragged. */
TEST(roughness_moves_borders_alone, .end = 2, .measures = true)
{
    static int32_t calm[LOOK_CELLS];
    double same = 0, other = 0;
    for (int seed = 1; seed <= LOOK_MAPS; seed++) {
        memcpy(calm, make_look(_i, LOOK_COUNT, "roughness=0", seed), sizeof calm);
        same += look_alike(make_look(_i, LOOK_COUNT, "roughness=1", seed), calm, LOOK_CELLS);
        other +=
            look_alike(make_look(_i, LOOK_COUNT, "roughness=0", seed + 1000), calm, LOOK_CELLS);
    }
    same /= LOOK_MAPS;
    other /= LOOK_MAPS;
    printf("regions: %s: %.0f %% of cells keep their country from roughness 0 to 1, %.0f %% from "
           "seed to seed\n",
           _i ? "hex" : "square", same * 100, other * 100);
    ck_assert_msg(same >= .6, "only %.2f of the cells keep their country", same);
    ck_assert_msg(other <= .1, "%.2f of the cells are alike whatever the seed", other);
}

/* Those of two or three cells lie along the rows no more often than the other ways. */
TEST(the_smallest_lie_anyhow, .end = 2, .measures = true)
{
    enum { SIDE = 120, COUNT = 6400 };
    bool hex = _i;
    int pairs = 0, along = 0, ways = hex ? 3 : 2;
    char address[96];
    snprintf(address, sizeof address, "/regions?width=%d&height=%d&grid=%s&count=%d&seed=1", SIDE,
             SIDE, hex ? "hex" : "square", COUNT);
    const int32_t *cells = make_address(address);
    for (int y = 0; y + 1 < SIDE; y++)
        for (int x = 1; x + 1 < SIDE; x++) {
            const int32_t *cell = &cells[y * SIDE + x], *below = cell + SIDE;
            int beside = *cell == cell[1], down = *cell == *below;
            if (hex)
                down += *cell == below[y % 2 ? 1 : -1];
            along += beside;
            pairs += beside + down;
        }
    double share = (double)along / pairs;
    printf("regions: %s of %.2f cells, %.2f of them along the rows\n", hex ? "hex" : "square",
           (double)SIDE * SIDE / COUNT, share);
    ck_assert_int_gt(pairs, COUNT);
    ck_assert_msg(fabs(share - 1.0 / ways) < .1, "%.3f along the rows", share);
}
