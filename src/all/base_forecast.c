/*
 * base_forecast.c: estimates a map that is built on others before those are made.
 *
 * A map takes its extent, shape of cells and wrap from the first map below it where the request
 * leaves them out and they are within its ranges: so countries on hexagonal areas are hexagonal,
 * and one can be drawn over the other.
 *
 * Its cost is forecast from placeholders for the params that are not known yet: all cells are land,
 * and there are as many points as the forecast of the map below has rows. The generator checks and
 * completes them like any others; if it refuses them, the forecast is that of its defaults.
 */
#include "base_forecast.h"

#include "kit/integer.h"
#include "lib/run.h"

enum { POINTS_MOST = 4096 }; /* placeholders: more would take too long to write */

/* ---- params that follow from the map below --------------------------------------------------- */

static int32_t *number_at(const struct mw_field *field, void *params)
{
    return (int32_t *)(void *)((char *)params + field->offset);
}

/* The value of the field with these choices; `usual` where the generator has no such field. */
static int32_t choice_of(const struct mw_request *request, const char *const *choices,
                         int32_t usual)
{
    for (const struct mw_field *f = request->generator->fields; f->type != MW_END_OF_TABLE; f++)
        if (f->type == MW_ONE_OF && f->choices == choices)
            return *(const int32_t *)(const void *)((const char *)params_known(request) +
                                                    f->offset);
    return usual;
}

/* Sets the fields that the request leaves out. */
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

/* Whether rows are given as such: they set the size of the map. */
static bool has_rows(const struct mw_request *request)
{
    bool found = false;
    for (const struct mw_field *f = request->generator->fields; f->type != MW_END_OF_TABLE; f++)
        found |=
            f->type == MW_ROWS && !mw_base_of(request, f) && mw_field_present(f, request->params);
    return found;
}

/* The map that rows are read from, or else the first. */
static const struct mw_base *foremost(const struct mw_request *request)
{
    const struct mw_base *base = request->bases;
    while (base && base->field->type != MW_ROWS)
        base = base->next;
    return base ? base : request->bases;
}

/* ---- placeholders ---------------------------------------------------------------------------- */

static void forecast(const struct mw_request *request, struct mw_forecast *f)
{
    mw_forecast(request->generator, params_known(request), f);
}

/* So many points, row by row and evenly apart. */
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

static void put_placeholder(struct mw_run *run, const struct mw_base *base, void *params)
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

/* Only the size of rows is known, not their cells. */
static void put_rows(const struct mw_base *base, void *params)
{
    struct mw_forecast f;
    if (base->field->type != MW_ROWS)
        return;
    forecast(&base->request, &f);
    *(struct mw_rows *)(void *)((char *)params + base->field->offset) =
        (struct mw_rows){NULL, f.plan.width, f.plan.height};
}

/* Whether the generator's check passes; what it reports is dropped. */
static bool passes_check(struct mw_run *run, const struct mw_request *request, void *params)
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
        put_placeholder(run, g, params);
    if (!passes_check(run, request, params))
        return;
    for (const struct mw_base *g = request->bases; g; g = g->next)
        put_rows(g, params);
    request->expected = params;
}
