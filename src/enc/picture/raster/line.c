/*
 * line.c: lines and discs in a field of samples.
 *
 * A line with round ends is what a disc covers as it moves from end to end: a convex figure, so in
 * each row of samples it is one interval. Either side of it runs along the disc at the upper end,
 * then straight, then along the disc at the lower end, and changes from one to the next where the
 * straight part touches the discs: a radius from the ends, square to the line. On the straight part
 * each row moves the place by the same fraction, so two divisions do for all of its rows. Where the
 * line is short against its width the straight part adds nothing that could be seen: between two
 * discs of radius r at a distance of l, the gap under the common tangent is r - sqrt(rr - ll / 4),
 * so up to half a sample, where ll = 4r - 1, it is left out. That is what most steps of a border at
 * a small scale are.
 *
 * A line thinner than a sample is a row of single samples, one for each column or row, whichever it
 * crosses more of, and so many of them are left out that its weight is right, as if it were faint.
 * Which ones, their places say, by no pattern that could fall in with the line's own. A quarter
 * stays, so that no line vanishes.
 *
 * Samples that two lines of a figure cover have the same ink, so lines are painted as they are
 * found, row by row of pixels, and so are discs. Short ones are drawn on a patch first, 64 by 64
 * samples that lie where the line does, and are painted when another line lies beyond them: so what
 * many steps of a border or a letter cover is painted once. What the next row or patch will be
 * painted on is asked for early, as nothing foretells where a line goes. Lines of a figure that has
 * a fill lie over it, and are kept until it is there (fill.c).
 *
 * Cost: a look-up or an addition for each side of each row that a line meets, seven divisions and a
 * root for each line, a root for each row of a disc.
 */
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
    assert(radius >> brush->shift < RASTER_CHORDS);
    for (int64_t i = 0; i <= radius >> brush->shift; i++)
        brush->chord[i] = half_chord(radius, i << brush->shift);
}

/* Where samples go: to a patch, which has room for all of them, or to those on lines of the figure
   under way, or they are painted as soon as a row of pixels is known. */
enum surface { PATCH, KEPT, PAINTED };

/* A convex figure, row by row. What draws one is no call, so that its surface is known there. */
struct shape {
    enum surface on;
    struct raster *r;
    uint64_t *rows;      /* of the patch */
    struct slice *slice; /* that will be painted */
    uint8_t number;      /* of the ink that it is painted with */
};

static struct shape painted_shape(struct raster *r, struct slice *slice)
{
    *slice = (struct slice){.least = INT32_MAX};
    return (struct shape){
        .on = PAINTED, .r = r, .slice = slice, .number = raster_ink(r, r->pen.line)};
}

/* Rows and columns from a place on; on a patch there are no others. */
static inline int32_t first_sample(int64_t place)
{
    return (int32_t)((place + RASTER_PARTS / 2 - 1) / RASTER_PARTS);
}
RASTER_EACH int32_t shape_row(const struct shape *s, int64_t y)
{
    return s->on == PATCH ? first_sample(y) : raster_row(s->r, y);
}
RASTER_EACH int32_t shape_column(const struct shape *s, int64_t x)
{
    return s->on == PATCH ? first_sample(x) : raster_column(s->r, x);
}

/* The bits of a word from one column up to another, but not none. */
static inline uint64_t bits_between(int32_t from, int32_t to)
{
    return UINT64_MAX << from & UINT64_MAX >> (RASTER_WORD - to);
}

static void keep(struct raster *r, int32_t row, int32_t from, int32_t to)
{
    while (from < to) {
        const int32_t word = from / RASTER_WORD, start = word * RASTER_WORD;
        r->lines[raster_touch(r, row, word)] |=
            bits_between(from - start, mw_min(to - start, RASTER_WORD));
        from = start + RASTER_WORD;
    }
}

static void paint_row(struct raster *r, int32_t y, struct slice *slice, uint8_t number)
{
    if (slice->least >= slice->most)
        return;
    raster_paint_slice(r, y, slice, number);
    mw_tick(r->canvas.run,
            1 + ((uint64_t)(slice->most - slice->least) << r->shift) / (2 * RASTER_WORD));
    slice->least = INT32_MAX;
    slice->most = 0;
}

