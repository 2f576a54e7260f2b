/*
 * base_forecast.c: what is known of a map that is built on others before those are made, and what
 * all of them cost.
 *
 * A map takes its extent, shape of cells and wrap from its first base map where the request leaves
 * them out and they are within its ranges: so countries on hexagonal areas are hexagonal, and one
 * can be drawn over the other. The length of what will be read from base maps is forecast, and
 * generators forecast from that: all cells are land, and there are as many points as the base map
 * is forecast to have rows.
 */
#include "bases.h"

#include "kit/integer.h"
#include "lib/run.h"

/* ---- params that follow from a base map ------------------------------------------------------ */

static void *member_at(const struct mw_request *request, const struct mw_field *field)
{
    return (char *)request->params + field->offset;
}

/* Sets the fields that the request leaves out, the shape of cells and wrap if `whole`. */
static void follow(struct mw_request *request, const struct mw_lattice *plan, bool whole)
{
    const struct mw_field *fields = request->generator->fields;
    for (int i = 0; fields[i].type != MW_END_OF_TABLE; i++) {
        const struct mw_field *f = &fields[i];
        bool across = !strcmp(f->name, "width"), down = !strcmp(f->name, "height");
        int32_t *to = member_at(request, f);
        if (request->given >> i & 1)
            continue;
        if (whole && f->choices == mw_tilings)
            *to = (int32_t)plan->tiling;
        if (whole && f->choices == mw_wraps)
            *to = (int32_t)plan->wrap;
        if (f->type != MW_INTEGER || !(across || down))
            continue;
        *to = mw_clamp(across ? plan->width : plan->height, f->least, f->most);
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

/* Sets the length of what will be read from the base map; it has no elements yet. */
static void set_length(struct mw_request *request, const struct mw_base *base)
{
    const struct mw_field *field = base->field;
    void *to = member_at(request, field);
    const struct mw_forecast f = mw_forecast(&base->request);
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
    assert(first && request->params);
    struct mw_lattice plan = mw_forecast(&first->request).plan;
    if (rows) {
        plan.width = rows->width;
        plan.height = rows->count;
    }
    follow(request, &plan, !rows);
    for (const struct mw_base *base = request->bases; base; base = base->next)
        set_length(request, base);
}

/* ---- cost ------------------------------------------------------------------------------------ */

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* The cost of a tree: each map while those before it are kept, and the values read from them. */
static struct mw_forecast forecast_tree(const struct mw_request *request)
{
    struct mw_forecast f = mw_forecast(request);
    uint64_t held = 0, peak = 0;
    for (const struct mw_base *g = request->bases; g; g = g->next) {
        const struct mw_forecast below = forecast_tree(&g->request);
        uint64_t read = below.cells + 8 * below.rows;
        f.steps += below.steps + read;
        f.nanoseconds += below.nanoseconds + 2 * read;
        peak = larger(peak, held + below.bytes);
        held += below.kept + 2 * read;
    }
    f.kept += held;
    f.bytes = larger(peak, held + f.bytes);
    assert(f.bytes >= held && f.kept >= held);
    return f;
}

/* Writing a map that holds so much, and its base maps where they are drawn. */
static struct mw_cost cost_of_writing(struct mw_request request, const struct mw_encoder *encoder,
                                      const struct mw_forecast *f)
{
    bool under = encoder->look_mask & MW_LOOK_BIT(UNDER) && request.look.under;
    request.look = mw_effective_look(encoder, request.look); /* as mw_encode has it */
    struct mw_cost cost = encoder->forecast(&request, f);
    for (const struct mw_base *g = request.bases; g && under; g = g->next) {
        struct mw_request below = g->request;
        if (!encoder->fits(below.generator))
            continue;
        const struct mw_forecast held = mw_forecast(&below);
        below.look = request.look;
        struct mw_cost more = cost_of_writing(below, encoder, &held);
        cost.steps += more.steps;
        cost.bytes += more.bytes;
        cost.nanoseconds += more.nanoseconds;
    }
    return cost;
}

struct mw_cost mw_estimate(const struct mw_request *request, const struct mw_encoder *encoder)
{
    const struct mw_forecast f = forecast_tree(request);
    struct mw_cost cost = cost_of_writing(*request, encoder, &f);
    uint64_t address = request->address_length;
    /* the run itself, and binding: the decoded address and its lists */
    cost.bytes = sizeof(struct mw_run) + 8192 + 6 * address + larger(f.bytes, f.kept + cost.bytes);
    cost.steps += f.steps;
    cost.nanoseconds += f.nanoseconds + 5000 + 10 * address;
    return cost;
}
