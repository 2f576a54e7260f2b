/* base_forecast.h: what can be known of a map before those are made that it stands on. */
#ifndef MAPWRIGHT_BASE_FORECAST_H
#define MAPWRIGHT_BASE_FORECAST_H

#include "lib/gen.h"

/* Its params, as far as they are known before the maps are made that it stands on. */
static inline const void *params_known(const struct mw_request *request)
{
    return request->expected ? request->expected : request->params;
}

/* How many points a field takes from a map that has so many rows. */
int64_t points_expected(const struct mw_base *, uint64_t rows);

/* Sets of the params what follows from the bases, and request->expected. In a guarded body. */
void expect_base(struct mw_run *, struct mw_request *);

#endif
