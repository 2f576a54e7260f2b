/* attempt.c: makes and writes the map of one address, and judges the result. */
#include "attempt.h"

#include "all/registry.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* The default of the command `mapwright`. */
static const size_t block_size = (size_t)2 << 30;
/* A map that needs no more memory than this is written in all formats. */
static const uint64_t small = (uint64_t)1 << 21;

/* What is estimated to take longer is skipped. */
static const uint64_t most_nanoseconds = UINT64_C(3000000000);

/* Pages that are never touched cost nothing; behind the last is one that may not be touched. */
static void *block_of_all(void)
{
    static char *block;
    if (block)
        return block;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    block = mmap(NULL, block_size + page, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED || mprotect(block + block_size, page, PROT_NONE))
        abort();
    madvise(block, block_size, MADV_HUGEPAGE);
    return block;
}

/* Returns the memory of a large map to the system. */
static void give_back(const struct mw_run *run)
{
    if (mw_peak(run) > (size_t)256 << 20)
        madvise(block_of_all(), block_size, MADV_DONTNEED);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- judging --------------------------------------------------------------------------------- */

_Noreturn static void improper(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn static void improper(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "improper: ");
    vfprintf(stderr, format, list);
    fprintf(stderr, "\n");
    va_end(list);
    abort();
}

static bool names_row(const struct mw_field *fields, const char *name, size_t length)
{
    for (; fields->type != MW_END_OF_TABLE; fields++)
        if (strlen(fields->name) == length && !memcmp(fields->name, name, length))
            return true;
    return false;
}

/* "", "/width" or "/sizes/12" */
static bool is_proper_pointer(const struct mw_generator *generator, const char *pointer)
{
    if (!*pointer)
        return true;
    size_t length = strcspn(pointer + 1, "/");
    const char *name = pointer + 1, *rest = name + length;
    bool known = names_row(generator->fields, name, length) ||
                 names_row(mw_common_fields, name, length) ||
                 names_row(mw_look_fields, name, length);
    return *pointer == '/' && known &&
           (!*rest || (rest[1] && strspn(rest + 1, "0123456789") == strlen(rest + 1)));
}

/* The faults, as bits, that each stage of a run may end in. A further map of a sheet is made while
   the sheet is written. */
enum {
    WHEN_ASKED = 1u << MW_BAD_PARAM | 1u << MW_NO_RESULT | 1u << MW_TOO_BIG,
    WHEN_MADE = 1u << MW_NO_RESULT | 1u << MW_TOO_HARD | 1u << MW_TOO_BIG,
    WHEN_WRITTEN = WHEN_MADE,
};

static void judge_refusal(struct attempt *a, const struct mw_run *run,
                          const struct mw_generator *generator, unsigned allowed)
{
    const struct mw_problems *problems = mw_problems(run);
    if (!problems->count)
        improper("refused without a problem");
    for (size_t i = 0; i < problems->count; i++) {
        const struct mw_problem *p = &problems->list[i];
        size_t length = strlen(p->detail);
        if (!(allowed >> p->fault & 1))
            improper("fault %d at '%s': %s", (int)p->fault, p->pointer, p->detail);
        if (!length || p->detail[length - 1] == '.' || strchr(p->detail, '\n'))
            improper("at '%s' it does not say in a line why: '%s'", p->pointer, p->detail);
        if (!is_proper_pointer(generator, p->pointer))
            improper("'%s' points to no parameter: %s", p->pointer, p->detail);
    }
    a->fault = fault_of(problems);
}

/* ---- one address ----------------------------------------------------------------------------- */

/* Encoders may run out of memory, and refuse more `maps` than they can put on a sheet. */
static bool write_by(struct attempt *a, struct mw_run *run, const struct mw_map *map,
                     const struct mw_encoder *encoder)
{
    *a->format = encoder->name;
    a->alive();
    struct mw_bytes bytes = mw_encode_with(run, encoder, map);
    if (bytes.at && !bytes.length)
        improper("written in no bytes");
    if (!bytes.at)
        judge_refusal(a, run, map->request->generator, WHEN_WRITTEN);
    return bytes.at;
}

static void write_all(struct attempt *a, struct mw_run *run, const struct mw_map *map)
{
    struct mw_request request = *map->request;
    struct mw_map single = {&request, map->slots};
    request.look.maps = 1; /* of a sheet: each would be made as well */
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++)
        if (*e != a->encoder && mw_fits(*e, &request) && !write_by(a, run, &single, *e))
            return;
}

static void make(struct attempt *a, struct mw_run *run, const struct mw_request *request)
{
    const struct mw_map *map = mw_make(run, request);
    a->spent = mw_steps(run);
    if (!map) {
        unsigned below = request->bases ? 1u << MW_BAD_PARAM : 0;
        judge_refusal(a, run, request->generator, WHEN_MADE | below);
        return;
    }
    a->made = write_by(a, run, map, request->encoder);
    if (a->made && request->cost.bytes < small)
        write_all(a, run, map);
}

static bool is_excessive(const struct mw_cost *cost)
{
    return cost->bytes > block_size || cost->nanoseconds > most_nanoseconds;
}

static void run_address(struct attempt *a, struct mw_run *run)
{
    struct text text = {0};
    text_add(&text, "%s&format=%s", a->address, a->encoder->name);
    const char *path = a->address + 1;
    size_t length = strcspn(path, "?");
    const struct mw_request *request = mw_ask(run, text.at, NULL, "7");
    text_release(&text);
    if (request && !a->any_size && is_excessive(&request->cost))
        a->skipped = true;
    else if (request)
        make(a, run, request);
    else
        for (const struct mw_generator *const *g = mw_generators; *g; g++)
            if (strlen((*g)->name) == length && !memcmp((*g)->name, path, length))
                judge_refusal(a, run, *g, WHEN_ASKED);
}

/* Asked every million steps or so. */
static bool go_on(void *arg, uint64_t steps)
{
    const struct attempt *a = arg;
    (void)steps;
    a->alive();
    return false;
}

void attempt(struct attempt *a)
{
    double began = now();
    *a->format = a->encoder->name;
    struct mw_limits limits = {.memory = block_of_all(),
                               .size = block_size,
                               .steps = a->steps,
                               .stop = go_on,
                               .stop_arg = a};
    struct mw_run *run = mw_open(&limits);
    run_address(a, run);
    give_back(run);
    a->seconds = now() - began;
}
