/* poles.h: where in each label there is most room. */
#ifndef MAPWRIGHT_POLES_H
#define MAPWRIGHT_POLES_H

#include "outline.h"

/* A cell of a label, and how many steps it is to the nearest that has another, or is none. */
struct pole {
    int32_t cell, depth; /* depth 0: the label has no cell */
};
/* Of the labels 1 to `labels`, by label; in memory of the run. A seam is a rim. */
struct pole *poles_of(struct mw_run *, const struct outline *, int32_t labels);

#endif
