/*
 * empty_circles.h: whether a star sees nothing past a side at the beginning, told without a look.
 */
#ifndef MAPWRIGHT_STARLANES_EMPTY_CIRCLES_H
#define MAPWRIGHT_STARLANES_EMPTY_CIRCLES_H

#include "mesh.h"

/* What a star looks for: what is no farther than `reach`, squared, between two rays. */
struct star_reach {
    const struct mesh *mesh; /* Delaunay's */
    int32_t star;
    double reach;
    struct ray right, left;
};

/* Whether there is nothing past the side across, for certain; rays x and y lead to its ends from
   the star, which has it to its left. */
bool reach_is_empty(const struct star_reach *, int32_t side, struct ray x, struct ray y);

#endif
