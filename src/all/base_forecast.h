/* base_forecast.h: what is known of a map that is built on others before those are made. */
#ifndef MAPWRIGHT_BASE_FORECAST_H
#define MAPWRIGHT_BASE_FORECAST_H

#include "lib/gen.h"

/* Sets the params that follow from the bases of a request, which has some. */
void expect_bases(struct mw_request *);

#endif
