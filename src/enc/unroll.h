/* unroll.h: a piece of the endless plane that a map covers as it wraps. */
#ifndef MAPWRIGHT_UNROLL_H
#define MAPWRIGHT_UNROLL_H

#include "lib/gen.h"

struct unrolled {
    struct mw_cells cells; /* flat: a seam is like any other place */
    int32_t left, above;   /* columns and rows before those of the map; the latter are even */
};

/* The map with so many more cells, at least, on each side that it wraps across. In memory of the
   run. */
struct unrolled unroll(struct mw_run *, const struct mw_cells *, int32_t columns, int32_t rows);

#endif
