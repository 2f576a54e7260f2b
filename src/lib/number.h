/* number.h: text to numbers. */
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

/* Reads a number of bytes: 1048576, 1024K, 1M, 2G (K is 1024). False: it is none, or larger than
   any memory. */
bool mw_read_size(const char *text, int64_t *bytes);

/* The value of a hexadecimal digit of either case; -1: it is none. */
int mw_hex_digit(char c);
/* The byte that an escape %XX at `at` stands for; -1: no whole one stands before `end`. */
int mw_read_escape(const char *at, const char *end);

#endif
