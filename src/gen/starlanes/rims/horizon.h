/*
 * horizon.h: what a corner may see, told by the mesh.
 */
#ifndef MAPWRIGHT_STARLANES_HORIZON_H
#define MAPWRIGHT_STARLANES_HORIZON_H

#include "gen/starlanes/mesh/search.h"
#include "rim.h"

/* The directions in which there may be pairs after now from the corner between two lanes, given
   their sides out of its star; none where there are none. */
struct arc horizon_between(struct search *, int32_t right, int32_t left);

#endif
