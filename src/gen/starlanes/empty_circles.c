/*
 * empty_circles.c: proves, where it is cheap, that a star sees nothing near past a side.
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
 * That is tested for a few triangles. Where it is not certain by then, the star looks
 * (visibility.c). So the test may fail without harm, and needs no exact arithmetic.
 */
#include "lane_search.h"

enum { DEPTH = 3 }; /* triangles behind the first */

/* A star or a direction as another star sees it, in doubles, which hold stars exactly. */
struct star_offset {
    double x, y, square;
};

static inline struct star_offset offset_of(struct ray ray)
{
    double x = (double)ray.x, y = (double)ray.y;
    return (struct star_offset){x, y, x * x + y * y};
}

/*
 * The circle through a, b and c, which turn to the left. A point lies within if it lies below the
 * plane through them once all points are lifted by their squares; here, one as far as the reach. No
 * term exceeds the square of the sum of all squares, and each errs by a few times 2^-53 of that.
 */
struct circle {
    double x, y, level;
};

static inline struct circle circle_of(struct star_offset a, struct star_offset b,
                                      struct star_offset c, double reach)
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
static inline bool encircles(const struct circle *c, double reach, struct star_offset ray)
{
    double along = c->x * ray.x + c->y * ray.y;
    return (along > 0) & (reach * along * along > c->level * c->level * ray.square * (1 + 0x1p-44));
}

/* An arc between two rays, past a side from x to y; and whether an end is known to lie within. */
struct arc {
    struct ray right, left;
    struct star_offset x, y;
    int32_t side;
    bool right_within, left_within;
};

/* Whether there is nothing past the side up to the arc, for certain, with so many triangles left to
   test. Branch-free where a branch would mispredict. */
static bool is_empty(const struct star_reach *g, struct arc arc, int depth)
{
    const struct mesh *m = g->mesh;
    struct star_offset right = offset_of(arc.right), left = offset_of(arc.left);
    for (;; depth--) {
        assert(depth >= 0);
        int32_t t = side_twin(m, arc.side), apex = side_apex(m, t);
        if (apex == m->stars)
            return true;
        struct ray ray = star_ray(m, g->star, apex);
        struct star_offset z = offset_of(ray);
        struct circle circle = circle_of(arc.x, z, arc.y, g->reach);
        arc.right_within |= encircles(&circle, g->reach, right);
        arc.left_within |= encircles(&circle, g->reach, left);
        if (arc.right_within & arc.left_within)
            return true;
        if (depth == 0)
            return false;
        bool from_right = cross(arc.right, ray) > 0, from_left = cross(ray, arc.left) > 0;
        if (from_right && from_left) {
            if (z.square <= g->reach)
                return false;
            struct arc part = {arc.right, ray, arc.x, z, side_next(t), false, true};
            if (!arc.right_within && !arc.left_within && !is_empty(g, part, depth - 1))
                return false;
            if (arc.left_within)
                arc.left = ray;
            else
                arc.right = ray, arc.right_within = true;
            from_right = arc.left_within;
        }
        if (from_right) {
            arc.side = side_next(t);
            arc.y = z;
        } else {
            arc.side = side_prev(t);
            arc.x = z;
        }
    }
}

bool reach_is_empty(const struct star_reach *g, int32_t side, struct ray right, struct ray left)
{
    assert(side_apex(g->mesh, side) == g->star && cross(right, left) > 0);
    struct star_offset x = offset_of(right), y = offset_of(left);
    struct arc arc = {g->right, g->left, x, y, side, x.square > g->reach, y.square > g->reach};
    return is_empty(g, arc, DEPTH);
}
