/*
 * parcel.c: an answer as it is kept outside of this process.
 *
 *     "mw1" coding(1) length(8) checksum(16) | title(4, and the text) bytes
 *
 * Numbers are little-endian; the title is the name of the map, a blank and its address. The
 * checksum is SipHash, keyed by all that stands before it, over all that stands behind it: it finds
 * what went wrong by chance, and is no seal.
 */
#include "parcel.h"

#include "srv/base/siphash.h"
#include "srv/keep/cache.h"

#include <assert.h>
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { MARK = 4, HEAD = MARK + 8 + 16, LONGEST_ANSWER = 1 << 28 };

static const char marks[][MARK + 1] = {[CODING_NONE] = "mw1n", [CODING_ZSTD] = "mw1z"};

void parcel_name(const struct key *key, char name[PARCEL_NAME])
{
    char look[MW_LOOK_BYTES];
    int length = (int)(mw_write_look(look, &key->look) - look);
    int n = snprintf(name, PARCEL_NAME, "%s.%s%.*s", key->id, key->encoder->name, length, look);
    assert(n > 0 && n < PARCEL_NAME);
    (void)n;
}

/* ---- title ----------------------------------------------------------------------------------- */

static char *put(char *to, const void *bytes, size_t length)
{
    memcpy(to, bytes, length);
    return to + length;
}

static size_t title_size(const char *name, const struct key *key)
{
    return 4 + strlen(name) + 1 + key->length;
}

static char *put_title(char *to, const char *name, const struct key *key)
{
    uint32_t length = htole32((uint32_t)(title_size(name, key) - 4));
    to = put(put(to, &length, 4), name, strlen(name));
    return put(put(to, " ", 1), key->address, key->length);
}

/* What follows it; NULL: it is another. */
static const char *skip_title(const char *at, const char *end, const struct key *key)
{
    char name[PARCEL_NAME];
    uint32_t length;
    parcel_name(key, name);
    size_t n = strlen(name), size = title_size(name, key);
    if ((size_t)(end - at) < size)
        return NULL;
    memcpy(&length, at, 4);
    bool same = le32toh(length) == size - 4 && !memcmp(at + 4, name, n) && at[4 + n] == ' ' &&
                !memcmp(at + 4 + n + 1, key->address, key->length);
    return same ? at + size : NULL;
}

/* ---- checksum -------------------------------------------------------------------------------- */

static struct siphash checksum(const char *parcel, size_t length)
{
    uint64_t key[2] = {0};
    memcpy(key, parcel, MARK);
    memcpy(key + 1, parcel + MARK, 8);
    struct siphash hash = siphash(key, parcel + HEAD, length - HEAD);
    hash.words[0] = htole64(hash.words[0]);
    hash.words[1] = htole64(hash.words[1]);
    return hash;
}

static bool is_whole(const struct blob *blob)
{
    if (blob->length < HEAD)
        return false;
    struct siphash hash = checksum(blob->bytes, blob->length);
    return !memcmp(&hash, blob->bytes + MARK + 8, sizeof hash);
}

/* ---- packing --------------------------------------------------------------------------------- */

/* In `room` bytes at `to`; 0: there are too many. */
static size_t put_bytes(char *to, size_t room, const char *bytes, size_t length, const char *media,
                        enum coding *coding)
{
    size_t packed = coding_zstd(to, room, bytes, length, media);
    *coding = packed ? CODING_ZSTD : CODING_NONE;
    if (packed || length > room)
        return packed;
    memcpy(to, bytes, length);
    return length;
}

static size_t write_parcel(char *to, const struct key *key, const char *bytes, size_t length)
{
    char name[PARCEL_NAME];
    enum coding coding;
    uint64_t unpacked = htole64(length);
    parcel_name(key, name);
    char *at = put_title(to + HEAD, name, key);
    size_t room = LONGEST_PARCEL - (size_t)(at - to);
    size_t n = put_bytes(at, room, bytes, length, key->encoder->media, &coding);
    if (!n)
        return 0;
    put(put(to, marks[coding], MARK), &unpacked, 8);
    struct siphash hash = checksum(to, (size_t)(at - to) + n);
    put(to + MARK + 8, &hash, sizeof hash);
    return (size_t)(at - to) + n;
}

struct blob *parcel_pack(const struct key *key, const char *bytes, size_t length)
{
    if (!length || length > LONGEST_ANSWER || key->length > LONGEST_PARCEL / 2)
        return NULL;
    char *parcel = malloc(LONGEST_PARCEL);
    size_t n = parcel ? write_parcel(parcel, key, bytes, length) : 0;
    struct blob *blob = n ? blob_new(parcel, n, NULL) : NULL;
    free(parcel);
    return blob;
}

/* ---- unpacking ------------------------------------------------------------------------------- */

static bool read_mark(const char *at, enum coding *coding)
{
    *coding = memcmp(at, marks[CODING_ZSTD], MARK) ? CODING_NONE : CODING_ZSTD;
    return !memcmp(at, marks[*coding], MARK);
}

bool parcel_open(const struct blob *blob, const struct key *key, struct parcel *parcel)
{
    uint64_t length;
    if (!is_whole(blob) || !read_mark(blob->bytes, &parcel->coding))
        return false;
    const char *end = blob->bytes + blob->length;
    memcpy(&length, blob->bytes + MARK, 8);
    parcel->length = (size_t)le64toh(length);
    parcel->bytes = skip_title(blob->bytes + HEAD, end, key);
    parcel->size = parcel->bytes ? (size_t)(end - parcel->bytes) : 0;
    return parcel->size && parcel->length <= LONGEST_ANSWER &&
           (parcel->coding || parcel->size == parcel->length);
}

struct blob *parcel_unpack(const struct parcel *parcel, const char *media)
{
    if (!parcel->coding)
        return blob_new(parcel->bytes, parcel->length, media);
    struct blob *blob = blob_reserve(parcel->length, media);
    if (!blob)
        return NULL;
    size_t n = ZSTD_decompress(blob->bytes, blob->length, parcel->bytes, parcel->size);
    if (n == blob->length)
        return blob;
    blob_drop(blob);
    return NULL;
}
