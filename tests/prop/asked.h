/*
 * asked.h: a request, read back from the text of its address, for checkers that share nothing with
 * the generators.
 */
#ifndef MAPWRIGHT_ASKED_H
#define MAPWRIGHT_ASKED_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline int asked_digit(char c) { return c <= '9' ? c - '0' : (c | 32) - 'a' + 10; }

/* The value of a parameter, unescaped, to be freed; NULL when the address has none. */
static inline char *asked_text(const char *address, const char *name)
{
    size_t length = strlen(name);
    const char *at = strchr(address, '?');
    while (at && (strncmp(at + 1, name, length) || at[length + 1] != '='))
        at = strchr(at + 1, '&');
    if (!at)
        return NULL;
    at += length + 2;
    char *value = malloc(strcspn(at, "&") + 1), *to = value;
    while (*at && *at != '&') {
        *to++ = (char)(*at == '%' ? asked_digit(at[1]) * 16 + asked_digit(at[2]) : *at);
        at += *at == '%' ? 3 : 1;
    }
    *to = '\0';
    return value;
}

static inline bool asked_is(const char *address, const char *name, const char *value)
{
    char *text = asked_text(address, name);
    bool same = text && !strcmp(text, value);
    free(text);
    return same;
}

/* The k-th number of a list, or the number where there is one. */
static inline long asked_number(const char *address, const char *name, int k)
{
    char *text = asked_text(address, name), *at = text;
    while (at && k-- > 0)
        at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL;
    long value = at ? strtol(at, NULL, 10) : -1;
    free(text);
    return value;
}

/* A decimal in thousandths. */
static inline long asked_thousandths(const char *address, const char *name)
{
    char *text = asked_text(address, name);
    long value = text ? (long)(strtod(text, NULL) * 1000 + 0.5) : -1;
    free(text);
    return value;
}

#endif
