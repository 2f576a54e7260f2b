/*
 * weigh.h: what requests take, beside what was estimated.
 */
#ifndef MAPWRIGHT_WEIGH_H
#define MAPWRIGHT_WEIGH_H

#include "mapwright_host.h"

struct weighing {
    const char *address;
    const struct mw_encoder *encoder;
    enum mw_fault fault; /* MW_OK: made and written */
    struct mw_cost estimate, real;
};
typedef void weigh_observer(void *context, const struct weighing *);

/*
 * Makes a random request (any_size.h) and shows what each encoder takes for it; a map that is not
 * made is shown once, as the first encoder's. False: it was not bound, or took `most` steps.
 */
bool weigh(const struct mw_generator *, uint64_t number, uint64_t most, weigh_observer *,
           void *context);
/* The same for an address. */
bool weigh_address(const char *address, uint64_t most, weigh_observer *, void *context);

#endif
