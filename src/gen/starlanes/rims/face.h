/*
 * face.h: a tree over the corners of a face, to look through it.
 *
 * Its leaves are the corners in the order of their loops, one loop behind the other. A node knows
 * the box around the stars below it and the directions in which these are open: as neighbours on a
 * loop are neighbours on the plane, a search for what lies near, or in the way, leaves most of the
 * tree aside. The tree never changes; what becomes of its corners is told upward.
 *
 * The nodes lie as in a heap: below node i are 2i and 2i + 1, from `leaves` on they are leaves. Of
 * these there is a multiple of BATCH, so that as many neighbours are all that is below some node.
 *
 * The GRAIN of a corner is how long lanes are around it on its loop: the mean of their logarithms,
 * by 2^10 for each doubling of the square.
 */
#ifndef MAPWRIGHT_STARLANES_FACE_H
#define MAPWRIGHT_STARLANES_FACE_H

#include "rim.h"

enum { BATCH = 16, DEPTH = 64 /* more than a tree has, and a half */ };

struct node {
    struct mw_box box;     /* around its stars; ends are inside */
    struct arc opens;      /* no lane will leave those in other directions; if none, all is idle */
    uint16_t fine, coarse; /* the lowest grain and the highest */
};

struct face {
    struct rims *rims;
    int32_t leaves;
    struct node *node;
    struct mw_box *lanes; /* around the first lanes of all corners of a node, idle ones too */
    int32_t *head;        /* of each leaf: its first corner, or -1 */
};

/* Makes room for so many corners, of which there are none yet. They live in the run. */
struct face face_new(struct mw_run *, struct rims *, int32_t corners);
/* Puts the loop of a corner on leaves from one on; the next one that is free. */
int32_t face_string(struct mw_run *, struct face *, int32_t corner, int32_t leaf);
/* Makes the tree, when all leaves are strung. */
void face_grow(struct mw_run *, struct face *);
/* Tells upward what has become of a corner. */
void face_refresh(struct face *, int32_t corner);
/* A loop that was of the face is so no more. */
void face_drop(struct mw_run *, struct face *, int32_t corner);
/* The corner at a leaf that admits a direction, or -1. */
int32_t face_admits(const struct face *, int32_t leaf, struct ray);
/* Whether a star or a lane lies between two stars. */
bool face_blocks(struct mw_run *, const struct face *, int32_t a, int32_t b);

#endif
