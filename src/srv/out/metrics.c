/*
 * metrics.c: what the server counts.
 *
 * Tables of counters, indexed by the values of labels: counting is one addition whose place is
 * computed. A metric with two labels or more lists what has happened, any other lists all its
 * values from the start.
 */
#include "metrics.h"

#include "srv/base/clock.h"

#include <assert.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Room for values of labels. */
enum { LEAST_STATUS = 200, STATUSES = 400 };

const char *const phase_names[PHASE_END] = {"store", "queue", "make", "encode", "send"};

const char metrics_media[] = "text/plain; version=0.0.4; charset=utf-8";

/* Upper bounds of the buckets of histograms: in microseconds, and in seconds as a label. */
static const struct {
    int64_t most;
    const char *label;
} bounds[] = {{100, "0.0001"},  {250, "0.00025"},   {500, "0.0005"},    {1000, "0.001"},
              {2500, "0.0025"}, {5000, "0.005"},    {10000, "0.01"},    {25000, "0.025"},
              {50000, "0.05"},  {100000, "0.1"},    {250000, "0.25"},   {1000000, "1.0"},
              {5000000, "5.0"}, {30000000, "30.0"}, {INT64_MAX, "+Inf"}};
enum { BUCKETS = sizeof bounds / sizeof *bounds };

typedef atomic_uint_least64_t tally;

struct histogram {
    tally buckets[BUCKETS], sum; /* microseconds */
};

static tally counts[COUNTER_END], refusals[FAULT_END], crashes[GENERATORS];
static tally requests[ROUTES][FORMATS][STATUSES];
static struct histogram durations[GENERATORS], phases[GENERATORS][PHASE_END];

/* ---- counting -------------------------------------------------------------------------------- */

static void add(tally *to, uint64_t n) { atomic_fetch_add_explicit(to, n, memory_order_relaxed); }

static uint64_t value_of(const tally *from)
{
    return atomic_load_explicit(from, memory_order_relaxed);
}

static void observe(struct histogram *to, int64_t microseconds)
{
    assert(microseconds >= 0);
    int bucket = 0;
    while (microseconds > bounds[bucket].most)
        bucket++;
    add(&to->buckets[bucket], 1);
    add(&to->sum, (uint64_t)microseconds);
}

unsigned place_of_generator(const struct mw_generator *generator)
{
    unsigned i = 0;
    while (mw_generators[i] && mw_generators[i] != generator)
        i++;
    assert(i < GENERATORS);
    return i;
}

unsigned place_of_format(const struct mw_encoder *encoder)
{
    unsigned i = 0;
    while (mw_encoders[i] && mw_encoders[i] != encoder)
        i++;
    assert(i < FORMATS);
    return i;
}

void metrics_count(enum counter counter, uint64_t n)
{
    assert(counter < COUNTER_END);
    add(&counts[counter], n);
}

void metrics_request(const struct record *record)
{
    size_t status = record->status - LEAST_STATUS;
    unsigned generator = place_of_generator(record->generator);
    assert(record->route < ROUTES && status < STATUSES);
    add(&requests[record->route][place_of_format(record->encoder)][status], 1);
    add(&counts[COUNT_BODY_BYTES], record->bytes);
    if (record->fault)
        add(&refusals[record->fault], 1);
    if (record->duration >= 0)
        observe(&durations[generator], record->duration);
    if (record->phases[PHASE_SEND] >= 0)
        observe(&phases[generator][PHASE_SEND], record->phases[PHASE_SEND]);
}

void metrics_phase(const struct mw_generator *generator, enum phase phase, int64_t microseconds)
{
    assert(phase < PHASE_END);
    observe(&phases[place_of_generator(generator)][phase], microseconds);
}

