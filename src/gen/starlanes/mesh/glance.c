/*
 * glance.c: a star's glance past a side of its triangle.
 *
 * In Delaunay's triangulation the circle of each triangle is empty. Star a has the side x-y across,
 * and z is the star beyond. The points as far from a as it would see are an arc from the right of
 * its wedge to the left:
 *
 *              y
 *             /|\            Where both ends of the arc lie within the circle through x, z and y,
 *            / | \           all of it does, and so does all of the wedge before it: there is no
 *          a   |   z         star. An end that lies outside may yet lie within the next circle
 *            \ | /           behind x-z or z-y, which beyond that side holds all of the one
 *             \|/            before. And the point of the arc toward z, if z is farther than the
 *              x             arc, lies before z, and so within.
 *
 * That is asked for a few triangles. What is not certain by then has to be looked at in earnest, so
 * it may err to that side, and does without exact arithmetic.
 */
#include "glance.h"

enum { DEPTH = 3 }; /* triangles behind the first */

/* A star as another sees it, in doubles, which hold it exactly. */
struct spot {
    double x, y, square;
};

static inline struct spot spot_of(struct ray ray)
{
    double x = (double)ray.x, y = (double)ray.y;
    return (struct spot){x, y, x * x + y * y};
}

/*
 * The circle through a, b and c, which turn to the left. A point lies within if it lies below the
 * plane through them once all points are lifted by their squares; here, one as far as the reach. No
 * term exceeds the square of the sum of all squares, and each errs by a few times 2^-53 of that.
 */
struct circle {
    double x, y, level;
};

static inline struct circle circle_of(struct spot a, struct spot b, struct spot c, double reach)
{
    double bx = b.x - a.x, by = b.y - a.y, up_b = b.square - a.square, cx = c.x - a.x,
           cy = c.y - a.y, up_c = c.square - a.square;
    double x = up_b * cy - up_c * by, y = up_c * bx - up_b * cx,
           all = a.square + b.square + c.square + reach;
    double level = x * a.x + y * a.y + (bx * cy - by * cx) * (reach - a.square);
    return (struct circle){x, y, level + all * all * 0x1p-44};
}

/* Whether the point of a ray as far as the reach lies within, for certain. It is the ray by a root,
   so both sides are squared. */
static inline bool encircles(const struct circle *c, double reach, struct ray ray)
{
    double x = (double)ray.x, y = (double)ray.y, along = c->x * x + c->y * y;
    return along > 0 &&
           reach * along * along > c->level * c->level * (x * x + y * y) * (1 + 0x1p-44);
}

/*
 * Whether that is so past side s, for certain, which runs from x to y; on the right and on the left
 * it may be known.
 */
static bool is_empty(const struct glance *g, int32_t s, struct spot x, struct spot y,
                     bool far_right, bool far_left, int depth)
{
    const struct mesh *m = g->mesh;
    int32_t t = side_twin(m, s), apex = side_apex(m, t);
    if (apex == m->stars)
        return true;
    struct ray ray = star_ray(m, g->star, apex);
    struct spot z = spot_of(ray);
    struct circle circle = circle_of(x, z, y, g->reach);
    far_right = far_right || encircles(&circle, g->reach, g->right);
    far_left = far_left || encircles(&circle, g->reach, g->left);
    if (far_right && far_left)
        return true;
    if (depth == 0)
        return false;
    if (cross(g->right, ray) <= 0)
        return is_empty(g, side_prev(t), z, y, far_right, far_left, depth - 1);
    if (cross(ray, g->left) <= 0)
        return is_empty(g, side_next(t), x, z, far_right, far_left, depth - 1);
    if (z.square <= g->reach)
        return false;
    struct glance to_right = *g, to_left = *g;
    to_right.left = to_left.right = ray;
    return (far_right || is_empty(&to_right, side_next(t), x, z, false, true, depth - 1)) &&
           (far_left || is_empty(&to_left, side_prev(t), z, y, true, false, depth - 1));
}

bool glance_sees_nothing(const struct glance *g, int32_t side, struct ray right, struct ray left)
{
    struct spot x = spot_of(right), y = spot_of(left);
    return is_empty(g, side, x, y, x.square > g->reach, y.square > g->reach, DEPTH);
}
