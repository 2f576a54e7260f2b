/*
 * writer.h: a document of maps, lists and scalars, as events, in YAML or JSON.
 *
 * `key` names a member of a map, and is NULL in a list and for the root. Without memory the writer
 * goes on doing nothing, and writer_finish gives NULL: callers need not look in between.
 */
#ifndef MAPWRIGHT_WRITER_H
#define MAPWRIGHT_WRITER_H

#include "openapi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WRITER_DEPTH = 32 };

struct writer {
    enum openapi_syntax syntax;
    char *text;
    size_t length, room;
    bool failed;
    bool beside_dash; /* YAML: the next item stands on the line of its list's dash */
    int depth;
    struct level {
        bool list;
        int items;
    } levels[WRITER_DEPTH];
};

void put_map(struct writer *, const char *key);
void put_list(struct writer *, const char *key);
void put_end(struct writer *); /* of the innermost map or list */

void put_text(struct writer *, const char *key, const char *text);
void put_text_of(struct writer *, const char *key, const char *text, size_t length);
/* printf, cut at 1000 bytes */
void put_format(struct writer *, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void put_int(struct writer *, const char *key, int64_t);
void put_thousandths(struct writer *, const char *key, int64_t); /* 500 as 0.5 */
void put_bool(struct writer *, const char *key, bool);
/* A value that is spelled alike in JSON and YAML already: a number, true, null, `[1,2]`. */
void put_raw(struct writer *, const char *key, const char *json, size_t length);
/* A well-formed JSON value; its objects become maps. */
void put_json(struct writer *, const char *key, const char *json, size_t length);

/* The document, malloc'd, or NULL. */
char *writer_finish(struct writer *);

#endif
