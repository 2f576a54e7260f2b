/* labels.h: the borders of labels, and colours that tell neighbours apart. */
#ifndef MAPWRIGHT_LABELS_H
#define MAPWRIGHT_LABELS_H

#include "lib/gen.h"

/* For each cell a bit for each of its sides with another label across, or with none, or at the end
   of the map, as a seam is; 0 where there is no label. */
uint8_t *label_borders(struct mw_run *, const struct mw_cells *);
/*
 * Colours for the labels 1 .. the greatest in the grid, whose borders are known, so that labels
 * that share one, be it across a seam, differ wherever `colours` suffice for choosing in order of
 * label; result[label] is 0 .. colours-1, and result[0] the greatest label. Lives in the run. Time:
 * one pass and a sort of the border.
 */
int32_t *label_colours(struct mw_run *, const struct mw_cells *, const uint8_t *borders,
                       int32_t colours);

#endif
