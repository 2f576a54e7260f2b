/*
 * homes.c: of how many galaxies homes are fair, by shape and number of stars, for 2 to 12 homes.
 *
 *     homes [MAPS of each number of homes]
 *
 * A line for each kind: per cent of the maps in which homes are alike by each measure, and off the
 * rim; the room between them, in the mean and of the worst tenth; and the share of the time of a
 * map that choosing them takes, beside homes that are given.
 */
#include "measure.h"
#include "prop/fair.c"

#include <stdio.h>

enum { LEAST_HOMES = 2, MOST_HOMES = 12, MAPS = 200 };

static struct mw_limits limits = {.size = (size_t)256 << 20};
static struct mw_request request;

static const struct mw_map *make_map(const char *query, double *seconds)
{
    struct mw_run *run = mw_open(&limits);
    bool good = mw_bind_address(run, query, strlen(query), &request);
    double start = measure_now();
    const struct mw_map *map = good ? mw_make(run, &request) : NULL;
    *seconds += measure_now() - start;
    if (map)
        return map;
    fprintf(stderr, "%s: %s\n", query, mw_problems(run)->list[0].detail);
    exit(1);
}

struct tally {
    int maps, star, middle, way, nearest, inside, all, road;
    double chosen, given; /* seconds */
    double room, *rooms;
};

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void count_map(struct tally *t, const char *kind, int homes, int seed)
{
    char query[400], more[200] = "";
    snprintf(query, sizeof query, "/starlanes?%s&homeworlds=%d&seed=%d", kind, homes, seed);
    struct fairness f = fair_look(make_map(query, &t->chosen));
    bool star = f.star >= 0.7, middle = f.middle >= 0.7, way = f.way >= 0.6,
         near = f.nearest >= 0.5;
    t->room += f.room;
    t->rooms[t->maps++] = f.room;
    t->star += star;
    t->middle += middle;
    t->way += way;
    t->nearest += near;
    t->inside += f.rim < 0.95;
    t->road += f.road >= 0.5;
    t->all += star && middle && way && near && !f.centre;
    for (int i = 0, at = 0; i < homes; i++)
        at += snprintf(more + at, sizeof more - (size_t)at, "%s%d", i ? "," : "&homes=", i);
    snprintf(query, sizeof query, "/starlanes?%s&seed=%d%s", kind, seed, more);
    make_map(query, &t->given);
}

static void measure_kind(const char *kind, int maps)
{
    struct tally t = {.rooms = malloc((size_t)(MOST_HOMES * maps) * sizeof(double))};
    for (int homes = LEAST_HOMES; homes <= MOST_HOMES; homes++)
        for (int seed = 1; seed <= maps; seed++)
            count_map(&t, kind, homes, seed);
    double percent = 100.0 / t.maps;
    qsort(t.rooms, (size_t)t.maps, sizeof *t.rooms, by_size);
    printf(
        "%-44s star %5.1f middle %5.1f (at least 95) way %5.1f (90) nearest %5.1f (95) all %5.1f | "
        "inside %5.1f, by road %5.1f, room %4.2f and %4.2f | %3.0f %% of the time\n",
        kind, t.star * percent, t.middle * percent, t.way * percent, t.nearest * percent,
        t.all * percent, t.inside * percent, t.road * percent, t.room / t.maps,
        t.rooms[t.maps / 10], 100 * (t.chosen - t.given) / t.chosen);
    free(t.rooms);
}

int main(int argc, char **argv)
{
    static const char *const kinds[] = {
        "stars=24",
        "stars=24&shape=disc",
        "stars=40",
        "stars=40&shape=spiral",
        "stars=60",
        "stars=60&shape=disc",
        "stars=60&shape=spiral",
        "stars=60&shape=ring",
        "stars=60&shape=clusters",
        "stars=100",
        "stars=100&jitter=1",
        "stars=100&width=3000&height=600",
        "stars=100&shape=disc",
        "stars=100&shape=spiral",
        "stars=100&shape=spiral&arms=2",
        "stars=100&shape=ring",
        "stars=100&shape=clusters",
        "stars=1000",
        "stars=1000&shape=disc",
        "stars=1000&shape=spiral",
        "stars=1000&shape=ring",
        "stars=1000&shape=clusters",
    };
    limits.memory = malloc(limits.size);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        measure_kind(kinds[i], argc > 1 ? atoi(argv[1]) : MAPS);
    return 0;
}
