/*
 * horizon.c: in which directions a corner may see anything at all that is still to come.
 *
 * A star in a dent of a rim has a wide corner, and sees little past the neighbours to its left
 * and right. While the mesh is there it tells: from the right lane of the corner to the left one
 * look through side after side, always as far to the right as can be, until a star is met that is
 * far enough to come after now. No direction to the right of that one leads to any other such
 * star, now or later, as lanes only hide; and the same from the left. What it takes is bounded, as
 * one may stop anywhere and call the view open from there on.
 */
#include "horizon.h"

enum { FAR_ENOUGH = 24 }; /* sides to look through before the view is called open */

/* A look from one hand, `left` or not, to the other. */
struct glance {
    struct search *q;
    int32_t star;
    bool left;
    int32_t looks; /* how many more sides may be looked through */
};

/* What is seen through side s, between two rays. */
struct slit {
    struct ray right, left;
    int32_t s;
};

/* Whether nothing can be seen through a side from its triangle. */
static bool is_shut(struct search *q, int32_t s)
{
    return side_from(&q->mesh, s) == q->mesh.stars || side_to(&q->mesh, s) == q->mesh.stars ||
           is_lane(q, s);
}

/* The first direction in which something may be seen through a slit, if there is one. */
static bool glance_through(struct glance *g, struct slit slit, struct ray *first)
{
    const struct mesh *m = &g->q->mesh;
    struct slit stack[FAR_ENOUGH + 2];
    int32_t top = 0;
    stack[top++] = slit;
    while (top > 0) {
        struct slit here = stack[--top];
        if (is_shut(g->q, here.s))
            continue;
        int32_t t = side_twin(m, here.s), z = side_apex(m, t);
        if (z == m->stars)
            continue;
        struct ray ray = star_ray(m, g->star, z);
        bool not_right = cross(here.right, ray) > 0, not_left = cross(ray, here.left) > 0;
        bool met = not_right && not_left && square(ray) >= g->q->now.square;
        *first = g->left ? here.left : here.right;
        if (met || g->looks-- == 0)
            return true;
        struct slit right = {here.right, not_left ? ray : here.left, side_next(t)},
                    left = {not_right ? ray : here.right, here.left, side_prev(t)};
        if (g->left ? not_right : not_left)
            stack[top++] = g->left ? right : left;
        if (g->left ? not_left : not_right)
            stack[top++] = g->left ? left : right;
    }
    return false;
}

/* The first direction from a side of the star on, to one hand, up to another side, or the whole
   turn. */
static bool glance_around(struct glance *g, int32_t side, int32_t end, struct ray *first)
{
    const struct mesh *m = &g->q->mesh;
    int32_t s = side;
    do {
        int32_t next = g->left ? side_right(m, s) : side_left(m, s), right = g->left ? next : s;
        int32_t x = side_to(m, right), y = side_apex(m, right), here = g->left ? y : x;
        mw_tick(g->q->run, 1);
        if (here != m->stars) {
            *first = star_ray(m, g->star, here);
            if (!is_lane(g->q, s) && square(*first) >= g->q->now.square)
                return true;
        }
        if (x != m->stars && y != m->stars) {
            struct slit slit = {star_ray(m, g->star, x), star_ray(m, g->star, y), side_next(right)};
            if (glance_through(g, slit, first))
                return true;
        }
        s = next;
    } while (s != end);
    return false;
}

struct arc horizon_between(struct search *q, int32_t right, int32_t left)
{
    int32_t star = side_from(&q->mesh, right);
    struct glance from_right = {q, star, false, FAR_ENOUGH},
                  from_left = {q, star, true, FAR_ENOUGH};
    struct ray first, last;
    if (!glance_around(&from_right, right, left, &first))
        return no_arc;
    bool any = glance_around(&from_left, left, right, &last);
    assert(any);
    (void)any;
    struct arc arc = arc_between(first, last);
    int64_t turned = cross(first, last);
    if (arc.width < SLIVER && (turned < 0 || (turned == 0 && right == left)))
        return whole_arc; /* from the only lane all round to it, or nearly so */
    return arc;
}
