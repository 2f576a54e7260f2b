/* fractal.h: fractal noise on a lattice: land and valleys at every scale, in integers. */
#ifndef MAPWRIGHT_FRACTAL_H
#define MAPWRIGHT_FRACTAL_H

#include "lib/gen.h"

/* The steepest slope of the coarsest octave, from one of its nodes to the next. Noise is from 0 to
   MW_FRACTAL_MOST - 1, and half of that in the middle. */
enum { MW_FRACTAL_UNIT = 2048, MW_FRACTAL_MOST = 3 * MW_FRACTAL_UNIT };

/* Lengths are in sixteenths of a cell. */

/* The radius of the disc of so many cells. */
int32_t mw_disc_radius(int32_t cells);

/* Noise with nodes `coarsest` apart and closer and closer, down to `finest`; it goes on across the
   seams of a map that wraps. `noise` is by cell. */
void mw_fractal(struct mw_run *, struct mw_rng *, const struct mw_lattice *, int32_t coarsest,
                int32_t finest, uint16_t *noise);
/* The range of the octave of that noise whose nodes are about `size` apart. */
int32_t mw_fractal_range(int32_t coarsest, int32_t size);

#endif
