/* glyphs.h: the font of all pictures, as strokes. */
#ifndef MAPWRIGHT_GLYPHS_H
#define MAPWRIGHT_GLYPHS_H

#include "lib/gen.h"

/* Half steps: the height of a capital, the space between letters. The width of strokes and of those
   of a halo, in hundredths of the height. */
enum { GLYPH_CAPITAL = 16, GLYPH_GAP = 4, GLYPH_STEM = 14, GLYPH_HALO = 38 };

/* A parabola from a to b, bent towards `bend`; a straight line if that is in the middle. In half
   steps from the upper left corner of the text. */
typedef void glyph_curve(void *of, struct mw_point a, struct mw_point bend, struct mw_point b);
/* Calls `curve` for each curve of a line of printable ASCII. */
void glyph_trace(const char *text, glyph_curve *curve, void *of);
/* In half steps, without gaps at the ends. */
int32_t glyph_text_width(const char *text);

/* A text of that height that is centered at a point: the length of a half step and the upper left
   corner, in thousandths. */
struct glyph_frame {
    int32_t scale, left, top;
};
struct glyph_frame glyph_frame(const char *text, int32_t height, struct mw_point middle);

#endif
