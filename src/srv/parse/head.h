/*
 * head.h: the head of a request: method, target, and the fields that the service reads.
 *
 * Spans point into the received bytes. Fields without a row below are ignored.
 */
#ifndef MAPWRIGHT_HEAD_H
#define MAPWRIGHT_HEAD_H

#include "srv/base/words.h"

#include <stdbool.h>

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

/* Ignores case; HEADER_END: the service does not read it. */
enum header header_named(const char *name, size_t length);

enum { MOST_FIELDS = 192 }; /* of those that are read */

struct head {
    struct span method;
    struct span target; /* origin form, whose `/` may be left out, or `*`; at NULL: not known */
    int count;
    struct field {
        enum header header; /* HEADER_END: it was removed */
        struct span value;  /* trimmed */
    } fields[MOST_FIELDS];
};

/* A head without fields. */
void head_begin(struct head *);
/* There is room for it. */
void head_add(struct head *, enum header, struct span value);
bool head_has(const struct head *, enum header);
/* Removes all fields of that name. */
void head_remove(struct head *, enum header);

#endif
