/*
 * body.h: what follows a head, by a length or in chunks (RFC 9112, 6 and 7): where it ends, and
 * what of it is the body.
 */
#ifndef MAPWRIGHT_BODY_H
#define MAPWRIGHT_BODY_H

#include "srv/base/words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of extensions and trailers, which are ignored, that a body may have in all. */
enum { MOST_EXTRA = 4096 };

struct body {
    enum body_state {
        BODY_NONE, /* a head does, or it has ended */
        BODY_BYTES,
        BODY_CHUNK_SIZE,
        BODY_CHUNK_BYTES,
        BODY_CHUNK_END,
        BODY_TRAILERS,
    } state;
    uint64_t left; /* bytes, of the body or of the chunk */
    size_t extra;  /* ignored bytes so far */
};

/*
 * Takes a line of the framing, or a piece of the body itself, which is left in *piece; how many
 * bytes these are: 0 if a line is not complete. `body` is NONE when it has ended. *malformed: what
 * is there is no chunked body.
 */
size_t body_take(struct body *, struct span bytes, struct span *piece, bool *malformed);

#endif
