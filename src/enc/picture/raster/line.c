/*
 * line.c: lines, discs and letters.
 *
 * A disc is a regular polygon, with fewer corners the smaller it is: less than a fifth of a sample
 * smaller than a circle, up to a radius of 160 samples. A line with round ends is the area that a
 * disc sweeps from end to end. Letters are lines along the strokes of glyphs.c.
 *
 * A line is at least one sample wide: then it meets a sample in each row or column that it crosses.
 */
#include "enc/picture/glyphs.h"
#include "raster.h"

enum { QUARTER = 16, CORNERS = 4 * QUARTER, ONE = 1 << 14 };
/* The least radius of a line, and of a disc, which is to meet a sample wherever it lies. */
enum { THINNEST = RASTER_PARTS / 2, SMALLEST = RASTER_PARTS * 3 / 4 };

/* The sines of the first quarter of a circle, times ONE. */
static const int16_t sines[QUARTER + 1] = {0,     1606,  3196,  4756,  6270,  7723,
                                           9102,  10394, 11585, 12665, 13623, 14449,
                                           15137, 15679, 16069, 16305, ONE};

static int32_t sine_of(int i)
{
    assert(i >= 0 && i < 5 * QUARTER);
    return i <= QUARTER       ? sines[i]
           : i <= 2 * QUARTER ? sines[2 * QUARTER - i]
                              : -sine_of(i - 2 * QUARTER);
}

/* Corner i of a disc around the origin, clockwise from the right. */
static struct spot corner_of(int64_t radius, int i)
{
    return (struct spot){radius * sine_of(i + QUARTER) / ONE, radius * sine_of(i) / ONE};
}

static struct spot sum(struct spot a, struct spot b) { return (struct spot){a.x + b.x, a.y + b.y}; }

/* Adds what a disc covers on its way from a to b to the current figure: each edge of the disc is at
   the end that it faces, and where the end changes, a corner is joined to itself at the other. */
static void sweep(struct raster *r, struct spot a, struct spot b, int64_t radius)
{
    const int step = radius < 10 * RASTER_PARTS ? 4 : radius < 40 * RASTER_PARTS ? 2 : 1;
    struct spot last = {0, 0};
    assert(radius >= 0 && CORNERS % step == 0);
    for (int i = 0; i <= CORNERS; i += step) {
        const struct spot corner = corner_of(radius, i % CORNERS),
                          next = corner_of(radius, (i + step) % CORNERS);
        const int64_t ahead = (next.y - corner.y) * (b.x - a.x) - (next.x - corner.x) * (b.y - a.y);
        const struct spot from = sum(ahead > 0 ? b : a, corner), to = sum(ahead > 0 ? b : a, next);
        if (i)
            raster_toggle(r, last, from);
        if (i < CORNERS)
            raster_toggle(r, from, to);
        last = to;
    }
}

void raster_stroke(struct raster *r, struct spot a, struct spot b)
{
    const bool is_dot = a.x == b.x && a.y == b.y;
    sweep(r, a, b, mw_max64(r->radius, is_dot ? SMALLEST : THINNEST));
    raster_fill(r);
}

/* ---- letters --------------------------------------------------------------------------------- */

struct lettering {
    struct raster *r;
    struct spot at; /* the upper left corner of the text */
    int64_t height; /* of a capital */
};

enum { PIECES = 8 }; /* straight lines of a curve */

/* x, y: in PIECES * PIECES parts of a half step. */
static struct spot spot_of(const struct lettering *l, int64_t x, int64_t y)
{
    const int64_t parts = PIECES * PIECES * GLYPH_CAPITAL;
    return (struct spot){l->at.x + x * l->height / parts, l->at.y + y * l->height / parts};
}

static void draw_curve(void *of, struct mw_point a, struct mw_point bend, struct mw_point b)
{
    const struct lettering *l = of;
    struct spot last = spot_of(l, (int64_t)a.x * PIECES * PIECES, (int64_t)a.y * PIECES * PIECES);
    const bool is_straight = 2 * bend.x == a.x + b.x && 2 * bend.y == a.y + b.y;
    for (int64_t t = is_straight ? PIECES : 1; t <= PIECES; t++) {
        const int64_t u = PIECES - t;
        struct spot next = spot_of(l, u * u * a.x + 2 * u * t * bend.x + t * t * b.x,
                                   u * u * a.y + 2 * u * t * bend.y + t * t * b.y);
        raster_stroke(l->r, last, next);
        last = next;
    }
    mw_tick(l->r->canvas.run, 1 + (uint64_t)l->height / RASTER_PARTS);
}

/* Text that is too small to be legible is left out. */
void raster_word(struct raster *r, enum ink ink, struct spot middle, int64_t height, int stem,
                 const char *text)
{
    if (height < CANVAS_LEGIBLE * r->fine * RASTER_PARTS)
        return;
    struct lettering lettering = {
        r,
        {middle.x - glyph_text_width(text) * height / (2 * GLYPH_CAPITAL), middle.y - height / 2},
        height};
    r->radius = height * stem / 200;
    r->paint = raster_number(r, ink);
    glyph_trace(text, draw_curve, &lettering);
}
