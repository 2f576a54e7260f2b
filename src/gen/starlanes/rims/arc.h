/*
 * arc.h: directions as whole numbers, and arcs of them.
 *
 * A turn has 2^32 directions. They lie along a square with its corners on the axes, not along a
 * circle: so one is told by a division, exactly at the axes, and no machine rounds it otherwise.
 * Arcs are as wide as they must be, and a little more: what is out of one is so for certain.
 *
 * What is asked of most nodes of a tree is here, to be compiled in place.
 */
#ifndef MAPWRIGHT_STARLANES_ARC_H
#define MAPWRIGHT_STARLANES_ARC_H

#include "gen/starlanes/mesh/angle.h"
#include "lib/gen.h"

/* Directions from `from` on to the left, by 2^32 for a turn; none where the width is 0. */
struct arc {
    uint32_t from, width;
};
#define HALF_TURN (UINT32_C(1) << 31)
/* Where a turn of a half or more is as narrow, it is a whole one that was rounded. */
#define SLIVER (UINT32_C(1) << 29)
static const struct arc no_arc = {0, 0}, whole_arc = {0, UINT32_MAX};

/* Where a direction lies on the turn; right within 2, and of two directions never the wrong way. */
uint32_t arc_direction(struct ray);
/* What arc_direction() may be off: nothing along an axis. */
static inline bool is_along_axis(struct ray ray) { return !ray.x || !ray.y; }
/* How many times a ray is one that is SMALL at most, along x and y together; 0: it is none. */
enum { SMALL = 21 };
int64_t arc_multiple(struct ray);
static inline bool arc_is_small(struct ray ray)
{
    return mw_max64(ray.x, -ray.x) + mw_max64(ray.y, -ray.y) <= SMALL;
}
/* By how much an arc that begins or ends at a ray may be narrower, to hold all other directions
   between stars but not that one; 0 where they may be as near as what is rounded. */
uint32_t arc_beside(struct ray);

/* From one direction to the left up to another, and a little more. */
struct arc arc_between(struct ray from, struct ray to);

static inline bool arc_holds(struct arc arc, struct ray ray)
{
    return arc.width && arc_direction(ray) - arc.from <= arc.width;
}

/* Whether it does, far from both ends: by a thousandth of a turn. */
static inline bool arc_holds_well(struct arc arc, uint32_t direction)
{
    const uint32_t far = 1 << 22;
    return arc.width > 2 * far && direction - arc.from - far <= arc.width - 2 * far;
}

static inline bool arcs_meet(struct arc a, struct arc b)
{
    return (a.width && b.width) && (b.from - a.from <= a.width || a.from - b.from <= b.width);
}

/* The least arc that holds two. */
static inline struct arc arc_around(struct arc a, struct arc b)
{
    if (!a.width || !b.width)
        return a.width ? a : b;
    uint64_t to_b = (uint64_t)(uint32_t)(b.from - a.from) + b.width,
             to_a = (uint64_t)(uint32_t)(a.from - b.from) + a.width,
             one = to_b > a.width ? to_b : a.width, other = to_a > b.width ? to_a : b.width;
    if (one > UINT32_MAX && other > UINT32_MAX)
        return whole_arc;
    return one <= other ? (struct arc){a.from, (uint32_t)one}
                        : (struct arc){b.from, (uint32_t)other};
}

/* What two arcs have in common; or, where those are two pieces, one of the two arcs. */
struct arc arc_common(struct arc, struct arc);

/* The directions in which points of a box see points of another; ends are inside. */
static inline struct arc arc_of_boxes(struct mw_box box, struct mw_box other)
{
    int64_t x0 = (int64_t)other.x0 - box.x1, x1 = (int64_t)other.x1 - box.x0,
            y0 = (int64_t)other.y0 - box.y1, y1 = (int64_t)other.y1 - box.y0;
    if (x0 > 0)
        return arc_between((struct ray){y0 < 0 ? x0 : x1, y0}, (struct ray){y1 > 0 ? x0 : x1, y1});
    if (x1 < 0)
        return arc_between((struct ray){y1 > 0 ? x1 : x0, y1}, (struct ray){y0 < 0 ? x1 : x0, y0});
    if (y0 > 0)
        return arc_between((struct ray){x1, y0}, (struct ray){x0, y0});
    if (y1 < 0)
        return arc_between((struct ray){x0, y1}, (struct ray){x1, y1});
    return whole_arc;
}

/* 1 where all of a box lies to the left of the line from a to b, -1 to the right, else 0. */
static inline int box_side(struct mw_box box, struct mw_point a, struct mw_point b)
{
    struct ray ray = ray_to(a, b);
    int64_t x0 = (int64_t)box.x0 - a.x, x1 = (int64_t)box.x1 - a.x, y0 = (int64_t)box.y0 - a.y,
            y1 = (int64_t)box.y1 - a.y;
    int64_t most = ray.x * (ray.x > 0 ? y1 : y0) - ray.y * (ray.y > 0 ? x0 : x1),
            least = ray.x * (ray.x > 0 ? y0 : y1) - ray.y * (ray.y > 0 ? x1 : x0);
    return (least > 0) - (most < 0);
}

#endif
