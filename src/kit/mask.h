/* mask.h: rows of `#` that say where land is. */
#ifndef MAPWRIGHT_MASK_H
#define MAPWRIGHT_MASK_H

#include "lib/gen.h"

/* The land of a map: `mask` (or all, where mask.count is 0), which must be of the lattice's size.
   Pointer-free test of one cell. */
static inline bool mw_land(const struct mw_rows *mask, int32_t width, int32_t cell)
{
    return !mask->count ||
           mask->at[(int64_t)(cell / width) * (mask->width + 1) + cell % width] == '#';
}
/* The cells of land of a map of that size. */
int32_t mw_count_land(const struct mw_rows *mask, int32_t width, int32_t height);
/* For `check`: a width or height that was left out follows from the mask; one that differs is
   reported. */
void mw_fit_mask(struct mw_run *, const struct mw_rows *mask, bool width_given, bool height_given,
                 int32_t *width, int32_t *height);

#endif
