/* origin.h: the address of the service, as the client sees it. */
#ifndef MAPWRIGHT_ORIGIN_H
#define MAPWRIGHT_ORIGIN_H

#include "head.h"

enum { LONGEST_HOST = 253 + 6 /* a name and a port */, LONGEST_PREFIX = 128 };
enum { ORIGIN_ROOM = LONGEST_HOST + LONGEST_PREFIX + 32 };

/*
 * "https://maps.example/prefix", "localhost:8080": followed by a path it is an address for curl,
 * which takes http:// where there is no scheme. It has no characters that are special to a shell,
 * curl or HTML; an invalid Host is replaced by localhost:port, an invalid prefix is ignored.
 */
void origin_write(char origin[ORIGIN_ROOM], const char *const headers[HEADER_END], int port);

#endif
