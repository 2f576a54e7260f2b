/* health.h: asks a service on this machine whether it is alive. */
#ifndef MAPWRIGHT_HEALTH_H
#define MAPWRIGHT_HEALTH_H

#include "srv/base/config.h"

/* GET /healthz of the service with these settings; prints what is wrong on standard error. For
   containers, which have no curl. */
bool health_ask(const struct config *);

#endif
