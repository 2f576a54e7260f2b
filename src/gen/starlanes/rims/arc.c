/*
 * arc.c: directions and arcs.
 */
#include "arc.h"

uint32_t arc_direction(struct ray ray)
{
    double x = (double)ray.x, y = (double)ray.y;
    int32_t part = (int32_t)(y / (__builtin_fabs(x) + __builtin_fabs(y)) * 0x1p30);
    return ray.x < 0 ? HALF_TURN - (uint32_t)part : (uint32_t)part;
}

int64_t arc_multiple(struct ray ray)
{
    int64_t a = mw_max64(ray.x, -ray.x), b = mw_max64(ray.y, -ray.y), whole = a + b;
    while (b && b * SMALL >= whole) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return !b && a * SMALL >= whole ? a : 0;
}

/* Two rays of n and m along x and y together differ by 2^30 / (n m) directions, and m is below
   2^24. Of that two may be rounded, for which arc_between() adds two; along an axis neither. */
uint32_t arc_beside(struct ray ray)
{
    enum { AXIS = 1 << 6 }; /* 2^30 / 2^24 */
    if (is_along_axis(ray) || !MW_SHORTCUTS)
        return is_along_axis(ray) ? AXIS : 0;
    int64_t times = arc_multiple(ray);
    return (uint32_t)(AXIS * times / (mw_max64(ray.x, -ray.x) + mw_max64(ray.y, -ray.y)));
}

static uint32_t doubt(struct ray ray) { return is_along_axis(ray) ? 1 : 2; }

struct arc arc_between(struct ray from, struct ray to)
{
    uint32_t first = arc_direction(from), width = arc_direction(to) - first,
             more = doubt(from) + doubt(to);
    return (struct arc){first - doubt(from), width > UINT32_MAX - more ? UINT32_MAX : width + more};
}

struct arc arc_common(struct arc a, struct arc b)
{
    uint32_t to_b = b.from - a.from, to_a = a.from - b.from;
    if (!a.width || !b.width || (to_b > a.width && to_a > b.width))
        return no_arc;
    if (to_b <= a.width && to_a <= b.width)
        return a.width < b.width ? a : b;
    return to_b <= a.width
               ? (struct arc){b.from, a.width - to_b < b.width ? a.width - to_b : b.width}
               : (struct arc){a.from, b.width - to_a < a.width ? b.width - to_a : a.width};
}
