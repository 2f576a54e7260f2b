/*
 * parcel.c: the values in the store.
 *
 *     seal(32) coding(1) length(8, little-endian) bytes
 */
#include "parcel.h"

#include <assert.h>
#include <endian.h>
#include <nettle/memops.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { SEAL = SHA256_DIGEST_SIZE, HEAD = SEAL + 1 + 8 };

static const char marks[] = {[CODING_NONE] = 'n', [CODING_ZSTD] = 'z'};

void seal_init(struct seal *seal, const char *key)
{
    hmac_sha256_set_key(&seal->keyed, strlen(key), (const uint8_t *)key);
}

static void compute_seal(const struct seal *seal, const char *name, const char *content,
                         size_t length, uint8_t digest[SEAL])
{
    struct hmac_sha256_ctx state = seal->keyed;
    hmac_sha256_update(&state, strlen(name) + 1, (const uint8_t *)name);
    hmac_sha256_update(&state, length, (const uint8_t *)content);
    hmac_sha256_digest(&state, SEAL, digest);
}

/* Bytes written; 0: there is no room. */
static size_t put_content(char *to, size_t room, const char *bytes, size_t length,
                          const char *media, enum coding *coding)
{
    size_t packed = coding_zstd(to, room, bytes, length, media);
    *coding = packed ? CODING_ZSTD : CODING_NONE;
    if (packed || length > room)
        return packed;
    memcpy(to, bytes, length);
    return length;
}

struct blob *parcel_pack(const struct seal *seal, const char *name, const char *bytes,
                         size_t length, const char *media)
{
    enum coding coding;
    uint64_t unpacked = htole64(length);
    char *parcel = length ? malloc(LONGEST_PARCEL) : NULL;
    if (!parcel)
        return NULL;
    size_t n = put_content(parcel + HEAD, LONGEST_PARCEL - HEAD, bytes, length, media, &coding);
    parcel[SEAL] = marks[coding];
    memcpy(parcel + SEAL + 1, &unpacked, sizeof unpacked);
    compute_seal(seal, name, parcel + SEAL, HEAD - SEAL + n, (uint8_t *)parcel);
    assert(HEAD + n <= LONGEST_PARCEL);
    struct blob *blob = n ? blob_new(parcel, HEAD + n, NULL) : NULL;
    free(parcel);
    return blob;
}

bool parcel_open(const struct seal *seal, const char *name, const char *bytes, size_t length,
                 size_t longest, struct parcel *parcel)
{
    uint8_t digest[SEAL];
    uint64_t unpacked;
    if (length <= HEAD || length > LONGEST_PARCEL)
        return false;
    compute_seal(seal, name, bytes + SEAL, length - SEAL, digest);
    if (!memeql_sec(digest, bytes, SEAL))
        return false;
    memcpy(&unpacked, bytes + SEAL + 1, sizeof unpacked);
    *parcel =
        (struct parcel){.length = (size_t)le64toh(unpacked),
                        .coding = bytes[SEAL] == marks[CODING_ZSTD] ? CODING_ZSTD : CODING_NONE,
                        .bytes = bytes + HEAD,
                        .size = length - HEAD};
    return bytes[SEAL] == marks[parcel->coding] && parcel->length <= longest &&
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
