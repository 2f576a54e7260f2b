/* span.h: stretches of text that need not end in NUL: compared, and cut at separators. */
#ifndef MAPWRIGHT_SPAN_H
#define MAPWRIGHT_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct span {
    const char *at;
    size_t length;
};

static inline bool span_equal(struct span a, struct span b)
{
    return a.length == b.length && !memcmp(a.at, b.at, a.length);
}

static inline bool span_is(struct span span, const char *word)
{
    return span_equal(span, (struct span){word, strlen(word)});
}

/* Cuts the next piece off; false after the last. Text without a separator is one piece, also when
   it is empty. */
static inline bool span_cut(struct span *rest, char separator, struct span *piece)
{
    if (!rest->at)
        return false;
    const char *stop = memchr(rest->at, separator, rest->length);
    *piece = (struct span){rest->at, stop ? (size_t)(stop - rest->at) : rest->length};
    *rest = stop ? (struct span){stop + 1, rest->length - piece->length - 1} : (struct span){0};
    return true;
}

/* The pieces that it can be cut into. */
static inline int32_t span_count(struct span span, char separator)
{
    int32_t n = 1;
    for (size_t i = 0; i < span.length; i++)
        n += span.at[i] == separator;
    return n;
}

/* The text behind a byte order mark, which some editors and shells put before it. */
static inline struct span span_unmarked(struct span text)
{
    bool marked = text.length >= 3 && !memcmp(text.at, "\xef\xbb\xbf", 3);
    return marked ? (struct span){text.at + 3, text.length - 3} : text;
}

/* The bytes of the UTF-8 character that it begins with (RFC 3629); 0: it begins with none. */
static inline size_t span_character(struct span text)
{
    static const struct {
        unsigned char first, last, low, high; /* of the first byte, of the second */
        size_t length;
    } forms[] = {
        {0x00, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    const unsigned char *at = (const unsigned char *)text.at;
    for (size_t i = 0; text.length && i < sizeof forms / sizeof *forms; i++) {
        if (*at < forms[i].first || *at > forms[i].last)
            continue;
        if (forms[i].length > text.length)
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

/* The bytes of a control character that it begins with, or of one that sets the direction of text
   (Unicode's Bidi_Control); 0: it begins with neither. */
static inline size_t span_control(struct span text)
{
    static const struct {
        char before[4];
        unsigned char low, high; /* of the last byte */
    } ranges[] = {
        {"", 0x00, 0x1f},         {"", 0x7f, 0x7f},         {"\xc2", 0x80, 0x9f},
        {"\xd8", 0x9c, 0x9c},     {"\xe2\x80", 0x8e, 0x8f}, {"\xe2\x80", 0xaa, 0xae},
        {"\xe2\x81", 0xa6, 0xa9},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        size_t n = strlen(ranges[i].before);
        if (text.length <= n || memcmp(text.at, ranges[i].before, n) != 0)
            continue;
        unsigned char last = (unsigned char)text.at[n];
        if (last >= ranges[i].low && last <= ranges[i].high)
            return n + 1;
    }
    return 0;
}

#endif
