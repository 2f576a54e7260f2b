/*
 * planar.h: whether paths can go on below a line between two rows without crossing.
 */
#ifndef MAPWRIGHT_PLANAR_H
#define MAPWRIGHT_PLANAR_H

#include "meet.h"

/* Of the line above `row`, with cells below it. */
struct planar;
struct planar *planar_new(struct mw_run *, const struct board *, int32_t row);

/* What there is at the line, in order, without gaps and without what tells nothing: brackets; a
   colour, as in meet.h but for 2 * MEET_PAIRS names of pairs; one that leads onto its end. */
enum { PLANAR_OPENS, PLANAR_CLOSES, PLANAR_PLUG, PLANAR_ENDED = PLANAR_PLUG + MEET_COLOURS };
struct planar_word {
    uint8_t length, codes[MAX_SIDE];
};
/* False: it cannot end well. */
bool planar_can_end(struct planar *, const struct planar_word *);

#endif
