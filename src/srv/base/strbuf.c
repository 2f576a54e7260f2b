/* strbuf.c: a growing buffer of text. */
#include "strbuf.h"

#include "lib/span.h"

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

static void json_character(struct strbuf *text, const char *at, size_t length)
{
    if (!length)
        strbuf_add(text, "\xef\xbf\xbd");
    else if (*at == '"' || *at == '\\')
        strbuf_char(text, '\\'), strbuf_char(text, *at);
    else if ((unsigned char)*at < 0x20)
        strbuf_format(text, "\\u%04x", (unsigned)*at);
    else
        strbuf_put(text, at, length);
}

static bool is_plain(char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

/* How many bytes need no escape. */
static size_t plain_run(const char *string, size_t n)
{
    size_t i = 0;
    while (i < n && is_plain(string[i]))
        i++;
    return i;
}

void strbuf_json(struct strbuf *text, const char *string, size_t n)
{
    strbuf_char(text, '"');
    for (size_t i = 0; i < n;) {
        size_t plain = plain_run(string + i, n - i);
        strbuf_put(text, string + i, plain);
        i += plain;
        if (i == n)
            break;
        size_t length = span_character((struct span){string + i, n - i});
        json_character(text, string + i, length);
        i += length ? length : 1;
    }
    strbuf_char(text, '"');
}

void strbuf_reset(struct strbuf *text, size_t keep)
{
    if (text->room > keep)
        strbuf_release(text);
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
