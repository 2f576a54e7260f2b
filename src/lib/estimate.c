/* estimate.c: what a request will take, before it is made. */
#include "run.h"

/* The value of an integer field of that name; 0: there is none. */
static uint64_t integer_named(const struct mw_request *request, const char *name)
{
    for (const struct mw_field *f = request->generator->fields; f->type != MW_END_OF_TABLE; f++)
        if (f->type == MW_INTEGER && !strcmp(f->name, name))
            return (uint64_t) * (const int32_t *)((const char *)request->params + f->offset);
    return 0;
}

/* Rows and points that were given. */
static uint64_t elements_given(const struct mw_request *request)
{
    uint64_t n = 0;
    for (const struct mw_field *f = request->generator->fields; f->type != MW_END_OF_TABLE; f++) {
        const void *at = (const char *)request->params + f->offset;
        if (f->type == MW_ROWS)
            n += (uint64_t)((const struct mw_rows *)at)->width *
                 (uint64_t)((const struct mw_rows *)at)->count;
        else if (f->type == MW_POINTS)
            n += (uint64_t)((const struct mw_points *)at)->count;
    }
    return n;
}

struct mw_cost mw_estimate(const struct mw_request *request, const struct mw_encoder *encoder)
{
    uint64_t cells = integer_named(request, "width") * integer_named(request, "height");
    uint64_t stars = integer_named(request, "stars"), given = elements_given(request);
    cells = stars ? stars * 10 : cells > given ? cells : given;
    (void)encoder;
    return (struct mw_cost){.steps = 1000 + 30 * cells,
                            .bytes =
                                ((uint64_t)1 << 17) + 100 * cells + 3 * request->address_length,
                            .nanoseconds = 20000 + 400 * cells};
}

bool mw_afford(struct mw_run *run, const struct mw_request *request,
               const struct mw_encoder *encoder, uint64_t steps)
{
    struct mw_cost cost = mw_estimate(request, encoder);
    if (!steps || cost.steps <= steps)
        return true;
    mw_complain(run, MW_TOO_HARD, "", "needs about %llu steps, and a request gets %llu here",
                (unsigned long long)cost.steps, (unsigned long long)steps);
    return false;
}
