/* wrap.h: text for terminals. */
#ifndef MAPWRIGHT_WRAP_H
#define MAPWRIGHT_WRAP_H

#include <stdio.h>

/* Writes words from column `at` on, in lines of at most 78 columns, the further ones indented. */
void wrap_words(FILE *, const char *text, int at, int indent);

#endif
