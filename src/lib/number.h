/* number.h: decimal text to whole numbers of a unit. */
#ifndef MAPWRIGHT_NUMBER_H
#define MAPWRIGHT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Larger numbers come out as this. */
#define MW_NUMBER_MOST INT64_C(1000000000000000000)

/* Reads `length` characters as a number in units of 10^-decimals, rounding half away from zero;
   `exact` tells whether nothing was rounded off. False: it is no number. */
bool mw_read_number(const char *text, size_t length, int decimals, int64_t *value, bool *exact);

#endif
