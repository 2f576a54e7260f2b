/* suggestion.h: which of the words that there are was meant by one that there is not. */
#ifndef MAPWRIGHT_SUGGESTION_H
#define MAPWRIGHT_SUGGESTION_H

#include "lib/span.h"

/* The nearest word so far; begin with {.meant = what was written}. */
struct suggestion {
    struct span meant;
    const char *nearest; /* NULL: none is near */
    int edits;           /* to the nearest */
};

/*
 * Considers one of the words. A word is near where a third of it at most has to be edited: letters
 * put in, left out, changed, or two beside each other exchanged (the optimal string alignment
 * distance: Damerau, «A technique for computer detection and correction of spelling errors»,
 * Communications of the ACM 7, 1964). Of equally near ones the first stays. In time of the product
 * of the lengths; words of more than 32 letters are near none. Whether it is the nearest now.
 */
bool mw_consider_word(struct suggestion *, const char *word);

#endif
