/*
 * base_forecast.c: what can be known of a map before those are made that it stands on.
 *
 * Its extent, shape of cells and wrap are those of the first map that it stands on, as far as they
 * can be its own, unless it was asked for others: so islands of hexagons carry countries of
 * hexagons, and a drawing of the one lies on that of the other.
 *
 * What it takes is forecast from params that stand in for those which are not there yet: as much
 * land as there are cells, as many points as a forecast has rows. The generator checks and
 * completes them as it does all others; if it cannot do with them, what is usual is forecast.
 */
#include "base_forecast.h"

#include "kit/integer.h"
#include "lib/run.h"

enum { POINTS_MOST = 4096 }; /* that stand in for others; what takes longer is work for a worker */

/* ---- what follows ---------------------------------------------------------------------------- */

static int32_t *number_at(const struct mw_field *field, void *params)
{
    return (int32_t *)(void *)((char *)params + field->offset);
}

/* The choice that a map makes of these; `usual` where it has none. */
static int32_t choice_of(const struct mw_request *request, const char *const *choices,
                         int32_t usual)
{
    for (const struct mw_field *f = request->generator->fields; f->type != MW_END_OF_TABLE; f++)
        if (f->type == MW_ONE_OF && f->choices == choices)
            return *(const int32_t *)(const void *)((const char *)params_known(request) +
                                                    f->offset);
    return usual;
}

/* Of fields that were left out. */
static void follow(struct mw_request *request, const struct mw_request *base,
                   const struct mw_lattice *plan)
{
    const struct mw_field *fields = request->generator->fields;
    for (int i = 0; fields[i].type != MW_END_OF_TABLE; i++) {
        const struct mw_field *f = &fields[i];
        bool across = !strcmp(f->name, "width"), down = !strcmp(f->name, "height");
        if (request->given >> i & 1)
            continue;
        if (f->type == MW_ONE_OF && f->choices == mw_tilings)
            *number_at(f, request->params) = choice_of(base, mw_tilings, MW_SQUARE);
        if (f->type == MW_ONE_OF && f->choices == mw_wraps)
            *number_at(f, request->params) = choice_of(base, mw_wraps, MW_WRAP_NONE);
        if (f->type != MW_INTEGER || !(across || down))
            continue;
        *number_at(f, request->params) =
            mw_clamp(across ? plan->width : plan->height, f->least, f->most);
        request->given |= (mw_given)1 << i;
    }
}

/* Rows that were given as they are say how large the map is. */
static bool has_rows(const struct mw_request *request)
{
    bool found = false;
    for (const struct mw_field *f = request->generator->fields; f->type != MW_END_OF_TABLE; f++)
        found |=
            f->type == MW_ROWS && !mw_base_of(request, f) && mw_field_present(f, request->params);
    return found;
}

/* The one whose rows it takes, or else the first. */
static const struct mw_base *foremost(const struct mw_request *request)
{
    const struct mw_base *base = request->bases;
    while (base && base->field->type != MW_ROWS)
        base = base->next;
    return base ? base : request->bases;
}

/* ---- what stands in -------------------------------------------------------------------------- */

static void forecast(const struct mw_request *request, struct mw_forecast *f)
{
    mw_forecast(request->generator, params_known(request), f);
}

/* Points of the plan, row by row and as far apart as there is room for all. */
static struct mw_points scatter(struct mw_run *run, const struct mw_lattice *plan, int32_t n)
{
    assert(n > 0 && plan->width > 0 && plan->height > 0);
    int64_t cells = (int64_t)plan->width * plan->height, gap = mw_max64(cells / n, 1);
    struct mw_point *points = MW_NEW(run, struct mw_point, n);
    for (int32_t i = 0; i < n; i++) {
        int64_t at = mw_min64(i * gap, cells - 1);
        points[i] = (struct mw_point){(int32_t)(at % plan->width), (int32_t)(at / plan->width)};
    }
    return (struct mw_points){points, n};
}

static struct mw_ints number_off(struct mw_run *run, int32_t n)
{
    assert(n >= 0);
    int32_t *numbers = MW_NEW(run, int32_t, n);
    for (int32_t i = 0; i < n; i++)
        numbers[i] = i;
    return (struct mw_ints){numbers, n};
}

int64_t points_expected(const struct mw_base *base, uint64_t rows)
{
    const struct mw_field *field = base->field;
    int64_t n = base->of.count ? base->of.count : (int64_t)rows;
    return mw_max64(mw_min64(n, field->most_count), field->least_count);
}

static void stand_in(struct mw_run *run, const struct mw_base *base, void *params)
{
    const struct mw_field *field = base->field;
    struct mw_forecast f;
    void *to = (char *)params + field->offset;
    forecast(&base->request, &f);
    int64_t n = mw_min64(points_expected(base, f.rows), POINTS_MOST);
    if (field->type == MW_POINTS)
        *(struct mw_points *)to = scatter(run, &f.plan, (int32_t)n);
    else if (field->type == MW_INTEGERS)
        *(struct mw_ints *)to = number_off(run, field->least_count);
}

/* Rows cannot be looked at: only that they are there, and how many, is known. */
static void stand_in_rows(const struct mw_base *base, void *params)
{
    struct mw_forecast f;
    if (base->field->type != MW_ROWS)
        return;
    forecast(&base->request, &f);
    *(struct mw_rows *)(void *)((char *)params + base->field->offset) =
        (struct mw_rows){NULL, f.plan.width, f.plan.height};
}

/* Whether the generator finds nothing wrong with them, as far as its words are not asked for. */
static bool pass(struct mw_run *run, const struct mw_request *request, void *params)
{
    size_t count = run->problems.count, dropped = run->problems.dropped;
    if (request->generator->check)
        request->generator->check(run, params, request->given);
    bool good = run->problems.count == count;
    run->problems.count = count;
    run->problems.dropped = dropped;
    return good;
}

void expect_base(struct mw_run *run, struct mw_request *request)
{
    const struct mw_generator *generator = request->generator;
    const struct mw_base *first = foremost(request);
    struct mw_forecast f;
    assert(first && !request->expected);
    if (first->field->type == MW_ROWS || !has_rows(request)) {
        forecast(&first->request, &f);
        follow(request, &first->request, &f.plan);
    }
    void *params = mw_alloc(run, 1, generator->params_size);
    memcpy(params, request->params, generator->params_size);
    for (const struct mw_base *g = request->bases; g; g = g->next)
        stand_in(run, g, params);
    if (!pass(run, request, params))
        return;
    for (const struct mw_base *g = request->bases; g; g = g->next)
        stand_in_rows(g, params);
    request->expected = params;
}
