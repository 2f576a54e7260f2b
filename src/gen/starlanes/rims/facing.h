/*
 * facing.h: which leaves of two batches may be joined, told of all of a batch at once.
 */
#ifndef MAPWRIGHT_STARLANES_FACING_H
#define MAPWRIGHT_STARLANES_FACING_H

#include "face.h"

/* Numbers abreast, one for each leaf; of what is asked of them only the signs count. */
enum { ABREAST = 2 };
typedef double reals __attribute__((vector_size(8 * ABREAST)));
typedef uint64_t signs __attribute__((vector_size(8 * ABREAST)));
union row {
    double one[BATCH];
    reals at[BATCH / ABREAST];
    uint64_t sign[BATCH];
    signs signs[BATCH / ABREAST];
};

/* Where the leaves of a batch are, and the directions from which their arcs lead to which. */
struct facing {
    union row x, y, right_x, right_y, left_x, left_y;
    union row wide; /* its sign tells that the arc is half a turn or more */
};

/* Distances, squared; ends are inside. */
struct range {
    double from, to;
};

/* Idle leaves are out of all ranges. */
void facing_read(struct facing *, const struct batch *);
/* The leaves, by bits, that may be joined with any star in a strip, within a range; or only whether
   there are any. */
enum extent { EACH, ANY };
uint32_t facing_strip(const struct facing *, const struct strip *, struct range, enum extent);
/* The leaves of another batch that one may be joined with, within a range. */
uint32_t facing_leaf(const struct facing *, int leaf, const struct facing *other, struct range);

#endif
