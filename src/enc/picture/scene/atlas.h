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
    const struct mw_cells *cells;
    struct sheet sheet; /* before its margin is added */
    bool tiles;         /* drawn to be tiled */
    struct mw_point period;
    struct marks marks; /* the table with a row for each label */
    const char *kind;   /* of a label, in the singular: "region" */
    const struct cell_shape *shape;
    const int32_t *colors; /* by label; colors[0] is the number of labels */
    bool holds_inks;       /* cells hold inks in place of labels */
    struct weights weights;
};

/* The middle of a cell of the unrolled map on the sheet. */
static inline struct mw_point middle_in(const struct atlas *atlas, const struct unrolled *u,
                                        int32_t cell)
{
    int32_t margin = atlas->canvas->margin;
    struct mw_point at = outline_middle(atlas->shape, u->cells.lattice.width, cell);
    return (struct mw_point){at.x + margin - u->left * atlas->shape->pitch_x,
                             at.y + margin - u->above * atlas->shape->pitch_y};
}

/* Walks, marks and labels; `u` and its outline: the cells that were drawn. */
void draw_signs(const struct atlas *, struct unrolled u, struct outline);

#endif
