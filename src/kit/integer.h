/* integer.h: the whole numbers that geometry and shares need, the same on every machine. */
#ifndef MAPWRIGHT_INTEGER_H
#define MAPWRIGHT_INTEGER_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

static inline int32_t mw_min(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t mw_max(int32_t a, int32_t b) { return a > b ? a : b; }
static inline int64_t mw_min64(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t mw_max64(int64_t a, int64_t b) { return a > b ? a : b; }

static inline int32_t mw_abs(int32_t n) { return n < 0 ? -n : n; }

/* n, brought into low .. high; low <= high. */
static inline int32_t mw_clamp(int32_t n, int32_t low, int32_t high)
{
    assert(low <= high);
    return mw_min(mw_max(n, low), high);
}

/* a / b towards minus and towards plus infinity; b > 0. */
static inline int64_t mw_floor_div(int64_t a, int64_t b)
{
    assert(b > 0);
    return a / b - (a % b < 0);
}
static inline int64_t mw_ceil_div(int64_t a, int64_t b)
{
    assert(b > 0);
    return a / b + (a % b > 0);
}

/* Eight bytes as a number, the first of them the lowest, on machines of either order. */
static inline uint64_t mw_eight_bytes(const uint8_t *at)
{
    uint64_t eight;
    memcpy(&eight, at, sizeof eight);
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(eight) : eight;
}

/* The first of n bytes, from i on, that is not 0; or n. */
static inline int32_t mw_next_byte(const uint8_t *at, int32_t i, int32_t n)
{
    for (; i + 8 <= n; i += 8) {
        uint64_t eight = mw_eight_bytes(at + i);
        if (eight)
            return i + __builtin_ctzll(eight) / 8;
    }
    while (i < n && !at[i])
        i++;
    return i;
}

static inline void mw_put_eight_bytes(char *to, uint64_t eight)
{
    eight = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(eight) : eight;
    memcpy(to, &eight, sizeof eight);
}

/* How many bits are set: by pairs, by fours, by bytes, and the sum of these. */
static inline int32_t mw_count_bits(uint64_t n)
{
    n -= n >> 1 & UINT64_C(0x5555555555555555);
    n = (n & UINT64_C(0x3333333333333333)) + (n >> 2 & UINT64_C(0x3333333333333333));
    n = (n + (n >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int32_t)(n * UINT64_C(0x0101010101010101) >> 56);
}

/* The whole part of the square root; 0 below 0. The rounding errors of doubles are less than
   one, and corrected: so it is the same on every machine. */
static inline int64_t mw_root(int64_t n)
{
    n = n > 0 ? n : 0; /* doubles convert faster from and to signed numbers */
    uint64_t square = (uint64_t)n, root = (uint64_t)(int64_t)__builtin_sqrt((double)n);
    root -= root * root > square;
    return (int64_t)(root + ((root + 1) * (root + 1) <= square));
}

#endif
