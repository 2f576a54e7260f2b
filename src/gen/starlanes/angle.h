/*
 * angle.h: the least angle between two lanes, tested exactly.
 *
 * The angle comes as the square of its cosine in 2^-20, so that two directions are compared with it
 * in integers of 128 bits; doubles only spare most of that. To cut a sector by the angle,
 * directions are turned by one that is at most the angle, never above: what is cut off is too close
 * for certain.
 */
#ifndef MAPWRIGHT_STARLANES_ANGLE_H
#define MAPWRIGHT_STARLANES_ANGLE_H

#include "kit/integer.h"
#include "kit/plane.h"

struct angle {
    int64_t cosine;   /* squared, times 2^20 */
    struct ray least; /* a direction at the angle or barely below */
    struct ray twice; /* one at twice the angle or barely below */
};

/* Whether two directions make less than the least angle, from their dot product and the squares of
   their lengths. */
static inline bool is_narrow(const struct angle *angle, int64_t along, int64_t aa, int64_t bb)
{
    assert(aa > 0 && bb > 0);
    if (along <= 0)
        return false;
    double is = (double)along * (double)along * 0x1p20,
           may = (double)aa * (double)bb * (double)angle->cosine;
    if (is < may * (1 - 0x1p-48))
        return false;
    if (is > may * (1 + 0x1p-48))
        return true;
    struct wide l = wide_product((uint64_t)along, (uint64_t)along);
    struct wide r = wide_product((uint64_t)aa, (uint64_t)bb),
                low = wide_product(r.low, (uint64_t)angle->cosine);
    l = (struct wide){l.high << 20 | l.low >> 44, l.low << 20};
    r = (struct wide){low.high + r.high * (uint64_t)angle->cosine, low.low};
    return wide_compare(l, r) > 0;
}
static inline bool too_close(const struct angle *angle, struct ray a, struct ray b)
{
    return is_narrow(angle, dot(a, b), square(a), square(b));
}

static inline struct ray turned_left(struct ray a, struct ray by)
{
    return (struct ray){a.x * by.x - a.y * by.y, a.x * by.y + a.y * by.x};
}
static inline struct ray turned_right(struct ray a, struct ray by)
{
    return turned_left(a, (struct ray){by.x, -by.y});
}

/* A direction (c, s) with c * c / (c * c + s * s) >= cosine / 2^20: its angle is at most the least
   one. */
static inline struct ray least_direction(int64_t cosine)
{
    assert(cosine >= 1 << 18 && cosine <= 1 << 20); /* 60 to 0 degrees */
    return (struct ray){mw_root(cosine << 6) + 1, mw_root(((1 << 20) - cosine) << 6)};
}

/* Twice the angle, cut down to the same scale, and rounded to where the angle is smaller. */
static inline struct ray twice_direction(struct ray a)
{
    int64_t x = (a.x * a.x - a.y * a.y) / (1 << 13) + 1, y = 2 * a.x * a.y / (1 << 13);
    return (struct ray){x, x < 0 ? y + 1 : y};
}

static inline struct angle least_angle(int64_t cosine)
{
    struct ray least = least_direction(cosine);
    return (struct angle){cosine, least, twice_direction(least)};
}

#endif
