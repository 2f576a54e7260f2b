/*
 * coding.c: content codings. What is coded for one answer is coded at the fastest level: the wire
 * is rarely the slower part.
 */
#include "coding.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { WORTH_CODING = 860 }; /* below, the whole answer fits one packet anyway */

const char *const coding_names[CODING_END] = {NULL, "gzip", "zstd"};

static size_t gzip_bound(size_t length) { return compressBound((uLong)length) + 32; }

/* Bytes written, 0 on failure. The header carries no time, so the bytes depend on the input
   alone. */
static size_t gzip_pack(void *to, size_t room, const void *from, size_t length, bool best)
{
    z_stream stream = {0};
    if (room > UINT32_MAX ||
        deflateInit2(&stream, best ? 9 : 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return 0;
    stream.next_in = (Bytef *)(uintptr_t)from;
    stream.avail_in = (uInt)length;
    stream.next_out = to;
    stream.avail_out = (uInt)room;
    int outcome = deflate(&stream, Z_FINISH);
    size_t written = stream.total_out;
    deflateEnd(&stream);
    return outcome == Z_STREAM_END ? written : 0;
}

static size_t zstd_pack(void *to, size_t room, const void *from, size_t length, bool best)
{
    size_t written = ZSTD_compress(to, room, from, length, best ? 15 : 1);
    return ZSTD_isError(written) ? 0 : written;
}

static const struct packer {
    size_t (*bound)(size_t length);
    size_t (*pack)(void *to, size_t room, const void *from, size_t length, bool best);
} packers[CODING_END] = {
    [CODING_GZIP] = {gzip_bound, gzip_pack},
    [CODING_ZSTD] = {ZSTD_compressBound, zstd_pack},
};

static bool pays(size_t length, const char *media)
{
    return length >= WORTH_CODING && strncmp(media, "image/png", 9) != 0;
}

struct blob *coding_apply(enum coding coding, const void *bytes, size_t length, const char *media,
                          bool best)
{
    assert(coding < CODING_END && media);
    if (coding == CODING_NONE || !pays(length, media))
        return blob_new(bytes, length, media);
    size_t room = packers[coding].bound(length);
    void *packed = malloc(room);
    size_t written = packed ? packers[coding].pack(packed, room, bytes, length, best) : 0;
    bool smaller = written && written < length;
    struct blob *blob = smaller ? blob_new(packed, written, media) : blob_new(bytes, length, media);
    if (blob && smaller)
        blob->coding = coding_names[coding];
    free(packed);
    return blob;
}

size_t coding_zstd(void *to, size_t room, const void *bytes, size_t length, const char *media)
{
    size_t written = pays(length, media) ? zstd_pack(to, room, bytes, length, false) : 0;
    return written < length ? written : 0;
}
