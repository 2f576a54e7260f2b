/* draw.h: what the drawing encoders share. */
#ifndef MAPWRIGHT_DRAW_H
#define MAPWRIGHT_DRAW_H

#include "lib/gen.h"

/* The first part of that kind and role, or -1. */
int draw_part(const struct mw_generator *, enum mw_kind, enum mw_role);

/* For each cell of row y, a bit for each side with another label across, nothing being label 0. */
void draw_borders(const struct mw_cells *, int32_t y, uint8_t *sides);

/*
 * Colours for the labels 1 .. the greatest in the grid, so that labels that share a border differ
 * wherever `colours` suffice for choosing in order of label; result[label] is 0 .. colours-1, and
 * result[0] the greatest label. Lives in the run. Time: one pass and a sort of the border.
 */
int32_t *draw_colours(struct mw_run *, const struct mw_cells *, int32_t colours);

/* The first column of that role in a table of the map, and its rows; or NULL. */
const void *draw_column(const struct mw_map *, enum mw_role, int32_t *rows);

#endif
