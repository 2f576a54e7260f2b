/*
 * noise.h: pseudo-random numbers, a hash of a number: the mixing of Wellons's hash
 * prospector. The page has the same (src/web/draw/palette.js), so that stars have the same kinds.
 */
#ifndef MAPWRIGHT_NOISE_H
#define MAPWRIGHT_NOISE_H

#include <stdint.h>

/* 32 bits. */
static inline uint32_t mw_noise(uint32_t n)
{
    uint32_t h = n * UINT32_C(0x9e3779b1) ^ UINT32_C(0x85ebca6b);
    h = (h ^ h >> 15) * UINT32_C(0x2c1b3c6d);
    h = (h ^ h >> 12) * UINT32_C(0x297a2d39);
    return h ^ h >> 15;
}

/* One of so many. */
static inline int mw_noise_below(uint32_t n, int below)
{
    return (int)((uint64_t)mw_noise(n) * (uint32_t)below >> 32);
}

#endif
