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
 * product with a difference. What is told of a capsule is rounded in favour of its stars, by SLACK.
 */
#include "facing.h"

#define SLACK 0x1p-4

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

/* The greater of two, or 0. */
static inline reals ahead_of(reals u, reals v)
{
    reals more = (u + v + size_of(u - v)) * .5;
    return (more + size_of(more)) * .5;
}

uint32_t facing_capsule(const struct facing *f, const struct capsule *c, struct range range)
{
    double margin = c->radius + SLACK, near = __builtin_sqrt(range.from) - margin;
    double reach = __builtin_sqrt(range.to) + margin;
    reals least = all(reach * reach), most = all(near > 0 ? near * near : 0);
    signs found = (signs)all(0);
    for (int k = BATCH / ABREAST - 1; k >= 0; k--) {
        reals ax = c->a.x - f->x.at[k], ay = c->a.y - f->y.at[k], bx = c->b.x - f->x.at[k],
              by = c->b.y - f->y.at[k];
        reals rx = f->right_x.at[k], ry = f->right_y.at[k], lx = f->left_x.at[k],
              ly = f->left_y.at[k];
        signs right = (signs)(rx * ay - ry * ax + margin) & (signs)(rx * by - ry * bx + margin),
              left = (signs)(ly * ax - lx * ay + margin) & (signs)(ly * bx - lx * by + margin);
        reals off = c->x * ay - c->y * ax,
              ahead = ahead_of(c->x * ax + c->y * ay, -(c->x * bx + c->y * by));
        signs far = (signs)(least - (off * off + ahead * ahead));
        signs close = (signs)(ax * ax + ay * ay - most) & (signs)(bx * bx + by * by - most);
        signs out = out_of_arc(right, left, f->wide.signs[k]) | far | close;
        found = add_bits(found, out);
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
