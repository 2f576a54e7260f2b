/* mask.h: rows of `#` for land. */
#ifndef MAPWRIGHT_MASK_H
#define MAPWRIGHT_MASK_H

#include "kit/integer.h"
#include "lib/gen.h"

/* The cells of a box; none where its last column or row lies before its first. */
static inline int32_t mw_box_cells(struct mw_box b)
{
    return mw_max(b.x1 - b.x0 + 1, 0) * mw_max(b.y1 - b.y0 + 1, 0);
}
/* The cells of land in a box; all where there is no mask (mask.count is 0). */
int32_t mw_count_land(const struct mw_rows *mask, struct mw_box);
/* For `check`: a width or height that was left out follows from the mask; one that differs is
   reported. */
void mw_fit_mask(struct mw_run *, const struct mw_rows *mask, bool width_given, bool height_given,
                 int32_t *width, int32_t *height);

#endif
