/*
 * veil.c: what a lane hides from all who look from a box.
 *
 * From one point a lane hides what is behind its line, to the right of the ray through its left end
 * and to the left of that through its right end. A place is to the right of a ray through an end
 * for all eyes in some half plane, and that holds a box if it holds its corners. So what is hidden
 * from the four corners is hidden from all.
 */
#include "veil.h"

struct veil veil_of(struct mw_point a, struct mw_point b, struct mw_box from)
{
    int side = box_side(from, a, b);
    return side > 0 ? (struct veil){b, a} : side < 0 ? (struct veil){a, b} : (struct veil){a, a};
}

static bool hides_from(const struct veil *v, int32_t x, int32_t y, struct mw_box to)
{
    struct mw_point at = {x, y};
    return box_side(to, at, v->left) < 0 && box_side(to, at, v->right) > 0;
}

bool veil_hides(const struct veil *v, struct mw_box from, struct mw_box to)
{
    if (box_side(to, v->left, v->right) <= 0 || !hides_from(v, from.x0, from.y0, to))
        return false;
    if (from.x0 == from.x1 && from.y0 == from.y1)
        return true;
    return hides_from(v, from.x1, from.y0, to) && hides_from(v, from.x0, from.y1, to) &&
           hides_from(v, from.x1, from.y1, to);
}
