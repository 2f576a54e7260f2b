/*
 * word.c: text, drawn with the brush that draws lines along the strokes of glyphs.c.
 */
#include "enc/picture/glyphs.h"
#include "raster.h"

enum { PIECES = 8 }; /* straight lines of a curve */

struct lettering {
    struct raster *r;
    struct spot at; /* upper left corner of the letter */
    int64_t height; /* of a capital */
};

/* x, y: in PIECES * PIECES parts of a half step. */
static struct spot spot_of(const struct lettering *w, int64_t x, int64_t y)
{
    const int64_t parts = PIECES * PIECES * GLYPH_CAPITAL;
    return (struct spot){w->at.x + x * w->height / parts, w->at.y + y * w->height / parts};
}

static void draw_curve(void *of, struct mw_point a, struct mw_point bend, struct mw_point b)
{
    const struct lettering *w = of;
    struct spot last = spot_of(w, (int64_t)a.x * PIECES * PIECES, (int64_t)a.y * PIECES * PIECES);
    for (int64_t t = 1; t <= PIECES; t++) {
        int64_t u = PIECES - t;
        struct spot next = spot_of(w, u * u * a.x + 2 * u * t * bend.x + t * t * b.x,
                                   u * u * a.y + 2 * u * t * bend.y + t * t * b.y);
        raster_stroke(w->r, last, next);
        last = next;
    }
}

/* Rounded to a whole sample, so that equal letters look equal. */
static int64_t whole(int64_t at) { return at & ~(int64_t)(RASTER_PARTS - 1); }

/* Text that is too small to be legible is left out. */
void raster_word(struct raster *r, enum ink ink, struct spot middle, int64_t height, int stem,
                 const char *text)
{
    if (height < CANVAS_LEGIBLE * r->fine * RASTER_PARTS)
        return;
    struct lettering w = {r,
                          {whole(middle.x - glyph_text_width(text) * height / (2 * GLYPH_CAPITAL)),
                           whole(middle.y - height / 2)},
                          height};
    raster_brush(r, height * stem / 200);
    raster_take_pen(r, (struct pen){.line = ink});
    for (; *text; text++) {
        glyph_trace(*text, draw_curve, &w);
        w.at.x += whole((glyph_width(*text) + GLYPH_GAP) * height / GLYPH_CAPITAL);
        mw_tick(r->canvas.run, 1 + (uint64_t)height / RASTER_PARTS);
    }
}
