/* format.h: digits, and the part of printf that the library needs. It knows no locale. */
#ifndef MAPWRIGHT_FORMAT_H
#define MAPWRIGHT_FORMAT_H

#include "gen.h"

#include <stdarg.h>

/* Bytes of the longest number, which are 2^64 - 1 and -2^63. */
enum { MW_DIGITS = 20 };

/* Puts, piece by piece, what has %s %.*s %c %d %u %lld %llu %zu %% in it. */
typedef void mw_putter(void *context, const char *piece, size_t);
void mw_format(mw_putter *, void *context, const char *format, va_list);

#endif
