/* cut.h: text in pieces between separators, in place. */
#ifndef MAPWRIGHT_CUT_H
#define MAPWRIGHT_CUT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct cutter {
    const char *at, *end;
    bool more;
};

static inline struct cutter cut_text(const char *text, size_t length)
{
    return (struct cutter){text, text + length, true};
}

/* The next piece; false after the last. Text without a separator is one piece, also when empty. */
static inline bool cut_next(struct cutter *cutter, char separator, const char **piece,
                            size_t *length)
{
    if (!cutter->more)
        return false;
    const char *stop = memchr(cutter->at, separator, (size_t)(cutter->end - cutter->at));
    cutter->more = stop != NULL;
    *piece = cutter->at;
    *length = (size_t)((stop ? stop : cutter->end) - cutter->at);
    cutter->at = stop ? stop + 1 : cutter->end;
    return true;
}

static inline int32_t cut_count(const char *text, size_t length, char separator)
{
    int32_t n = 1;
    for (size_t i = 0; i < length; i++)
        n += text[i] == separator;
    return n;
}

#endif
