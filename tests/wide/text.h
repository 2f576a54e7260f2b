/* text.h: a text that grows at its end. */
#ifndef MAPWRIGHT_WIDE_TEXT_H
#define MAPWRIGHT_WIDE_TEXT_H

#include <stddef.h>

/* Ends in a NUL that `length` does not count. Begins as {0}. */
struct text {
    char *at;
    size_t length, room;
};

void text_release(struct text *);
void text_clear(struct text *);
void text_add(struct text *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_char(struct text *, char);
/* As it must stand as a value in a URL; all but letters, digits and `plain` escaped. */
void text_add_escaped(struct text *, const char *at, size_t length, const char *plain);

#endif
