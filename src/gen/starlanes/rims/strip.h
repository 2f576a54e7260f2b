/*
 * strip.h: the narrowest rectangle around stars that lie nearly in a row, in any direction.
 */
#ifndef MAPWRIGHT_STARLANES_STRIP_H
#define MAPWRIGHT_STARLANES_STRIP_H

#include "kit/plane.h"

/* All that is no farther from the middle than half of the size, along a direction and across it.
   The direction is in whole numbers, and places are told by their dot product and their cross
   product with it. */
struct strip {
    double x, y;                    /* the direction */
    double along, across;           /* the middle */
    double half_along, half_across; /* the size */
};

static const struct strip no_strip = {1, 0, 0, 0, -1, -1};

/* Around some stars in the order of a rim, as narrow as it gets without much ado. */
struct strip strip_around(const struct mw_point *, int count);
/* The same in a direction. */
struct strip strip_along(const struct mw_point *, int count, struct ray);
struct strip strip_of_box(struct mw_box);
/* Around two strips, the first before the second: in the direction of one of them, or of the way
   from the one to the other. */
struct strip strip_unite(const struct strip *, const struct strip *);

static inline struct ray strip_direction(const struct strip *s)
{
    return (struct ray){(int64_t)s->x, (int64_t)s->y};
}
/* Whether it is SLIM times as long as wide. */
enum { SLIM = 64 };
static inline bool strip_is_slim(const struct strip *s)
{
    return SLIM * s->half_across < s->half_along;
}
/* Half of its width, squared. */
static inline double strip_width(const struct strip *s)
{
    return s->half_across * s->half_across / (s->x * s->x + s->y * s->y);
}

#endif
