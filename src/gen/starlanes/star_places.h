/* star_places.h: where stars are put that the client has not placed. */
#ifndef MAPWRIGHT_STARLANES_SCATTER_H
#define MAPWRIGHT_STARLANES_SCATTER_H

#include "lib/gen.h"

enum { ARMS_LEAST = 2, ARMS_MOST = 12 };
enum shape { RECTANGLE, DISC, SPIRAL, RING, CLUSTERS };

struct scatter {
    int32_t stars, width, height, jitter;
    int32_t shape, arms;
};

/* Places for all stars, all different; there are as many as `stars` in width x height. */
struct mw_point *starlanes_scatter(struct mw_run *, const struct scatter *);

/* A galaxy in greys, pixel by pixel: 0 where no star may be, the more stars the more. */
enum { SHADES = 256 };
struct grey_picture {
    int32_t columns, rows;
    uint8_t *shade;
};

/* What the galaxy of a seed looks like; the same at whatever resolution it is painted. */
struct sketch;
struct sketch *starlanes_sketch(struct mw_run *, const struct scatter *);
/* Fills `shade`. */
void starlanes_paint(struct sketch *, const struct grey_picture *);

#endif
