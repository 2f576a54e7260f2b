/*
 * ways.c: how short ways are. Shares nothing with the generator: lanes are rounded by integers of
 * 128 bits, and ways put right lane by lane until none gets shorter.
 */
#include "ways.h"

#include <math.h>
#include <stdlib.h>

__extension__ typedef __int128 big;

enum { CENTRE = 2, STARS, LANES, MAXIMUM, MINIMUM }; /* parts */
enum { X, Y, HOMEWORLD };                            /* columns */

/* In 2^-20, to the nearest: 2 * length - 1 < 2 * root < 2 * length + 1, squared. */
static int64_t rounded_root(int64_t n)
{
    int64_t length = (int64_t)(sqrtl((long double)n) * 0x1p20L);
    while ((big)(2 * length + 1) * (2 * length + 1) < (big)n << 42)
        length++;
    while ((big)(2 * length - 1) * (2 * length - 1) > (big)n << 42)
        length--;
    return length;
}

/* Lengths of lanes, in 2^-20: whole numbers with exact sums, or as many digits as there are. */
static long double *measure(const struct mw_map *map, const struct mw_edges *lanes, bool rounded)
{
    const struct mw_rowset *table = &map->slots[STARS].as.table;
    const int32_t *x = table->columns[X], *y = table->columns[Y];
    long double *length = malloc(((size_t)lanes->count + 1) * sizeof *length);
    for (int32_t i = 0; i < lanes->count; i++) {
        int64_t dx = (int64_t)x[lanes->at[i].a] - x[lanes->at[i].b],
                dy = (int64_t)y[lanes->at[i].a] - y[lanes->at[i].b], n = dx * dx + dy * dy;
        length[i] = rounded ? (long double)rounded_root(n) : sqrtl((long double)n) * 0x1p20L;
    }
    return length;
}

/* How far all stars are from the centre; to be freed. */
static long double *find_ways(const struct mw_map *map, int part, bool rounded)
{
    const struct mw_edges *lanes = &map->slots[part].as.edges;
    int32_t stars = map->slots[STARS].as.table.rows;
    long double *length = measure(map, lanes, rounded), *way = malloc((size_t)stars * sizeof *way);
    for (int32_t i = 0; i < stars; i++)
        way[i] = i == map->slots[CENTRE].as.value.integer ? 0 : INFINITY;
    for (bool better = true; better;) {
        better = false;
        for (int32_t i = 0; i < lanes->count; i++) {
            long double *a = &way[lanes->at[i].a], *b = &way[lanes->at[i].b];
            better |= *a + length[i] < *b || *b + length[i] < *a;
            *b = fminl(*b, *a + length[i]);
            *a = fminl(*a, *b + length[i]);
        }
    }
    free(length);
    return way;
}

static long double longest_detour(const struct mw_map *map, bool rounded)
{
    const struct mw_rowset *table = &map->slots[STARS].as.table;
    const int32_t *home = table->columns[HOMEWORLD];
    long double *best = find_ways(map, MAXIMUM, rounded), *way = find_ways(map, MINIMUM, rounded),
                most = 0;
    for (int32_t i = 0; i < table->rows; i++)
        most = home[i] ? fmaxl(most, way[i] - best[i]) : most;
    free(way);
    free(best);
    return most;
}

struct detour ways_look(const struct mw_map *map)
{
    return (struct detour){(int64_t)longest_detour(map, true),
                           longest_detour(map, false) * 0x1p-20L};
}
