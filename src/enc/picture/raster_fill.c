/*
 * raster_fill.c: a figure, from its edges and lines to the samples that it paints.
 *
 * A figure under way is two planes of bits, one bit for each sample. In the one an edge toggles, in
 * each row whose middle it crosses, the first sample to the right of it: so by the even-odd rule a
 * sample is inside if an odd number of bits are set from the left end of its row up to it. That is
 * the sum, without carry, of all bits before: of the 64 of a word at once in six steps, each of
 * which doubles how far a bit reaches. In the other plane lie the samples of lines.
 *
 * When the figure ends both planes are read, and cleared, where it has touched them, and pixels are
 * painted: first its fill, then its lines, which so lie over it.
 *
 * A crossing is computed from the edge's upper end to its lower, so an edge that two figures share,
 * one running down it and one up, is the same to both; an end belongs to the rows at or below it,
 * so that a corner is counted once. From row to row the place moves by the same fraction, so there
 * is one division for an edge, and its remainder is carried on.
 */
#include "kit/integer.h"
#include "raster.h"

static int32_t clipped(int64_t place, int32_t most)
{
    if (place <= RASTER_PARTS / 2)
        return 0;
    int64_t n = (place + RASTER_PARTS / 2 - 1) / RASTER_PARTS;
    return n < most ? (int32_t)n : most;
}

int32_t raster_row(const struct raster *r, int64_t y) { return clipped(y, r->height); }

int32_t raster_column(const struct raster *r, int64_t x) { return clipped(x, r->width); }

/* The figure under way has changed words of the row of samples. */
static void touch(struct raster *r, int32_t row, int32_t from, int32_t to)
{
    row >>= r->shift;
    struct span *span = &r->spans[row];
    assert(row >= 0 && row < r->rows && from >= 0 && to <= r->words);
    span->from = mw_min(span->from, from);
    span->to = mw_max(span->to, to);
    r->first = mw_min(r->first, row);
    r->last = mw_max(r->last, row);
}

/* What is right of the field stays inside up to its end. */
static void toggle(struct raster *r, int32_t row, int32_t column)
{
    if (column >= r->width) {
        touch(r, row, r->words, r->words);
        return;
    }
    int32_t word = column / RASTER_WORD;
    r->edges[(size_t)row * (size_t)r->words + (size_t)word] ^= UINT64_C(1) << column % RASTER_WORD;
    touch(r, row, word, word + 1);
}

void raster_toggle(struct raster *r, struct place a, struct place b)
{
    struct place upper = a.y < b.y ? a : b, lower = a.y < b.y ? b : a;
    int64_t dx = lower.x - upper.x, dy = lower.y - upper.y;
    int32_t row = raster_row(r, upper.y), end = raster_row(r, lower.y);
    if (row >= end)
        return;
    int64_t down = (int64_t)row * RASTER_PARTS + RASTER_PARTS / 2 - upper.y;
    int64_t left = mw_floor_div(-dx * down, dy), rest = -dx * down - left * dy;
    int64_t step = mw_floor_div(-dx * RASTER_PARTS, dy), more = -dx * RASTER_PARTS - step * dy;
    for (; row < end; row++) {
        assert(rest >= 0 && rest < dy);
        toggle(r, row, raster_column(r, upper.x - left));
        left += step;
        rest += more;
        if (rest >= dy) {
            rest -= dy;
            left++;
        }
    }
}

void raster_cover(struct raster *r, int32_t row, int32_t from, int32_t to)
{
    if (from >= to)
        return;
    assert(row >= 0 && row < r->height && from >= 0 && to <= r->width);
    int32_t first = from / RASTER_WORD, last = (to - 1) / RASTER_WORD;
    uint64_t *word = r->lines + (size_t)row * (size_t)r->words;
    uint64_t begin = UINT64_MAX << from % RASTER_WORD,
             end = UINT64_MAX >> (RASTER_WORD - 1 - (to - 1) % RASTER_WORD);
    touch(r, row, first, last + 1);
    if (first == last) {
        word[first] |= begin & end;
        return;
    }
    word[first] |= begin;
    for (int32_t i = first + 1; i < last; i++)
        word[i] = UINT64_MAX;
    word[last] |= end;
}

/* Each bit the sum, without carry, of those up to it. */
static uint64_t summed(uint64_t bits)
{
    for (int reach = 1; reach < RASTER_WORD; reach *= 2)
        bits ^= bits << reach;
    return bits;
}

/* The samples of a word that lie inside; `carry` is all ones where the last of it does. */
static uint64_t inside(uint64_t edges, uint64_t *carry)
{
    uint64_t bits = edges ? summed(edges) ^ *carry : *carry;
    *carry = -(bits >> (RASTER_WORD - 1));
    return bits;
}

/* A word of each row of samples in a row of pixels: how its samples are filled, and lined. */
struct column {
    uint64_t fill[RASTER_FINEST], line[RASTER_FINEST];
};

/* Moves the bits of a column from a plane; whether there are any. */
static inline __attribute__((always_inline)) bool take(uint64_t *plane, size_t words, uint64_t *to,
                                                       const int fine)
{
    uint64_t any = 0;
    for (int i = 0; i < fine; i++)
        any |= to[i] = plane[(size_t)i * words];
    for (int i = 0; i < fine && any; i++)
        plane[(size_t)i * words] = 0;
    return any;
}

/* From edges to what lies inside, beside the lines and left of the end of the field. */
static inline __attribute__((always_inline)) void
fill_column(struct column *column, uint64_t *carry, uint64_t valid, const int fine)
{
    for (int i = 0; i < fine; i++)
        column->fill[i] = inside(column->fill[i], &carry[i]) & ~column->line[i] & valid;
}

static inline __attribute__((always_inline)) void fill_row(struct raster *r, int32_t y,
                                                           const int shift)
{
    const int fine = 1 << shift;
    uint64_t carry[RASTER_FINEST] = {0}, within = 0, beside = 0;
    const struct span span = r->spans[y];
    size_t words = (size_t)r->words, row = ((size_t)y << shift) * words;
    struct column column;
    for (int32_t word = span.from; word < span.to; word++) {
        bool lined = take(r->lines + row + (size_t)word, words, column.line, fine);
        bool edged = r->pen.fill && take(r->edges + row + (size_t)word, words, column.fill, fine);
        int32_t end = r->width - word * RASTER_WORD;
        if (!lined && !edged && within == beside && end >= RASTER_WORD) {
            if (within)
                raster_paint_all(r, y, word, r->pen.fill);
            continue;
        }
        if (r->pen.fill) {
            fill_column(&column, carry, UINT64_MAX >> mw_max(RASTER_WORD - end, 0), fine);
            raster_paint(r, y, word, column.fill, r->pen.fill);
        }
        if (lined)
            raster_paint(r, y, word, column.line, r->pen.line);
        within = UINT64_MAX;
        beside = 0;
        for (int i = 0; i < fine; i++) {
            within &= carry[i];
            beside |= carry[i];
        }
    }
    if (span.from < span.to)
        mw_tick(r->canvas.run, 1 + (((uint64_t)(span.to - span.from) << shift) / 2));
    r->spans[y] = (struct span){r->words, 0};
}

/* Fineness is known where the loops are compiled. */
void raster_fill(struct raster *r)
{
    for (int32_t y = r->first; y <= r->last; y++)
        switch (r->shift) {
        case 0: fill_row(r, y, 0); break;
        case 1: fill_row(r, y, 1); break;
        case 2: fill_row(r, y, 2); break;
        default: fill_row(r, y, 3);
        }
    r->first = r->rows;
    r->last = -1;
}