/* Rows follow each other; columns from one up to another. */
RASTER_EACH void cover(const struct shape *s, int32_t row, int32_t from, int32_t to)
{
    if (s->on == PATCH) {
        assert(row >= 0 && row < RASTER_WORD && (from >= to || (from >= 0 && to <= RASTER_WORD)));
        s->rows[row] |= from < to ? bits_between(from, to) : 0;
        return;
    }
    if (s->on == KEPT) {
        keep(s->r, row, from, to);
        return;
    }
    struct slice *slice = s->slice;
    const int32_t i = row & (s->r->fine - 1);
    const bool is_empty = from >= to;
    slice->from[i] = is_empty ? 0 : from;
    slice->to[i] = is_empty ? 0 : to;
    slice->least = mw_min(slice->least, is_empty ? INT32_MAX : from);
    slice->most = mw_max(slice->most, slice->to[i]);
    if (i == s->r->fine - 1)
        paint_row(s->r, row >> s->r->shift, slice, s->number);
}

/* The last row was the one before. */
RASTER_EACH void end_shape(const struct shape *s, int32_t row)
{
    for (; s->on == PAINTED && row & (s->r->fine - 1); row++)
        cover(s, row, 0, 0);
}

/* The row or column that a place is in. */
static int64_t sample_of(int64_t place) { return (place & -RASTER_PARTS) / RASTER_PARTS; }

static inline void cover_one(struct raster *r, int64_t row, int64_t column, bool is_covered)
{
    if (row >= 0 && row < r->height && column >= 0 && column < r->width)
        r->lines[raster_touch(r, (int32_t)row, (int32_t)column / RASTER_WORD)] |=
            (uint64_t)is_covered << column % RASTER_WORD;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void swap(struct place *a, struct place *b)
{
    struct place c = *a;
    *a = *b;
    *b = c;
}

/* A sample of a thin line. */
static void cover_thin(struct raster *r, int64_t x, int64_t y)
{
    int64_t row = sample_of(y), column = sample_of(x), weight = 2 * r->brush.radius;
    uint32_t draw = ((uint32_t)row * 0x9e3779b1 ^ (uint32_t)column * 0x85ebca77) * 0xc2b2ae3d;
    cover_one(r, row, column, draw >> 24 < mw_max64(RASTER_PARTS / 4, weight));
}

static void draw_thin(struct raster *r, struct place a, struct place b)
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
    const int64_t rise = is_flat ? b.y - a.y : b.x - a.x,
                  before = raster_middle(from) - (is_flat ? a.x : a.y);
    struct ramp along = ramp_of(rise * before, rise * RASTER_PARTS, is_flat ? dx : dy);
    for (int32_t i = from; i < to; i++) {
        const int64_t up = ramp_next(&along);
        cover_thin(r, is_flat ? raster_middle(i) : a.x + up, is_flat ? a.y + up : raster_middle(i));
    }
}

/* Half of what the disc around `a` covers of the row at height y. */
static int64_t chord_at(const struct brush *brush, struct place a, int64_t y)
{
    int64_t distance = y < a.y ? a.y - y : y - a.y;
    assert(distance <= brush->radius && distance >> brush->shift < RASTER_CHORDS);
    return brush->chord[distance >> brush->shift];
}

/* One side of a line, along the rows that it meets: on the disc at its upper end, then straight, on
   the disc at its lower end. */
struct side {
    int32_t from, to;     /* rows where it is straight */
    struct ramp straight; /* its columns there, from its first row on */
};

/* sign: -1 on the left, 1 on the right; step: of its columns from row to row. */
RASTER_EACH struct side side_of(const struct shape *s, int64_t radius, struct place a,
                                struct place b, int64_t l, int64_t step, int64_t sign)
{
    int64_t dx = b.x - a.x, dy = b.y - a.y, lean = sign * mw_floor_div(radius * dx, l);
    struct side side = {shape_row(s, a.y - lean), shape_row(s, b.y - lean), {0, step}};
    int64_t down = raster_middle(side.from) - a.y;
    if (side.from < side.to)
        side.straight.at = ramp_quotient(dx * down + sign * radius * l + a.x * dy, dy);
    return side;
}

