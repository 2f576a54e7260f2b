/*
 * meet.h: the two halves of a board, counted by frontiers that have met between two rows.
 */
#ifndef MAPWRIGHT_MEET_H
#define MAPWRIGHT_MEET_H

#include "frontier.h"

/* What there is at a column: nothing; a piece of path whose other end is at column c (MEET_MATE +
   c); one that leads to an end of path p (MEET_COLOUR + p). */
enum { MEET_NOTHING = 0, MEET_MATE = 1, MEET_COLOUR = 128 };

/* The states of a half. */
struct half {
    int width, limbs;
    uint32_t count;
    uint8_t *codes;        /* width of each state */
    const uint64_t **ways; /* limbs of each */
};

struct half half_new(struct mw_run *, int width, int limbs, uint32_t count);

/* In how many ways the halves are one board, in decimal digits. NULL: it has given up, as the
   frontier, one of the two, would have. */
const char *meet(const struct frontier *, const struct half *upper, const struct half *lower);

#endif
