/* labels.h: the borders of labels, colors that differ for neighbors, and places for names. */
#ifndef MAPWRIGHT_LABELS_H
#define MAPWRIGHT_LABELS_H

#include "lib/gen.h"

/* For each cell with a label, a bit for each side that is a border: another label or none is across
   it, or it is at the rim of the map, which a seam counts as. */
uint8_t *label_borders(struct mw_run *, const struct mw_cells *);
/*
 * Chooses a color for each label from 1 to the greatest one, so that neighbors differ, also
 * across a seam, as far as a greedy choice in order of label can do that; result[label] is 0 ..
 * colors-1, result[0] the greatest label. Memory of the run. Time: a pass over the cells and a
 * sort of the borders.
 */
int32_t *label_colors(struct mw_run *, const struct mw_cells *, const uint8_t *borders,
                      int32_t colors);

/* The cell of a label that is farthest from its border, and the number of steps to the nearest cell
   without the label. */
struct pole {
    int32_t cell, depth; /* depth 0: the label has no cell */
};
/* By label, 1 to `labels`; in memory of the run. A seam counts as a rim. */
struct pole *label_poles(struct mw_run *, const struct mw_cells *, const uint8_t *borders,
                         int32_t labels);

#endif
