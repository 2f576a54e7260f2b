/* mask.h: rows of `#` for land. */
#ifndef MAPWRIGHT_MASK_H
#define MAPWRIGHT_MASK_H

#include "lib/gen.h"

/* The cells of land of a map of that size, which is the mask's; all where there is no mask
   (mask.count is 0). */
int32_t mw_count_land(const struct mw_rows *mask, int32_t width, int32_t height);
/* For `check`: a width or height that was left out follows from the mask; one that differs is
   reported. */
void mw_fit_mask(struct mw_run *, const struct mw_rows *mask, bool width_given, bool height_given,
                 int32_t *width, int32_t *height);

#endif
