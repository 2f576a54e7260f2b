/* bytes.h: numbers as bytes and as decimals. */
#ifndef MAPWRIGHT_BYTES_H
#define MAPWRIGHT_BYTES_H

#include "lib/gen.h"

/* The lowest bytes of a number, the lowest first; the byte past them. */
static inline char *bytes_write_little(char *to, uint32_t number, int bytes)
{
    assert(bytes > 0 && bytes <= 4);
    for (int i = 0; i < bytes; i++)
        *to++ = (char)(number >> 8 * i & 255);
    return to;
}
/* The highest first. */
static inline char *bytes_write_big(char *to, uint64_t number, int bytes)
{
    assert(bytes > 0 && bytes <= 8);
    while (bytes--)
        *to++ = (char)(number >> 8 * bytes & 255);
    return to;
}
static inline void bytes_put_little(struct mw_run *run, uint32_t number)
{
    mw_end_output(run, bytes_write_little(mw_reserve_output(run, 4), number, 4));
}
static inline void bytes_put_big(struct mw_run *run, uint32_t number)
{
    mw_end_output(run, bytes_write_big(mw_reserve_output(run, 4), number, 4));
}
/* A number in parts of `unit`, a power of ten, as a decimal without zeros at its end. */
static inline char *bytes_write_decimal(char *to, int64_t n, int64_t unit)
{
    assert(unit > 0 && n > INT64_MIN);
    if (n < 0)
        *to++ = '-';
    n = n < 0 ? -n : n;
    to = mw_write_digits(to, (uint64_t)(n / unit));
    if (n %= unit)
        *to++ = '.';
    for (; n; n %= unit) {
        unit /= 10;
        *to++ = (char)('0' + n / unit);
    }
    return to;
}
static inline void bytes_put_decimal(struct mw_run *run, int64_t n, int64_t unit)
{
    mw_end_output(run, bytes_write_decimal(mw_reserve_output(run, 40), n, unit));
}

#endif
