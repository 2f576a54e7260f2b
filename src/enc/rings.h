/* rings.h: the area of each label as polygons: rings around pieces, and around their holes. */
#ifndef MAPWRIGHT_RINGS_H
#define MAPWRIGHT_RINGS_H

#include "outline.h"

/* Corners in units of outline_shapes, the first one not repeated. With y down, rings around pieces
   are counterclockwise, rings around holes clockwise. */
struct ring {
    int32_t label;
    int32_t piece; /* the same for all rings of a piece */
    bool hole;
    int32_t start, count; /* among the corners */
};
struct label_rings {
    const struct mw_point *corners;
    const struct ring *list; /* sorted by label and piece, holes last */
    int32_t count;
};

/* Of labels above 0; a seam counts as a rim. No ring touches itself, two rings of a polygon touch
   in single points at most, and no corner is on a straight line. In memory of the run. */
struct label_rings rings_of(struct mw_run *, const struct mw_cells *);

#endif
