/* deflate.h: a stream of zlib (RFC 1950 and 1951), for the rows of a picture. */
#ifndef MAPWRIGHT_DEFLATE_H
#define MAPWRIGHT_DEFLATE_H

#include "lib/gen.h"

/* Writes `length` bytes, of which each is likely to be as the one `stride` before it. */
void deflate_rows(struct mw_run *, const uint8_t *at, size_t length, size_t stride);

#endif
