/* rings.h: the area of each label as polygons: rings around pieces, and around their holes. */
#ifndef MAPWRIGHT_RINGS_H
#define MAPWRIGHT_RINGS_H

#include "outline.h"

/* Corners in units of outline_shapes, the last one not the first again. Seen with y down, those of
   a piece go round counterclockwise, those of a hole clockwise. */
struct ring {
    int32_t label;
    int32_t piece; /* a number that the rings of a piece share */
    bool hole;
    int32_t start, count; /* among the corners */
};
struct label_rings {
    const struct mw_point *corners;
    const struct ring *list; /* by label, and by piece, whose holes follow the ring around it */
    int32_t count;
};

/* No ring touches itself, two of a polygon touch in single points at most, and there is no corner
   that is none. Of labels above 0, a seam being a rim; in memory of the run. */
struct label_rings rings_of(struct mw_run *, const struct mw_cells *);

#endif
