/*
 * make.c: any generator on parameters from its table, with little memory and few steps; one input
 * in 32 is of any size, with as much memory as the largest maps take.
 *
 * It must end as a map that every encoder writes, or with a fault that belongs there.
 */
#include "fuzz.h"

#include "all/registry.h"
#include "prop/arbitrary.h"

enum { MEMORY = 2 << 20, STEPS = 300000, LARGE_MEMORY = 512 << 20, LARGE_STEPS = 150000000 };

/* The last `size` bytes of one allocation, so that a byte too far is noticed; with whatever is in
   them. */
static void *block_of(size_t size)
{
    static char *memory;
    memory = memory ? memory : aligned_alloc(64, LARGE_MEMORY);
    MUST(memory);
    return memory + LARGE_MEMORY - size;
}

/* What another map is may be wrong for this one: that shows only when it is made. */
static void judge_fault(const struct mw_run *run, const struct mw_request *request)
{
    const struct mw_problems *problems = mw_problems(run);
    MUST(problems->count > 0);
    enum mw_fault fault = problems->list[0].fault;
    MUST(fault == MW_NO_RESULT || fault == MW_TOO_HARD || fault == MW_TOO_BIG ||
         (fault == MW_BAD_PARAM && request->bases));
    MUST(problems->list[0].detail[0]);
}

/* A large map is written in one format, as all of them take long. */
static bool is_written(const struct mw_encoder *encoder, const struct mw_request *request,
                       size_t chosen)
{
    size_t index = 0;
    while (mw_encoders[index] != encoder)
        index++;
    bool small = mw_estimate(request, encoder).bytes < 4 * MEMORY;
    return mw_fits(encoder, request) && (small || index == chosen);
}

static void make(struct mw_run *run, const struct mw_request *request, size_t chosen)
{
    const struct mw_map *map = mw_make(run, request);
    if (!map) {
        judge_fault(run, request);
        return;
    }
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++) {
        if (!is_written(*e, request, chosen))
            continue;
        if (!mw_encode_with(run, *e, map).at) {
            MUST(mw_problems(run)->list[0].fault == MW_TOO_BIG);
            return;
        }
    }
}

static size_t generator_count(void)
{
    size_t n = 0;
    while (mw_generators[n])
        n++;
    return n;
}

static size_t encoder_count(void)
{
    size_t n = 0;
    while (mw_encoders[n])
        n++;
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static struct raw_request raw;
    struct arbitrary source = {.bytes = bytes, .left = size};
    const struct mw_generator *generator =
        mw_generators[arbitrary_below(&source, (uint32_t)generator_count())];
    uint32_t kind = arbitrary_below(&source, 32);
    bool starved = kind % 4 == 0, large = kind == 31;
    size_t room = starved ? 64 + arbitrary_below(&source, MEMORY / 64) * (size_t)64
                  : large ? LARGE_MEMORY
                          : MEMORY;
    uint64_t steps = starved ? 1 + arbitrary_below(&source, STEPS) : large ? LARGE_STEPS : STEPS;
    size_t chosen = large ? arbitrary_below(&source, (uint32_t)encoder_count()) : 0;
    source.wide = large;
    source.scale = large ? arbitrary_below(&source, 8) : 0;
    arbitrary_request(&source, generator, &raw);
    struct mw_limits limits = {.memory = block_of(room), .size = room, .steps = steps};
    struct mw_run *run = mw_open(&limits);
    struct mw_request request;
    if (run && mw_bind(run, generator, raw.args, raw.count, "7", &request)) {
        request.look.scale = 1; /* a picture that fits */
        request.look.color = size % 2;
        make(run, &request, chosen);
    } else if (run) {
        MUST(mw_problems(run)->count > 0);
    }
    return 0;
}
