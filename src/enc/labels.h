/* labels.h: the borders of labels, and colours that tell neighbours apart. */
#ifndef MAPWRIGHT_LABELS_H
#define MAPWRIGHT_LABELS_H

#include "kit/integer.h"
#include "lib/gen.h"

/* For each cell a bit for each of its sides with another label across, or with none, or at the end
   of the map, as a seam is; 0 where there is no label. */
uint8_t *label_borders(struct mw_run *, const struct mw_cells *);
/* The first of the cells of a row with these borders, from x on, which is not 0, that has another
   label than the one before it; the width: there is none. */
int32_t label_next_change(const struct mw_lattice *, const uint8_t *borders, int32_t x);

/* Who walks along borders reads few labels of a line of memory: that below a cell, which is near to
   a border of the next row, is asked for before it is wanted. No call: compilers take one that has
   no effect for none. */
static inline __attribute__((always_inline)) void label_expect_below(const struct mw_cells *cells,
                                                                     int32_t cell)
{
    const struct mw_lattice *l = &cells->lattice;
    __builtin_prefetch(cells->at + mw_min(cell + l->width, l->width * l->height - 1));
}

/*
 * Colours for the labels 1 .. the greatest in the grid, whose borders are known, so that labels
 * that share one, be it across a seam, differ wherever `colours` suffice for choosing in order of
 * label; result[label] is 0 .. colours-1, and result[0] the greatest label. Lives in the run. Time:
 * one pass and a sort of the border.
 */
int32_t *label_colours(struct mw_run *, const struct mw_cells *, const uint8_t *borders,
                       int32_t colours);

#endif
