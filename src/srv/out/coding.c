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
static const int gzip_levels[] = {[EFFORT_FAST] = 1, [EFFORT_SMALL] = 6},
                 zstd_levels[] = {[EFFORT_FAST] = 1, [EFFORT_SMALL] = 9};

static size_t gzip_bound(size_t length) { return compressBound((uLong)length) + 32; }

/* Bytes written, 0 on failure. The header carries no time, so the bytes depend on the input
   alone. */
static size_t gzip_pack(enum effort effort, void *to, size_t room, const void *from, size_t length)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)from,
                       .avail_in = (uInt)length,
                       .next_out = to,
                       .avail_out = (uInt)room};
    if (room > UINT32_MAX || deflateInit2(&stream, gzip_levels[effort], Z_DEFLATED, 15 + 16, 8,
                                          Z_DEFAULT_STRATEGY) != Z_OK)
        return 0;
    size_t written = deflate(&stream, Z_FINISH) == Z_STREAM_END ? stream.total_out : 0;
    deflateEnd(&stream);
    return written;
}

static size_t zstd_pack(enum effort effort, void *to, size_t room, const void *from, size_t length)
{
    size_t written = ZSTD_compress(to, room, from, length, zstd_levels[effort]);
    return ZSTD_isError(written) ? 0 : written;
}

static const struct packer {
    size_t (*bound)(size_t length);
    size_t (*pack)(enum effort, void *to, size_t room, const void *from, size_t length);
} packers[CODING_END] = {
    [CODING_GZIP] = {gzip_bound, gzip_pack},
    [CODING_ZSTD] = {ZSTD_compressBound, zstd_pack},
};

static bool pays(size_t length, const char *media)
{
    return length >= WORTH_CODING && strncmp(media, "image/png", 9) != 0;
}

struct blob *coding_apply(enum coding coding, enum effort effort, const void *bytes, size_t length,
                          const char *media)
{
    assert(coding < CODING_END && media);
    if (coding == CODING_NONE || !pays(length, media))
        return blob_new(bytes, length, media);
    size_t room = packers[coding].bound(length);
    void *packed = malloc(room);
    size_t written = packed ? packers[coding].pack(effort, packed, room, bytes, length) : 0;
    assert(written <= room);
    bool smaller = written && written < length;
    struct blob *blob = smaller ? blob_new(packed, written, media) : blob_new(bytes, length, media);
    if (blob && smaller)
        blob->coding = coding_names[coding];
    free(packed);
    return blob;
}

size_t coding_zstd(void *to, size_t room, const void *bytes, size_t length, const char *media)
{
    size_t written = pays(length, media) ? zstd_pack(EFFORT_FAST, to, room, bytes, length) : 0;
    return written < length ? written : 0;
}
