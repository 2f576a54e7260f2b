/* labels.h: the borders of labels, and colours that tell neighbours apart. */
#ifndef MAPWRIGHT_LABELS_H
#define MAPWRIGHT_LABELS_H

#include "lib/gen.h"

/* For each cell of row y, a bit for each of its first so many sides with another label across,
   nothing being label 0. */
void label_borders(const struct mw_cells *, int32_t y, int count, uint8_t *sides);
/* The first of `count` cells, from one on, with such a side; `count`: there is none. */
int32_t label_next_border(const uint8_t *sides, int32_t from, int32_t count);

/*
 * Colours for the labels 1 .. the greatest in the grid, so that labels that share a border differ
 * wherever `colours` suffice for choosing in order of label; result[label] is 0 .. colours-1, and
 * result[0] the greatest label. Lives in the run. Time: one pass and a sort of the border.
 */
int32_t *label_colours(struct mw_run *, const struct mw_cells *, int32_t colours);

#endif
