/* words.h: tokens, values and lists in the fields of HTTP (RFC 9110, 5.5 and 5.6). */
#ifndef MAPWRIGHT_WORDS_H
#define MAPWRIGHT_WORDS_H

#include "lib/span.h"

static inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Of methods, names of fields, and most other words. */
static inline bool is_token_char(char c)
{
    char lower = (char)(c | 0x20);
    return (lower >= 'a' && lower <= 'z') || c == '-' || is_digit(c) ||
           (c && strchr("!#$%&'*+.^_`|~", c));
}

/* Of the values of fields: no control character but the tab. */
static inline bool is_value_char(char c)
{
    unsigned char u = (unsigned char)c;
    return (u >= 0x20 && u != 0x7f) || u == '\t';
}

bool span_has_only(struct span, bool (*allowed)(char));
/* A word of such characters, and not empty. */
bool span_is_token(struct span);
/* Digits alone, as a number; larger ones are `most`. -1: it is none. */
int64_t span_number(struct span, int64_t most);
/* Without the blanks around it. */
struct span span_trim(struct span);
/* Ignores case. */
bool span_is_word(struct span, const char *word);
/* Copies it with a NUL, %XX decoded. False: too long, a zero byte, or a broken escape. */
bool span_decode(struct span, char *to, size_t room);
/* Takes the next member that is not empty, trimmed; separators within quotes do not count. False at
   the end of the list. */
bool list_next(struct span *list, char separator, struct span *member);

enum line { LINE_WHOLE, LINE_OPEN, LINE_BROKEN };

/* Takes the next line, without its end. A line feed alone does not end a line: parsers that accept
   it would see another request (RFC 9112, 2.2, allows both). */
enum line line_next(struct span *rest, struct span *line);
/* "name: value", the value trimmed; false: it is no such line. */
bool field_split(struct span line, struct span *name, struct span *value);

#endif
