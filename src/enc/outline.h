/* outline.h: the borders of labels, walked side by side. */
#ifndef MAPWRIGHT_OUTLINE_H
#define MAPWRIGHT_OUTLINE_H

#include "kit/lattice.h"
#include "lib/gen.h"

/* A cell as drawings have it, in units of their own: its corners around its middle, and the way
   from cell to cell. Corner s begins side s; all go clockwise. */
struct cell_shape {
    int pitch_x, pitch_y, shove; /* from cell to cell, row to row, and of odd rows */
    int middle_x, middle_y;      /* of cell 0,0 */
    int8_t x[MW_MAX_SIDES], y[MW_MAX_SIDES];
};
extern const struct cell_shape outline_shapes[]; /* by tiling */
/* The middle of a cell. */
struct mw_point outline_middle(const struct cell_shape *, int32_t width, int32_t cell);

struct outline {
    struct mw_run *run;
    const struct mw_cells *cells;
    struct mw_lattice flat; /* without wrap: a seam is a rim */
    /* A bit for each side of a cell with a label: */
    uint8_t *borders; /* beyond it is another label, or the end of the map, or it is cut */
    uint8_t *walked;
};

/* In memory of the run. */
struct outline outline_of(struct mw_run *, const struct mw_cells *);
/* Joins the loops around the holes of a piece with the one around it, by cuts along sides inside:
   after that each piece of a label has one loop, which goes up and down each cut. */
void outline_cut_holes(struct outline *);
/* Where each loop may begin, as cell * 8 + side, by the number of the cell; none is walked yet. */
int32_t outline_loops(struct outline *, int32_t **loops);
/* Walks a side; false where that was done before: the loop is closed. */
bool outline_take(struct outline *, int32_t cell, int side);
/* Moves on to the next side of the loop. */
void outline_advance(const struct outline *, int32_t *cell, int *side);

#endif
