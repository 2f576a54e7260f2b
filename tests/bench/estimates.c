/*
 * estimates.c: what was estimated of requests of all sizes, beside what they took.
 *
 *     estimates [REQUESTS a generator [GENERATOR]]
 *
 * A line for each generator and encoder: quantiles of real / estimated steps, bytes, and
 * nanoseconds where it takes more than a millisecond. With -v a line for each request, too.
 */
#include "measure.h"
#include "prop/weigh.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ENCODERS_MOST = 16, REQUESTS_MOST = 100000 };
static const uint64_t most_steps = UINT64_C(3000000000);

/* Quotients of one generator by one encoder. */
struct column {
    size_t count;
    double at[REQUESTS_MOST];
};
static struct row {
    const struct mw_encoder *encoder;
    struct column steps, bytes, time;
} rows[ENCODERS_MOST];
static bool verbose;

static void note(struct column *column, uint64_t real, uint64_t estimated)
{
    if (column->count < REQUESTS_MOST)
        column->at[column->count++] = (double)real / (double)estimated;
}

static void observe(void *context, const struct weighing *w)
{
    (void)context;
    struct row *row = rows;
    while (row->encoder && row->encoder != w->encoder)
        row++;
    row->encoder = w->encoder;
    if (verbose)
        printf("%d %s %.3f %.3f %.3f | %" PRIu64 " %" PRIu64 " %" PRIu64 " | %.150s\n", w->fault,
               w->encoder->name, (double)w->real.steps / (double)w->estimate.steps,
               (double)w->real.bytes / (double)w->estimate.bytes,
               (double)w->real.nanoseconds / (double)w->estimate.nanoseconds, w->real.steps,
               w->real.bytes, w->real.nanoseconds, w->address);
    if (w->fault)
        return;
    note(&row->steps, w->real.steps, w->estimate.steps);
    note(&row->bytes, w->real.bytes, w->estimate.bytes);
    if (w->real.nanoseconds > 1000000)
        note(&row->time, w->real.nanoseconds, w->estimate.nanoseconds);
}

static void print(const char *what, struct column *column)
{
    static const double quantiles[] = {0, .05, .5, .95, 1};
    printf(" | %s", what);
    qsort(column->at, column->count, sizeof *column->at, measure_order);
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles && column->count; i++)
        printf(" %.2f", column->at[(size_t)(quantiles[i] * (double)(column->count - 1))]);
}

static void weigh_generator(const struct mw_generator *generator, uint64_t requests)
{
    memset(rows, 0, sizeof rows);
    for (uint64_t i = 0; i < requests; i++)
        weigh(generator, i, most_steps, observe, NULL);
    for (struct row *row = rows; row->encoder; row++) {
        printf("%-15s %-7s %5zu", generator->name, row->encoder->name, row->steps.count);
        print("steps", &row->steps);
        print("bytes", &row->bytes);
        print("time", &row->time);
        puts("");
    }
}

int main(int argc, char **argv)
{
    verbose = argc > 1 && !strcmp(argv[1], "-v");
    argv += verbose;
    argc -= verbose;
    uint64_t requests = argc > 1 ? strtoull(argv[1], NULL, 10) : 400;
    puts("real / estimated: least, 5 %, median, 95 %, most");
    for (const struct mw_generator *const *g = mw_generators; *g; g++)
        if (argc < 3 || !strcmp(argv[2], (*g)->name))
            weigh_generator(*g, requests);
    return 0;
}
