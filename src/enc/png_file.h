/* png_file.h: writes a picture as PNG, compressed. */
#ifndef MAPWRIGHT_PNG_FILE_H
#define MAPWRIGHT_PNG_FILE_H

#include "lib/gen.h"

enum { PICTURE_COLORS = 256 };

/* A picture with a palette. */
struct picture {
    int32_t width, height, colors;
    uint32_t palette[PICTURE_COLORS]; /* 0xrrggbb */
    uint8_t *at; /* rows, each after a 0 byte, as in a PNG file: see picture_row */
};
/* The offset of row y. */
static inline size_t picture_row(int32_t columns, int32_t y)
{
    assert(columns > 0 && y >= 0);
    return (size_t)y * ((size_t)columns + 1);
}

/* `source`: the request that makes the picture, which the file names; NULL: none. */
void png_put(struct mw_run *, const struct picture *, const struct mw_request *source);

/* Compresses bytes, most of which equal those `stride` bytes before, as a zlib stream: see
   deflate.c. */
void deflate_rows(struct mw_run *, const uint8_t *at, size_t length, size_t stride);

#endif
