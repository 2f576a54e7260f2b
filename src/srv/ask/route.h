/* route.h: path -> page, map or generator. */
#ifndef MAPWRIGHT_ROUTE_H
#define MAPWRIGHT_ROUTE_H

#include "exchange.h"

/* The first stage. Pages are answered here; false: there is a reply. */
bool route_request(struct exchange *);

#endif
