/* deflate.h: compresses the rows of a picture as a zlib stream (RFC 1950 and 1951). */
#ifndef MAPWRIGHT_DEFLATE_H
#define MAPWRIGHT_DEFLATE_H

#include "lib/gen.h"

/* Writes `length` bytes, most of which equal those `stride` bytes before. */
void deflate_rows(struct mw_run *, const uint8_t *at, size_t length, size_t stride);

#endif
