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
 * Lines longer than a stamp are painted as they are found, row by row of pixels, and so are discs:
 * samples that two of them cover have the same ink. Short ones are kept (fill.c), as a word that
 * many of them cover is painted once; and so are all lines of a figure that has a fill, which lies
 * under them.
 *
 * Cost: a look-up or an addition for each side of each row that a line meets, some divisions and a
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
    for (int64_t i = 0; i <= radius >> brush->shift; i++)
        brush->chord[i] = half_chord(radius, i << brush->shift);
}

/* A convex figure, row by row. Its samples are kept with all others that lie on lines of the figure
   under way, or painted as soon as those of a row of pixels are known. */
struct shape {
    struct raster *r;
    bool is_kept;
    uint8_t number; /* of the ink that it is painted with */
    struct slice slice;
    /* If it is kept, words of a row of pixels that are known to be touched: */
    int32_t y, from, to;
    uint64_t *lines; /* of word 0 */
    int32_t apart;   /* from one word to the next */
};

static struct shape kept_shape(struct raster *r)
{
    return (struct shape){.r = r, .is_kept = true, .y = -1};
}

static struct shape painted_shape(struct raster *r)
{
    return (struct shape){.r = r, .number = raster_ink(r, r->pen.line), .slice.least = INT32_MAX};
}

static __attribute__((noinline)) void touch_lines(struct shape *s, int32_t y, int32_t word)
{
    struct raster *r = s->r;
    raster_touch(r, y << r->shift, word);
    bool goes_on = y == s->y && (word == s->from - 1 || word == s->to + 1);
    s->from = goes_on ? mw_min(s->from, word) : word;
    s->to = goes_on ? mw_max(s->to, word) : word;
    s->y = y;
    s->lines = r->lines + raster_word_at(r, y, 0);
    s->apart = (int32_t)(raster_word_at(r, y, 1) - raster_word_at(r, y, 0));
}

static inline uint64_t *lines_at(struct shape *s, int32_t row, int32_t word)
{
    int32_t y = row >> s->r->shift;
    if (y != s->y || word < s->from || word > s->to)
        touch_lines(s, y, word);
    return s->lines + (size_t)word * (size_t)s->apart + (row & (s->r->fine - 1));
}

static inline void keep(struct shape *s, int32_t row, int32_t first, int32_t end)
{
    uint32_t from = (uint32_t)first, to = (uint32_t)end;
    if (from >= to)
        return;
    const int32_t last = (int32_t)((to - 1) / RASTER_WORD);
    uint64_t bits = UINT64_MAX << from % RASTER_WORD;
    for (int32_t word = (int32_t)(from / RASTER_WORD); word < last; word++, bits = UINT64_MAX)
        *lines_at(s, row, word) |= bits;
    bits &= UINT64_MAX >> (RASTER_WORD - 1 - (to - 1) % RASTER_WORD);
    *lines_at(s, row, last) |= bits;
}

static void paint_row(struct shape *s, int32_t y)
{
    struct slice *slice = &s->slice;
    if (slice->least >= slice->most)
        return;
    raster_paint_slice(s->r, y, slice, s->number);
    mw_tick(s->r->canvas.run,
            1 + ((uint64_t)(slice->most - slice->least) << s->r->shift) / (2 * RASTER_WORD));
    slice->least = INT32_MAX;
    slice->most = 0;
}

/* Rows follow each other; columns from one up to another. */
static inline void cover(struct shape *s, int32_t row, int32_t from, int32_t to)
{
    if (s->is_kept) {
        keep(s, row, from, to);
        return;
    }
    struct slice *slice = &s->slice;
    const int32_t i = row & (s->r->fine - 1);
    const bool is_empty = from >= to;
    slice->from[i] = is_empty ? 0 : from;
    slice->to[i] = is_empty ? 0 : to;
    slice->least = mw_min(slice->least, is_empty ? INT32_MAX : from);
    slice->most = mw_max(slice->most, slice->to[i]);
    if (i == s->r->fine - 1)
        paint_row(s, row >> s->r->shift);
}

/* The last row was the one before. */
static void end_shape(struct shape *s, int32_t row)
{
    for (; !s->is_kept && row & (s->r->fine - 1); row++)
        cover(s, row, 0, 0);
}

