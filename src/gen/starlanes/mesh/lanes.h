/* lanes.h: lanes by the numbers of their stars. */
#ifndef MAPWRIGHT_STARLANES_LANES_H
#define MAPWRIGHT_STARLANES_LANES_H

#include "lib/gen.h"

/* From the shortest to the longest. In the search stars are numbered in the order of their
   coordinates, x first, and a < b; from then on as the client does, and they come in any order. */
struct lanes {
    struct mw_edge *at;
    int32_t count;
};

#endif
