/*
 * rim.c: corners, and the directions that are open to them.
 */
#include "rim.h"

/* The directions from one ray to the left up to another, but not those two; all, where that was
   rounded to none. The rays are between the corner's lanes. */
static struct arc between(struct ray from, struct ray to, struct ray right, struct ray left)
{
    struct arc arc = arc_between(from, to);
    uint32_t first = arc_beside(from), last = arc_beside(to);
    if (arc.width < SLIVER && cross(right, left) <= 0)
        return whole_arc;
    if (arc.width <= first + last || arc.width == UINT32_MAX)
        return arc;
    return (struct arc){arc.from + first, arc.width - first - last};
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
    return between(turned_left(right, r->angle.least), turned_right(left, r->angle.least), right,
                   left);
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
    c->open = arc_common(between(right, left, right, left), c->open);
    memcpy(c->sight, sight, sizeof c->sight);
}

int32_t rim_add(struct rims *r, int32_t star, int32_t right, int32_t left, struct arc open)
{
    assert(r->corners < r->room);
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
