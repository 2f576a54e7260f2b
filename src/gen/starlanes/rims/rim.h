/*
 * rim.h: the corners between lanes, strung on loops.
 *
 * A CORNER is the room at a star between a lane and the next to the left: all of it, where the
 * star has no lane or one. Walk along the first lane of a corner, with the room on the left; at
 * the other star turn left as sharply as you can: that is the next corner of its LOOP. The loops
 * of a face are its rims. One with a positive area lies around its face; one without lies within
 * a face or around all that hangs together.
 */
#ifndef MAPWRIGHT_STARLANES_RIM_H
#define MAPWRIGHT_STARLANES_RIM_H

#include "arc.h"

struct corner {
    int32_t star, right, left; /* the stars where its lanes lead, or -1 */
    int32_t sight[2];          /* stars that hide all from its left and its right lane to them */
    int32_t neighbour[2];      /* on its loop: before it, and along its first lane */
    int32_t leaf, also; /* where it is in the tree of its face; another corner there, or -1 */
    int32_t loop;       /* -1: it is no longer at sea (holes.c) */
    int32_t looked;     /* how far, when it looked along its rim (horizon.c) */
    struct arc open;    /* no lane will leave in other directions */
};

struct rims {
    const struct mw_point *at; /* of each star */
    struct angle angle;
    struct corner *corner;
    int32_t corners, room;
};

/* A new corner, a loop by itself, open in some directions at most. */
int32_t rim_add(struct rims *, int32_t star, int32_t right, int32_t left, struct arc open);
/* A corner becomes narrower. */
void rim_set(struct rims *, int32_t corner, int32_t right, int32_t left);
/* No lane will leave a corner but between two stars: to the right of the first, and to the left of
   the second. */
void rim_narrow(struct rims *, int32_t corner, const int32_t sight[2]);
/* One corner follows another on a loop. */
static inline void rim_link(struct rims *r, int32_t corner, int32_t next)
{
    r->corner[corner].neighbour[1] = next;
    r->corner[next].neighbour[0] = corner;
}
/* A new lane between two corners: each becomes what is to the right of it, and what is to the left
   is `beyond`, a new one, or the same where the star had no lane. */
void rim_divide(struct rims *, const int32_t corner[2], int32_t beyond[2]);
/* Whether the direction lies within the corner, and far enough from its lanes. */
bool rim_admits(const struct rims *, int32_t corner, struct ray);

#endif
