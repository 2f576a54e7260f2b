/*
 * run.c: the life of a run: open, make, encode; memory, steps, and the one way to fail.
 *
 * Allocations come down from the top of the block, output goes up from the bottom, and the run is
 * over when they meet: no growing, no copy, one number that bounds a request's memory.
 *
 * Two things limit time. Steps belong to the address: it always succeeds or is always too hard, on
 * fast and slow machines alike. The host's `stop`, which is called now and then, belongs to the
 * moment, and its result is never cached.
 */
#include "run.h"

enum { ALIGNMENT = 64 };
#define SLICE (INT64_C(1) << 20) /* steps between two questions to `stop` */

static char *align_up(char *p) { return p + (-(uintptr_t)p & (ALIGNMENT - 1)); }

struct mw_run *mw_open(const struct mw_limits *limits)
{
    char *start = limits->memory, *end = start + limits->size;
    char *room = limits->size > sizeof(struct mw_run) + 2 * ALIGNMENT ? align_up(start) : NULL;
    if (!room)
        return NULL;
    struct mw_run *run = (struct mw_run *)(void *)room;
    memset(run, 0, offsetof(struct mw_run, problems));
    run->problems.count = run->problems.dropped = 0;
    run->escape = NULL;
    run->limits = *limits;
    run->bottom = run->output = align_up(room + sizeof *run);
    run->end = end - ((uintptr_t)end & (ALIGNMENT - 1));
    run->top = run->floor = run->end;
    run->budget = run->most = UINT64_MAX;
    return run->bottom <= run->top ? run : NULL;
}

/* ---- failing --------------------------------------------------------------------------------- */

bool mw_guarded(struct mw_run *run, void (*body)(struct mw_run *, void *), void *context)
{
    const struct mw_problems *all = &run->problems;
    size_t reported = all->count + all->dropped;
    return mw_catch(run, body, context) && all->count + all->dropped == reported;
}

/* Text that is written into a problem; what is no UTF-8 is a question mark, and characters that do
   not fit are cut off. */
struct sentence {
    char *to, *end;
};

static void append(void *sentence, const char *text, size_t n)
{
    struct sentence *s = sentence;
    uint32_t code;
    for (size_t length; n; text += length, n -= length) {
        length = span_character((struct span){text, n}, &code);
        const char *character = length ? text : "?";
        length += !length;
        if (length > (size_t)(s->end - s->to)) {
            s->end = s->to;
            return;
        }
        memcpy(s->to, character, length);
        s->to += length;
    }
}

static void report(struct mw_run *run, enum mw_fault fault, const char *pointer, const char *format,
                   va_list args)
{
    assert(fault != MW_OK);
    struct mw_problems *all = &run->problems;
    if (all->count == MW_PROBLEMS_MAX) {
        all->dropped++;
        return;
    }
    struct mw_problem *problem = &all->list[all->count++];
    problem->fault = fault;
    struct sentence s = {problem->pointer, problem->pointer + MW_POINTER_MAX - 1};
    append(&s, pointer, strlen(pointer));
    *s.to = '\0';
    s = (struct sentence){problem->detail, problem->detail + MW_DETAIL_MAX - 1};
    mw_format(append, &s, format, args);
    *s.to = '\0';
}

void mw_add_problem(struct mw_run *run, enum mw_fault fault, const char *pointer,
                    const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(run, fault, pointer, format, args);
    va_end(args);
}

void mw_add_problem_at(struct mw_run *run, enum mw_fault fault, const char *pointer, int32_t i,
                       const char *format, ...)
{
    char element[MW_POINTER_MAX + 16];
    size_t n = strlen(pointer), reported = 0;
    assert(n < MW_POINTER_MAX && i >= 0);
    memcpy(element, pointer, n);
    element[n++] = '/';
    for (size_t k = 0; k < run->problems.count; k++)
        reported += !strncmp(run->problems.list[k].pointer, element, n);
    if (reported == MW_ELEMENTS_MAX) {
        run->problems.dropped++;
        return;
    }
    *mw_write_int(element + n, i) = '\0';
    va_list args;
    va_start(args, format);
    report(run, fault, element, format, args);
    va_end(args);
}

void mw_fail(struct mw_run *run, enum mw_fault fault, const char *pointer, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(run, fault, pointer, format, args);
    va_end(args);
    mw_throw(run);
}

const struct mw_problems *mw_problems(const struct mw_run *run) { return &run->problems; }

/* ---- memory ---------------------------------------------------------------------------------- */

static void note_peak(struct mw_run *run)
{
    assert(run->output <= run->bottom && run->bottom <= run->top && run->top <= run->end);
    size_t used = (size_t)(run->end - run->top) + (size_t)(run->bottom - run->output);
    run->peak = used > run->peak ? used : run->peak;
}

