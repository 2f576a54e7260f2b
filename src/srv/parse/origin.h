/* origin.h: the origin of the service, as the client sees it. */
#ifndef MAPWRIGHT_ORIGIN_H
#define MAPWRIGHT_ORIGIN_H

#include "head.h"

enum { LONGEST_HOST = 253 + 6, ORIGIN_ROOM = LONGEST_HOST + 32 }; /* a name and a port */

/*
 * "https://maps.example", "localhost:8080": followed by a path it is an address for curl, which
 * takes http:// where there is no scheme. It has no characters that are special to a shell, curl or
 * HTML; an invalid Host is replaced by localhost:port.
 */
void origin_write(char origin[ORIGIN_ROOM], const char *const headers[HEADER_END], int port);

#endif
