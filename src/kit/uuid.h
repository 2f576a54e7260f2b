/* uuid.h: the name of a map. */
#ifndef MAPWRIGHT_UUID_H
#define MAPWRIGHT_UUID_H

#include <stddef.h>

/* The name-based UUID (version 5) of a text in the URL namespace of RFC 9562, ended by a zero. */
void mw_uuid_of_url(const char *url, size_t length, char id[37]);

#endif
