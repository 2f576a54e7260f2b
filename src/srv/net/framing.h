/*
 * framing.h: where requests begin and end in what a client sends (RFC 9112), and whether they are
 * fit to be let in.
 *
 * Only sizes and syntax are judged here; what the fields say is read once, later.
 */
#ifndef MAPWRIGHT_FRAMING_H
#define MAPWRIGHT_FRAMING_H

#include "api/fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LONGEST_URI = 8000, /* bytes of the longest address */
    /* bytes of the whole head, each field and parameter counted as FIELD_COST more */
    LONGEST_HEAD = 12 * 1024,
    FIELD_COST = 64,
};

/* What follows a head. */
struct body {
    enum body_state {
        BODY_NONE, /* a head does */
        BODY_BYTES,
        BODY_CHUNK_SIZE,
        BODY_CHUNK_EXTENSION,
        BODY_CHUNK_BYTES,
        BODY_CHUNK_END,
        BODY_TRAILER,
    } state;
    uint64_t left;   /* bytes, of the body or of the chunk */
    unsigned digits; /* of a chunk's size; bytes of any other line */
    bool cr;         /* the last byte was a carriage return */
};

enum framing_outcome { FRAMING_PASS, FRAMING_WAIT, FRAMING_REFUSE };

struct verdict {
    enum framing_outcome outcome; /* WAIT: there is more to come before anything can be said */
    enum fault fault;             /* REFUSE */
    const char *detail;           /* NULL: what the fault says */
    bool bare;                    /* REFUSE: of a HEAD, whose answer has no body */
    size_t length;                /* PASS: bytes of the head */
    struct body body;             /* PASS */
};

/* Judges the bytes of a head that have come so far. */
struct verdict framing_judge(const char *head, size_t length);

/* How many of the bytes belong to the body; `body` is NONE when it has ended. *malformed: what
   stands there is no chunked body. */
size_t framing_follow(struct body *, const char *bytes, size_t length, bool *malformed);

#endif