/* The sample that a place is in. */
static void cover_one(struct raster *r, int64_t row, int64_t column)
{
    if (row >= 0 && row < r->height && column >= 0 && column < r->width)
        r->lines[raster_touch(r, (int32_t)row, (int32_t)column / RASTER_WORD)] |=
            UINT64_C(1) << column % RASTER_WORD;
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
        cover_thin(r, raster_middle(i),
                   a.y + mw_floor_div((b.y - a.y) * (raster_middle(i) - a.x), dx));
    for (int32_t i = from; i < to && dx < dy; i++)
        cover_thin(r, a.x + mw_floor_div((b.x - a.x) * (raster_middle(i) - a.y), dy),
                   raster_middle(i));
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

/* sign: -1 on the left, 1 on the right. */
static struct side side_of(const struct raster *r, int64_t radius, struct place a, struct place b,
                           int64_t l, int64_t sign)
{
    int64_t dx = b.x - a.x, dy = b.y - a.y, lean = sign * mw_floor_div(radius * dx, l);
    struct side side = {raster_row(r, a.y - lean), raster_row(r, b.y - lean), {0}};
    int64_t down = raster_middle(side.from) - a.y;
    if (side.from < side.to)
        side.straight = ramp_of(dx * down + sign * radius * l + (a.x + RASTER_PARTS / 2 - 1) * dy,
                                dx * RASTER_PARTS, dy * RASTER_PARTS);
    return side;
}

/* Never outside the field. */
static inline int32_t column_of(const struct raster *r, int64_t column)
{
    return (int32_t)mw_min64(mw_max64(column, 0), r->width);
}

static inline int32_t side_at(const struct raster *r, const struct brush *brush, struct side *side,
                              struct place a, struct place b, int64_t sign, int32_t row)
{
    if (row >= side->from && row < side->to)
        return column_of(r, ramp_next(&side->straight));
    const struct place end = row < side->from ? a : b;
    return raster_column(r, end.x + sign * chord_at(brush, end, raster_middle(row)));
}

/* Both discs, and in each row what is between them. */
static void draw_short(struct shape *s, const struct brush *brush, struct place a, struct place b)
{
    const int64_t radius = brush->radius;
    int32_t row = raster_row(s->r, a.y - radius), end = raster_row(s->r, b.y + radius);
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
        cover(s, row, raster_column(s->r, left), raster_column(s->r, right));
    }
    end_shape(s, row);
}

/* Rows from one up to another, where either side may be on a disc. */
static void draw_rows(struct shape *s, const struct brush *brush, struct side *left,
                      struct side *right, struct place a, struct place b, int32_t row, int32_t end)
{
    for (; row < end; row++)
        cover(s, row, side_at(s->r, brush, left, a, b, -1, row),
              side_at(s->r, brush, right, a, b, 1, row));
}

/* Where both are straight. */
static void draw_straight(struct shape *s, struct side *left, struct side *right, int32_t row,
                          int32_t end)
{
    struct ramp from = left->straight, to = right->straight;
    for (; row < end; row++) {
        int64_t first = ramp_next(&from), last = ramp_next(&to);
        cover(s, row, column_of(s->r, first), column_of(s->r, last));
    }
    left->straight = from;
    right->straight = to;
}

/* The upper end is a. */
static void draw_line(struct shape s, const struct brush *brush, struct place a, struct place b)
{
    int64_t dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy, radius = brush->radius;
    const struct raster *r = s.r;
    if (square <= (4 * radius - RASTER_PARTS) * RASTER_PARTS) {
        draw_short(&s, brush, a, b);
        return;
    }
    int64_t l = mw_root(square);
    struct side left = side_of(r, radius, a, b, l, -1), right = side_of(r, radius, a, b, l, 1);
    int32_t row = raster_row(r, a.y - radius), end = raster_row(r, b.y + radius),
            from = mw_max(left.from, right.from), to = mw_max(mw_min(left.to, right.to), from);
    draw_rows(&s, brush, &left, &right, a, b, row, from);
    draw_straight(&s, &left, &right, from, to);
    draw_rows(&s, brush, &left, &right, a, b, to, end);
    end_shape(&s, end);
}

/* ---- stamps ---------------------------------------------------------------------------------- */

/* Where a stamp is laid: its first row and column. What lies beyond the field is cut off. */
struct spot {
    int64_t row, column;
};

/* False: the line is longer than a stamp. */
static bool find_spot(int64_t radius, struct place a, struct place b, struct spot *spot)
{
    spot->row = mw_floor_div(a.y - radius, RASTER_PARTS);
    spot->column = mw_floor_div(mw_min64(a.x, b.x) - radius, RASTER_PARTS);
    return b.y + radius < (spot->row + RASTER_WORD) * RASTER_PARTS &&
           mw_max64(a.x, b.x) + radius < (spot->column + RASTER_WORD) * RASTER_PARTS;
}

