/* words.c: tokens, values and lists in the fields of HTTP. */
#include "words.h"

#include <assert.h>
#include <strings.h>

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

struct span span_trim(struct span text)
{
    while (text.length && is_blank(*text.at))
        text.at++, text.length--;
    while (text.length && is_blank(text.at[text.length - 1]))
        text.length--;
    return text;
}

bool span_is_word(struct span text, const char *word)
{
    return text.length == strlen(word) && !strncasecmp(text.at, word, text.length);
}

static size_t find_end(struct span list, char separator)
{
    size_t n = 0;
    for (bool quoted = false; n < list.length && (quoted || list.at[n] != separator); n++)
        quoted ^= list.at[n] == '"';
    return n;
}

bool list_next(struct span *list, char separator, struct span *member)
{
    do {
        if (!list->length)
            return false;
        size_t n = find_end(*list, separator), end = n < list->length ? n + 1 : n;
        *member = span_trim((struct span){list->at, n});
        *list = (struct span){list->at + end, list->length - end};
        assert(member->length <= n);
    } while (!member->length);
    return true;
}
