/*
 * base_forecast.c: what is known of a map that is built on others before those are made, and what
 * all of them cost.
 *
 * A map takes its extent, shape of cells and wrap from the first map below it where the request
 * leaves them out and they are within its ranges: so countries on hexagonal areas are hexagonal,
 * and one can be drawn over the other. Of what is read from maps below, the length is forecast, and
 * generators forecast from that: all cells are land, and there are as many points as the forecast
 * of the map below has rows.
 */
#include "bases.h"

#include "kit/integer.h"
#include "lib/run.h"

/* ---- params that follow from the map below --------------------------------------------------- */

static void *member_at(const struct mw_request *request, const struct mw_field *field)
{
    return (char *)request->params + field->offset;
}

/* The value of the field with these choices; `usual` where the generator has no such field. */
static int32_t choice_of(const struct mw_request *request, const char *const *choices,
                         int32_t usual)
{
    for (const struct mw_field *f = request->generator->fields; f->type != MW_END_OF_TABLE; f++)
        if (f->type == MW_ONE_OF && f->choices == choices)
            return *(const int32_t *)member_at(request, f);
    return usual;
}

/* Sets the fields that the request leaves out; `base` is NULL where only the extent is known. */
static void follow(struct mw_request *request, const struct mw_request *base, int32_t width,
                   int32_t height)
{
    const struct mw_field *fields = request->generator->fields;
    for (int i = 0; fields[i].type != MW_END_OF_TABLE; i++) {
        const struct mw_field *f = &fields[i];
        bool across = !strcmp(f->name, "width"), down = !strcmp(f->name, "height");
        int32_t *to = member_at(request, f);
        if (request->given >> i & 1)
            continue;
        if (base && f->type == MW_ONE_OF && f->choices == mw_tilings)
            *to = choice_of(base, mw_tilings, MW_SQUARE);
        if (base && f->type == MW_ONE_OF && f->choices == mw_wraps)
            *to = choice_of(base, mw_wraps, MW_WRAP_NONE);
        if (f->type != MW_INTEGER || !(across || down))
            continue;
        *to = mw_clamp(across ? width : height, f->least, f->most);
        request->given |= (mw_given)1 << i;
    }
}

/* Rows that are given as such: they set the size of the map; NULL: there are none. */
static const struct mw_rows *given_rows(const struct mw_request *request)
{
    for (const struct mw_field *f = request->generator->fields; f->type != MW_END_OF_TABLE; f++)
        if (f->type == MW_ROWS && !mw_base_of(request, f) && mw_field_present(f, request->params))
            return member_at(request, f);
    return NULL;
}

/* The map that rows are read from, or else the first. */
static const struct mw_base *foremost(const struct mw_request *request)
{
    const struct mw_base *base = request->bases;
    while (base && base->field->type != MW_ROWS)
        base = base->next;
    return base ? base : request->bases;
}

static void forecast(const struct mw_request *request, struct mw_forecast *f)
{
    mw_forecast(request->generator, request->params, f);
}

/* Sets the length of what will be read from the map below; it has no elements yet. */
static void set_length(struct mw_request *request, const struct mw_base *base)
{
    const struct mw_field *field = base->field;
    void *to = member_at(request, field);
    struct mw_forecast f;
    forecast(&base->request, &f);
    int64_t rows = base->of.count ? base->of.count : (int64_t)f.rows;
    rows = mw_max64(mw_min64(rows, field->most_count), field->least_count);
    if (field->type == MW_ROWS)
        *(struct mw_rows *)to = (struct mw_rows){NULL, f.plan.width, f.plan.height};
    else if (field->type == MW_POINTS)
        *(struct mw_points *)to = (struct mw_points){NULL, (int32_t)rows};
    else
        *(struct mw_ints *)to = (struct mw_ints){NULL, field->least_count};
}

void expect_bases(struct mw_request *request)
{
    const struct mw_rows *rows = given_rows(request);
    const struct mw_base *first = foremost(request);
    struct mw_forecast f;
    assert(first && request->params);
    forecast(&first->request, &f);
    if (rows)
        follow(request, NULL, rows->width, rows->count);
    else
        follow(request, &first->request, f.plan.width, f.plan.height);
    for (const struct mw_base *base = request->bases; base; base = base->next)
        set_length(request, base);
}

/* ---- cost ------------------------------------------------------------------------------------ */

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* The cost of a tree: each map while those before it are kept, and the values read from them. */
static void forecast_tree(const struct mw_request *request, struct mw_forecast *f)
{
    forecast(request, f);
    uint64_t steps = 0, nanoseconds = 0, held = 0, peak = 0;
    for (const struct mw_base *g = request->bases; g; g = g->next) {
        struct mw_forecast below;
        forecast_tree(&g->request, &below);
        uint64_t read = below.cells + 8 * below.rows;
        steps += below.steps + read;
        nanoseconds += below.nanoseconds + 2 * read;
        peak = larger(peak, held + below.bytes);
        held += below.kept + 2 * read;
    }
    f->steps += steps;
    f->nanoseconds += nanoseconds;
    f->kept += held;
    f->bytes = larger(peak, held + f->bytes);
    assert(f->bytes >= held && f->kept >= held);
}

/* Adds the drawing of the maps below. */
static void add_drawing(struct mw_cost *cost, const struct mw_request *request,
                        const struct mw_encoder *encoder)
{
    bool drawn = encoder->look_mask & MW_LOOK_BIT(UNDER) && request->look.under;
    for (const struct mw_base *g = request->bases; g && drawn; g = g->next) {
        struct mw_request below = g->request;
        struct mw_forecast f;
        below.look = request->look;
        if (!encoder->fits(below.generator))
            continue;
        forecast(&below, &f);
        struct mw_cost more = mw_cost_of_writing(&below, encoder, &f);
        cost->steps += more.steps;
        cost->bytes += more.bytes;
        cost->nanoseconds += more.nanoseconds;
        add_drawing(cost, &below, encoder);
    }
}

struct mw_cost mw_estimate(const struct mw_request *request, const struct mw_encoder *encoder)
{
    struct mw_forecast f;
    forecast_tree(request, &f);
    struct mw_cost cost = mw_cost_of_writing(request, encoder, &f);
    add_drawing(&cost, request, encoder);
    uint64_t address = request->address_length;
    /* the run itself, and binding: the decoded address and its lists */
    cost.bytes = sizeof(struct mw_run) + 8192 + 6 * address + larger(f.bytes, f.kept + cost.bytes);
    cost.steps += f.steps;
    cost.nanoseconds += f.nanoseconds + 5000 + 10 * address;
    return cost;
}
