/* atlas.h: a grid of labels as it is being drawn: what cells.c and signs.c share. */
#ifndef MAPWRIGHT_ATLAS_H
#define MAPWRIGHT_ATLAS_H

#include "enc/labels.h"
#include "enc/outline.h"
#include "enc/unroll.h"
#include "scene.h"

/* As an atlas does: the larger the map, the heavier its borders and marks, so that they can be seen
   when all of it is on one screen; but never so heavy that they hide countries of a usual size. */
struct weights {
    int32_t border; /* in tenths of a unit */
    int32_t mark;   /* radius */
    int32_t number; /* height of its digits, at most */
};

struct atlas {
    struct canvas *canvas;
    const struct mw_cells *cells;
    struct sheet sheet; /* as it would be opened */
    bool tiles;         /* copies of it are laid side by side */
    struct mw_point period;
    struct marks marks; /* the table that tells of the labels */
    const char *kind;   /* what they are, one by one */
    const struct cell_shape *shape;
    const int32_t *colours; /* of labels; colours[0] is how many */
    enum ink relief;        /* what is filled are numbers of inks from that on; 0: labels */
    bool in_shadow;         /* those are: light will lie over them */
    struct weights weights;
};

/* Where the middle of a cell of what was unrolled lies on the sheet. */
static inline struct mw_point middle_in(const struct atlas *atlas, const struct unrolled *u,
                                        int32_t cell)
{
    int32_t margin = atlas->canvas->margin;
    struct mw_point at = outline_middle(atlas->shape, u->cells.lattice.width, cell);
    return (struct mw_point){at.x + margin - u->left * atlas->shape->pitch_x,
                             at.y + margin - u->above * atlas->shape->pitch_y};
}

/* Walks, marks and numbers; `u` and its outline: what labels were drawn of. */
void draw_signs(const struct atlas *, struct unrolled u, struct outline);

#endif
