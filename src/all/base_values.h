/* base_values.h: what of a map another one may stand on. */
#ifndef MAPWRIGHT_BASE_VALUES_H
#define MAPWRIGHT_BASE_VALUES_H

#include "lib/gen.h"

/* Where a value stands in what a generator makes. */
struct source {
    int part; /* -1: nowhere */
    int column, down;
};
struct source source_of(const struct mw_field *, const struct mw_generator *);
/* What a map must have for the field to be read from it: "cells". */
const char *source_kind(const struct mw_field *);

/* Sets the field's member of `params` from the map of the base, or complains of what the field
   does not take. In a guarded body. */
void read_base(struct mw_run *, const struct mw_base *, void *params);

#endif
