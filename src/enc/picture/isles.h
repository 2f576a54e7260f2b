/* isles.h: how a world of voxels is laid on its sheet, in units. */
#ifndef MAPWRIGHT_ISLES_H
#define MAPWRIGHT_ISLES_H

#include "canvas.h"

/* Half a rhombus, which is a cell; a layer of land. */
enum { ISLES_ACROSS = 8, ISLES_DOWN = 4, ISLES_RISE = 6 };

/* For each label an outline that is not seen, at the height of the first layer: what a page that
   shows the drawing may style, and be asked about. `rear`: the rear corner of cell 0, 0. */
void isles_stand(struct canvas *, const struct mw_cells *labels, struct mw_point rear);

#endif
