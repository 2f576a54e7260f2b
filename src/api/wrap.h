/* wrap.h: prose for terminals. */
#ifndef MAPWRIGHT_WRAP_H
#define MAPWRIGHT_WRAP_H

#include <stdio.h>

/* Writes words from column `at` on, broken before column 79, further lines indented. */
void wrap_words(FILE *, const char *text, int at, int indent);

#endif
