/* strbuf.c: a growing buffer of text. */
#include "strbuf.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool strbuf_reserve(struct strbuf *text, size_t n)
{
    assert(text->length <= text->room);
    if (text->failed)
        return false;
    if (text->room - text->length >= n)
        return true;
    size_t room = text->room ? text->room : 256;
    while (room - text->length < n)
        room *= 2;
    char *at = realloc(text->at, room);
    if (!at) {
        text->failed = true;
        return false;
    }
    text->at = at;
    text->room = room;
    assert(text->room - text->length >= n);
    return true;
}

void strbuf_put(struct strbuf *text, const char *bytes, size_t n)
{
    if (!n || !strbuf_reserve(text, n))
        return;
    memcpy(text->at + text->length, bytes, n);
    text->length += n;
}

void strbuf_add(struct strbuf *text, const char *string)
{
    strbuf_put(text, string, strlen(string));
}

void strbuf_char(struct strbuf *text, char c) { strbuf_put(text, &c, 1); }

/* Formats into the room that is left, and again with more room if that was too little. */
void strbuf_format(struct strbuf *text, const char *format, ...)
{
    for (size_t room; !text->failed;) {
        va_list list;
        room = text->room - text->length;
        va_start(list, format);
        int n = vsnprintf(room ? text->at + text->length : NULL, room, format, list);
        va_end(list);
        if (n < 0)
            return;
        if ((size_t)n < room) {
            text->length += (size_t)n;
            return;
        }
        strbuf_reserve(text, (size_t)n + 1);
    }
}

void strbuf_drop(struct strbuf *text, size_t n)
{
    assert(n <= text->length);
    text->length -= n;
    if (text->length)
        memmove(text->at, text->at + n, text->length);
}

void strbuf_clear(struct strbuf *text)
{
    text->length = 0;
    text->failed = false;
}

void strbuf_release(struct strbuf *text)
{
    free(text->at);
    *text = (struct strbuf){0};
}

struct blob *strbuf_blob(struct strbuf *text, const char *media)
{
    struct blob *blob = text->failed ? NULL : blob_new(text->at, text->length, media);
    strbuf_release(text);
    return blob;
}

/* jansson ignores some of its failures (those of keys), so the buffer has to note them. */
static int append(const char *bytes, size_t length, void *to)
{
    strbuf_put(to, bytes, length);
    return 0;
}

void strbuf_json(struct strbuf *to, json_t *document)
{
    to->failed |= json_dump_callback(document, append, to, JSON_REAL_PRECISION(3)) != 0;
    json_decref(document);
}

struct blob *json_blob(json_t *document, const char *media)
{
    struct strbuf text = {0};
    strbuf_json(&text, document);
    strbuf_char(&text, '\n');
    return strbuf_blob(&text, media);
}
