/* check_names.h: whether the rows of a map have names as they were asked for. */
#ifndef MAPWRIGHT_CHECK_NAMES_H
#define MAPWRIGHT_CHECK_NAMES_H

#include "mapwright_host.h"

/* NULL when they are good, and for a generator without names; else what is wrong, in `why`. */
const char *check_names(const struct mw_map *, char *why, size_t room);

#endif
