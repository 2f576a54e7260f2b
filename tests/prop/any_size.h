/* any_size.h: random requests of any size that a generator has. */
#ifndef MAPWRIGHT_ANY_SIZE_H
#define MAPWRIGHT_ANY_SIZE_H

#include "arbitrary.h"

/* Binds request `number`: small and large sides, lists and masks. False: it is refused. */
bool any_size(struct mw_run *, const struct mw_generator *, uint64_t number, struct mw_request *);

#endif
