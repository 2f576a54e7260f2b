/* strbuf.c: text that grows. */
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

void strbuf_format(struct strbuf *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (n < 0 || !strbuf_reserve(text, (size_t)n + 1))
        return;
    va_start(list, format);
    vsnprintf(text->at + text->length, (size_t)n + 1, format, list);
    va_end(list);
    text->length += (size_t)n;
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

void strbuf_json(struct strbuf *text, const char *string, size_t n)
{
    strbuf_char(text, '"');
    for (size_t i = 0; i < n;) {
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
