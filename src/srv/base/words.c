/* words.c: tokens, values and lists in the fields of HTTP. */
#include "words.h"

#include "lib/number.h"

#include <assert.h>
#include <strings.h>

bool span_has_only(struct span text, bool (*allowed)(char))
{
    bool good = true;
    for (size_t i = 0; i < text.length; i++)
        good &= allowed(text.at[i]);
    return good;
}

bool span_is_token(struct span text) { return text.length && span_has_only(text, is_token_char); }

int64_t span_number(struct span text, int64_t most)
{
    int64_t value = 0;
    if (!text.length || !span_has_only(text, is_digit))
        return -1;
    for (size_t i = 0; i < text.length; i++) {
        int digit = text.at[i] - '0';
        value = value > (most - digit) / 10 ? most : value * 10 + digit;
    }
    assert(value >= 0 && value <= most);
    return value;
}

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

bool span_decode(struct span text, char *to, size_t room)
{
    const char *at = text.at, *end = at + text.length;
    for (; at < end && room > 1; room--) {
        int byte = *at == '%' ? mw_read_escape(at, end) : (unsigned char)*at;
        if (byte <= 0)
            return false;
        *to++ = (char)byte;
        at += *at == '%' ? 3 : 1;
    }
    *to = '\0';
    return at == end;
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

enum line line_next(struct span *rest, struct span *line)
{
    const char *end = memchr(rest->at, '\n', rest->length);
    if (!end)
        return LINE_OPEN;
    size_t length = (size_t)(end - rest->at);
    bool whole = length && end[-1] == '\r';
    *line = (struct span){rest->at, length - whole};
    rest->at += length + 1;
    rest->length -= length + 1;
    return whole ? LINE_WHOLE : LINE_BROKEN;
}

bool field_split(struct span line, struct span *name, struct span *value)
{
    const char *colon = memchr(line.at, ':', line.length);
    *name = (struct span){line.at, colon ? (size_t)(colon - line.at) : 0};
    if (!span_is_token(*name))
        return false;
    *value = span_trim((struct span){colon + 1, line.length - name->length - 1});
    return span_has_only(*value, is_value_char);
}
