/*
 * starlanes.c: what a map of stars costs, and what the naive way costs on the same stars.
 *
 *     starlanes              a line for each size and each shape
 *     starlanes time N [Q]   seconds for N stars, the median; Q are further parameters
 *     starlanes stars N [Q]  those stars, a line each
 *
 * Times are CPU time of the whole request in a warm block, without output.
 */
#include "measure.h"
#include "prop/check_starlanes.c"

#include <sys/mman.h>

enum { RUNS = 9, STARS_MOST = 200000, QUERY = 400 };

static struct mw_limits limits = {.size = (size_t)1 << 30};
static struct mw_request request;
static char query[QUERY];
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

static double median_time(void)
{
    double times[RUNS];
    for (int i = 0; i < RUNS; i++)
        make_map(&times[i]);
    return measure_median(times, RUNS);
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

/* The same stars in other places: what a galaxy costs. */
static void measure_galaxy(const char *shape)
{
    sprintf(query, "/starlanes?seed=1&stars=100000&shape=%s", shape);
    double ours = median_time();
    printf("%-12s %7d stars %9.3f ms %5.0f bytes/star\n", shape, 100000, ours * 1e3,
           (double)peak / 100000);
}

static void measure_naive(int32_t n)
{
    write_size(n, anywhere);
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
    printf("%-12s %7d stars %9.3f ms | naive maximum graph, %d lanes: %9.1f ms: %7.0f times\n",
           "anywhere", (int)n, ours * 1e3, (int)count, naive * 1e3, naive / ours);
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
    measure_naive(300);
    measure_naive(1000);
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
