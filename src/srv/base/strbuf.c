/* strbuf.c: text that grows. */
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

/* Bytes of the UTF-8 character that begins at `at`, 0 where none does (RFC 3629). */
static size_t utf8_length(const unsigned char *at, size_t left)
{
    static const struct {
        unsigned char first, last, low, high; /* of the first byte, of the second */
        size_t length;
    } forms[] = {
        {0x00, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (*at < forms[i].first || *at > forms[i].last)
            continue;
        if (forms[i].length > left)
            return 0;
        if (forms[i].length > 1 && (at[1] < forms[i].low || at[1] > forms[i].high))
            return 0;
        for (size_t k = 2; k < forms[i].length; k++)
            if ((at[k] & 0xc0) != 0x80)
                return 0;
        return forms[i].length;
    }
    return 0;
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
        size_t length = utf8_length((const unsigned char *)string + i, n - i);
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
