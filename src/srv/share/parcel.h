/*
 * parcel.h: the values in the store, which may be lost, mixed up, or forged.
 *
 * A parcel has a seal: HMAC-SHA256 (RFC 2104) over the name that it is kept under and its content,
 * with the key of --store-key. The content is compressed by zstd where that pays.
 */
#ifndef MAPWRIGHT_PARCEL_H
#define MAPWRIGHT_PARCEL_H

#include "srv/out/coding.h"

#include <nettle/hmac.h>

enum { LONGEST_PARCEL = 1 << 20 };

/* Never changes once it is made: for any thread. */
struct seal {
    struct hmac_sha256_ctx keyed;
};

/* "": the seal detects accidents, not forgery. */
void seal_init(struct seal *, const char *key);

/* NULL: no memory, or it would be longer than LONGEST_PARCEL. `media` says whether to compress. */
struct blob *parcel_pack(const struct seal *, const char *name, const char *bytes, size_t length,
                         const char *media);

struct parcel {
    size_t length; /* of the content, uncompressed */
    enum coding coding;
    const char *bytes; /* as compressed by `coding` */
    size_t size;
};

/* False: it is not what is kept under that name, or its content is longer than `longest`. */
bool parcel_open(const struct seal *, const char *name, const char *bytes, size_t length,
                 size_t longest, struct parcel *);
/* The content, uncompressed; NULL: no memory, or it was not zstd. */
struct blob *parcel_unpack(const struct parcel *, const char *media);

#endif
