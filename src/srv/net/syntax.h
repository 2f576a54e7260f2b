/* syntax.h: the characters of HTTP (RFC 9110, 5.5 and 5.6.2). */
#ifndef MAPWRIGHT_SYNTAX_H
#define MAPWRIGHT_SYNTAX_H

#include <stdbool.h>
#include <string.h>

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

#endif
