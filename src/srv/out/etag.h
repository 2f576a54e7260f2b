/* etag.h: entity tags (RFC 9110, 8.8.3). */
#ifndef MAPWRIGHT_ETAG_H
#define MAPWRIGHT_ETAG_H

#include <stddef.h>

struct etag {
    char text[40]; /* with its quotes */
};

/* A strong tag, which follows from these bytes alone. */
struct etag etag_of(const void *bytes, size_t length);

#endif
