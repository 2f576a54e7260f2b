/*
 * plane.h: exact geometry of points whose coordinates are integers from 0 to 2^23 - 1.
 *
 * A difference of coordinates is below 2^23, a squared distance below 2^47, a turn below 2^48:
 * int64_t holds everything of degree two. Tests of degree four (circles, angles) use doubles first
 * and, near zero, 128-bit integers, written out here so that it builds anywhere.
 */
#ifndef MAPWRIGHT_PLANE_H
#define MAPWRIGHT_PLANE_H

#include "mapwright_host.h"

/* A direction, or a difference of points. */
struct ray {
    int64_t x, y;
};

static inline struct ray ray_to(struct mw_point from, struct mw_point to)
{
    return (struct ray){(int64_t)to.x - from.x, (int64_t)to.y - from.y};
}
static inline int64_t cross(struct ray a, struct ray b) { return a.x * b.y - a.y * b.x; }
static inline int64_t dot(struct ray a, struct ray b) { return a.x * b.x + a.y * b.y; }
static inline int64_t square(struct ray a) { return dot(a, a); }

/* Twice the area of a, b, c: above zero when c lies to the left of a -> b (x to the right, y
   up). */
static inline int64_t turn(struct mw_point a, struct mw_point b, struct mw_point c)
{
    return cross(ray_to(a, b), ray_to(a, c));
}

struct wide {
    uint64_t high, low;
};
static inline struct wide wide_product(uint64_t a, uint64_t b)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)middle;
    return (struct wide){a1 * b1 + (middle >> 32) + (other >> 32), other << 32 | (uint32_t)low};
}
static inline struct wide wide_sum(struct wide a, struct wide b)
{
    uint64_t low = a.low + b.low;
    return (struct wide){a.high + b.high + (low < a.low), low};
}
/* -1, 0 or 1 as a is below, at or above b. */
static inline int wide_compare(struct wide a, struct wide b)
{
    if (a.high != b.high)
        return a.high < b.high ? -1 : 1;
    return (a.low > b.low) - (a.low < b.low);
}

#endif
