/*
 * starlanes.c: what a map of stars costs, and what the naive way costs on the same stars.
 *
 *     starlanes              a line for each size and each hard sky
 *     starlanes time N [Q]   seconds for N stars, the median; Q are further parameters
 *     starlanes stars N [Q]  those stars, a line each
 *
 * Times are CPU time of the whole request in a warm block, without output.
 */
#include "measure.h"
#include "prop/check_starlanes.c"

#include <sys/mman.h>

enum { RUNS = 9, STARS_MOST = 200000, QUERY = 8 << 20 };

static struct mw_limits limits = {.size = (size_t)1 << 30};
static struct mw_request request;
static char *query;
static size_t peak;

static const struct mw_map *make_map(double *seconds)
{
    struct mw_run *run = mw_open(&limits);
    bool good = mw_bind_address(run, query, strlen(query), &request);
    double start = measure_now();
    const struct mw_map *map = good ? mw_make(run, &request) : NULL;
    *seconds = measure_now() - start;
    peak = mw_peak(run);
    if (map)
        return map;
    fprintf(stderr, "%.200s: %s\n", query, mw_problems(run)->list[0].detail);
    exit(1);
}

static double median_of(int runs)
{
    double times[RUNS];
    for (int i = 0; i < runs; i++)
        make_map(&times[i]);
    return measure_median(times, (size_t)runs);
}

static double median_time(void) { return median_of(RUNS); }

/* ---- skies ----------------------------------------------------------------------------------- */

static uint64_t state;
static double unit(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 33) / (double)(UINT64_C(1) << 31);
}

static struct mw_point uniform(void)
{
    return (struct mw_point){(int32_t)(unit() * 8388607), (int32_t)(unit() * 8388607)};
}

static struct mw_point ring(void)
{
    double turn = unit() * 6.283185307;
    return (struct mw_point){(int32_t)(4e6 + 3e6 * cos(turn)), (int32_t)(4e6 + 3e6 * sin(turn))};
}

static struct mw_point spiral(void)
{
    double turn = unit() * 25, radius = turn * 150000;
    return (struct mw_point){(int32_t)(4e6 + radius * cos(turn) + unit() * 6e4),
                             (int32_t)(4e6 + radius * sin(turn) + unit() * 6e4)};
}

static struct mw_point clusters(void)
{
    double x = 1e6 * (double)(1 + (int)(unit() * 6)), y = 1e6 * (double)(1 + (int)(unit() * 6)),
           r = unit();
    return (struct mw_point){(int32_t)(x + 4e5 * r * r * (unit() - .5)),
                             (int32_t)(y + 4e5 * r * r * (unit() - .5))};
}

static struct mw_point two_lines(void)
{
    return (struct mw_point){unit() < .5 ? 0 : 1000000, (int32_t)(unit() * 8388607)};
}

static struct mw_point one_line(void) { return (struct mw_point){(int32_t)(unit() * 8388607), 5}; }

static struct mw_point lattice(void)
{
    static int32_t i;
    i = (i + 1) % 200000;
    return (struct mw_point){i % 447 * 18000, i / 447 * 18000};
}

static struct mw_point far_clusters(void)
{
    return (struct mw_point){(int32_t)(unit() * 2) * 8000000 + (int32_t)(unit() * 1e5),
                             (int32_t)(unit() * 1e5)};
}

/* Six rows from one point. */
static struct mw_point rays(void)
{
    double out = 4e6 * unit();
    int32_t way = (int32_t)(unit() * 6);
    return (struct mw_point){(int32_t)(4e6 + out * cos(way)), (int32_t)(4e6 + out * sin(way))};
}

static void write_sky(struct mw_point (*star)(void), int32_t n)
{
    struct mw_point *sky = malloc((size_t)n * sizeof *sky);
    char *at = query + sprintf(query, "/starlanes?seed=1&positions=");
    state = 1;
    for (int32_t i = 0; i < n; i++)
        sky[i] = star();
    qsort(sky, (size_t)n, sizeof *sky, point_order);
    for (int32_t i = 0; i < n; i++)
        if (!i || point_order(&sky[i - 1], &sky[i]))
            at += sprintf(at, "%s%d,%d", i ? ";" : "", (int)sky[i].x, (int)sky[i].y);
    free(sky);
}

/* Anywhere on the largest map. */
static const char anywhere[] = "width=8388608&height=8388608&jitter=1";

