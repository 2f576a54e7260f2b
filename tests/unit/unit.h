/* unit.h: what the unit tests share. */
#ifndef MAPWRIGHT_UNIT_H
#define MAPWRIGHT_UNIT_H

#include "lib/gen.h"
#include "test.h"

/* A run in the one block of the tests, which is filled with junk first. */
struct mw_run *unit_open(void);
struct mw_run *unit_open_with(size_t size, uint64_t steps);

/* Arguments as they stand in a query: "width=3&seed=x". Fails the test where it cannot be read. */
const struct mw_arg *unit_args(struct mw_run *, const char *query, size_t *count);

/* The problems as text: "pointer: detail", a line each. Lives until it is called again. */
const char *unit_problems(const struct mw_run *);

/* What was put since the mark, as a string: put here what `body` puts. */
const char *unit_put(void (*body)(struct mw_run *, const void *), const void *context);

/* A map of one grid (labels), with a request that the encoders can live on. */
const struct mw_map *unit_grid_map(struct mw_run *, const struct mw_lattice *,
                                   const int32_t *cells);
/* Random labels 0 .. most, in patches. */
void unit_patches(struct mw_rng *, const struct mw_lattice *, int32_t most, int32_t *cells);
struct mw_rng unit_rng(uint64_t number);

extern const struct mw_generator mw_null, mw_sample;

#endif
