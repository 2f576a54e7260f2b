/*
 * coding.c: content codings. What is coded for one answer is coded at the fastest level: the wire
 * is rarely the slower part. What is sent often gets the level beyond which a hundredth less costs
 * as much again, and its tables are made once for all of it: to make them is dearer than to code
 * a page.
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

struct coder {
    int gzip_level, zstd_level;
    bool deflates; /* gzip has begun */
    z_stream gzip;
    ZSTD_CCtx *zstd; /* NULL: it has not */
};

static size_t gzip_bound(size_t length) { return compressBound((uLong)length) + 32; }

static bool begin_gzip(struct coder *coder)
{
    if (coder->deflates)
        return deflateReset(&coder->gzip) == Z_OK;
    coder->deflates = deflateInit2(&coder->gzip, coder->gzip_level, Z_DEFLATED, 15 + 16, 8,
                                   Z_DEFAULT_STRATEGY) == Z_OK;
    return coder->deflates;
}

/* Bytes written, 0 on failure. The header carries no time, so the bytes depend on the input
   alone. */
static size_t gzip_pack(struct coder *coder, void *to, size_t room, const void *from, size_t length)
{
    z_stream *stream = &coder->gzip;
    if (room > UINT32_MAX || !begin_gzip(coder))
        return 0;
    stream->next_in = (Bytef *)(uintptr_t)from;
    stream->avail_in = (uInt)length;
    stream->next_out = to;
    stream->avail_out = (uInt)room;
    return deflate(stream, Z_FINISH) == Z_STREAM_END ? stream->total_out : 0;
}

static size_t zstd_pack(struct coder *coder, void *to, size_t room, const void *from, size_t length)
{
    if (!coder->zstd && !(coder->zstd = ZSTD_createCCtx()))
        return 0;
    size_t written = ZSTD_compressCCtx(coder->zstd, to, room, from, length, coder->zstd_level);
    return ZSTD_isError(written) ? 0 : written;
}

static const struct packer {
    size_t (*bound)(size_t length);
    size_t (*pack)(struct coder *, void *to, size_t room, const void *from, size_t length);
} packers[CODING_END] = {
    [CODING_GZIP] = {gzip_bound, gzip_pack},
    [CODING_ZSTD] = {ZSTD_compressBound, zstd_pack},
};

/* ---- many, one after the other --------------------------------------------------------------- */

struct coder *coder_new(void)
{
    struct coder *coder = malloc(sizeof *coder);
    if (coder)
        *coder = (struct coder){.gzip_level = 6, .zstd_level = 9};
    return coder;
}

static void release(struct coder *coder)
{
    if (coder->deflates)
        deflateEnd(&coder->gzip);
    ZSTD_freeCCtx(coder->zstd);
}

void coder_drop(struct coder *coder)
{
    if (coder)
        release(coder);
    free(coder);
}

static bool pays(size_t length, const char *media)
{
    return length >= WORTH_CODING && strncmp(media, "image/png", 9) != 0;
}

struct blob *coder_apply(struct coder *coder, enum coding coding, const void *bytes, size_t length,
                         const char *media)
{
    assert(coding < CODING_END && media);
    if (coding == CODING_NONE || !pays(length, media))
        return blob_new(bytes, length, media);
    size_t room = packers[coding].bound(length);
    void *packed = malloc(room);
    size_t written = packed ? packers[coding].pack(coder, packed, room, bytes, length) : 0;
    bool smaller = written && written < length;
    struct blob *blob = smaller ? blob_new(packed, written, media) : blob_new(bytes, length, media);
    if (blob && smaller)
        blob->coding = coding_names[coding];
    free(packed);
    return blob;
}

/* ---- one alone ------------------------------------------------------------------------------- */

static const struct coder fast = {.gzip_level = 1, .zstd_level = 1};

struct blob *coding_apply(enum coding coding, const void *bytes, size_t length, const char *media)
{
    struct coder coder = fast;
    struct blob *blob = coder_apply(&coder, coding, bytes, length, media);
    release(&coder);
    return blob;
}

size_t coding_zstd(void *to, size_t room, const void *bytes, size_t length, const char *media)
{
    struct coder coder = fast;
    size_t written = pays(length, media) ? zstd_pack(&coder, to, room, bytes, length) : 0;
    release(&coder);
    return written < length ? written : 0;
}
