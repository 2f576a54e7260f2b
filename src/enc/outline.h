/* outline.h: traces the borders of labels, side by side. */
#ifndef MAPWRIGHT_OUTLINE_H
#define MAPWRIGHT_OUTLINE_H

#include "kit/lattice.h"
#include "lib/gen.h"

/* The shape of a cell in units of drawings: its corners, relative to its middle, and the distances
   between cells. Corner s begins side s, clockwise. */
struct cell_shape {
    int pitch_x, pitch_y, row_shift; /* cell to cell, row to row, offset of odd rows */
    int middle_x, middle_y;          /* of cell 0,0 */
    int8_t x[MW_MAX_SIDES], y[MW_MAX_SIDES];
};
extern const struct cell_shape outline_shapes[]; /* by tiling */
/* The middle of a cell, by its number or its place; its corner s. */
struct mw_point outline_middle(const struct cell_shape *, int32_t width, int32_t cell);
struct mw_point outline_middle_of(const struct cell_shape *, struct mw_point cell);
struct mw_point outline_corner(const struct cell_shape *, int32_t width, int32_t cell, int s);

/* Whether two cells of a path are neighbors without crossing a seam. */
static inline bool outline_beside(struct mw_point a, struct mw_point b)
{
    return a.x - b.x <= 1 && b.x - a.x <= 1 && a.y - b.y <= 1 && b.y - a.y <= 1;
}

struct outline {
    struct mw_run *run;
    const struct mw_cells *cells;
    struct mw_lattice flat; /* without wrap: a seam counts as a rim */
    /* A bit for each side of a cell with a label: */
    uint8_t *borders; /* it is a border (see label_borders), or a cut */
    uint8_t *walked;
};

/* In memory of the run. */
struct outline outline_of(struct mw_run *, const struct mw_cells *);
/* Joins the loops around holes with the one around their piece, by cuts along inner sides: after
   that each piece of a label has a single loop, which runs along each cut twice. */
void outline_cut_holes(struct outline *);
/* Of all loops together. */
int32_t outline_count_sides(const struct outline *);
/* A start of each loop, as cell * 8 + side, in order of cell; returns their number. No side is
   marked as walked. */
int32_t outline_loops(struct outline *, int32_t **loops);
/* The same, sorted by label; keys: their labels, those below 0 last. */
int32_t outline_sorted_loops(struct outline *, int32_t **loops, uint64_t **keys);
/* Marks a side as walked; false: it was already, so the loop is closed. */
bool outline_take(struct outline *, int32_t cell, int side);
/* To the next side of the loop. */
void outline_advance(const struct outline *, int32_t *cell, int *side);

/* A part of the periodic plane of a map that wraps. */
struct unrolled {
    struct mw_cells cells; /* flat: a seam is like any other place */
    int32_t left, above;   /* columns and rows before those of the map; an even number of rows */
};

/* Adds at least `columns` and `rows` of cells on each side across which the map wraps. In memory
   of the run. */
struct unrolled outline_unroll(struct mw_run *, const struct mw_cells *, int32_t columns,
                               int32_t rows);

#endif