/* Lines with the same number differ by whole samples; 0 is of none. */
static uint64_t line_number(int64_t radius, struct place a, struct place b)
{
    const uint64_t sizes = RASTER_WORD * RASTER_PARTS, dx = (uint64_t)(b.x - a.x + (int64_t)sizes);
    uint64_t number = (dx * sizes + (uint64_t)(b.y - a.y)) * sizes + (uint64_t)radius;
    return (number * RASTER_PARTS + (uint64_t)a.x % RASTER_PARTS) * RASTER_PARTS +
           (uint64_t)a.y % RASTER_PARTS;
}

/* As any line is drawn, on a field of its own. */
static void make_stamp(struct stamp *stamp, const struct brush *brush, struct place a,
                       struct place b)
{
    uint64_t touched[RASTER_WORD];
    memset(touched, 0xff, sizeof touched);
    memset(stamp->rows, 0, sizeof stamp->rows);
    struct raster field = {.fine = 1,
                           .width = RASTER_WORD,
                           .height = RASTER_WORD,
                           .rows = RASTER_WORD,
                           .words = 1,
                           .stride = 1,
                           .lines = stamp->rows,
                           .touched = touched};
    draw_line(kept_shape(&field), brush, a, b);
    stamp->count = (int32_t)((b.y + brush->radius) / RASTER_PARTS + 1);
    stamp->wide = (int32_t)((mw_max64(a.x, b.x) + brush->radius) / RASTER_PARTS + 1);
}

static struct place moved(struct place p, struct spot by)
{
    return (struct place){p.x - by.column * RASTER_PARTS, p.y - by.row * RASTER_PARTS};
}

/* One that is met again at once, as is most likely, or NULL. */
static const struct stamp *find_stamp(struct raster *r, struct place a, struct place b,
                                      struct spot spot)
{
    uint64_t number = line_number(r->brush.radius, a, b);
    struct stamp *stamp = &r->stamps[number * UINT64_C(0x9e3779b97f4a7c15) >> 56];
    if (stamp->number != number) {
        stamp->number = number;
        stamp->count = 0;
        return NULL;
    }
    if (!stamp->count)
        make_stamp(stamp, &r->brush, moved(a, spot), moved(b, spot));
    return stamp;
}

/* A word of each row, shifted to the left or to the right. */
static void lay_word(struct raster *r, const struct stamp *stamp, struct spot spot, int32_t word,
                     int left, int right)
{
    if (word < 0 || word >= r->words)
        return;
    const uint64_t within = UINT64_MAX >> mw_max((word + 1) * RASTER_WORD - r->width, 0);
    const int32_t from = (int32_t)spot.row, part = r->fine - 1;
    const int32_t first = mw_max(from, 0), end = mw_min(from + stamp->count, r->height);
    uint64_t *lines = NULL; /* of the first of as many as a pixel has */
    for (int32_t row = first; row < end; row++) {
        if (row == first || !(row & part))
            lines = r->lines + raster_touch(r, row & ~part, word);
        lines[row & part] |= stamp->rows[row - from] << left >> right & within;
    }
}

static void lay(struct raster *r, const struct stamp *stamp, struct spot spot)
{
    const int32_t word = (int32_t)mw_floor_div(spot.column, RASTER_WORD);
    const int shift = (int)(spot.column & (RASTER_WORD - 1));
    lay_word(r, stamp, spot, word, shift, 0);
    if (shift + stamp->wide > RASTER_WORD)
        lay_word(r, stamp, spot, word + 1, 0, RASTER_WORD - shift);
}

void raster_stroke(struct raster *r, struct place a, struct place b)
{
    struct spot spot;
    if (2 * r->brush.radius <= RASTER_PARTS) {
        draw_thin(r, a, b);
        return;
    }
    if (b.y < a.y)
        swap(&a, &b);
    bool is_small = find_spot(r->brush.radius, a, b, &spot);
    const struct stamp *stamp = is_small ? find_stamp(r, a, b, spot) : NULL;
    if (stamp)
        lay(r, stamp, spot);
    else
        draw_line(is_small || r->pen.fill ? kept_shape(r) : painted_shape(r), &r->brush, a, b);
}

/* ---- discs ----------------------------------------------------------------------------------- */

/* The sample at the middle is painted, however small the disc is. */
void raster_ring(struct raster *r, enum ink ink, struct place middle, int64_t radius, int64_t hole)
{
    r->pen = (struct pen){.line = ink};
    struct shape left = painted_shape(r), right = left;
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
        cover_one(r, mw_floor_div(middle.y, RASTER_PARTS), mw_floor_div(middle.x, RASTER_PARTS));
        raster_fill(r);
    }
}
