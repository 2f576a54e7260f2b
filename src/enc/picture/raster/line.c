/*
 * line.c: lines and discs.
 *
 * A line with round ends is the area that a disc sweeps from end to end: a convex figure, so one
 * interval in each row of samples. Each side follows the disc at the upper end, then a straight
 * line, then the disc at the lower end. They meet where the straight part is tangent to the discs.
 * On the straight part a division finds the column in each row.
 *
 * A line thinner than a sample is a chain of single samples, one for each column or row, whichever
 * are more. A share of them is left out, so that the line looks faint rather than thick; a hash of
 * the position chooses them, to avoid patterns. At least a quarter stays, so that no line vanishes.
 *
 * Cost: a look-up or a division for each side and row of a line, a square root for each line and
 * for each row of a disc.
 */
#include "raster.h"

static int64_t half_chord(int64_t radius, int64_t distance)
{
    assert(distance <= radius && distance >= -radius);
    return mw_root(radius * radius - distance * distance);
}

void raster_brush(struct raster *r, int64_t radius)
{
    struct brush *brush = &r->brush;
    assert(radius >= 0);
    if (brush->radius == radius)
        return;
    brush->radius = radius;
    brush->shift = 4;
    while (radius >> brush->shift >= RASTER_CHORDS - 1)
        brush->shift++;
    assert(radius >> brush->shift < RASTER_CHORDS);
    for (int64_t i = 0; i <= radius >> brush->shift; i++)
        brush->chord[i] = half_chord(radius, i << brush->shift);
}

/* ---- convex figures -------------------------------------------------------------------------- */

/* Bits `from` to before `to`, clipped to the word. */
static uint64_t bits_between(int32_t from, int32_t to)
{
    from = mw_max(from, 0);
    to = mw_min(to, RASTER_WORD);
    return from < to ? UINT64_MAX << from & UINT64_MAX >> (RASTER_WORD - to) : 0;
}

static void paint_slice(struct raster *r, int32_t y)
{
    struct slice *slice = &r->slice;
    int32_t least = INT32_MAX, most = 0;
    for (int i = 0; i < r->fine; i++) {
        bool any = slice->from[i] < slice->to[i];
        least = any ? mw_min(least, slice->from[i]) : least;
        most = any ? mw_max(most, slice->to[i]) : most;
    }
    for (int32_t at = least & -r->fine; at < most; at += RASTER_WORD) {
        uint64_t bits[RASTER_FINEST];
        for (int i = 0; i < r->fine; i++)
            bits[i] = bits_between(slice->from[i] - at, slice->to[i] - at);
        raster_paint(r, y, at >> r->shift, bits);
    }
    *slice = (struct slice){.from = {0}};
}

/* Paints columns `from` to before `to` of a row of samples. Rows must come in order. */
static void cover(struct raster *r, int32_t row, int32_t from, int32_t to)
{
    const int32_t i = row & (r->fine - 1);
    assert(row >= 0 && row < r->height && from >= 0 && to <= r->width);
    r->slice.from[i] = from;
    r->slice.to[i] = to;
    if (i == r->fine - 1)
        paint_slice(r, row >> r->shift);
}

/* To be called with the row after the last one. */
static void end_cover(struct raster *r, int32_t row)
{
    if (row & (r->fine - 1))
        paint_slice(r, row >> r->shift);
}

/* The row or column of a coordinate. */
static int64_t sample_of(int64_t at) { return (at & -RASTER_PARTS) / RASTER_PARTS; }

static void cover_one(struct raster *r, int64_t row, int64_t column)
{
    if (row < 0 || row >= r->height || column < 0 || column >= r->width)
        return;
    cover(r, (int32_t)row, (int32_t)column, (int32_t)column + 1);
    end_cover(r, (int32_t)row + 1);
}

/* ---- thin lines ------------------------------------------------------------------------------ */

static void swap(struct spot *a, struct spot *b)
{
    struct spot c = *a;
    *a = *b;
    *b = c;
}

/* Paints a sample of a thin line, or skips it. */
static void cover_thin(struct raster *r, int64_t x, int64_t y)
{
    int64_t row = sample_of(y), column = sample_of(x), weight = 2 * r->brush.radius;
    uint32_t draw = ((uint32_t)row * 0x9e3779b1 ^ (uint32_t)column * 0x85ebca77) * 0xc2b2ae3d;
    if (draw >> 24 < mw_max64(RASTER_PARTS / 4, weight))
        cover_one(r, row, column);
}

