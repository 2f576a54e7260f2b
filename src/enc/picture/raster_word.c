/*
 * raster_word.c: words, drawn with the nib that draws lines.
 *
 * A curve is made of parabolas. Each is bent towards one point of the stroke, and goes from the
 * middle of the side before it to the middle of the side after it; at an end of the stroke, from or
 * to the end. So they meet smoothly, and a ring of four points is almost an ellipse.
 */
#include "glyphs.h"
#include "raster.h"

enum { PIECES = 8, POINTS_MOST = 16, LEGIBLE = 4 };

struct writer {
    struct raster *r;
    struct place at; /* upper left corner of the letter */
    int64_t height;  /* of a capital */
};

/* Of steps in 2 * PIECES * PIECES parts. */
static struct place place_of(const struct writer *w, struct place p)
{
    const int64_t parts = 2 * PIECES * PIECES * GLYPH_CAPITAL;
    return (struct place){w->at.x + p.x * w->height / parts, w->at.y + p.y * w->height / parts};
}

/* From a to b, bent towards `bend`; all in half steps. */
static void draw_curve(const struct writer *w, struct place a, struct place bend, struct place b)
{
    struct place last = place_of(w, (struct place){a.x * PIECES * PIECES, a.y * PIECES * PIECES});
    for (int64_t t = 1; t <= PIECES; t++) {
        int64_t u = PIECES - t;
        struct place next =
            place_of(w, (struct place){u * u * a.x + 2 * u * t * bend.x + t * t * b.x,
                                       u * u * a.y + 2 * u * t * bend.y + t * t * b.y});
        raster_stroke(w->r, last, next);
        last = next;
    }
}

static struct place twice(struct place p) { return (struct place){2 * p.x, 2 * p.y}; }

static struct place sum(struct place a, struct place b)
{
    return (struct place){a.x + b.x, a.y + b.y};
}

static void draw_stroke(const struct writer *w, char kind, const struct place *points, int n)
{
    for (int i = 0; kind == 'l' && i + 1 < n; i++)
        draw_curve(w, twice(points[i]), sum(points[i], points[i + 1]), twice(points[i + 1]));
    for (int i = 0; kind == 'o' && i < n; i++)
        draw_curve(w, sum(points[(i + n - 1) % n], points[i]), twice(points[i]),
                   sum(points[i], points[(i + 1) % n]));
    for (int i = 1; kind == 'c' && i + 1 < n; i++)
        draw_curve(w, i == 1 ? twice(points[0]) : sum(points[i - 1], points[i]), twice(points[i]),
                   i + 2 == n ? twice(points[n - 1]) : sum(points[i], points[i + 1]));
}

static void draw_letter(const struct writer *w, char c)
{
    for (const char *at = glyph_strokes(c); *at; at += *at == ' ') {
        struct place points[POINTS_MOST];
        int n = 0;
        char kind = *at++;
        for (; *at && *at != ' ' && n < POINTS_MOST; at += 2)
            points[n++] = (struct place){glyph_step(at[0]), glyph_step(at[1])};
        draw_stroke(w, kind, points, n);
    }
}

static int64_t width_of(const char *text)
{
    int64_t steps = 0;
    for (const char *c = text; *c; c++)
        steps += glyph_width(*c) + (c[1] ? GLYPH_GAP : 0);
    return steps;
}

/* Words that are too small to be read are no more than dirt, so they are left out. */
void raster_word(struct raster *r, enum ink ink, struct place middle, int64_t height,
                 const char *text)
{
    if (height < LEGIBLE * r->fine * RASTER_SUB)
        return;
    struct writer w = {
        r,
        {middle.x - width_of(text) * height / (2 * GLYPH_CAPITAL), middle.y - height / 2},
        height};
    raster_nib(r, height * 7 / 100, (uint8_t)ink);
    for (; *text; text++) {
        draw_letter(&w, *text);
        w.at.x += (glyph_width(*text) + GLYPH_GAP) * height / GLYPH_CAPITAL;
        mw_tick(r->canvas.run, 1 + (uint64_t)height / RASTER_SUB);
    }
}
