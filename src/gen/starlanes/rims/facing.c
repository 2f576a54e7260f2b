/*
 * facing.c: which leaves of two batches may be joined, told of all of a batch at once.
 *
 * Sixteen leaves against sixteen are 256 pairs, of which a handful lies in range, and in directions
 * that are open at both ends. To ask for each of them with branches costs more than all arithmetic.
 * So what must hold is written as numbers that are not negative; their signs are put together
 * without a branch, and what is left is looked up by its bit. An arc is two rays, from which a
 * direction lies to the left and to the right, so that no angle is ever told: of a cross product it
 * takes the sign.
 *
 * The differences and the squares are whole, and doubles hold them exactly. A ray from a direction
 * is exact, too, as it lies on a square with its corners on the axes; so is the sign of its cross
 * product with a difference. What is told of a strip is rounded in favour of its stars, by SLACK.
 *
 * A strip is a rectangle, and of that the corner that is farthest to the left of a ray is as far as
 * the middle and half of the size, along and across, all as seen from the ray.
 */
#include "facing.h"

#define SLACK 0x1p-22

static inline reals all(double v) { return (reals){v, v}; }
static inline reals size_of(reals v)
{
    const signs size = {UINT64_MAX >> 1, UINT64_MAX >> 1};
    return (reals)((signs)v & size);
}

/* The bits of leaves, of which those abreast are told together, the last ones first. */
static inline signs add_bits(signs bits, signs out) { return bits << ABREAST | ~out >> 63; }
static inline uint32_t gather(signs bits) { return (uint32_t)(bits[0] | bits[1] << 1); }

/* The ray in a direction: |x| + |y| is 1. */
static inline void ray_in(uint32_t direction, double *x, double *y)
{
    bool back = direction + (UINT32_C(1) << 30) >= HALF_TURN;
    int32_t part = (int32_t)(back ? HALF_TURN - direction : direction);
    *y = (double)part * 0x1p-30;
    *x = back ? __builtin_fabs(*y) - 1 : 1 - __builtin_fabs(*y);
}

void facing_read(struct facing *f, const struct batch *b)
{
    for (int k = 0; k < BATCH; k++) {
        struct arc arc = b->opens[k];
        f->x.one[k] = arc.width ? b->x[k] : 0x1p30;
        f->y.one[k] = arc.width ? b->y[k] : 0;
        f->wide.sign[k] = (uint64_t)arc.width << 32;
        if (arc.width == UINT32_MAX)
            arc.width = 0; /* nothing is to the right and to the left of one ray */
        ray_in(arc.from, &f->right_x.one[k], &f->right_y.one[k]);
        ray_in(arc.from + arc.width, &f->left_x.one[k], &f->left_y.one[k]);
    }
}

/* Whether a direction is out of an arc, if it is to the right of the one ray, or to the left of the
   other. */
static inline signs out_of_arc(signs right, signs left, signs wide)
{
    return (right & left) | (~wide & (right | left));
}

/* How far beyond half of a size, or 0. */
static inline reals beyond(reals off, double half)
{
    reals more = size_of(off) - half;
    return (more + size_of(more)) * .5;
}

uint32_t facing_strip(const struct facing *f, const struct strip *s, struct range range,
                      enum extent extent)
{
    double whole = s->x * s->x + s->y * s->y, slack = whole * SLACK;
    double most = range.to * whole * (1 + SLACK), least = range.from * whole * (1 - SLACK);
    signs found = (signs)all(0);
    for (int k = BATCH / ABREAST - 1; k >= 0; k--) {
        reals x = f->x.at[k], y = f->y.at[k], rx = f->right_x.at[k], ry = f->right_y.at[k],
              lx = f->left_x.at[k], ly = f->left_y.at[k];
        reals along = s->along - (s->x * x + s->y * y), across = s->across - (s->x * y - s->y * x);
        reals r = s->x * rx + s->y * ry, r_off = s->x * ry - s->y * rx, l = s->x * lx + s->y * ly,
              l_off = s->x * ly - s->y * lx;
        signs right = (signs)(r * across + size_of(r) * s->half_across - r_off * along +
                              size_of(r_off) * s->half_along + slack),
              left = (signs)(size_of(l) * s->half_across - l * across + l_off * along +
                             size_of(l_off) * s->half_along + slack);
        reals ahead = beyond(along, s->half_along), aside = beyond(across, s->half_across),
              end = size_of(along) + s->half_along, side = size_of(across) + s->half_across;
        signs far = (signs)(most - (ahead * ahead + aside * aside)),
              close = (signs)(end * end + side * side - least);
        found = add_bits(found, out_of_arc(right, left, f->wide.signs[k]) | far | close);
        if (extent == ANY && gather(found))
            break;
    }
    return gather(found);
}

uint32_t facing_leaf(const struct facing *f, int leaf, const struct facing *other,
                     struct range range)
{
    double fx = f->x.one[leaf], fy = f->y.one[leaf];
    signs out[BATCH / ABREAST], none = ~(signs)all(0);
    for (int k = 0; k < BATCH / ABREAST; k++) {
        reals x = other->x.at[k] - fx, y = other->y.at[k] - fy, square = x * x + y * y;
        out[k] = (signs)(square - range.from) | (signs)(range.to - square);
        none &= out[k];
    }
    if (!gather(~none >> 63))
        return 0;
    double rx = f->right_x.one[leaf], ry = f->right_y.one[leaf], lx = f->left_x.one[leaf],
           ly = f->left_y.one[leaf];
    signs wide = (signs)all(f->wide.one[leaf]), found = (signs)all(0);
    for (int k = BATCH / ABREAST - 1; k >= 0; k--) {
        reals x = other->x.at[k] - fx, y = other->y.at[k] - fy;
        out[k] |= out_of_arc((signs)(rx * y - ry * x), (signs)(ly * x - lx * y), wide);
        out[k] |= out_of_arc((signs)(other->right_y.at[k] * x - other->right_x.at[k] * y),
                             (signs)(other->left_x.at[k] * y - other->left_y.at[k] * x),
                             other->wide.signs[k]);
        found = add_bits(found, out[k]);
    }
    return gather(found);
}