void metrics_crash(const struct mw_generator *generator)
{
    add(&crashes[place_of_generator(generator)], 1);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_head(struct strbuf *to, const char *metric, const char *type, const char *help)
{
    static const char ending[] = "_total";
    size_t n = strlen(metric), end = sizeof ending - 1;
    bool total = n > end && !strcmp(metric + n - end, ending);
    strbuf_format(to, "# HELP %s %s\n# TYPE %s %s\n", metric, help, metric,
                  total ? "counter" : type);
}

static const struct {
    const char *metric, *labels, *help; /* no help: of the metric before */
} rows[] = {
#define ROW(name, metric, labels, help) {"mapwright_" metric, labels, help},
    COUNTERS(ROW) GAUGES(ROW)
#undef ROW
};

static void write_rows(struct strbuf *to, const int64_t gauges[GAUGE_END])
{
    for (size_t i = 0; i < COUNTER_END + GAUGE_END; i++) {
        int64_t value = i < COUNTER_END ? (int64_t)value_of(&counts[i]) : gauges[i - COUNTER_END];
        if (*rows[i].help)
            write_head(to, rows[i].metric, "gauge", rows[i].help);
        strbuf_format(to, "%s%s %" PRId64 "\n", rows[i].metric, rows[i].labels, value);
    }
}

static void write_refusals(struct strbuf *to)
{
    write_head(to, "mapwright_refusals_total", "", "Problems answered, by the end of their type");
    for (size_t i = FAULT_NONE + 1; i < FAULT_END; i++)
        strbuf_format(to, "mapwright_refusals_total{reason=\"%s\"} %" PRIu64 "\n",
                      fault_rows[i].slug, value_of(&refusals[i]));
}

static const char *format_name(size_t i) { return mw_encoders[i] ? mw_encoders[i]->name : "none"; }

static void write_requests(struct strbuf *to, void (*put_route)(struct strbuf *, size_t))
{
    write_head(to, "mapwright_requests_total", "", "Requests answered; 499: the client left");
    for (size_t i = 0; i < (size_t)ROUTES * FORMATS * STATUSES; i++) {
        size_t format = i / STATUSES % FORMATS, status = i % STATUSES;
        uint64_t n = value_of(&requests[0][0][0] + i);
        if (!n)
            continue;
        strbuf_add(to, "mapwright_requests_total{route=\"");
        put_route(to, i / STATUSES / FORMATS);
        strbuf_format(to, "\",format=\"%s\",status=\"%zu\"} %" PRIu64 "\n", format_name(format),
                      LEAST_STATUS + status, n);
    }
}

static const char *generator_name(size_t i)
{
    return mw_generators[i] ? mw_generators[i]->name : "none";
}

/* `phase` NULL: of all, and even without observations. */
static void write_histogram(struct strbuf *to, const char *metric, size_t generator,
                            const char *phase, const struct histogram *histogram)
{
    char labels[80];
    uint64_t below[BUCKETS], n = 0;
    for (size_t i = 0; i < BUCKETS; i++)
        below[i] = n += value_of(&histogram->buckets[i]);
    if (!n && phase)
        return;
    snprintf(labels, sizeof labels, phase ? "generator=\"%s\",phase=\"%s\"" : "generator=\"%s\"",
             generator_name(generator), phase);
    for (size_t i = 0; i < BUCKETS; i++)
        strbuf_format(to, "mapwright_%s_bucket{%s,le=\"%s\"} %" PRIu64 "\n", metric, labels,
                      bounds[i].label, below[i]);
    strbuf_format(to, "mapwright_%s_sum{%s} %.6f\nmapwright_%s_count{%s} %" PRIu64 "\n", metric,
                  labels, (double)value_of(&histogram->sum) / 1e6, metric, labels, n);
}

static void write_crashes(struct strbuf *to)
{
    write_head(to, "mapwright_crashes_total", "", "Worker processes that crashed over a map");
    for (size_t g = 0; mw_generators[g]; g++)
        strbuf_format(to, "mapwright_crashes_total{generator=\"%s\"} %" PRIu64 "\n",
                      generator_name(g), value_of(&crashes[g]));
}

static void write_durations(struct strbuf *to)
{
    size_t g = 0;
    write_head(to, "mapwright_request_duration_seconds", "histogram",
               "Time from a request's first line to its answer taken");
    do
        write_histogram(to, "request_duration_seconds", g, NULL, &durations[g]);
    while (mw_generators[g++]);
}

static void write_phases(struct strbuf *to)
{
    size_t g = 0;
    write_head(
        to, "mapwright_phase_seconds", "histogram",
        "Time that runs took to ask the store, to wait for a worker, to be made and encoded, and "
        "answers to be sent");
    do
        for (size_t p = 0; p < PHASE_END; p++)
            write_histogram(to, "phase_seconds", g, phase_names[p], &phases[g][p]);
    while (mw_generators[g++]);
}

/* ---- the process: the standard metrics of Prometheus ----------------------------------------- */

static int64_t started_at;

__attribute__((constructor)) static void note_start(void)
{
    started_at = clock_read(CLOCK_REALTIME);
}

/* Resident pages, by proc(5); -1: unknown. */
static int64_t count_pages(void)
{
    int64_t pages = -1;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && fscanf(file, "%*u %" SCNd64, &pages) != 1)
        pages = -1;
    if (file)
        fclose(file);
    return pages;
}

/* -1: unknown. */
static int count_descriptors(void)
{
    DIR *list = opendir("/proc/self/fd");
    int count = -3; /* itself, . and .. */
    if (!list)
        return -1;
    while (readdir(list))
        count++;
    closedir(list);
    return count;
}

/* Writes nothing if the value is unknown. */
static void write_value(struct strbuf *to, const char *metric, const char *help, double value)
{
    if (value < 0)
        return;
    write_head(to, metric, "gauge", help);
    strbuf_format(to, "%s %.3f\n", metric, value);
}

static void write_process(struct strbuf *to)
{
    struct rlimit limit = {0};
    int64_t pages = count_pages();
    getrlimit(RLIMIT_NOFILE, &limit);
    write_value(to, "process_start_time_seconds", "Start of the process, since 1970",
                (double)started_at / 1e6);
    write_value(to, "process_cpu_seconds_total", "CPU time of all threads, user and system",
                (double)clock_read(CLOCK_PROCESS_CPUTIME_ID) / 1e6);
    write_value(to, "process_resident_memory_bytes", "Memory in use",
                (double)pages * (double)sysconf(_SC_PAGESIZE));
    write_value(to, "process_open_fds", "Descriptors open", count_descriptors());
    write_value(to, "process_max_fds", "Descriptors that may be open",
                limit.rlim_cur == RLIM_INFINITY ? -1 : (double)limit.rlim_cur);
}

void metrics_write(struct strbuf *to, const int64_t gauges[GAUGE_END],
                   void (*put_route)(struct strbuf *, size_t))
{
    write_head(to, "mapwright_build_info", "gauge", "1; the version is its label");
    strbuf_add(to, "mapwright_build_info{version=\"" MW_VERSION "\"} 1\n");
    write_requests(to, put_route);
    write_refusals(to);
    write_crashes(to);
    write_durations(to);
    write_phases(to);
    write_rows(to, gauges);
    write_process(to);
}
