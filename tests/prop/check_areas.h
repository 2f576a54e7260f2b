/* check_areas.h: whether a map of areas keeps every promise of /areas. */
#ifndef CHECK_AREAS_H
#define CHECK_AREAS_H

#include "mapwright_host.h"

/* NULL when all is well; else `why`, filled with what is wrong. Takes the request from its
   address. */
const char *check_areas(const struct mw_map *, char *why, size_t room);

#endif
