/*
 * veil.h: what a lane hides from all who look from a box.
 */
#ifndef MAPWRIGHT_STARLANES_VEIL_H
#define MAPWRIGHT_STARLANES_VEIL_H

#include "rim.h"

/* A lane, from its left end to its right one, as those see it who look at it; or none, where both
   are one. */
struct veil {
    struct mw_point left, right;
};

/* A veil of a lane for those in a box; none, if they are not all on one side of it. */
struct veil veil_of(struct mw_point a, struct mw_point b, struct mw_box from);
/* Whether the lane lies between any point of a box, for which the veil is, and any of another. */
bool veil_hides(const struct veil *, struct mw_box from, struct mw_box to);

#endif
