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

/* NULL is empty text. */
static inline struct span span_of(const char *text)
{
    return (struct span){text ? text : "", text ? strlen(text) : 0};
}

static inline bool span_equal(struct span a, struct span b)
{
    return a.length == b.length && !memcmp(a.at, b.at, a.length);
}

static inline bool span_is(struct span span, const char *word)
{
    return span_equal(span, span_of(word));
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

/* The bytes of the UTF-8 character that it begins with (RFC 3629), and its number in Unicode; 0: it
   begins with none. */
static inline size_t span_character(struct span text, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800,
                                     0x10000}; /* shorter ones are not this long */
    const unsigned char *at = (const unsigned char *)text.at;
    if (!text.length)
        return 0;
    size_t n = *at < 0x80 ? 1 : *at >> 5 == 6 ? 2 : *at >> 4 == 14 ? 3 : *at >> 3 == 30 ? 4 : 0;
    if (!n || n > text.length)
        return 0;
    *code = n == 1 ? *at : *at & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if (at[i] >> 6 != 2)
            return 0;
        *code = *code << 6 | (at[i] & 0x3f);
    }
    bool surrogate = *code >= 0xd800 && *code <= 0xdfff;
    return *code < least[n] || *code > 0x10ffff || surrogate ? 0 : n;
}

/* Whether it is a control character, or sets the direction of text (Unicode's Bidi_Control). */
static inline bool is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0x61c || code == 0x200e ||
           code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

#endif
