/*
 * feel.c: what made puzzles look like, how often they are met, and in what time.
 *
 *     feel [SEEDS [QUERY ...]]          a row for each query; by default those of the promises
 */
#include "prop/feel.h"
#include "measure.h"

#include <stdio.h>
#include <string.h>

static const char *const queries[] = {
    "width=7&height=7",
    "width=10&height=10",
    "width=14&height=14",
    "width=20&height=20",
    "width=30&height=30",
    "width=40&height=40",
    "width=50&height=50",
    "width=64&height=64",
    "width=9&height=9&colors=4",
    "width=12&height=12&colors=6",
    "width=14&height=14&colors=7",
    "width=14&height=14&colors=5",
    "width=7&height=7&rule=flow",
    "width=10&height=10&rule=flow",
    "width=14&height=14&rule=flow",
    "width=17&height=17&rule=flow",
    "width=20&height=20&rule=flow",
    "width=12&height=12&colors=6&rule=flow",
    "width=14&height=14&colors=9&rule=flow",
};
enum { QUERIES = sizeof queries / sizeof queries[0], SEEDS = 100, MOST = 10000 };

static char *block;
static const size_t block_size = (size_t)1 << 30;
static double times[MOST];

static const struct mw_map *make(const char *query)
{
    struct mw_limits limits = {.memory = block, .size = block_size};
    static struct mw_request request;
    const struct mw_arg *args;
    size_t count;
    struct mw_run *run = mw_open(&limits);
    bool good = mw_read_query(run, query, strlen(query), &args, &count) &&
                mw_bind(run, mw_find("puzzle/generate"), args, count, NULL, &request);
    return good ? mw_make(run, &request) : NULL;
}

static const struct mw_rowset *paths_of(const struct mw_map *map)
{
    int part = 0;
    while (strcmp(map->request->generator->parts[part].name, "paths"))
        part++;
    return &map->slots[part].as.table;
}

static void print(const char *query, int seeds, const struct feel *f)
{
    double median = measure_median(times, (size_t)seeds);
    printf("%-40s %4d/%-4d", query, f->boards, seeds);
    if (f->boards)
        printf(" %5.2f %5.2f %6.2f %5.2f %6.2f %5.3f %6.2f %5.2f",
               (double)f->level / (double)f->steps,
               f->tiles ? (double)f->leaning / (double)f->tiles : 0, feel_clumps(f),
               f->rim / (2.0 * (double)f->paths), (double)f->direct / (double)f->paths,
               (double)f->midgets / (double)f->paths, f->detour / f->boards, f->spread / f->boards);
    printf(" %8.2f %8.2f %8.2f\n", median, times[seeds * 99 / 100], times[seeds - 1]);
    fflush(stdout);
}

static void measure(const char *query, int seeds)
{
    struct feel f = {0};
    for (int seed = 0; seed < seeds; seed++) {
        char text[300];
        snprintf(text, sizeof text, "%s&seed=%d", query, seed);
        double start = measure_now();
        const struct mw_map *map = make(text);
        times[seed] = (measure_now() - start) * 1e3;
        if (map)
            feel_add(&f, map->slots[0].as.value.rows.width, map->slots[0].as.value.rows.count,
                     paths_of(map));
    }
    print(query, seeds, &f);
}

int main(int argc, char **argv)
{
    int seeds = argc > 1 ? atoi(argv[1]) : SEEDS;
    block = calloc(1, block_size);
    seeds = seeds < 1 ? 1 : seeds > MOST ? MOST : seeds;
    printf("level: steps along rows; lean: 8x8 tiles with over 3/4 of them one way\n"
           "clumps: chi square of ends over 3x3 blocks, 1 as by chance; rim: share of ends there\n"
           "direct: paths as short as can be; <=3: of three cells; detour: length over distance\n"
           "CV: of lengths; CPU milliseconds\n"
           "%-40s %9s %5s %5s %6s %5s %6s %5s %6s %5s %8s %8s %8s\n",
           "", "made", "level", "lean", "clumps", "rim", "direct", "<=3", "detour", "CV", "median",
           "99 %", "worst");
    for (int i = 2; i < argc; i++)
        measure(argv[i], seeds);
    for (int i = 0; argc <= 2 && i < QUERIES; i++)
        measure(queries[i], seeds);
    free(block);
    return 0;
}
