/*
 * strip.c: narrow rectangles around rows of stars.
 *
 * One of the narrowest strips between two parallels around some points goes along a side of their
 * hull: if it touched them in two points alone, it could be turned about these and get narrower.
 * Think of a row that is rough to the unit: its stars lie on a few parallels of the lattice. Those
 * on the outermost one look along it over all others, and behind the next star on it they see
 * nothing of their row; but boxes do not tell, nor rectangles that lie the least bit askew. So the
 * direction is that of the side, and what is measured along it and across is exact: whole numbers
 * below 2^48.
 *
 * The hull is not made. At the star that is farthest to the right of the chord, and at the one
 * farthest to the left, the longer of its two sides is found by a walk through all. If a side lies
 * along parallels that are far enough apart for arcs to tell (arc.c), it is taken, as short as
 * whole numbers have it, so that it is the same for all of a row; otherwise the narrowest of what
 * was tried. That need not be the narrowest of all, but it holds all stars.
 *
 * Two strips in one direction make one, exactly. Otherwise the first or the second tells the
 * direction, or the way from one middle to the other, whichever is narrowest; and what is rounded
 * is made up for by ROUNDED.
 */
#include "strip.h"
#include "arc.h"

#define ROUNDED 0x1p-20 /* units */

static struct strip strip_between(struct ray e, double from, double to, double right, double left)
{
    return (struct strip){.x = (double)e.x,
                          .y = (double)e.y,
                          .along = (from + to) / 2,
                          .across = (right + left) / 2,
                          .half_along = (to - from) / 2,
                          .half_across = (left - right) / 2};
}

static bool is_narrower(const struct strip *s, const struct strip *than)
{
    return strip_width(s) < strip_width(than);
}

/* ---- around stars ---------------------------------------------------------------------------- */

/* In a direction; `outmost` are the stars farthest to its right and to its left. */
static struct strip measure(const struct mw_point *at, int count, struct ray e, int outmost[2])
{
    const struct mw_point origin = {0, 0};
    int64_t from = INT64_MAX, to = INT64_MIN, right = INT64_MAX, left = INT64_MIN;
    for (int i = 0; i < count; i++) {
        struct ray ray = ray_to(origin, at[i]);
        int64_t along = dot(e, ray), across = cross(e, ray);
        from = mw_min64(from, along);
        to = mw_max64(to, along);
        if (across < right) {
            right = across;
            outmost[0] = i;
        }
        if (across > left) {
            left = across;
            outmost[1] = i;
        }
    }
    return strip_between(e, (double)from, (double)to, (double)right, (double)left);
}

/* The side of the hull that leaves one of its stars along a direction, all others to the right of
   it, or to the left (`sign` 1 or -1); none if no star is ahead. */
static struct ray side_from(const struct mw_point *at, int count, int star, struct ray e, int sign)
{
    struct ray side = {0, 0};
    for (int i = 0; i < count; i++) {
        struct ray ray = ray_to(at[star], at[i]);
        int64_t off = sign * cross(side, ray);
        if (dot(e, ray) > 0 && (off > 0 || (off == 0 && square(ray) > square(side))))
            side = ray;
    }
    return side;
}

/* The longer of the hull's two sides at a star. */
static struct ray longer_side(const struct mw_point *at, int count, int star, struct ray e,
                              int sign)
{
    struct ray ahead = side_from(at, count, star, e, sign),
               back = side_from(at, count, star, (struct ray){-e.x, -e.y}, -sign);
    return square(ahead) > square(back) ? ahead : (struct ray){-back.x, -back.y};
}

static struct ray shortened(struct ray ray)
{
    int64_t times = arc_multiple(ray);
    return times ? (struct ray){ray.x / times, ray.y / times} : ray;
}

struct strip strip_along(const struct mw_point *at, int count, struct ray e)
{
    int unused[2];
    return count ? measure(at, count, e, unused) : no_strip;
}

struct strip strip_around(const struct mw_point *at, int count)
{
    if (!count)
        return no_strip;
    struct ray chord = ray_to(at[0], at[count - 1]);
    int outmost[2];
    if (!square(chord))
        chord.x = 1;
    struct strip s = measure(at, count, chord, outmost);
    if (s.half_across == 0)
        return strip_along(at, count, shortened(chord));
    for (int i = 0; strip_is_slim(&s) && i < 2; i++) {
        struct ray side = shortened(longer_side(at, count, outmost[i], chord, i ? 1 : -1));
        struct strip new = strip_along(at, count, side);
        if (arc_is_small(side) && strip_is_slim(&new))
            return new;
        if (is_narrower(&new, &s))
            s = new;
    }
    return s;
}

struct strip strip_of_box(struct mw_box box)
{
    if (box.x1 - box.x0 >= box.y1 - box.y0)
        return strip_between((struct ray){1, 0}, box.x0, box.x1, box.y0, box.y1);
    return strip_between((struct ray){0, 1}, box.y0, box.y1, -box.x1, -box.x0);
}

/* ---- around strips --------------------------------------------------------------------------- */

static bool same_direction(const struct strip *a, struct ray e)
{
    return a->x == (double)e.x && a->y == (double)e.y;
}

/* The same strip, as seen in another direction. */
static struct strip turned_to(const struct strip *s, struct ray e)
{
    if (same_direction(s, e))
        return *s;
    double x = (double)e.x, y = (double)e.y, whole = s->x * s->x + s->y * s->y,
           is = (s->x * x + s->y * y) / whole, off = (s->x * y - s->y * x) / whole,
           more = (__builtin_fabs(x) + __builtin_fabs(y)) * ROUNDED;
    double along = __builtin_fabs(is), across = __builtin_fabs(off);
    return (struct strip){.x = x,
                          .y = y,
                          .along = is * s->along + off * s->across,
                          .across = is * s->across - off * s->along,
                          .half_along = along * s->half_along + across * s->half_across + more,
                          .half_across = along * s->half_across + across * s->half_along + more};
}

static struct strip unite_along(const struct strip *a, const struct strip *b, struct ray e)
{
    struct strip s = turned_to(a, e), t = turned_to(b, e);
    double from = s.along - s.half_along, to = s.along + s.half_along,
           right = s.across - s.half_across, left = s.across + s.half_across;
    double from2 = t.along - t.half_along, to2 = t.along + t.half_along,
           right2 = t.across - t.half_across, left2 = t.across + t.half_across;
    return strip_between(e, from < from2 ? from : from2, to > to2 ? to : to2,
                         right < right2 ? right : right2, left > left2 ? left : left2);
}

static struct mw_point middle_of(const struct strip *s)
{
    double whole = s->x * s->x + s->y * s->y;
    return (struct mw_point){(int32_t)((s->along * s->x - s->across * s->y) / whole),
                             (int32_t)((s->along * s->y + s->across * s->x) / whole)};
}

struct strip strip_unite(const struct strip *a, const struct strip *b)
{
    if (a->half_along < 0 || b->half_along < 0)
        return a->half_along < 0 ? *b : *a;
    struct ray e = strip_direction(a), way = ray_to(middle_of(a), middle_of(b));
    struct strip s = unite_along(a, b, e);
    if (same_direction(b, e) && strip_is_slim(&s))
        return s;
    struct strip other = unite_along(a, b, strip_direction(b));
    if (is_narrower(&other, &s))
        s = other;
    if (way.x || way.y) {
        other = unite_along(a, b, way);
        if (is_narrower(&other, &s))
            s = other;
    }
    return s;
}
