/* holes.h: the rest of the maximum graph, along the rims of large holes. */
#ifndef MAPWRIGHT_STARLANES_HOLES_H
#define MAPWRIGHT_STARLANES_HOLES_H

#include "gen/starlanes/mesh/lanes.h"
#include "gen/starlanes/mesh/search.h"

/* Finds all lanes from now on, and adds them to the list. */
void holes_search(struct search *, struct lanes *);

#endif
