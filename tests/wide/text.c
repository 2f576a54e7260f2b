/* text.c: a text that grows at its end. */
#include "text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_release(struct text *text)
{
    free(text->at);
    *text = (struct text){0};
}

static void make_room(struct text *text, size_t more)
{
    if (text->room - text->length > more)
        return;
    text->room = 2 * text->room + more + 64;
    text->at = realloc(text->at, text->room);
    if (text->at)
        return;
    fprintf(stderr, "no memory for a text of %zu bytes\n", text->room);
    exit(2);
}

void text_clear(struct text *text)
{
    make_room(text, 0);
    text->length = 0;
    text->at[0] = '\0';
}

void text_add(struct text *text, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int n = vsnprintf(NULL, 0, format, list);
    make_room(text, (size_t)n);
    vsnprintf(text->at + text->length, (size_t)n + 1, format, again);
    text->length += (size_t)n;
    va_end(again);
    va_end(list);
}

void text_add_char(struct text *text, char c)
{
    make_room(text, 1);
    text->at[text->length++] = c;
    text->at[text->length] = '\0';
}

void text_add_escaped(struct text *text, const char *at, size_t length, const char *plain)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)at[i];
        if ((c < 128 && isalnum(c)) || (c && strchr(plain, c)))
            text_add_char(text, (char)c);
        else
            text_add(text, "%%%02X", c);
    }
}