void mw_out_of_room(struct mw_run *run, size_t wanted)
{
    mw_fail(run, MW_TOO_BIG, "",
            "needs more memory than the %zu bytes of its block (%zu more at one go): ask for less",
            run->limits.size, wanted);
}

void *mw_alloc(struct mw_run *run, size_t count, size_t size)
{
    size_t room = (size_t)(run->top - run->bottom);
    if (size && count > room / size)
        mw_out_of_room(run, count > SIZE_MAX / size ? SIZE_MAX : count * size);
    char *at = run->top - count * size;
    at -= (uintptr_t)at & (ALIGNMENT - 1);
    if (at < run->bottom)
        mw_out_of_room(run, count * size);
    run->top = at;
    assert((uintptr_t)at % ALIGNMENT == 0);
    note_peak(run);
    return at;
}

void *mw_calloc(struct mw_run *run, size_t count, size_t size)
{
    return memset(mw_alloc(run, count, size), 0, count * size);
}

char *mw_copy_text(struct mw_run *run, const char *text, size_t length)
{
    char *copy = MW_NEW(run, char, length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

size_t mw_peak(const struct mw_run *run) { return run->peak; }

/* ---- steps ----------------------------------------------------------------------------------- */

uint64_t mw_steps(const struct mw_run *run) { return run->granted - (uint64_t)run->ticks; }

static void grant(struct mw_run *run)
{
    assert(mw_steps(run) <= run->most);
    uint64_t spent = mw_steps(run), left = run->most - spent;
    run->ticks = left < (uint64_t)SLICE ? (int64_t)left : SLICE;
    run->granted = spent + (uint64_t)run->ticks;
}

void mw_tick_slowly(struct mw_run *run)
{
    if (mw_steps(run) > run->most) {
        bool here = run->most != run->begun + run->budget; /* the host's word, not its own */
        mw_fail(run, MW_TOO_HARD, "", "is not done after %llu steps, all that a request gets%s",
                (unsigned long long)(here ? run->most : run->budget), here ? " here" : "");
    }
    if (run->limits.stop && run->limits.stop(run->limits.stop_arg, mw_steps(run))) {
        run->problems.count = run->problems.dropped = 0; /* they need not be all */
        mw_fail(run, MW_STOPPED, "", "was stopped");
    }
    grant(run);
}

/* ---- making and encoding --------------------------------------------------------------------- */

/* Each map has the budget of its generator, counted from where it is begun: so it is the same map
   whether others were made before it in the run or not. */
static void begin_map(struct mw_run *run, const struct mw_request *request)
{
    uint64_t own = request->generator->steps, allowed = run->limits.steps;
    run->seed = request->seed ? request->seed : "";
    run->generator = request->generator->name;
    run->floor = run->top;
    run->begun = mw_steps(run);
    run->budget = own ? own : UINT64_MAX;
    run->most = run->budget < UINT64_MAX - run->begun ? run->begun + run->budget : UINT64_MAX;
    if (allowed && allowed < run->most)
        run->most = allowed;
}

/* Work between maps has no budget. */
static void end_map(struct mw_run *run) { run->budget = run->most = UINT64_MAX; }

const struct mw_map *mw_make_within(struct mw_run *run, const struct mw_request *request)
{
    size_t parts = 0;
    assert(request->generator && request->params);
    while (request->generator->parts[parts].kind != MW_NO_PART)
        parts++;
    begin_map(run, request);
    mw_tick_slowly(run); /* to the host all steps count, and it may have changed its mind */
    struct mw_map *map = MW_NEW0(run, struct mw_map, 1);
    map->request = request;
    map->slots = MW_NEW0(run, struct mw_slot, parts);
    request->generator->make(run, request->params, map);
    mw_tick(run, 0);
    end_map(run);
    return map;
}

struct encoding {
    const struct mw_encoder *encoder;
    const struct mw_map *map;
};

/* An encoder sees only the fields of the look that it uses, so other fields change no bytes. */
static void encode(struct mw_run *run, void *context)
{
    const struct encoding *encoding = context;
    struct mw_request request = *encoding->map->request;
    request.look = mw_effective_look(encoding->encoder, request.look);
    encoding->encoder->encode(run, &(struct mw_map){&request, encoding->map->slots});
}

struct mw_bytes mw_encode_with(struct mw_run *run, const struct mw_encoder *encoder,
                               const struct mw_map *map)
{
    struct encoding encoding = {encoder, map};
    char *start = run->bottom, *mark = mw_mark(run);
    run->budget = run->most = UINT64_MAX; /* what was made is written down, however long it is */
    bool good = mw_catch(run, encode, &encoding);
    note_peak(run);
    mw_rewind(run, mark);
    if (good)
        return (struct mw_bytes){start, (size_t)(run->bottom - start)};
    run->bottom = start;
    return (struct mw_bytes){NULL, 0};
}
