/*
 * puzzle.c: how fast path puzzles are solved, decided, counted, refuted and made, beside
 * libcadical.
 *
 *     puzzle [DIRECTORY OF BOARDS]          CPU milliseconds, one core
 *
 * «cadical» is the same question put to libcadical on the clauses of tests/prop/puzzle_sat.c.
 */
#include "measure.h"
#include "prop/check_puzzle.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

enum { BOARDS = 200, SEEDS = 100, PEER_CELLS = 400 };

static char *block;
static const size_t block_size = (size_t)2 << 30;
static char query[PUZZLE_TEXT + 200];

/* The time that `query` takes, in milliseconds. */
static double ask(const char *generator, const struct mw_map **map)
{
    struct mw_limits limits = {.memory = block, .size = block_size};
    static struct mw_request request;
    const struct mw_arg *args;
    size_t count;
    double start = measure_now();
    struct mw_run *run = mw_open(&limits);
    bool good = mw_read_query(run, query, strlen(query), &args, &count) &&
                mw_bind(run, mw_find(generator), args, count, NULL, &request);
    *map = good ? mw_make(run, &request) : NULL;
    return (measure_now() - start) * 1e3;
}

static double solve(const struct puzzle *p, enum puzzle_rule rule, const char *count,
                    const struct mw_map **map)
{
    static char rows[PUZZLE_TEXT];
    snprintf(query, sizeof query, "grid=%s&rule=%s&count=%s", puzzle_query(p, rows),
             puzzle_rule_names[rule], count);
    return ask("puzzle/solve", map);
}

static double reference(const struct puzzle *p, enum puzzle_rule rule)
{
    double start = measure_now();
    if (p->width * p->height > PEER_CELLS)
        return -1; /* it takes minutes */
    long count = puzzle_reference(p, rule, 1, 10);
    return count < 0 ? -1 : (measure_now() - start) * 1e3;
}

static const char *verdict(const struct mw_map *map)
{
    int32_t unique = map ? map->slots[1].as.value.integer : MW_NULL;
    return !map ? "refused" : unique == MW_NULL ? "open" : unique ? "one" : "several";
}

static void compare(const char *name, const struct puzzle *p)
{
    const struct mw_map *map;
    double strict = solve(p, PUZZLE_STRICT, "unique", &map), peer = reference(p, PUZZLE_STRICT);
    printf("%-14s %9.2f %9.2f", name, strict, peer);
    printf(" %9.2f", solve(p, PUZZLE_FLOW, "first", &map));
    if (p->width * p->height < 400) {
        double flow = solve(p, PUZZLE_FLOW, "unique", &map);
        printf(" %9.2f %-8s", flow, verdict(map));
    }
    if (p->width <= 14 || p->height <= 14) {
        double count = solve(p, PUZZLE_FLOW, "exact", &map);
        const char *number = map ? map->slots[2].as.value.string : NULL;
        printf(" %9.2f %s", count, number ? number : "-");
    }
    printf("\n");
    fflush(stdout);
}

/* Exchanges the second ends of the first two paths. */
static void spoil(struct puzzle *p)
{
    char *last[2] = {NULL, NULL};
    for (int y = 1; y <= p->height; y++)
        for (int x = 1; x <= p->width; x++)
            if (p->cell[y][x] == 'A' || p->cell[y][x] == 'B')
                last[p->cell[y][x] - 'A'] = &p->cell[y][x];
    char swap = *last[0];
    *last[0] = *last[1];
    *last[1] = swap;
}

static void refute(const char *name, struct puzzle *p)
{
    const struct mw_map *map;
    spoil(p);
    printf("%-14s %9.2f", name, solve(p, PUZZLE_STRICT, "first", &map));
    if (p->width <= 14 && p->height <= 14)
        printf(" %9.2f", solve(p, PUZZLE_FLOW, "first", &map));
    printf("\n");
}

static void generate(int side, enum puzzle_rule rule)
{
    double times[SEEDS];
    int made = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
        const struct mw_map *map;
        snprintf(query, sizeof query, "width=%d&height=%d&rule=%s&seed=%d", side, side,
                 puzzle_rule_names[rule], seed);
        times[seed] = ask("puzzle/generate", &map);
        made += map != NULL;
    }
    double median = measure_median(times, SEEDS);
    printf("%2dx%-2d %-8s %4d of %d made, median %9.2f, 99 of 100 within %9.2f\n", side, side,
           puzzle_rule_names[rule], made, SEEDS, median, times[SEEDS * 99 / 100 - 1]);
    fflush(stdout);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int list(const char *directory, char **names)
{
    int count = 0;
    DIR *dir = opendir(directory);
    for (struct dirent *entry; dir && count < BOARDS && (entry = readdir(dir));)
        if (strstr(entry->d_name, ".txt"))
            names[count++] = strdup(entry->d_name);
    if (dir)
        closedir(dir);
    qsort(names, (size_t)count, sizeof *names, by_name);
    return count;
}

static void each(const char *directory, char **names, int count, bool spoiled)
{
    for (int i = 0; i < count; i++) {
        struct puzzle p;
        char file[512];
        snprintf(file, sizeof file, "%s/%s", directory, names[i]);
        if (!puzzle_load(&p, file))
            continue;
        if (!spoiled)
            compare(names[i], &p);
        else if (p.width <= 30 && p.height <= 30)
            refute(names[i], &p);
    }
}

int main(int argc, char **argv)
{
    const char *directory = argc > 1 ? argv[1] : "tests/boards";
    static char *names[BOARDS];
    int count = list(directory, names);
    block = aligned_alloc(64, block_size);
    if (!block || !count)
        return fprintf(stderr, "no memory, or no boards in %s\n", directory), 2;
    printf("%-14s %9s %9s %9s %9s %-8s %9s\n", "board", "strict", "cadical", "flow", "decided", "",
           "counted");
    each(directory, names, count, false);
    printf("\nunsolvable:    %9s %9s\n", "strict", "flow");
    each(directory, names, count, true);
    printf("\n");
    static const int strict[] = {5, 7, 10, 14, 20, 30, 40}, flow[] = {5, 8, 10, 12};
    for (size_t i = 0; i < sizeof strict / sizeof strict[0]; i++)
        generate(strict[i], PUZZLE_STRICT);
    for (size_t i = 0; i < sizeof flow / sizeof flow[0]; i++)
        generate(flow[i], PUZZLE_FLOW);
    for (int i = 0; i < count; i++)
        free(names[i]);
    free(block);
    return 0;
}
