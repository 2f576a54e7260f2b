/* check_regions.h: whether a map of countries keeps every promise of /regions. */
#ifndef CHECK_REGIONS_H
#define CHECK_REGIONS_H

#include "mapwright_host.h"

/* NULL when all is well; else `why`, filled with what is wrong. Takes the request from its
   address. */
const char *check_regions(const struct mw_map *, char *why, size_t room);

#endif
