/*
 * masks.c: what land with water costs, beside as much land without.
 *
 *     masks [SIDE]
 *
 * A line for each share of land and number of countries: the median of some maps on a mask of
 * SIDE x SIDE; of maps without a mask of as many cells as it has of land, and of SIDE x SIDE; and
 * how many times as long it takes.
 */
#include "mapwright_host.h"
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { MAPS = 5, MOST_SIDE = 4096, LONGEST = 200 };

static char address[MOST_SIDE * (MOST_SIDE + 1) + LONGEST];
static float height[MOST_SIDE * MOST_SIDE], sorted[MOST_SIDE * MOST_SIDE];

static float node(unsigned i, unsigned j, unsigned seed)
{
    unsigned h = (i * 0x9e3779b1u) ^ (j * 0x85ebca77u) ^ (seed * 0xc2b2ae3du);
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (float)(h >> 8) / (1 << 24);
}

static float noise(float x, float y, unsigned seed)
{
    unsigned i = (unsigned)x, j = (unsigned)y;
    float e = x - (float)i, f = y - (float)j;
    e = e * e * (3 - 2 * e), f = f * f * (3 - 2 * f);
    return (node(i, j, seed) * (1 - e) + node(i + 1, j, seed) * e) * (1 - f) +
           (node(i, j + 1, seed) * (1 - e) + node(i + 1, j + 1, seed) * e) * f;
}

static int compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Hills on several scales, of which the highest are land. */
static void raise_land(int side, int scales)
{
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            float sum = 0, wave = (float)side / 4;
            for (int scale = 0; scale < scales; scale++, wave /= 2)
                sum +=
                    noise((float)x / wave, (float)y / wave, (unsigned)scale) / (float)(1 << scale);
            height[y * side + x] = sum;
        }
    memcpy(sorted, height, (size_t)(side * side) * sizeof *sorted);
    qsort(sorted, (size_t)(side * side), sizeof *sorted, compare);
}

/* Seconds that a map takes; below 0: there is none. */
static double make(const struct mw_limits *limits)
{
    struct mw_run *run = mw_open(limits);
    struct mw_request request;
    if (!mw_bind_address(run, address, strlen(address), &request))
        return -1;
    double start = measure_now();
    return mw_make(run, &request) ? measure_now() - start : -1;
}

static double median(const struct mw_limits *limits)
{
    char *seed = strstr(address, "&seed=");
    double times[MAPS];
    make(limits); /* warms the block */
    for (int i = 0; i < MAPS; i++) {
        seed[6] = (char)('1' + i);
        times[i] = make(limits);
    }
    return measure_median(times, MAPS);
}

static double plain(const struct mw_limits *limits, int side, int count, const char *grid)
{
    sprintf(address, "/regions?grid=%s&width=%d&height=%d&count=%d&seed=1", grid, side, side,
            count);
    return median(limits);
}

static void measure(const struct mw_limits *limits, int side, int share, int count, bool hex)
{
    float sea = sorted[(long)side * side * (100 - share) / 100];
    const char *grid = hex ? "hex" : "square";
    int cells = 0;
    char *at = address + sprintf(address, "/regions?grid=%s&count=%d&seed=1&mask=", grid, count);
    for (int i = 0; i < side * side; i++) {
        cells += height[i] >= sea;
        *at++ = height[i] >= sea ? '#' : '.';
        if (i % side == side - 1)
            *at++ = '/';
    }
    at[-1] = '\0';
    double masked = median(limits);
    double dry = plain(limits, (int)sqrt(cells), count, grid),
           whole = plain(limits, side, count, grid);
    printf("%-6s %2d %% land into %4d: %7.2f ms | as much land without water %7.2f ms: %4.2f times "
           "| the whole map as land %7.2f ms: %4.2f times (at most 2)\n",
           grid, share, count, masked * 1e3, dry * 1e3, masked / dry, whole * 1e3, masked / whole);
}

int main(int argc, char **argv)
{
    static const int shares[] = {95, 80, 60, 40, 20}, counts[] = {100, 1000};
    int side = argc > 1 ? atoi(argv[1]) : 1000;
    size_t size = (size_t)3 << 30;
    struct mw_limits limits = {.size = size};
    limits.memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (limits.memory == MAP_FAILED || side < 16 || side > MOST_SIDE)
        return 1;
    raise_land(side, 6);
    for (int hex = 0; hex < 2; hex++)
        for (int c = 0; c < 2; c++)
            for (int s = 0; s < 5; s++)
                measure(&limits, side, shares[s], counts[c], hex);
    return 0;
}
