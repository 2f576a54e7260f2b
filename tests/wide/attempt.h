/* attempt.h: makes and writes the map of one address, and judges the result. */
#ifndef MAPWRIGHT_WIDE_ATTEMPT_H
#define MAPWRIGHT_WIDE_ATTEMPT_H

#include "api/fault.h"

struct attempt {
    /* in */
    const char *address; /* with its look, without a format */
    const struct mw_encoder *encoder;
    uint64_t steps;      /* that are allowed; 0: as many as the generator's budget has */
    bool any_size;       /* it is tried whatever is estimated */
    const char **format; /* told what is written, for who finds this process dead */
    void (*alive)(void); /* called where it goes on */
    /* out */
    bool made, skipped; /* neither: refused */
    enum fault fault;
    double seconds; /* of the processor */
    uint64_t spent; /* steps */
};

/* Ends the process by abort(), with a line to stderr, where the result is neither a map nor a
   proper refusal. */
void attempt(struct attempt *);

#endif
