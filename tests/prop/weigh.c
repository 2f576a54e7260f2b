/* weigh.c: what requests take, beside what was estimated. */
#include "weigh.h"
#include "all/registry.h"
#include "arbitrary.h"
#include "lib/gen.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

static const size_t block_size = (size_t)2 << 30;

/* Pages that are never touched cost nothing. */
static void *block_of_all(void)
{
    static void *block;
    if (block)
        return block;
    block = mmap(NULL, block_size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED)
        abort();
    return block;
}

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static bool is_past(void *most, uint64_t steps) { return steps > *(uint64_t *)most; }

/* What was touched of the block: what is counted, and the run itself. */
static uint64_t touched(const struct mw_run *run) { return mw_peak(run) + sizeof *run; }

/* As if the map were written by this encoder alone. */
static void write_by(struct mw_run *run, const struct mw_map *map, struct weighing *w)
{
    uint64_t steps = mw_steps(run), start = now();
    char *bottom = run->bottom;
    run->peak = 0;
    struct mw_bytes bytes = mw_encode_with(run, w->encoder, map);
    w->fault = bytes.at ? MW_OK : mw_problems(run)->list[0].fault;
    w->real.nanoseconds += now() - start;
    w->real.steps += mw_steps(run) - steps;
    w->real.bytes = touched(run) > w->real.bytes ? touched(run) : w->real.bytes;
    run->bottom = bottom;
    run->problems.count = 0;
}

enum { ENCODERS = 32 };

/* As a service must: before the map is there, and those that it stands on. */
static void estimate_all(const struct mw_request *request, struct mw_cost *costs)
{
    for (int i = 0; mw_encoders[i]; i++) {
        assert(i < ENCODERS);
        if (mw_fits(mw_encoders[i], request))
            costs[i] = mw_estimate(request, mw_encoders[i]);
    }
}

bool weigh_address(const char *address, uint64_t most, weigh_observer *observe, void *context)
{
    struct mw_limits limits = {block_of_all(), block_size, 0, is_past, &most};
    struct mw_run *run = mw_open(&limits);
    struct mw_request request;
    uint64_t start = now();
    if (!mw_bind_address(run, address, strlen(address), &request))
        return false;
    struct mw_cost estimates[ENCODERS];
    estimate_all(&request, estimates);
    const struct mw_map *map = mw_make(run, &request);
    struct mw_cost made = {mw_steps(run), touched(run), now() - start};
    enum mw_fault fault = map ? MW_OK : mw_problems(run)->list[0].fault;
    for (int i = 0; mw_encoders[i] && fault != MW_STOPPED; i++) {
        if (!mw_fits(mw_encoders[i], &request))
            continue;
        struct weighing w = {address, mw_encoders[i], fault, estimates[i], made};
        if (map)
            write_by(run, map, &w);
        observe(context, &w);
        if (!map)
            break;
    }
    return fault != MW_STOPPED;
}

/* ---- requests of all sizes ------------------------------------------------------------------- */

static char text[1 << 20];
static size_t length;

static void add(const char *s)
{
    size_t n = strlen(s);
    if (length + n < sizeof text)
        memcpy(text + length, s, n + 1);
    length += length + n < sizeof text ? n : 0;
}

static void add_number(uint32_t n)
{
    char digits[16];
    snprintf(digits, sizeof digits, "%u", n);
    add(digits);
}

/* From 1 to 2^bits, as many small as large. */
static uint32_t draw(struct arbitrary *source, uint32_t bits)
{
    return 1 + arbitrary_below(source, UINT32_C(1) << arbitrary_below(source, bits + 1));
}

/* Land with round lakes: cells within some distance of some points are water. */
static void add_mask(struct arbitrary *source)
{
    struct lake {
        int x, y, far;
    } lakes[16];
    int width = (int)draw(source, 8) + 3, height = (int)draw(source, 8) + 3;
    int count = (int)arbitrary_below(source, 16);
    bool speckled = arbitrary_below(source, 3) == 0;
    for (int i = 0; i < count; i++) {
        lakes[i].x = (int)arbitrary_below(source, (uint32_t)width);
        lakes[i].y = (int)arbitrary_below(source, (uint32_t)height);
        lakes[i].far = (int)arbitrary_below(source, (uint32_t)(width + height) / 8 + 1);
    }
    for (int y = 0; y < height; y++) {
        add(y ? "/" : "");
        for (int x = 0; x < width; x++) {
            bool wet = speckled && arbitrary_below(source, 12) == 0;
            for (int i = 0; i < count; i++) {
                int dx = x - lakes[i].x, dy = y - lakes[i].y;
                wet |= dx * dx + dy * dy < lakes[i].far * lakes[i].far;
            }
            add(wet ? "." : "%23");
        }
    }
}

static void add_points(struct arbitrary *source)
{
    uint32_t bits = 4 + arbitrary_below(source, 19), count = draw(source, 12) + 1;
    for (uint32_t i = 0; i < count; i++) {
        add(i ? ";" : "");
        add_number(arbitrary_below(source, UINT32_C(1) << bits));
        add(",");
        add_number(arbitrary_below(source, UINT32_C(1) << bits));
    }
}

/* The optional field of rows or points; NULL: there is none. */
static const struct mw_field *bulky_field(const struct mw_generator *generator)
{
    const struct mw_field *f = generator->fields;
    while (f->type != MW_END_OF_TABLE &&
           !(f->optional && (f->type == MW_ROWS || f->type == MW_POINTS)))
        f++;
    return f->type == MW_END_OF_TABLE ? NULL : f;
}

/* A request that is bulky by its mask or its points; and what of it a field of its own says. */
static void draw_bulky(struct arbitrary *source, const struct mw_generator *generator,
                       const struct mw_field *bulky)
{
    length = 0;
    add("/");
    add(generator->name);
    add("?seed=");
    add_number(arbitrary_below(source, 1000));
    for (const struct mw_field *f = generator->fields; f->type != MW_END_OF_TABLE; f++)
        if (f->type == MW_ONE_OF) {
            int32_t choices = 0;
            while (f->choices[choices])
                choices++;
            add("&");
            add(f->name);
            add("=");
            add(f->choices[arbitrary_below(source, (uint32_t)choices)]);
        } else if (!strcmp(f->name, "count")) {
            add("&count=");
            add_number(draw(source, 9));
        }
    add("&");
    add(bulky->name);
    add("=");
    if (bulky->type == MW_ROWS)
        add_mask(source);
    else
        add_points(source);
}

/* Sets `text` to an address; false: it was not bound. */
static bool draw_plain(struct arbitrary *source, const struct mw_generator *generator)
{
    static struct raw_request raw;
    struct mw_limits limits = {.memory = block_of_all(), .size = block_size};
    struct mw_run *run = mw_open(&limits);
    struct mw_request request;
    arbitrary_request(source, generator, &raw);
    if (!arbitrary_bind(run, &raw, &request) || request.address_length >= sizeof text)
        return false;
    memcpy(text, request.address, request.address_length + 1);
    return true;
}

bool weigh(const struct mw_generator *generator, uint64_t number, uint64_t most,
           weigh_observer *observe, void *context)
{
    struct arbitrary source = arbitrary_of(generator, number + 1000000);
    const struct mw_field *bulky = bulky_field(generator);
    source.scale = (unsigned)(number % 9);
    if (bulky && number % 4 == 3)
        draw_bulky(&source, generator, bulky);
    else if (!draw_plain(&source, generator))
        return false;
    return weigh_address(text, most, observe, context);
}
