/* labels.h: the borders of labels, and colors that differ for neighbors. */
#ifndef MAPWRIGHT_LABELS_H
#define MAPWRIGHT_LABELS_H

#include "lib/gen.h"

/* For each cell with a label, a bit for each side that is a border: another label or none is across
   it, or it is at the rim of the map, which a seam counts as. */
uint8_t *label_borders(struct mw_run *, const struct mw_cells *);
/* Two labels, as greater * 2^32 + smaller; 0: they are equal, or one is no label. */
uint64_t label_pair(int32_t a, int32_t b);
/*
 * Chooses a color for each label from 1 to `labels`, so that the labels of each pair differ, as
 * far as a greedy choice in order of label can do that; result[label] is 0 .. colors-1, result[0]
 * the number of labels. Sorts the pairs.
 */
int32_t *label_colors_of_pairs(struct mw_run *, uint64_t *pairs, int32_t count, int32_t labels,
                               int32_t colors);
/* The same for the labels of a grid; the pairs are those with a border, also across a seam. */
int32_t *label_colors(struct mw_run *, const struct mw_cells *, const uint8_t *borders,
                      int32_t colors);

#endif
