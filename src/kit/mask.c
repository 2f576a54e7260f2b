/* mask.c: the size of a map by its mask, and how much of it is land. */
#include "mask.h"

static void fit(struct mw_run *run, const char *pointer, bool given, int32_t *side,
                int32_t mask_side)
{
    if (given && *side != mask_side)
        mw_add_problem(run, MW_NO_RESULT, pointer,
                       "is %d, but that of the mask is %d: leave it out, or make them equal", *side,
                       mask_side);
    *side = mask_side;
}

void mw_fit_mask(struct mw_run *run, const struct mw_rows *mask, bool width_given,
                 bool height_given, int32_t *width, int32_t *height)
{
    if (!mask->count)
        return;
    fit(run, "/width", width_given, width, mask->width);
    fit(run, "/height", height_given, height, mask->count);
}

int32_t mw_count_land(const struct mw_rows *mask, struct mw_box in)
{
    int32_t land = 0;
    if (!mask->count)
        return mw_box_cells(in);
    assert(in.x1 < mask->width && in.y1 < mask->count);
    for (int32_t y = in.y0; y <= in.y1; y++)
        for (int32_t x = in.x0; x <= in.x1; x++)
            land += mask->at[(int64_t)y * (mask->width + 1) + x] == '#';
    return land;
}
