/*
 * face.h: a tree over the corners of a face, to look through it.
 *
 * Its leaves are the corners in the order of their loops, one loop behind the other. Of these each
 * BATCH lie side by side, so that all of them are held against something at once; over the batches
 * grows the tree. A node knows the box around the stars below it and the directions in which these
 * are open: as neighbours on a loop are neighbours on the plane, a search for what lies near, or in
 * the way, leaves most of the tree aside. The tree never changes; what becomes of its corners is
 * told upward.
 *
 * Where the way to the next corner is a LEAP, thirty times longer than all lanes on one side of
 * it, a new batch begins, so that the boxes stay small.
 *
 * The nodes lie as in a heap: below node i are 2i and 2i + 1, from `batches` on each is a batch.
 *
 * A ROW is a stretch of a loop that is straight to the unit. Its stars are joined already, so no
 * two of them ever will be; arcs cannot tell, as they are rounded.
 *
 * A row that is straight but for some units is straight in the end, as lanes make it so; and stars
 * beside a row see all of it in nearly one direction. Boxes tell little then. So a node knows the
 * LINE on which all its open stars are, once they are, and that of all its stars and first lanes;
 * unless it has a batch where hardly three neighbours are in line, as on a bow.
 *
 * A row that is slanted fills no box. So a node knows a STRIP around all stars that were there in
 * the beginning, the narrowest that was found (strip.c), and whether that tells more than its box.
 *
 * The GRAIN of a corner is how long lanes are around it on its loop: the mean of their logarithms,
 * by 2^10 for each doubling of the square.
 */
#ifndef MAPWRIGHT_STARLANES_FACE_H
#define MAPWRIGHT_STARLANES_FACE_H

#include "line.h"
#include "rim.h"
#include "strip.h"

enum {
    BATCH = MW_SHORTCUTS ? 16 : 8, /* fewer where they are compared one by one */
    DEPTH = 64,                    /* more than a tree has, and a half */
    CHANGED_MOST = MW_SHORTCUTS ? 8 : 1,
};

struct node {
    struct mw_box box;     /* around its stars; ends are inside */
    struct arc opens;      /* no lane will leave those in other directions; if none, all is idle */
    uint16_t fine, coarse; /* the lowest grain and the highest */
};

/* Leaves, each of which has corners of one star. */
struct batch {
    int32_t corner[BATCH]; /* the first there, or -1 */
    int32_t star[BATCH];
    int32_t x[BATCH], y[BATCH];       /* where that is */
    int32_t to_x[BATCH], to_y[BATCH]; /* where its first lane leads, or the star */
    struct arc opens[BATCH];
    uint16_t grain[BATCH];
    uint32_t several; /* by bits, where there are more corners */
};

/* What tells more of a node than its box: a strip that is askew, and the line of its open stars. */
enum { IN_ROW = 1, IN_LINE = 2 };

struct face {
    struct rims *rims;
    int32_t batches, spare[MW_SHORTCUTS]; /* all; how many may still be left before they are full */
    struct batch *batch;
    struct node *node;
    struct mw_box *lanes; /* around the first lanes of all corners of a node, idle ones too */
    int32_t changed[CHANGED_MOST], changes; /* batches of which the nodes above do not know yet */
    /* The row where all stars of a node are, or SEVERAL; NOTHING: nor does it know lines. The small
       library has neither. */
    int32_t *row[MW_SHORTCUTS];
    struct lines {
        struct line open, lanes;
    } * lines[MW_SHORTCUTS];
    struct strip *strip[MW_SHORTCUTS]; /* around all stars that were there in the beginning */
    uint8_t *shape[MW_SHORTCUTS];      /* IN_ROW, IN_LINE */
};

static inline int32_t *face_corner(const struct face *f, int32_t leaf)
{
    return &f->batch[leaf / BATCH].corner[leaf % BATCH];
}
static inline struct mw_point face_star(const struct face *f, int32_t leaf)
{
    const struct batch *b = &f->batch[leaf / BATCH];
    return (struct mw_point){b->x[leaf % BATCH], b->y[leaf % BATCH]};
}

/* Whether the stars of two nodes are all in one row. */
static inline bool face_is_row(const struct face *f, int32_t i, int32_t k)
{
    return MW_SHORTCUTS && f->row[0][i] == f->row[0][k] && f->row[0][i] >= 0;
}

/* Whether the open stars of a node are all on one line. */
static inline bool face_is_in_line(const struct face *f, int32_t i)
{
    return f->shape[0][i] & IN_LINE;
}

/* Makes room for so many corners, of which there are none yet. They live in the run. */
struct face face_new(struct mw_run *, struct rims *, int32_t corners);
/* Puts the loop of a corner on leaves from one on; the next one that is free. */
int32_t face_string(struct mw_run *, struct face *, int32_t corner, int32_t leaf);
/* Makes the tree, when all leaves are strung. */
void face_grow(struct mw_run *, struct face *);
/* A corner has changed. */
void face_refresh(struct face *, int32_t corner);
/* A loop that was of the face is so no more. */
void face_drop(struct mw_run *, struct face *, int32_t corner);
/* Tells upward what has changed, before the tree is looked through again. */
void face_tell(struct face *);
/* Around the open stars of a node, or more. */
struct strip face_strip(const struct face *, int32_t node);
/* The corner at a leaf that admits a direction, or -1. */
int32_t face_admits(const struct face *, int32_t leaf, struct ray);
/* A corner of which the star or the first lane lies between two places, or -1. */
int32_t face_between(struct mw_run *, const struct face *, struct mw_point, struct mw_point);

#endif