static void draw_thin(struct raster *r, struct spot a, struct spot b)
{
    int64_t dx = b.x < a.x ? a.x - b.x : b.x - a.x, dy = b.y < a.y ? a.y - b.y : b.y - a.y;
    const bool is_flat = dx >= dy;
    if (is_flat ? b.x < a.x : b.y < a.y)
        swap(&a, &b);
    int32_t from = is_flat ? raster_column(r, a.x) : raster_row(r, a.y),
            to = is_flat ? raster_column(r, b.x) : raster_row(r, b.y);
    if (from >= to) {
        cover_thin(r, a.x, a.y);
        return;
    }
    const int64_t rise = is_flat ? b.y - a.y : b.x - a.x, start = is_flat ? a.x : a.y;
    for (int32_t i = from; i < to; i++) {
        const int64_t up = mw_floor_div(rise * (raster_middle(i) - start), is_flat ? dx : dy);
        cover_thin(r, is_flat ? raster_middle(i) : a.x + up, is_flat ? a.y + up : raster_middle(i));
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Half of the chord of the disc around `a` at height y. */
static int64_t chord_at(const struct brush *brush, struct spot a, int64_t y)
{
    int64_t distance = y < a.y ? a.y - y : y - a.y;
    assert(distance <= brush->radius && distance >> brush->shift < RASTER_CHORDS);
    return brush->chord[distance >> brush->shift];
}

/* The left side (sign -1) or right side (1) of a line: first on the disc at its upper end, then
   straight, then on the disc at its lower end. */
struct side {
    int64_t sign;
    int32_t from, to; /* rows where it is straight */
    int64_t aside;    /* horizontal offset of the straight part from the axis, times dy */
};

static struct side side_of(const struct raster *r, struct spot a, struct spot b, int64_t l,
                           int64_t sign)
{
    const int64_t radius = r->brush.radius, lean = sign * mw_floor_div(radius * (b.x - a.x), l);
    assert(l > 0 && b.y >= a.y);
    return (struct side){sign, raster_row(r, a.y - lean), raster_row(r, b.y - lean),
                         sign * radius * l};
}

/* The column of a side in a row of samples. */
static int32_t side_at(const struct raster *r, struct side side, struct spot a, struct spot b,
                       int32_t row)
{
    const int64_t dx = b.x - a.x, dy = b.y - a.y, y = raster_middle(row);
    if (row >= side.from && row < side.to)
        return raster_column(r, a.x + mw_floor_div(dx * (y - a.y) + side.aside, dy));
    const struct spot end = row < side.from ? a : b;
    return raster_column(r, end.x + side.sign * chord_at(&r->brush, end, y));
}

/* a: the upper end. */
static void draw_thick(struct raster *r, struct spot a, struct spot b, int64_t square)
{
    const int64_t radius = r->brush.radius, l = mw_max64(mw_root(square), 1);
    const struct side left = side_of(r, a, b, l, -1), right = side_of(r, a, b, l, 1);
    int32_t row = raster_row(r, a.y - radius), end = raster_row(r, b.y + radius);
    for (; row < end; row++)
        cover(r, row, side_at(r, left, a, b, row), side_at(r, right, a, b, row));
    end_cover(r, row);
}

void raster_stroke(struct raster *r, struct spot a, struct spot b)
{
    const int64_t radius = r->brush.radius;
    assert(r->pen.line != INK_NONE);
    if (2 * radius <= RASTER_PARTS) {
        draw_thin(r, a, b);
        return;
    }
    if (b.y < a.y)
        swap(&a, &b);
    int64_t dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    draw_thick(r, a, b, square);
    int32_t rows = raster_row(r, b.y + radius) - raster_row(r, a.y - radius);
    mw_tick(r->canvas.run, (uint64_t)rows / 4);
}

/* ---- discs ----------------------------------------------------------------------------------- */

/* The left half (sign -1) or right half (1) of a ring; without a hole, the whole disc. */
static void draw_half(struct raster *r, struct spot middle, int64_t radius, int64_t hole, int sign)
{
    int32_t row = raster_row(r, middle.y - radius), end = raster_row(r, middle.y + radius);
    for (; row < end; row++) {
        int64_t v = raster_middle(row) - middle.y, outer = sign * half_chord(radius, v),
                inner = hole <= 0               ? -outer
                        : v < hole && v > -hole ? sign * half_chord(hole, v)
                                                : 0;
        cover(r, row, raster_column(r, middle.x + mw_min64(outer, inner)),
              raster_column(r, middle.x + mw_max64(outer, inner)));
    }
    end_cover(r, row);
}

/* The sample at the centre is painted even if the disc is tiny. */
void raster_ring(struct raster *r, enum ink ink, struct spot middle, int64_t radius, int64_t hole)
{
    assert(radius >= 0 && hole <= radius);
    raster_take_pen(r, (struct pen){.line = ink});
    draw_half(r, middle, radius, hole, -1);
    if (hole > 0)
        draw_half(r, middle, radius, hole, 1);
    else
        cover_one(r, sample_of(middle.y), sample_of(middle.x));
}
