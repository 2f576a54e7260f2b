/* check_starlanes.h: whether a map of stars keeps every promise of /starlanes. */
#ifndef CHECK_STARLANES_H
#define CHECK_STARLANES_H

#include "mapwright_host.h"

/* NULL when all is well; else `why`, filled with what is wrong. Takes the request from its
   address. */
const char *check_starlanes(const struct mw_map *, char *why, size_t room);

/* The same; with at most that many stars all graphs are compared with those of the naive way. */
const char *check_starlanes_fully(const struct mw_map *, int32_t stars, char *why, size_t room);

/*
 * The maximum graph as it is defined: all pairs, the shortest first, each against all lanes and
 * stars. Lanes come in the order in which they are kept, a before b by coordinates; `lanes` has
 * room for 3 n. The angle is in thousandths of a degree.
 */
int32_t naive_maximum(const struct mw_point *at, int32_t n, long angle, struct mw_edge *lanes);

#endif