RASTER_EACH int32_t side_at(const struct shape *s, const struct brush *brush, struct side *side,
                            struct place a, struct place b, int64_t sign, int32_t row)
{
    if (row >= side->from && row < side->to)
        return shape_column(s, ramp_next(&side->straight));
    const struct place end = row < side->from ? a : b;
    return shape_column(s, end.x + sign * chord_at(brush, end, raster_middle(row)));
}

/* Both discs, and in each row what is between them. */
RASTER_EACH void draw_short(const struct shape *s, const struct brush *brush, struct place a,
                            struct place b)
{
    const int64_t radius = brush->radius;
    int32_t row = shape_row(s, a.y - radius), end = shape_row(s, b.y + radius);
    for (; row < end; row++) {
        int64_t y = raster_middle(row), left = INT64_MAX, right = INT64_MIN;
        if (y < a.y + radius) {
            int64_t half = chord_at(brush, a, y);
            left = a.x - half;
            right = a.x + half;
        }
        if (y > b.y - radius) {
            int64_t half = chord_at(brush, b, y);
            left = mw_min64(left, b.x - half);
            right = mw_max64(right, b.x + half);
        }
        cover(s, row, shape_column(s, left), shape_column(s, right));
    }
    end_shape(s, row);
}

/* Rows from one up to another, where either side may be on a disc. */
RASTER_EACH void draw_rows(const struct shape *s, const struct brush *brush, struct side *left,
                           struct side *right, struct place a, struct place b, int32_t row,
                           int32_t end)
{
    for (; row < end; row++)
        cover(s, row, side_at(s, brush, left, a, b, -1, row),
              side_at(s, brush, right, a, b, 1, row));
}

/* Where both are straight. */
RASTER_EACH void draw_straight(const struct shape *s, struct side *left, struct side *right,
                               int32_t row, int32_t end)
{
    struct ramp from = left->straight, to = right->straight;
    for (; row < end; row++) {
        int64_t first = ramp_next(&from), last = ramp_next(&to);
        cover(s, row, shape_column(s, first), shape_column(s, last));
    }
    left->straight = from;
    right->straight = to;
}

/* The upper end is a. */
RASTER_EACH void draw_line(const struct shape *s, const struct brush *brush, struct place a,
                           struct place b)
{
    int64_t dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy, radius = brush->radius;
    if (square <= (4 * radius - RASTER_PARTS) * RASTER_PARTS) {
        draw_short(s, brush, a, b);
        return;
    }
    int64_t l = mw_root(square), step = dy ? ramp_quotient(dx * RASTER_PARTS, dy) : 0;
    struct side left = side_of(s, radius, a, b, l, step, -1),
                right = side_of(s, radius, a, b, l, step, 1);
    int32_t row = shape_row(s, a.y - radius), end = shape_row(s, b.y + radius),
            from = mw_max(left.from, right.from), to = mw_max(mw_min(left.to, right.to), from);
    draw_rows(s, brush, &left, &right, a, b, row, from);
    draw_straight(s, &left, &right, from, to);
    draw_rows(s, brush, &left, &right, a, b, to, end);
    end_shape(s, end);
}

/* ---- patches --------------------------------------------------------------------------------- */

/* Rows and columns that a line may cover, from one up to another. */
struct bounds {
    int64_t top, bottom, left, right;
};

static struct bounds bounds_of(int64_t radius, struct place a, struct place b)
{
    return (struct bounds){sample_of(a.y - radius), sample_of(b.y + radius) + 1,
                           sample_of(mw_min64(a.x, b.x) - radius),
                           sample_of(mw_max64(a.x, b.x) + radius) + 1};
}

/* Whether there is a patch that begins with a pixel and has all of it. */
static bool is_short(const struct raster *r, struct bounds of)
{
    const int64_t most = RASTER_WORD - 2 * r->fine;
    return of.bottom - of.top <= most && of.right - of.left <= most;
}

