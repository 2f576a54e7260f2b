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

#endif
