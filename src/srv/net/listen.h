/* listen.h: the sockets that the service listens on. */
#ifndef MAPWRIGHT_LISTEN_H
#define MAPWRIGHT_LISTEN_H

#include <stdbool.h>

/*
 * A socket on that port, beside others of this process. The first one fails where another process
 * listens there. A host of "*" means every address, of IPv6 and of IPv4. -1: `why` says what went
 * wrong, by the name of the port's setting.
 */
int listen_tcp(const char *host, int port, bool first, bool admin, char why[320]);

/* A socket at that path, which every user may connect to whom its folder lets through. One that a
   process has left there is replaced. -1: `why` says what went wrong. */
int listen_unix(const char *path, char why[320]);

#endif
