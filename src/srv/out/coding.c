/* coding.c: content codings. */
#include "coding.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { WORTH_CODING = 860 }; /* shorter answers fit one packet anyway */

const char *const coding_names[CODING_END] = {NULL, "gzip", "zstd"};

/* Higher levels than SMALL save 1 % for twice the time. */
static const int levels[CODING_END][2] = {[CODING_GZIP] = {[EFFORT_FAST] = 1, [EFFORT_SMALL] = 6},
                                          [CODING_ZSTD] = {[EFFORT_FAST] = 1, [EFFORT_SMALL] = 9}};

/* The header carries no time, so the bytes depend on the input alone. */
static size_t pack_gzip(int level, void *to, const void *from, size_t length)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)from,
                       .avail_in = (uInt)length,
                       .next_out = to,
                       .avail_out = (uInt)length - 1};
    if (length > UINT32_MAX ||
        deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return 0;
    size_t written = deflate(&stream, Z_FINISH) == Z_STREAM_END ? stream.total_out : 0;
    deflateEnd(&stream);
    return written;
}

/* Bytes written, fewer than `length`; 0: coding does not pay, or there is no memory. */
static size_t pack(enum coding coding, int level, void *to, const void *from, size_t length)
{
    if (coding == CODING_GZIP)
        return pack_gzip(level, to, from, length);
    size_t written = ZSTD_compress(to, length - 1, from, length, level);
    return ZSTD_isError(written) ? 0 : written;
}

struct blob *coding_apply(enum coding coding, enum effort effort, const void *bytes, size_t length,
                          const char *media)
{
    assert(coding < CODING_END && media);
    bool pays = coding && length >= WORTH_CODING && strncmp(media, "image/png", 9) != 0;
    void *packed = pays ? malloc(length) : NULL;
    size_t written = packed ? pack(coding, levels[coding][effort], packed, bytes, length) : 0;
    struct blob *blob = written ? blob_new(packed, written, media) : blob_new(bytes, length, media);
    if (blob && written)
        blob->coding = coding_names[coding];
    free(packed);
    return blob;
}
