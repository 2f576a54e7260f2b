/* text.h: text that grows. Without memory it stops growing and says so in `failed`. */
#ifndef MAPWRIGHT_SERVER_TEXT_H
#define MAPWRIGHT_SERVER_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
    char *at;
    size_t length, room;
    bool failed;
};

/* Makes room for n more bytes; false without memory. */
bool text_room(struct text *, size_t n);
void text_put(struct text *, const char *, size_t);
void text_add(struct text *, const char *);
void text_char(struct text *, char);
void text_format(struct text *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A JSON string, with its quotes; bytes that are not UTF-8 become U+FFFD. */
void text_json(struct text *, const char *, size_t);
/* Forgets the content and keeps up to `keep` bytes of room. */
void text_reset(struct text *, size_t keep);
void text_release(struct text *);

#endif
