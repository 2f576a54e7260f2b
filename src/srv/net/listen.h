/* listen.h: listening sockets. */
#ifndef MAPWRIGHT_LISTEN_H
#define MAPWRIGHT_LISTEN_H

#include <stdbool.h>

/*
 * A socket that listens on the port, beside others of ours. The first one is only had if nobody
 * else listens there. -1: `why` says what went wrong.
 */
int listen_on(const char *host, int port, bool first, char why[320]);

#endif
