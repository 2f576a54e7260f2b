/*
 * lattice.c: neighbors and wrap on squares and hexagons.
 *
 * Hexagons, even rows and odd rows («odd-r»), with the sides numbered round from east:
 *
 *        4   5            a cell (x, y) of an even row has at 5 (x, y-1) and at 4 (x-1, y-1);
 *      3   c   0          in an odd row, at 5 (x+1, y-1) and at 4 (x, y-1); below alike
 *        2   1
 */
#include "lattice.h"

const char *const mw_tilings[] = {"hex", "square", NULL};
const char *const mw_wraps[] = {"none", "x", "xy", NULL};

/* Of even and odd rows of hexagons, and of squares. */
static const int8_t dx[3][6] = {{1, 0, -1, -1, -1, 0}, {1, 1, 0, -1, 0, 1}, {1, 0, -1, 0}};
static const int8_t dy[3][6] = {{0, 1, 1, 0, -1, -1}, {0, 1, 1, 0, -1, -1}, {0, 1, 0, -1}};

/* i moved into 0 .. n-1 where that axis wraps, else -1 when outside */
static int32_t onto(int32_t i, int32_t n, bool wraps)
{
    if (i >= 0 && i < n)
        return i;
    return wraps ? (i < 0 ? i + n : i - n) : -1;
}

int32_t mw_neighbour(const struct mw_lattice *l, int32_t cell, int side)
{
    int32_t x = cell % l->width, y = cell / l->width;
    int kind = l->tiling == MW_HEX ? y & 1 : 2;
    x = onto(x + dx[kind][side], l->width, l->wrap != MW_WRAP_NONE);
    y = onto(y + dy[kind][side], l->height, l->wrap == MW_WRAP_XY);
    return x < 0 || y < 0 ? -1 : y * l->width + x;
}
