/*
 * strbuf.h: a growing buffer of text.
 *
 * Without memory it stops growing and sets `failed`, which a writer checks once, at the end. It is
 * not terminated by a NUL unless one was put.
 */
#ifndef MAPWRIGHT_STRBUF_H
#define MAPWRIGHT_STRBUF_H

#include "blob.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct strbuf {
    char *at;
    size_t length, room;
    bool failed;
};

/* Makes room for n more bytes; false without memory. */
bool strbuf_reserve(struct strbuf *, size_t n);
void strbuf_put(struct strbuf *, const char *, size_t);
void strbuf_add(struct strbuf *, const char *);
void strbuf_char(struct strbuf *, char);
void strbuf_format(struct strbuf *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Removes its first n bytes. */
void strbuf_drop(struct strbuf *, size_t n);
/* Forgets the content, and keeps the room. */
void strbuf_clear(struct strbuf *);
void strbuf_release(struct strbuf *);
/* Appends a document, and takes its reference; NULL: there was no memory for it. Real numbers have
   three digits. */
void strbuf_json(struct strbuf *, json_t *);
/* Copies the content into a blob and releases it; NULL without memory, or if the text failed. */
struct blob *strbuf_blob(struct strbuf *, const char *media);

/* The document on a line. NULL without memory. */
struct blob *json_blob(json_t *, const char *media);

#endif
