/* poles.h: the cell of each label that is farthest from its border. */
#ifndef MAPWRIGHT_POLES_H
#define MAPWRIGHT_POLES_H

#include "outline.h"

/* A cell, and the number of steps to the nearest cell without its label. */
struct pole {
    int32_t cell, depth; /* depth 0: the label has no cell */
};
/* By label, 1 to `labels`; in memory of the run. A seam counts as a rim. */
struct pole *poles_of(struct mw_run *, const struct outline *, int32_t labels);

#endif
