/* health.h: asks a service on this machine whether it is alive. */
#ifndef MAPWRIGHT_HEALTH_H
#define MAPWRIGHT_HEALTH_H

#include "srv/base/config.h"

/* Of the service with these settings, by GET /healthz, for some seconds; where it is not, says on
   standard error what came instead. For containers, which have no curl. */
bool health_ask(const struct config *);

#endif
