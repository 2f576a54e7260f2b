/* flat.h: the same map without one below it. */
#ifndef MAPWRIGHT_FLAT_H
#define MAPWRIGHT_FLAT_H

#include "mapwright_host.h"

/* The address of a map that stands on others, with what it reads from them written out instead of
   their addresses; to be freed. It reads the maps below with eyes of its own. */
char *flat_address(const struct mw_map *);

#endif
