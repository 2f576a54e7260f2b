/* origin.h: the address of the service, as the client sees it. */
#ifndef MAPWRIGHT_ORIGIN_H
#define MAPWRIGHT_ORIGIN_H

#include "head.h"

enum { LONGEST_HOST = 253 + 6 /* a name and a port */, LONGEST_PREFIX = 128 };
enum { ORIGIN_ROOM = LONGEST_HOST + LONGEST_PREFIX + 32 };

/*
 * "https://maps.example/prefix", "http://localhost:8080". It has no characters that are special to
 * HTML or within the quotes of a shell; an invalid Host is replaced by localhost:port, an invalid
 * prefix is ignored.
 */
void origin_write(char origin[ORIGIN_ROOM], const char *const headers[HEADER_END], int port);

#endif
