/* help.h: what curl gets at `/`: one screen. */
#ifndef MAPWRIGHT_SERVER_HELP_H
#define MAPWRIGHT_SERVER_HELP_H

#include "srv/base/strbuf.h"

/*
 * `host` and `proto` are what the client's header fields Host and X-Forwarded-Proto say, or NULL.
 * The commands work as they stand; a host that cannot be one is taken for localhost:port.
 */
void help_write(struct strbuf *, const char *host, const char *proto, int port);

#endif
