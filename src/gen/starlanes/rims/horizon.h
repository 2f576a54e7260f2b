/*
 * horizon.h: in which directions a corner may see anything at all that is still to come.
 */
#ifndef MAPWRIGHT_STARLANES_HORIZON_H
#define MAPWRIGHT_STARLANES_HORIZON_H

#include "rim.h"

/* Closes directions to a corner in which a lane hides all that is as far as that or farther,
   squared; nothing is to come that is nearer. False where it has looked already. */
bool horizon_narrow(struct mw_run *, struct rims *, int32_t corner, int64_t far);

#endif
