/* scatter.h: where stars are put that the client has not placed. */
#ifndef MAPWRIGHT_STARLANES_SCATTER_H
#define MAPWRIGHT_STARLANES_SCATTER_H

#include "lib/gen.h"

enum { ARMS_MOST = 12 };
enum shape { RECTANGLE, DISC, SPIRAL, RING, CLUSTERS };

struct scatter {
    int32_t stars, width, height, jitter;
    int32_t shape, arms;
};

/* A galaxy in greys: 0 where no star may be, up to DENSEST. */
enum { DENSEST = 255 };
struct picture {
    int32_t columns, rows;
    uint8_t *shade;
};

/* Fills `shade`; `stars` tells how fine it may be. */
void starlanes_paint(struct mw_run *, const struct scatter *, struct picture *);

/* Places for all stars, all different. */
struct mw_point *starlanes_scatter(struct mw_run *, const struct scatter *);

/* Some steps that it takes. */
uint64_t starlanes_scatter_steps(const struct scatter *);

#endif
