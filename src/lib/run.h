/* run.h: what run.c, escape.c, bind.c and address.c share. */
#ifndef MAPWRIGHT_RUN_H
#define MAPWRIGHT_RUN_H

#include "gen.h"

/* Calls body; false: it did not come back, as something within called mw_throw. */
bool mw_catch(struct mw_run *, void (*body)(struct mw_run *, void *), void *context);
_Noreturn void mw_throw(struct mw_run *);

/* Calls body under mw_catch; true when it came back and no problem stands. */
bool mw_guarded(struct mw_run *, void (*body)(struct mw_run *, void *), void *context);

/* Sets request->address from its generator, params and seed. */
void mw_write_address(struct mw_run *, struct mw_request *);

#define MW_SEED_MOST INT64_C(9007199254740991) /* 2^53 - 1: what every JSON reader holds exactly */

#endif
