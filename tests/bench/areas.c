/*
 * areas.c: what areas cost, beside the plain way to grow one.
 *
 *     areas [SEEDS]      a line for each algorithm: cells grown a second of CPU, median over seeds
 *
 * The peer is frontier growth as its text has it, on a map of bytes: a list of the area's cells
 * that have a free neighbour, with the place of each in the list, put in order after every cell. It
 * counts neither holes nor bounds and writes no ids. Ours is the whole map in a warm block.
 */
#include "mapwright_host.h"
#include "measure.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { SIDE = 1000, CELLS = SIDE * SIDE, AREA = CELLS / 2, SEEDS_MOST = 99 };

/* ---- the plain way --------------------------------------------------------------------------- */

struct plain {
    uint64_t random;
    unsigned char *taken;
    int *list, *place, listed;
};

static int below(struct plain *p, int n)
{
    p->random = p->random * 6364136223846793005u + 1442695040888963407u;
    return (int)((p->random >> 32) * (uint64_t)n >> 32);
}

static int free_neighbours(const struct plain *p, int cell, int *to)
{
    int n = 0, x = cell % SIDE, y = cell / SIDE;
    if (x + 1 < SIDE && !p->taken[cell + 1])
        to[n++] = cell + 1;
    if (y + 1 < SIDE && !p->taken[cell + SIDE])
        to[n++] = cell + SIDE;
    if (x > 0 && !p->taken[cell - 1])
        to[n++] = cell - 1;
    if (y > 0 && !p->taken[cell - SIDE])
        to[n++] = cell - SIDE;
    return n;
}

static void mend(struct plain *p, int cell)
{
    int to[4], n = free_neighbours(p, cell, to);
    if (n && p->place[cell] < 0) {
        p->place[cell] = p->listed;
        p->list[p->listed++] = cell;
    } else if (!n && p->place[cell] >= 0) {
        int last = p->list[--p->listed];
        p->list[p->place[cell]] = last;
        p->place[last] = p->place[cell];
        p->place[cell] = -1;
    }
}

static void take(struct plain *p, int cell)
{
    int x = cell % SIDE, y = cell / SIDE;
    p->taken[cell] = 1;
    mend(p, cell);
    if (x + 1 < SIDE && p->taken[cell + 1])
        mend(p, cell + 1);
    if (y + 1 < SIDE && p->taken[cell + SIDE])
        mend(p, cell + SIDE);
    if (x > 0 && p->taken[cell - 1])
        mend(p, cell - 1);
    if (y > 0 && p->taken[cell - SIDE])
        mend(p, cell - SIDE);
}

static double time_plain(struct plain *p, int seed)
{
    double start = measure_now();
    p->random = (uint64_t)seed;
    p->listed = 0;
    memset(p->taken, 0, CELLS);
    memset(p->place, -1, CELLS * sizeof *p->place);
    take(p, below(p, CELLS));
    for (int i = 1; i < AREA; i++) {
        int to[4], n = free_neighbours(p, p->list[below(p, p->listed)], to);
        while (!n)
            n = free_neighbours(p, p->list[below(p, p->listed)], to);
        take(p, to[below(p, n)]);
    }
    return measure_now() - start;
}

/* ---- ours ------------------------------------------------------------------------------------ */

static double time_ours(const struct mw_limits *limits, const char *query, int seed)
{
    char address[200];
    struct mw_run *run = mw_open(limits);
    struct mw_request request;
    int length = snprintf(address, sizeof address, "/areas?%s&seed=%d", query, seed);
    double start = measure_now();
    if (!mw_bind_address(run, address, (size_t)length, &request) || !mw_make(run, &request))
        exit(fprintf(stderr, "%s: %s\n", address, mw_problems(run)->list[0].detail));
    return measure_now() - start;
}

static double median_of(const struct mw_limits *limits, const char *query, int seeds)
{
    double times[SEEDS_MOST];
    time_ours(limits, query, 0);
    for (int i = 0; i < seeds; i++)
        times[i] = time_ours(limits, query, i + 1);
    return measure_median(times, (size_t)seeds);
}

static const struct {
    const char *name, *query;
    double floor, aim; /* million cells a second */
} rows[] = {
    {"coast", "algorithm=coast", 20, 30},
    {"coast, no holes", "algorithm=coast&holes=false", 0, 0},
    {"coast, hexagons", "algorithm=coast&grid=hex", 0, 0},
    {"frontier", "algorithm=frontier", 40, 60},
    {"dfs", "algorithm=dfs", 40, 60},
    {"mixed", "algorithm=mixed", 40, 60},
    {"frenzied", "algorithm=frenzied", 40, 60},
    {"without holes", "algorithm=frontier&holes=false", 20, 33},
    {"hexagons", "algorithm=frontier&grid=hex", 0, 0},
    {"one walk", "algorithm=dfs-backtrack", 0, 0},
};

int main(int argc, char **argv)
{
    size_t size = (size_t)1 << 28;
    struct mw_limits limits = {.size = size};
    limits.memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct plain plain = {.taken = malloc(CELLS),
                          .list = malloc(CELLS * sizeof(int)),
                          .place = malloc(CELLS * sizeof(int))};
    int seeds = argc > 1 ? atoi(argv[1]) : 11;
    seeds = seeds < 1 ? 1 : seeds > SEEDS_MOST ? SEEDS_MOST : seeds;
    if (limits.memory == MAP_FAILED || !plain.taken || !plain.list || !plain.place)
        return perror("memory"), 1;
    double times[SEEDS_MOST];
    time_plain(&plain, 0);
    for (int i = 0; i < seeds; i++)
        times[i] = time_plain(&plain, i + 1);
    double peer = AREA / measure_median(times, (size_t)seeds) * 1e-6;
    printf("half of %dx%d cells; the plain way: %.1f million cells/s\n", SIDE, SIDE, peer);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char query[120];
        snprintf(query, sizeof query, "width=%d&height=%d&area=%d&%s", SIDE, SIDE, AREA,
                 rows[i].query);
        double speed = AREA / median_of(&limits, query, seeds) * 1e-6;
        printf("%-14s %6.1f million cells/s: %4.2f times", rows[i].name, speed, speed / peer);
        printf(rows[i].floor > 0 ? " (floor %.0f, aim %.0f)\n" : "\n", rows[i].floor, rows[i].aim);
    }
    printf("50x50, 800 cells %6.1f us (floor 20)\n",
           median_of(&limits, "area=800", SEEDS_MOST) * 1e6);
    printf("50x50, a walk of 1500 %6.1f us\n",
           median_of(&limits, "area=1500&algorithm=dfs-backtrack", SEEDS_MOST) * 1e6);
    free(plain.taken);
    free(plain.list);
    free(plain.place);
    return 0;
}
