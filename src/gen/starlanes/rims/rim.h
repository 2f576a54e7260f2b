/*
 * rim.h: the corners between lanes, strung on loops, and a tree over each loop to look through it.
 *
 * A CORNER is the room at a star between a lane and the next to the left: all of it, where the
 * star has no lane or one. Walk along the first lane of a corner, with the room on the left; at
 * the other star turn left as sharply as you can: that is the next corner of its LOOP. The loops
 * of a face are its rims. One with a positive area lies around its face; one without lies within
 * a face or around all that hangs together.
 *
 * The corners of a loop, in their order, are the nodes of a treap (Seidel and Aragon 1996), so
 * that loops are cut and joined in log n; a perfect tree to begin with. A node knows the box around
 * its subtree and in which directions the corners there are open. As neighbours on a loop are
 * neighbours on the plane, a search for what lies near or in the way leaves most of it aside.
 *
 * The GRAIN of a corner is how long lanes are around it on its loop: the mean of their logarithms,
 * by 2^10 for each doubling of the square.
 *
 * A tree may hold more loops, one behind the other: where one begins is marked.
 */
#ifndef MAPWRIGHT_STARLANES_RIM_H
#define MAPWRIGHT_STARLANES_RIM_H

#include "gen/starlanes/mesh/angle.h"
#include "lib/gen.h"

/* Directions from `from` on to the left, by 2^32 for a turn; none where the width is 0. */
struct arc {
    uint32_t from, width;
};
/* Where a turn of a half or more is as narrow, it is a whole one that was rounded. */
#define SLIVER (UINT32_C(1) << 29)
static const struct arc no_arc = {0, 0}, whole_arc = {0, UINT32_MAX};

enum {
    MOST_STARS = (1 << 29) - 1, /* that have a number in a corner */
    MOST_SPLITS = 3,            /* before parts go apart */
    MOST_PARTS = 1 << MOST_SPLITS,
};

/* A line of the cache, as a search touches little else. */
struct corner {
    int32_t star : 30;
    bool begins : 1;        /* its loop */
    bool has_beginning : 1; /* the subtree */
    int32_t right, left;    /* the stars where its lanes lead, or -1 */
    int32_t child[2], parent;
    struct mw_box box;  /* around the subtree, and where its first lanes lead; ends are inside */
    struct arc open;    /* no lane will leave in other directions, */
    struct arc opens;   /* nor from the subtree */
    uint16_t grain;     /* the coarser the rim around it, the higher */
    uint16_t finest;    /* the lowest grain in the subtree */
    bool apart : 1;     /* it is no part of what was one corner with it */
    uint8_t splits : 6; /* how often what it was was divided */
};
_Static_assert(sizeof(struct corner) == 64, "a line of the cache");

struct rims {
    const struct mw_point *at; /* of each star */
    struct angle angle;
    struct corner *corner;
    uint64_t *area; /* of each corner: twice what its subtree adds to the loop's, modulo 2^64 */
    int32_t corners;
};

/* Where a direction lies on the turn; right within 2, and of two directions never the wrong way. */
uint32_t arc_direction(struct ray);
/* The directions in which points of a box see points of another; ends are inside. */
struct arc arc_of_boxes(struct mw_box, struct mw_box other);
/* The least arc that holds two. */
struct arc arc_around(struct arc, struct arc);
/* From one direction to the left up to another, and a little more. */
struct arc arc_between(struct ray from, struct ray to);
static inline bool arc_holds(struct arc arc, struct ray ray)
{
    return arc.width && arc_direction(ray) - arc.from <= arc.width;
}
static inline bool arcs_meet(struct arc a, struct arc b)
{
    return (a.width && b.width) && (b.from - a.from <= a.width || a.from - b.from <= b.width);
}

/* A new corner, a tree by itself, open in some directions at most. */
int32_t rim_add(struct rims *, int32_t star, int32_t right, int32_t left, struct arc open);
/* A corner becomes narrower; no ancestor knows. */
void rim_set(struct rims *, int32_t corner, int32_t right, int32_t left);
/* Brings all ancestors up to date. */
void rim_refresh(struct rims *, int32_t corner);
/* No lane will leave a corner but between two rays; all ancestors know. */
void rim_narrow(struct rims *, int32_t corner, struct ray right, struct ray left);
/* Gives each loop a tree of its own, numbers all corners anew in their order, and tells their
   grain; until then it is 0, of a star alone the highest. `list` has room for all. */
void rim_sift(struct mw_run *, struct rims *, int32_t *list);

int32_t rim_root(const struct rims *, int32_t corner);
/* The first corner of a subtree (side 0), or the last; of none, -1. */
int32_t rim_end(const struct rims *, int32_t node, int side);
/* The next corner in a tree, along the first lane (side 1), or the one before; or -1. That of
   another loop, where the corner's own begins or ends. */
int32_t rim_beside(const struct rims *, int32_t corner, int side);
/* Trees may be -1, with nothing in them. */
int32_t rim_join(struct rims *, int32_t first, int32_t second);
/* Cuts the tree in two; the corner comes first in the second. */
void rim_cut(struct rims *, int32_t corner, int32_t *first, int32_t *second);
/* Takes the loop of a corner out of a tree of loops, and leaves what was before and behind it. */
int32_t rim_take_loop(struct rims *, int32_t corner, int32_t *before, int32_t *behind);

/* The corner of a star in a tree that admits the direction, or -1. */
int32_t rim_find(struct mw_run *, const struct rims *, int32_t root, int32_t star, struct ray,
                 int32_t *stack);
/* Whether the direction lies within the corner, and far enough from its lanes. */
bool rim_admits(const struct rims *, int32_t corner, struct ray);
struct mw_box box_around(struct mw_box, struct mw_box);
static inline bool boxes_apart(struct mw_box a, struct mw_box b)
{
    return (a.x0 > b.x1) | (a.x1 < b.x0) | (a.y0 > b.y1) | (a.y1 < b.y0);
}
/* Whether a lane or a star of the tree lies between two stars. */
bool rim_blocks(struct mw_run *, const struct rims *, int32_t root, int32_t a, int32_t b,
                int32_t *stack);

#endif
