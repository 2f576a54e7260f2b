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

#ifdef MW_SMALL
static inline reals all(double v) { return v; }
static inline marks signs_of(reals v)
{
    marks b;
    memcpy(&b, &v, sizeof b);
    return b;
}
static inline reals sizes_of(reals v) { return __builtin_fabs(v); }
static inline uint32_t gather(marks b) { return (uint32_t)b; }
#else
static inline reals all(double v) { return (reals){v, v}; }
static inline marks signs_of(reals v) { return (marks)v; }
static inline reals sizes_of(reals v)
{
    const marks size = {UINT64_MAX >> 1, UINT64_MAX >> 1};
    return (reals)((marks)v & size);
}
static inline uint32_t gather(marks b) { return (uint32_t)(b[0] | b[1] << 1); }
#endif

/* The ray in a direction: |x| + |y| is 1. */
static inline void ray_in(uint32_t direction, double *x, double *y)
{
    bool back = direction + (UINT32_C(1) << 30) >= UINT32_C(1) << 31;
    int32_t part = (int32_t)(back ? (UINT32_C(1) << 31) - direction : direction);
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
static inline marks out_of_arc(marks right, marks left, marks wide)
{
    return (right & left) | (~wide & (right | left));
}

uint32_t facing_capsule(const struct facing *f, const struct capsule *c, struct range range)
{
    double margin = c->radius + SLACK, near = __builtin_sqrt(range.from) - margin;
    reals reach = all(__builtin_sqrt(range.to) + margin), most = all(near > 0 ? near * near : 0);
    marks found = signs_of(all(0));
    for (int k = BATCH / ABREAST - 1; k >= 0; k--) {
        reals ax = c->a.x - f->x.at[k], ay = c->a.y - f->y.at[k], bx = c->b.x - f->x.at[k],
              by = c->b.y - f->y.at[k];
        reals rx = f->right_x.at[k], ry = f->right_y.at[k], lx = f->left_x.at[k],
              ly = f->left_y.at[k];
        marks right = signs_of(rx * ay - ry * ax + margin) & signs_of(rx * by - ry * bx + margin),
              left = signs_of(ly * ax - lx * ay + margin) & signs_of(ly * bx - lx * by + margin);
        marks far = signs_of(reach - sizes_of(c->x * ay - c->y * ax)) |
                    signs_of(reach - (c->x * ax + c->y * ay)) |
                    signs_of(reach + (c->x * bx + c->y * by));
        marks close = signs_of(ax * ax + ay * ay - most) & signs_of(bx * bx + by * by - most);
        marks out = out_of_arc(right, left, f->wide.signs[k]) | far | close;
        found = found << ABREAST | ~out >> 63;
    }
    return gather(found);
}

uint32_t facing_leaf(const struct facing *f, int leaf, const struct facing *other,
                     struct range range)
{
    double fx = f->x.one[leaf], fy = f->y.one[leaf];
    marks out[BATCH / ABREAST], none = ~signs_of(all(0));
    for (int k = 0; k < BATCH / ABREAST; k++) {
        reals x = other->x.at[k] - fx, y = other->y.at[k] - fy, square = x * x + y * y;
        out[k] = signs_of(square - range.from) | signs_of(range.to - square);
        none &= out[k];
    }
    if (!gather(~none >> 63))
        return 0;
    double rx = f->right_x.one[leaf], ry = f->right_y.one[leaf], lx = f->left_x.one[leaf],
           ly = f->left_y.one[leaf];
    marks wide = signs_of(all(f->wide.one[leaf])), found = signs_of(all(0));
    for (int k = BATCH / ABREAST - 1; k >= 0; k--) {
        reals x = other->x.at[k] - fx, y = other->y.at[k] - fy;
        out[k] |= out_of_arc(signs_of(rx * y - ry * x), signs_of(ly * x - lx * y), wide);
        out[k] |= out_of_arc(signs_of(other->right_y.at[k] * x - other->right_x.at[k] * y),
                             signs_of(other->left_x.at[k] * y - other->left_y.at[k] * x),
                             other->wide.signs[k]);
        found = found << ABREAST | ~out[k] >> 63;
    }
    return gather(found);
}