static void write_size(int32_t n, const char *more)
{
    sprintf(query, "/starlanes?seed=1&stars=%d&%s", (int)n, more);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void measure_size(int32_t n)
{
    write_size(n, anywhere);
    double ours = median_time(), steps = 1;
    for (int32_t m = n; m > 1; m /= 2)
        steps++;
    printf("%-12s %7d stars %9.3f ms %7.1f ns/star %6.2f ns/(n log2 n) %5.0f bytes/star\n",
           "generated", (int)n, ours * 1e3, ours / n * 1e9, ours / n / steps * 1e9,
           (double)peak / n);
}

static void measure_sky(const char *name, struct mw_point (*star)(void), int32_t n, double aim)
{
    write_sky(star, n);
    double ours = median_of(n < STARS_MOST ? RUNS : 1);
    printf("%-12s %7d stars %9.3f ms (at most %g) %5.0f bytes/star\n", name, (int)n, ours * 1e3,
           aim, (double)peak / n);
}

/* The same stars in other places: what a galaxy costs. */
static void measure_galaxy(const char *shape)
{
    sprintf(query, "/starlanes?seed=1&stars=100000&shape=%s", shape);
    double ours = median_time();
    printf("%-12s %7d stars %9.3f ms %5.0f bytes/star\n", shape, 100000, ours * 1e3,
           (double)peak / 100000);
}

static void measure_naive(struct mw_point (*star)(void), int32_t n)
{
    write_sky(star, n);
    double ours = median_time(), ignored;
    struct mw_point *at = malloc((size_t)n * sizeof *at);
    struct mw_edge *lanes = malloc(3 * (size_t)n * sizeof *lanes);
    const struct mw_rowset *table = &make_map(&ignored)->slots[STARS].as.table;
    const int32_t *x = table->columns[X], *y = table->columns[Y];
    for (int32_t i = 0; i < table->rows; i++)
        at[i] = (struct mw_point){x[i], y[i]};
    double start = measure_now();
    int32_t count = naive_maximum(at, table->rows, 15000, lanes);
    double naive = measure_now() - start;
    printf("%-12s %7d stars %9.3f ms | naive maximum graph, %d lanes: %9.1f ms: %7.0f times (floor "
           "600, aim 3000)\n",
           "uniform", (int)n, ours * 1e3, (int)count, naive * 1e3, naive / ours);
    free(lanes);
    free(at);
}

static void measure_all(void)
{
    static const int32_t sizes[] = {1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        measure_size(sizes[i]);
    static const char *const shapes[] = {"rectangle", "disc", "spiral", "ring", "clusters"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        measure_galaxy(shapes[i]);
    measure_sky("uniform", uniform, 1000, 1.5);
    measure_sky("uniform", uniform, 100000, 250);
    measure_sky("ring", ring, 1000, 20);
    measure_sky("ring", ring, 10000, 5000);
    measure_sky("spiral", spiral, 100000, 500);
    measure_sky("clusters", clusters, 100000, 500);
    measure_sky("two lines", two_lines, 1000, 20);
    measure_sky("one line", one_line, 200000, 2000);
    measure_sky("lattice", lattice, 200000, 2000);
    measure_sky("far clusters", far_clusters, 200000, 2000);
    measure_sky("rays", rays, 2000, 2000);
    measure_naive(uniform, 300);
    measure_naive(uniform, 1000);
}

static void print_stars(void)
{
    double ignored;
    const struct mw_rowset *table = &make_map(&ignored)->slots[STARS].as.table;
    const int32_t *x = table->columns[X], *y = table->columns[Y];
    for (int32_t i = 0; i < table->rows; i++)
        printf("%d %d\n", (int)x[i], (int)y[i]);
}

int main(int argc, char **argv)
{
    int32_t n = argc > 2 ? (int32_t)atoi(argv[2]) : 0;
    query = malloc(QUERY);
    limits.memory = mmap(NULL, limits.size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (limits.memory == MAP_FAILED || n < 0 || n > STARS_MOST)
        return 1;
    if (argc < 3) {
        measure_all();
        return 0;
    }
    write_size(n, argc > 3 ? argv[3] : "");
    if (!strcmp(argv[1], "stars"))
        print_stars();
    else
        printf("%.6f\n", median_time());
    return 0;
}
