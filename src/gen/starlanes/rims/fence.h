/*
 * fence.h: all lanes of all stars, in a tree of boxes, to tell what lies between two stars.
 */
#ifndef MAPWRIGHT_STARLANES_FENCE_H
#define MAPWRIGHT_STARLANES_FENCE_H

#include "rim.h"

struct fence {
    const struct rims *rims;
    int32_t leaves;        /* a power of two */
    struct mw_box *box;    /* of node i, whose children are 2i and 2i + 1 */
    int32_t *star;         /* of each leaf, or -1 */
    int32_t *leaf;         /* of each star */
    int32_t *first, *next; /* the corners of each star */
};

/* With no corners; there is room for so many. `order` has neighbours near each other. */
void fence_begin(struct mw_run *, struct fence *, const struct rims *, const int32_t *order,
                 int32_t stars, int32_t room);
/* Takes notice of a new corner, or of a new first lane of one. */
void fence_add(struct fence *, int32_t corner);
void fence_widen(struct fence *, int32_t corner);
bool fence_blocks(struct mw_run *, const struct fence *, int32_t a, int32_t b, int32_t *stack);

#endif
