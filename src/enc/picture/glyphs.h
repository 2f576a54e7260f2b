/* glyphs.h: printable ASCII as strokes of a pen. */
#ifndef MAPWRIGHT_GLYPHS_H
#define MAPWRIGHT_GLYPHS_H

#include <stdint.h>

/* Steps from the top of a capital to its foot, and between two letters. */
enum { GLYPH_CAPITAL = 8, GLYPH_GAP = 2 };

/*
 * Strokes, with a space between: a letter that says how it goes, then its points, two characters
 * each, steps to the right and down; `a` is 10, `b` 11. The top of capitals is 0, their foot
 * GLYPH_CAPITAL.
 *
 *     l   straight from point to point
 *     c   a curve from the first to the last, bent towards the points between
 *     o   the same, closed, bent towards all
 *
 * "" for what is not printable.
 */
const char *glyph_strokes(char);
/* One character of a point. */
int32_t glyph_step(char);
/* Steps across, without the gap. */
int32_t glyph_width(char);

#endif
