/*
 * framing.h: parses the heads of requests (RFC 9112), and accepts or refuses them.
 *
 * Strictly: where the RFC leaves a choice, the narrower one. A line ends with CR and LF, a field is
 * not folded, a length is one number, a body is announced in one way.
 */
#ifndef MAPWRIGHT_FRAMING_H
#define MAPWRIGHT_FRAMING_H

#include "api/fault.h"
#include "body.h"

enum {
    LONGEST_URI = 8000,       /* bytes of the longest address */
    LONGEST_HEAD = 12 * 1024, /* and of the whole head */
    MOST_BLANK_LINES = 4,     /* before a request; they are let pass (2.2) */
};

/* The header fields that are read: a new one is a row here, and nothing else. */
#define HEADERS(ROW) \
    ROW(HOST, "Host") \
    ROW(ACCEPT, "Accept") \
    ROW(ACCEPT_ENCODING, "Accept-Encoding") \
    ROW(CONTENT_TYPE, "Content-Type") \
    ROW(CONTENT_ENCODING, "Content-Encoding") \
    ROW(IF_MATCH, "If-Match") \
    ROW(IF_NONE_MATCH, "If-None-Match") \
    ROW(REQUEST_ID, "X-Request-Id") \
    ROW(TRACEPARENT, "Traceparent") \
    ROW(PREFER, "Prefer") \
    ROW(FORWARDED_PROTO, "X-Forwarded-Proto") \
    ROW(FORWARDED_PREFIX, "X-Forwarded-Prefix") \
    ROW(FORWARDED_FOR, "X-Forwarded-For") \
    ROW(AUTHORIZATION, "Authorization") \
    ROW(CONNECTION, "Connection") \
    ROW(CONTENT_LENGTH, "Content-Length") \
    ROW(TRANSFER_ENCODING, "Transfer-Encoding") \
    ROW(EXPECT, "Expect")

enum header {
#define ROW(name, spelling) HEADER_##name,
    HEADERS(ROW)
#undef ROW
        HEADER_END
};

enum { MOST_FIELDS = 192 }; /* of those that are read */

/* Spans point into the received bytes. Fields without a row above are ignored. */
struct head {
    struct span method;
    struct span target; /* origin form, whose `/` may be left out, or `*`; at NULL: not known */
    enum fault fault;   /* why the request is refused; FAULT_NONE: it is not */
    const char *detail; /* NULL: the meaning of the fault */
    size_t length;      /* bytes of the head; 0: it is refused, or not complete */
    struct body body;   /* that follows */
    bool old;           /* HTTP/1.0 */
    bool close;         /* the connection ends with its answer */
    bool expects;       /* 100 Continue before the body */
    int count;
    struct field {
        enum header header;
        struct span value; /* trimmed */
    } fields[MOST_FIELDS];
};

/* A head without fields. */
void head_begin(struct head *);
/* There is room for it. */
void head_add(struct head *, enum header, struct span value);
/* Reads and judges the bytes of a head received so far. */
void head_read(struct head *, struct span bytes);

#endif
