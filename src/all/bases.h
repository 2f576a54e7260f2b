/* bases.h: what the files share that build maps on others. */
#ifndef MAPWRIGHT_BASES_H
#define MAPWRIGHT_BASES_H

#include "lib/gen.h"

/* Sets the params that follow from the bases of a request, which has some. */
void expect_bases(struct mw_request *);

/* Where a value is found in a generator's result. */
struct source {
    int part; /* -1: nowhere */
    int column, down;
};
struct source source_of(const struct mw_field *, const struct mw_generator *);
/* What a map must have for the field to be read from it: "cells". */
const char *source_kind(const struct mw_field *);

/* Sets the field's member of `params` from the map of the base, or reports what the field
   does not take. In a guarded body. */
void read_base(struct mw_run *, const struct mw_base *, void *params);

#endif
