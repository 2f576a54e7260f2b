/*
 * estimate.c: what a request will take, before it is made.
 *
 * A generator forecasts what making takes and what the map will hold, an encoder what writing so
 * much takes. Their sum is the estimate. Both go by params alone, never by the seed: so an estimate
 * costs nothing, and is the same for the same request everywhere.
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

struct mw_forecast mw_forecast(const struct mw_request *request)
{
    struct mw_forecast f = {0};
    assert(request->generator->forecast && request->params);
    request->generator->forecast(request->params, &f);
    assert(f.bytes >= f.kept);
    return f;
}

/* A usual run takes some three fifths of its estimate: up to there it is a line, and then as much
   of the rest is left as the steps are above it. */
double mw_progress(uint64_t steps, uint64_t estimate)
{
    double usual = (double)(estimate ? estimate : 1) * .6, spent = (double)steps;
    double done = spent <= usual ? .85 * spent / usual : 1 - .15 * usual / spent;
    return done < .999 ? done : .999;
}
