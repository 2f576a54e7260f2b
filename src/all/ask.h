/* ask.h: requests by the address of a map. */
#ifndef MAPWRIGHT_ASK_H
#define MAPWRIGHT_ASK_H

#include "registry.h"

/* The request in the format that `format` names, else the suffix, else JSON; NULL: see
   mw_problems. */
const struct mw_request *mw_bind_asked(struct mw_run *, const struct asked_map *,
                                       const char *fresh_seed);

#endif
