/* check_islands.h: whether a map of islands keeps every promise of /islands. */
#ifndef CHECK_ISLANDS_H
#define CHECK_ISLANDS_H

#include "mapwright_host.h"

/* NULL when all is well; else `why`, filled with what is wrong. Takes the request from its
   address. */
const char *check_islands(const struct mw_map *, char *why, size_t room);

#endif
