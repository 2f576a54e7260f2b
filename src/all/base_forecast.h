/* base_forecast.h: estimates a map that is built on others before those are made. */
#ifndef MAPWRIGHT_BASE_FORECAST_H
#define MAPWRIGHT_BASE_FORECAST_H

#include "lib/gen.h"

/* Its params, as far as they are known before the maps below it are made. */
static inline const void *params_known(const struct mw_request *request)
{
    return request->expected ? request->expected : request->params;
}

/* How many points a field takes from a map that has so many rows. */
int64_t points_expected(const struct mw_base *, uint64_t rows);

/* Sets the params that follow from the bases, and request->expected. In a guarded body. */
void expect_base(struct mw_run *, struct mw_request *);

#endif
