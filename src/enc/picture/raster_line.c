/*
 * raster_line.c: lines and discs in a field of samples.
 *
 * A line with round ends is what a disc covers as it moves from end to end: a convex figure, so in
 * each row of samples it is one interval. That is the hull of three: the chord of the disc at one
 * end, that at the other, and the row's part of the straight piece between, which are the points at
 * most a radius from the line through both ends and between its ends: four half-planes, two
 * divisions by each of dx and dy. Where the line is short against its width the third adds nothing
 * that could be seen: between two discs of radius r at a distance of l, the gap under the common
 * tangent is about l*l / 8r, so up to an eighth of a sample it is left out. That is what most steps
 * of a border at a small scale are.
 *
 * A line thinner than a sample is a row of single samples, one for each column or row, whichever it
 * crosses more of, and so many of them are left out that its weight is right, as if it were faint.
 * Which ones, their places say, by no pattern that could fall in with the line's own. A quarter
 * stays, so that no line vanishes.
 *
 * Cost: two look-ups and four divisions for each row that a line meets, a root for each disc's.
 */
#include "kit/integer.h"
#include "raster.h"

static int64_t half_chord(int64_t radius, int64_t distance)
{
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
    for (int64_t i = 0; i <= radius >> brush->shift; i++)
        brush->chord[i] = half_chord(radius, i << brush->shift);
}

static void cover(struct raster *r, int32_t row, int64_t from, int64_t to)
{
    raster_cover(r, row, raster_column(r, from), raster_column(r, to));
}

/* The sample that a place is in. */
static void cover_one(struct raster *r, int64_t row, int64_t column)
{
    if (row >= 0 && row < r->height)
        cover(r, (int32_t)row, column * RASTER_PARTS, (column + 1) * RASTER_PARTS);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static int64_t middle_of(int32_t row) { return (int64_t)row * RASTER_PARTS + RASTER_PARTS / 2; }

static void swap(struct place *a, struct place *b)
{
    struct place c = *a;
    *a = *b;
    *b = c;
}

/* A sample of a thin line. */
static void cover_thin(struct raster *r, int64_t x, int64_t y)
{
    int64_t row = mw_floor_div(y, RASTER_PARTS), column = mw_floor_div(x, RASTER_PARTS),
            weight = 2 * r->brush.radius;
    uint32_t draw = ((uint32_t)row * 0x9e3779b1 ^ (uint32_t)column * 0x85ebca77) * 0xc2b2ae3d;
    if (draw >> 24 < RASTER_PARTS / 4 || draw >> 24 < (uint32_t)weight)
        cover_one(r, row, column);
}

static void draw_thin(struct raster *r, struct place a, struct place b)
{
    int64_t dx = b.x < a.x ? a.x - b.x : b.x - a.x, dy = b.y < a.y ? a.y - b.y : b.y - a.y;
    if (dx >= dy ? b.x < a.x : b.y < a.y)
        swap(&a, &b);
    int32_t from = dx >= dy ? raster_column(r, a.x) : raster_row(r, a.y);
    int32_t to = dx >= dy ? raster_column(r, b.x) : raster_row(r, b.y);
    if (from >= to)
        cover_thin(r, a.x, a.y);
    for (int32_t i = from; i < to && dx >= dy; i++)
        cover_thin(r, middle_of(i), a.y + mw_floor_div((b.y - a.y) * (middle_of(i) - a.x), dx));
    for (int32_t i = from; i < to && dx < dy; i++)
        cover_thin(r, a.x + mw_floor_div((b.x - a.x) * (middle_of(i) - a.y), dy), middle_of(i));
}

struct interval {
    int64_t from, to;
};

static const struct interval empty = {INT64_MAX / 4, -INT64_MAX / 4};

static struct interval hull(struct interval a, struct interval b)
{
    return (struct interval){mw_min64(a.from, b.from), mw_max64(a.to, b.to)};
}

static struct interval meet(struct interval a, struct interval b)
{
    struct interval both = {mw_max64(a.from, b.from), mw_min64(a.to, b.to)};
    return both.from < both.to ? both : empty;
}

/* What the disc at a covers of the row at height y. */
static struct interval chord_at(const struct brush *brush, struct place a, int64_t y)
{
    int64_t distance = y < a.y ? a.y - y : y - a.y;
    if (distance >= brush->radius)
        return empty;
    assert(distance >> brush->shift < RASTER_CHORDS);
    int64_t half = brush->chord[distance >> brush->shift];
    return (struct interval){a.x - half, a.x + half};
}

/* What x are, from the upper end a, where least <= x * slope + offset <= most. */
static struct interval between(int64_t slope, int64_t offset, int64_t least, int64_t most)
{
    if (!slope)
        return least <= offset && offset <= most ? (struct interval){-empty.from, empty.from}
                                                 : empty;
    if (slope < 0)
        return between(-slope, -offset, -most, -least);
    return (struct interval){-mw_floor_div(offset - least, slope),
                             mw_floor_div(most - offset, slope)};
}

/* The straight piece from a down by (dx, dy), of length l, in the row that is v below a. */
static struct interval piece_at(int64_t radius, struct place a, int64_t dx, int64_t dy, int64_t l,
                                int64_t v)
{
    struct interval beside = between(dy, -v * dx, -radius * l, radius * l);
    struct interval along = between(dx, v * dy, 0, dx * dx + dy * dy);
    struct interval both = meet(beside, along);
    return both.from < both.to ? (struct interval){a.x + both.from, a.x + both.to} : empty;
}

void raster_stroke(struct raster *r, struct place a, struct place b)
{
    const struct brush *brush = &r->brush;
    if (2 * brush->radius <= RASTER_PARTS) {
        draw_thin(r, a, b);
        return;
    }
    if (b.y < a.y)
        swap(&a, &b);
    int64_t dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    bool is_short = square <= brush->radius * RASTER_PARTS;
    int64_t l = is_short ? 0 : mw_root(square);
    int32_t row = raster_row(r, a.y - brush->radius), end = raster_row(r, b.y + brush->radius);
    for (; row < end; row++) {
        int64_t y = middle_of(row);
        struct interval covered = hull(chord_at(brush, a, y), chord_at(brush, b, y));
        if (!is_short)
            covered = hull(covered, piece_at(brush->radius, a, dx, dy, l, y - a.y));
        cover(r, row, covered.from, covered.to);
    }
}

/* ---- discs ----------------------------------------------------------------------------------- */

/* The sample at the middle is painted, however small the disc is. */
void raster_ring(struct raster *r, enum ink ink, struct place middle, int64_t radius, int64_t hole)
{
    int32_t end = raster_row(r, middle.y + radius);
    for (int32_t row = raster_row(r, middle.y - radius); row < end; row++) {
        int64_t v = middle_of(row) - middle.y;
        int64_t outer = half_chord(radius, v), inner = hole > 0 ? half_chord(hole, v) : 0;
        cover(r, row, middle.x - outer, middle.x - inner);
        cover(r, row, middle.x + inner, middle.x + outer);
    }
    if (hole <= 0)
        cover_one(r, mw_floor_div(middle.y, RASTER_PARTS), mw_floor_div(middle.x, RASTER_PARTS));
    r->pen.line = ink;
    raster_fill(r);
}
