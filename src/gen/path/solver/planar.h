/*
 * planar.h: whether paths can go on below a line between two rows without crossing.
 */
#ifndef MAPWRIGHT_PLANAR_H
#define MAPWRIGHT_PLANAR_H

#include "gen/path/board/board.h"

/* Of the line above `row`, with cells below it. */
struct planar;
struct planar *planar_new(struct mw_run *, const struct board *, int32_t row);
/* What there is at each column of the line, in the codes of meet.h; false: it cannot end well. */
bool planar_can_end(struct planar *, const uint8_t *codes);

#endif
