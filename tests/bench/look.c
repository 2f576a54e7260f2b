/*
 * look.c: what the countries of /regions look like, over hundreds of maps.
 *
 *     look [MAPS]
 *
 * A line for each grid and kind of map: the share of longish countries that lie along the map's
 * axes, neighbours of inner countries, the spread of their isoperimetric quotients, points like T
 * and like Y, the divider dimension of borders on fine and coarse scales, their length against
 * roughness 0 by the short and the long ruler, the median of largest to smallest country, and the
 * share of cells that have the country which the same seed gives them at roughness 0.5.
 */
#include "../prop/look.h"

#include "mapwright_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 320, HEIGHT = 240, CELLS = WIDTH * HEIGHT, BYTES = 32 << 20, MOST_MAPS = 4096 };

struct kind {
    const char *fields;
    int count;
};

static const struct kind kinds[] = {
    {"roughness=0", 80},    {"roughness=0.25", 80}, {"roughness=0.5", 80},
    {"roughness=0.75", 80}, {"roughness=1", 80},    {"variation=1", 24},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static _Alignas(64) char block[BYTES];

/* The cells of a map, in the block. */
static const int32_t *make(const char *fields, int count, bool hex, int seed)
{
    char address[160];
    snprintf(address, sizeof address, "/regions?width=%d&height=%d&grid=%s&count=%d&%s&seed=%d",
             WIDTH, HEIGHT, hex ? "hex" : "square", count, fields, seed);
    struct mw_run *run = mw_open(&(struct mw_limits){.memory = block, .size = BYTES});
    struct mw_request request;
    const struct mw_map *map =
        mw_bind_address(run, address, strlen(address), &request) ? mw_make(run, &request) : NULL;
    if (!map)
        exit(1);
    return map->slots[5].as.grid.at;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double ratio_of(const int32_t *cells, int count)
{
    int size[128] = {0}, least = CELLS, most = 0;
    for (int i = 0; i < CELLS; i++)
        size[cells[i]]++;
    for (int k = 1; k <= count; k++) {
        least = size[k] < least ? size[k] : least;
        most = size[k] > most ? size[k] : most;
    }
    return (double)most / least;
}

static void look_at_kind(const struct kind *kind, bool hex, int maps, struct look *smooth)
{
    static double ratio[MOST_MAPS];
    static int32_t usual[CELLS];
    struct look look = {0};
    double alike = 0, other = 0;
    for (int i = 0; i < maps; i++) {
        memcpy(usual, make("roughness=0.5", kind->count, hex, i + 1), sizeof usual);
        const int32_t *cells = make(kind->fields, kind->count, hex, i + 1);
        look_at(&look, cells, WIDTH, HEIGHT, hex, kind->count);
        alike += look_alike(cells, usual, CELLS);
        ratio[i] = ratio_of(cells, kind->count);
        other += look_alike(make(kind->fields, kind->count, hex, i + 1000001), usual, CELLS);
    }
    qsort(ratio, (size_t)maps, sizeof *ratio, compare);
    *smooth = smooth->countries ? *smooth : look;
    printf("%-6s %-14s axes %2.0f %% neighbours %.2f spread %.3f (mean %.2f) T %4.1f %% Y %4.1f %% "
           "dimension %.2f fine %.2f coarse %.2f length %.2f long %.2f largest %4.1f "
           "alike %.2f (other seeds %.2f)\n",
           hex ? "hex" : "square", kind->fields, 100.0 * look.along / look.longish,
           (double)look.neighbours / look.countries, look_spread(&look),
           look.quotient / look.countries, 100.0 * look.tees / look.points,
           100.0 * look.wyes / look.points, look_dimension(&look, SHORT_RULER, LONGEST_RULER),
           look_dimension(&look, SHORT_RULER, MIDDLE_RULER),
           look_dimension(&look, MIDDLE_RULER, LONGEST_RULER),
           look.length[SHORT_RULER] / smooth->length[SHORT_RULER],
           look.length[LONG_RULER] / smooth->length[LONG_RULER], ratio[maps / 2], alike / maps,
           other / maps);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int maps = argc > 1 ? atoi(argv[1]) : 300;
    maps = maps < 1 ? 1 : maps > MOST_MAPS ? MOST_MAPS : maps;
    for (int hex = 0; hex < 2; hex++) {
        struct look smooth = {0};
        for (int i = 0; i < KINDS; i++)
            look_at_kind(&kinds[i], hex, maps, &smooth);
    }
    return 0;
}
