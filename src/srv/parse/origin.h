/* origin.h: where a client has asked. */
#ifndef MAPWRIGHT_ORIGIN_H
#define MAPWRIGHT_ORIGIN_H

#include "head.h"

enum { LONGEST_HOST = 253 + 6, ORIGIN_ROOM = LONGEST_HOST + 32 }; /* a name and a port */

/*
 * "https://maps.example", "localhost:8080": in front of a path it is an address that curl takes;
 * one without a scheme is http://. It holds nothing that a shell, curl or HTML would heed; a Host
 * that cannot be one is taken for localhost:port.
 */
void origin_write(char origin[ORIGIN_ROOM], const char *const headers[HEADER_END], int port);

#endif
