/* etag.h: entity tags (RFC 9110, 8.8.3). */
#ifndef MAPWRIGHT_ETAG_H
#define MAPWRIGHT_ETAG_H

#include <stdbool.h>
#include <stddef.h>

struct etag {
    char text[40]; /* with its quotes */
};

/* A strong tag, which follows from these bytes alone. */
struct etag etag_of(const void *bytes, size_t length);

/* Whether a list holds the tag, or is `*`. Weak comparison for If-None-Match, strong for If-Match,
   by which a weak tag is like none. */
bool etag_is_in(const char *list, const struct etag *, bool weak);

#endif
