/*
 * lots.h: requests drawn by lot, from the tables of a generator alone.
 *
 * The lots come from a seed or, for a fuzzer, from the bytes that it thought up. Most requests are
 * small and well-formed; boundary values, mere nonsense, members given twice and unknown ones come
 * too.
 */
#ifndef MAPWRIGHT_LOTS_H
#define MAPWRIGHT_LOTS_H

#include "mapwright.h"

struct lots {
    uint64_t state;
    const uint8_t *bytes; /* where not NULL, all lots come from these, and zeros after them */
    size_t left;
    unsigned scale; /* numbers are drawn 2^scale times as large as a rule */
};

/* Lots that are a function of the generator's name and a number. */
struct lots lots_of(const struct mw_generator *, uint64_t number);

/* One of 0 .. n-1; n > 0. */
uint32_t lots_below(struct lots *, uint32_t n);

enum { WISH_ARGS = 72, WISH_TEXT = 1 << 16 };

/* A request as a reader would hand it to mw_bind. */
struct wish {
    const struct mw_generator *generator;
    struct mw_arg args[WISH_ARGS];
    size_t count;
    char text[WISH_TEXT]; /* what args point to */
    size_t used;
};

void lots_wish(struct lots *, const struct mw_generator *, struct wish *);
/* The same arguments in another order. */
void lots_shuffle(struct lots *, struct wish *);

#endif
