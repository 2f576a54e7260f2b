/*
 * rim.c: corners, and the directions that are open to them.
 */
#include "rim.h"

/* ---- directions ------------------------------------------------------------------------------ */

uint32_t arc_direction(struct ray ray)
{
    double x = (double)ray.x, y = (double)ray.y;
    int32_t part = (int32_t)(y / (__builtin_fabs(x) + __builtin_fabs(y)) * 0x1p30);
    return ray.x < 0 ? (UINT32_C(1) << 31) - (uint32_t)part : (uint32_t)part;
}

/* What arc_direction() may be off: nothing along an axis, from which all others are AXIS away. */
enum { AXIS = 1 << 6 };
static bool is_along_axis(struct ray ray) { return !ray.x || !ray.y; }
static uint32_t doubt(struct ray ray) { return is_along_axis(ray) ? 1 : 2; }

struct arc arc_between(struct ray from, struct ray to)
{
    uint32_t first = arc_direction(from), width = arc_direction(to) - first,
             more = doubt(from) + doubt(to);
    return (struct arc){first - doubt(from), width > UINT32_MAX - more ? UINT32_MAX : width + more};
}

static uint64_t width_to_hold(struct arc a, struct arc b)
{
    uint64_t width = (uint64_t)(uint32_t)(b.from - a.from) + b.width;
    return width > a.width ? width : a.width;
}

struct arc arc_around(struct arc a, struct arc b)
{
    if (!a.width || !b.width)
        return a.width ? a : b;
    uint64_t one = width_to_hold(a, b), other = width_to_hold(b, a);
    if (one > UINT32_MAX && other > UINT32_MAX)
        return whole_arc;
    return one <= other ? (struct arc){a.from, (uint32_t)one}
                        : (struct arc){b.from, (uint32_t)other};
}

/* What two arcs have in common; or, where those are two pieces, one of the two arcs. */
static struct arc arc_common(struct arc a, struct arc b)
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

struct arc arc_of_boxes(struct mw_box box, struct mw_box other)
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

int box_side(struct mw_box box, struct mw_point a, struct mw_point b)
{
    struct ray ray = ray_to(a, b);
    int64_t x0 = (int64_t)box.x0 - a.x, x1 = (int64_t)box.x1 - a.x, y0 = (int64_t)box.y0 - a.y,
            y1 = (int64_t)box.y1 - a.y;
    int64_t most = ray.x * (ray.x > 0 ? y1 : y0) - ray.y * (ray.y > 0 ? x0 : x1),
            least = ray.x * (ray.x > 0 ? y0 : y1) - ray.y * (ray.y > 0 ? x1 : x0);
    return (least > 0) - (most < 0);
}

/* ---- corners --------------------------------------------------------------------------------- */

/* An arc from one ray to the left up to another; the whole turn where that was rounded to none. */
static struct arc unrounded(struct arc arc, struct ray right, struct ray left)
{
    return arc.width < SLIVER && cross(right, left) <= 0 ? whole_arc : arc;
}

/* The directions that are left between the corner's lanes. */
static struct arc opening(const struct rims *r, const struct corner *c)
{
    if (c->right < 0)
        return whole_arc;
    struct mw_point at = r->at[c->star];
    struct ray right = ray_to(at, r->at[c->right]), left = ray_to(at, r->at[c->left]);
    if (cross(right, left) > 0 && cross(turned_left(right, r->angle.twice), left) < 0)
        return no_arc;
    struct ray from = turned_left(right, r->angle.least), to = turned_right(left, r->angle.least);
    struct arc arc = unrounded(arc_between(from, to), right, left);
    uint32_t first = is_along_axis(from) ? AXIS : 0, last = is_along_axis(to) ? AXIS : 0;
    if (arc.width <= first + last || arc.width == UINT32_MAX)
        return arc;
    return (struct arc){arc.from + first, arc.width - first - last};
}

void rim_set(struct rims *r, int32_t corner, int32_t right, int32_t left)
{
    struct corner *c = &r->corner[corner];
    c->right = right;
    c->left = left;
    c->open = arc_common(opening(r, c), c->open);
}

void rim_narrow(struct rims *r, int32_t corner, const int32_t sight[2])
{
    struct corner *c = &r->corner[corner];
    struct mw_point at = r->at[c->star];
    struct ray left = ray_to(at, r->at[sight[0]]), right = ray_to(at, r->at[sight[1]]);
    c->open = arc_common(unrounded(arc_between(right, left), right, left), c->open);
    memcpy(c->sight, sight, sizeof c->sight);
}

int32_t rim_add(struct rims *r, int32_t star, int32_t right, int32_t left, struct arc open)
{
    int32_t corner = r->corners++;
    r->corner[corner] = (struct corner){.star = star,
                                        .sight = {left, right},
                                        .neighbour = {corner, corner},
                                        .also = -1,
                                        .open = open};
    rim_set(r, corner, right, left);
    return corner;
}

void rim_divide(struct rims *r, const int32_t corner[2], int32_t beyond[2])
{
    for (int i = 0; i < 2; i++) {
        struct corner *c = &r->corner[corner[i]];
        int32_t to = r->corner[corner[!i]].star, right = c->right, before = c->neighbour[0];
        beyond[i] = corner[i];
        if (right >= 0) {
            beyond[i] = rim_add(r, c->star, to, c->left, c->open);
            r->corner[beyond[i]].sight[0] = c->sight[0];
            rim_link(r, before, beyond[i]);
        } else {
            c->sight[1] = to;
        }
        c->sight[0] = to;
        rim_set(r, corner[i], right < 0 ? to : right, to);
    }
    rim_link(r, beyond[0], corner[1]);
    rim_link(r, beyond[1], corner[0]);
}

static bool is_within(struct ray right, struct ray left, struct ray ray)
{
    if (cross(right, left) > 0)
        return cross(right, ray) > 0 && cross(ray, left) > 0;
    return cross(right, ray) > 0 || cross(ray, left) > 0;
}

/* Whether a direction is one of two less than half a turn apart, or between them. */
static bool is_between_rays(struct ray right, struct ray ray, struct ray left)
{
    return cross(right, ray) >= 0 && cross(ray, left) >= 0 && dot(ray, left) + dot(ray, right) > 0;
}

bool rim_admits(const struct rims *r, int32_t corner, struct ray ray)
{
    const struct corner *c = &r->corner[corner];
    if (c->right < 0)
        return true;
    struct mw_point at = r->at[c->star];
    struct ray right = ray_to(at, r->at[c->right]), left = ray_to(at, r->at[c->left]);
    if (c->right == c->left ? cross(right, ray) == 0 && dot(right, ray) > 0
                            : !is_within(right, left, ray))
        return false;
    if (is_between_rays(right, ray, ray_to(at, r->at[c->sight[1]])) ||
        is_between_rays(ray_to(at, r->at[c->sight[0]]), ray, left))
        return false;
    return !too_close(&r->angle, ray, right) && !too_close(&r->angle, ray, left);
}
