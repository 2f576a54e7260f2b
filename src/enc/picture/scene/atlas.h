/* atlas.h: the drawing of a grid of labels: what cells.c and signs.c share. */
#ifndef MAPWRIGHT_ATLAS_H
#define MAPWRIGHT_ATLAS_H

#include "enc/labels.h"
#include "enc/outline.h"
#include "scene.h"

/* The larger the map, the heavier its borders and marks, so that they are visible when all of it is
   on one screen, but not so heavy that they hide countries of the mean size. */
struct weights {
    int32_t border; /* in tenths of a unit */
    int32_t mark;   /* radius */
    int32_t number; /* height of its digits, at most */
};

struct atlas {
    struct canvas *canvas;
    const struct mw_cells *cells; /* of the map */
    struct unrolled flat;         /* those to draw */
    struct outline outline;       /* theirs */
    struct sheet sheet;           /* before its margin is added */
    struct mw_point period;       /* of a sheet to be tiled; 0: does not repeat that way */
    struct marks marks;           /* the table with a row for each label */
    const char *kind;             /* of a label, in the singular: "region" */
    const struct cell_shape *shape;
    const int32_t *colors; /* by label; colors[0] is the number of labels */
    bool holds_inks;       /* cells hold inks in place of labels */
    struct weights weights;
};

/* Sets the cells to draw, with at least so many around them where the map wraps. */
static inline void atlas_take(struct atlas *atlas, const struct mw_cells *cells, int32_t columns,
                              int32_t rows)
{
    atlas->flat = columns ? outline_unroll(atlas->canvas->run, cells, columns, rows)
                          : (struct unrolled){*cells, 0, 0};
    atlas->outline = outline_of(atlas->canvas->run, &atlas->flat.cells);
}

/* The middle of a cell to draw on the sheet. */
static inline struct mw_point middle_in(const struct atlas *atlas, int32_t cell)
{
    const struct unrolled *u = &atlas->flat;
    struct mw_point at = outline_middle(atlas->shape, u->cells.lattice.width, cell);
    return (struct mw_point){at.x - u->left * atlas->shape->pitch_x,
                             at.y - u->above * atlas->shape->pitch_y};
}

/* Walks, marks and labels, after the cells; may take others to draw. */
void draw_signs(struct atlas *);

#endif
