/* lanes.h: lanes by the numbers of their stars, and the order of pairs. */
#ifndef MAPWRIGHT_STARLANES_LANES_H
#define MAPWRIGHT_STARLANES_LANES_H

#include "lib/gen.h"

/* In the search stars are numbered in the order of their coordinates, x first, and a < b; from then
   on as the client does, and they come in any order. Lanes lie as triangles did, so that what is
   near on the map is near in memory; `order` lists them from the shortest to the longest. */
struct lanes {
    struct mw_edge *at;
    int32_t *order, count;
};

/* Lists lanes in the order of pairs; they are the search's still. */
int32_t *lanes_order(struct mw_run *, const struct mw_point *at, const struct lanes *);

#endif