static bool is_within(const struct patch *patch, struct bounds of)
{
    return patch->end && of.top >= patch->row && of.bottom <= patch->row + RASTER_WORD &&
           of.left >= patch->column && of.right <= patch->column + RASTER_WORD;
}

static void draw_on_patch(const struct raster *r, struct patch *patch, struct place a,
                          struct place b, struct bounds of)
{
    const int64_t x = patch->column * RASTER_PARTS, y = patch->row * RASTER_PARTS;
    const struct shape shape = {.on = PATCH, .rows = patch->rows};
    draw_line(&shape, &r->brush, (struct place){a.x - x, a.y - y},
              (struct place){b.x - x, b.y - y});
    patch->first = mw_min(patch->first, (int32_t)(of.top - patch->row));
    patch->end = mw_max(patch->end, (int32_t)(of.bottom - patch->row));
}

/* What a patch will be painted on is on its way while the one before is painted. */
static void expect(const struct raster *r, const struct patch *patch)
{
    for (int32_t row = patch->first & -r->fine; row < patch->end; row += r->fine) {
        const uint64_t any = patch->rows[row] | patch->rows[row + r->fine - 1];
        const int64_t y = patch->row + row,
                      from = patch->column + __builtin_ctzll(any | 1ull << 63),
                      to = patch->column + 63 - __builtin_clzll(any | 1);
        if (any && y >= 0 && y < r->height && from >= 0 && to < r->width)
            raster_expect(r, (int32_t)y >> r->shift, (int32_t)from >> r->shift,
                          (int32_t)to >> r->shift);
    }
}

/* On the patch that it lies within, or in the middle of the next. */
static void draw_short_line(struct raster *r, struct place a, struct place b, struct bounds of)
{
    struct patch *next = r->patch == r->patches ? r->patches + 1 : r->patches;
    if (is_within(r->patch, of)) {
        draw_on_patch(r, r->patch, a, b, of);
        return;
    }
    next->row = (of.top + of.bottom - RASTER_WORD) / 2 & -r->fine;
    next->column = (of.left + of.right - RASTER_WORD) / 2 & -r->fine;
    draw_on_patch(r, next, a, b, of);
    expect(r, next);
    raster_paint_patch(r);
    r->patch = next;
}

void raster_stroke(struct raster *r, struct place a, struct place b)
{
    if (2 * r->brush.radius <= RASTER_PARTS) {
        draw_thin(r, a, b);
        return;
    }
    if (b.y < a.y)
        swap(&a, &b);
    const struct bounds of = bounds_of(r->brush.radius, a, b);
    if (!r->pen.fill && is_short(r, of)) {
        draw_short_line(r, a, b, of);
        return;
    }
    if (r->pen.fill) {
        const struct shape kept = {.on = KEPT, .r = r};
        draw_line(&kept, &r->brush, a, b);
    } else {
        struct slice slice;
        const struct shape painted = painted_shape(r, &slice);
        draw_line(&painted, &r->brush, a, b);
    }
}

/* ---- discs ----------------------------------------------------------------------------------- */

/* The sample at the middle is painted, however small the disc is. */
void raster_ring(struct raster *r, enum ink ink, struct place middle, int64_t radius, int64_t hole)
{
    r->pen = (struct pen){.line = ink};
    struct slice slices[2];
    const struct shape left = painted_shape(r, slices), right = painted_shape(r, slices + 1);
    int32_t row = raster_row(r, middle.y - radius), end = raster_row(r, middle.y + radius);
    for (; row < end; row++) {
        int64_t v = raster_middle(row) - middle.y, outer = half_chord(radius, v),
                inner = hole > 0 ? half_chord(hole, v) : -outer;
        cover(&left, row, raster_column(r, middle.x - outer), raster_column(r, middle.x - inner));
        if (hole > 0)
            cover(&right, row, raster_column(r, middle.x + inner),
                  raster_column(r, middle.x + outer));
    }
    end_shape(&left, row);
    end_shape(&right, row);
    if (hole <= 0) {
        cover_one(r, sample_of(middle.y), sample_of(middle.x), true);
        raster_fill(r);
    }
}
