/*
 * estimate.c: what a request will take, before it is made.
 *
 * A generator forecasts what making takes and what the map will hold, an encoder what writing so
 * much takes. Their sum is the estimate. Both go by params alone, never by the seed: so an estimate
 * costs nothing, and says the same of the same request everywhere.
 *
 * Memory is what a run holds at once: while it makes the map, or while it writes it, when the map,
 * the scratch and the output are all there.
 */
#include "run.h"

uint64_t mw_sum_unit_costs(const struct mw_forecast *f, const struct mw_unit_costs *rates)
{
    return rates->base + rates->cell * f->cells + rates->land * f->land +
           rates->border * f->borders + rates->row * f->rows + rates->item * f->items +
           rates->edge * f->edges;
}

/* ---- those that say nothing ------------------------------------------------------------------ */

/* The value of an integer field of that name; 1 where there is none. */
static int32_t extent_of(const struct mw_generator *generator, const void *params, const char *name)
{
    for (const struct mw_field *f = generator->fields; f->type != MW_END_OF_TABLE; f++)
        if (f->type == MW_INTEGER && !strcmp(f->name, name))
            return *(const int32_t *)(const void *)((const char *)params + f->offset);
    return 1;
}

static uint64_t count_grids(const struct mw_generator *generator)
{
    uint64_t grids = 0;
    for (const struct mw_part *p = generator->parts; p->kind != MW_NO_PART; p++)
        grids += p->kind == MW_GRID;
    return grids;
}

/* A few steps and some dozen bytes a cell; every cell a label of its own, as long as labels are
   tens of thousands at most. */
static void forecast_cells(const struct mw_generator *generator, const void *params,
                           struct mw_forecast *f)
{
    f->plan = (struct mw_lattice){extent_of(generator, params, "width"),
                                  extent_of(generator, params, "height"), MW_HEX, MW_WRAP_NONE};
    uint64_t cells = (uint64_t)f->plan.width * (uint64_t)f->plan.height;
    f->cells = cells * count_grids(generator);
    f->land = cells;
    f->rows = cells < UINT16_MAX ? cells : UINT16_MAX;
    f->items = f->rows;
    f->borders = 2 * cells;
    f->steps = 1000 + 4 * cells;
    f->nanoseconds = 20000 + 50 * cells;
    f->kept = 4 * f->cells + 64 * f->rows;
    f->bytes = f->kept + 40 * cells;
}

static struct mw_cost forecast_writing(const struct mw_forecast *f)
{
    static const struct mw_unit_costs bytes = {32768, 10, 40, 10, 160, 16, 24},
                                      nanoseconds = {20000, 15, 20, 60, 120, 20, 20};
    return (struct mw_cost){.bytes = mw_sum_unit_costs(f, &bytes),
                            .nanoseconds = mw_sum_unit_costs(f, &nanoseconds)};
}

/* ---- those that speak ------------------------------------------------------------------------ */

void mw_forecast(const struct mw_generator *generator, const void *params, struct mw_forecast *f)
{
    *f = (struct mw_forecast){0};
    if (generator->forecast)
        generator->forecast(params, f);
    else
        forecast_cells(generator, params, f);
}

struct mw_cost mw_cost_of_writing(const struct mw_request *request,
                                  const struct mw_encoder *encoder, const struct mw_forecast *f)
{
    if (!encoder->forecast)
        return forecast_writing(f);
    struct mw_request effective = *request; /* as mw_encode has it */
    effective.look = mw_effective_look(encoder, request->look);
    return encoder->forecast(&effective, f);
}

/* A usual run takes some three fifths of its estimate: up to there it is a line, and then as much
   of the rest is left as the steps are above it. */
double mw_progress(uint64_t steps, uint64_t estimate)
{
    double usual = (double)(estimate ? estimate : 1) * .6, spent = (double)steps;
    double done = spent <= usual ? .85 * spent / usual : 1 - .15 * usual / spent;
    return done < .999 ? done : .999;
}
