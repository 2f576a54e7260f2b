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

#endif
