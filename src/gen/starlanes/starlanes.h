/* starlanes.h: what the files of the generator of star lanes share. */
#ifndef MAPWRIGHT_STARLANES_H
#define MAPWRIGHT_STARLANES_H

#include "lib/gen.h"

/* Stars in the order of their coordinates, x first; a < b; lanes from the shortest to the
   longest. */
struct lanes {
    struct mw_edge *at;
    int32_t count;
};

/* The cosine's square of an angle in thousandths of a degree up to 60000, rounded to 2^-20. */
int32_t starlanes_cosine(int32_t angle);

/* The maximum graph. `lanes->at` has room for 3 * stars. */
void starlanes_maximum(struct mw_run *, const struct mw_point *at, int32_t stars, int32_t cosine,
                       struct lanes *);

/* The minimum graph: sets keep[i] for its lanes, clears the others. */
void starlanes_minimum(struct mw_run *, const struct mw_point *at, int32_t stars,
                       const struct lanes *, int32_t centre, const int32_t *homes, int32_t count,
                       bool *keep);

/* The result graph: sets keep[i] for the share, in thousandths, of the lanes that are not kept
   yet. */
void starlanes_densify(struct mw_run *, int32_t stars, const struct lanes *, int32_t density,
                       bool *keep);

#endif
