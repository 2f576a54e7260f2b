/*
 * fill.c: a figure, from its edges and lines to the samples that it paints.
 *
 * A figure under way is two planes of bits, one bit for each sample. In the one an edge toggles, in
 * each row whose middle it crosses, the first sample to the right of it: so by the even-odd rule a
 * sample is inside if an odd number of bits are set from the left end of its row up to it. That is
 * the sum, without carry, of all bits before: of the 64 of a word at once in six steps, each of
 * which doubles how far a bit reaches. In the other plane lie the samples of lines, but for those
 * that line.c paints at once, and of short ones, which lie on a patch that is painted by itself.
 *
 * Of each word there is one bit more: whether the figure has touched it. Only those are cleared,
 * when that happens first, and read when the figure ends and pixels are painted: first its fill,
 * then its lines, which so lie over it. So a figure costs what it touches and paints, however large
 * the field is.
 *
 * A crossing is computed from the edge's upper end to its lower, so an edge that two figures share,
 * one running down it and one up, is the same to both; an end belongs to the rows at or below it,
 * so that a corner is counted once. From row to row the place moves by the same fraction, so two
 * divisions do for an edge.
 */
#include "raster.h"

/* What is right of the field stays inside up to its end. Rows of samples of a row of pixels follow
   each other: they have one touch, as long as the edge stays in a word. */
void raster_toggle(struct raster *r, struct place a, struct place b)
{
    struct place upper = a.y < b.y ? a : b, lower = a.y < b.y ? b : a;
    int64_t dx = lower.x - upper.x, dy = lower.y - upper.y;
    int32_t row = raster_row(r, upper.y), end = raster_row(r, lower.y), touched = -1;
    if (row >= end)
        return;
    int64_t down = raster_middle(row) - upper.y;
    struct ramp left = ramp_of(-dx * down, -dx * RASTER_PARTS, dy);
    for (size_t at = 0; row < end; row++, at++) {
        const int32_t column = raster_column(r, upper.x - ramp_next(&left)),
                      word = column < r->width ? column / RASTER_WORD : -1;
        if (word >= 0 && (word != touched || !(row & (r->fine - 1))))
            at = raster_touch(r, row, word);
        if (word >= 0)
            r->edges[at] ^= UINT64_C(1) << column % RASTER_WORD;
        touched = word;
    }
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

/* The first word of a row that is touched, from one on. */
static int32_t next_touched(const struct raster *r, const uint64_t *touched, int32_t word)
{
    for (; word < r->words; word = (word / RASTER_WORD + 1) * RASTER_WORD) {
        uint64_t bits = touched[word / RASTER_WORD] >> word % RASTER_WORD;
        if (bits)
            return word + __builtin_ctzll(bits);
    }
    return r->words;
}

/* The first pixel of a word. */
static int32_t pixel_of(const struct raster *r, int32_t word)
{
    return mw_min(word * (RASTER_WORD >> r->shift), r->columns);
}

/* A row of pixels that is being filled. */
struct sweep {
    struct raster *r;
    int32_t y;
    uint64_t carry[RASTER_FINEST]; /* of each row of samples */
    uint64_t within, beside;       /* all ones where all of them, where any of them have one */
    uint8_t fill, line;            /* numbers of inks */
};

/* A word of each row of samples: those inside and beside the lines, and those on lines. */
RASTER_EACH void fill_word(struct sweep *s, int32_t word, bool is_touched, const int shift)
{
    const struct raster *r = s->r;
    static const uint64_t none[RASTER_FINEST];
    const size_t column = raster_word_at(r, s->y, word);
    const uint64_t *edges = is_touched && r->pen.fill ? r->edges + column : none,
                   *lines = is_touched && r->pen.line ? r->lines + column : none;
    const int32_t end = r->width - word * RASTER_WORD;
    const uint64_t valid = UINT64_MAX >> mw_max(RASTER_WORD - end, 0);
    uint64_t bits[RASTER_FINEST], lined = 0;
    s->within = UINT64_MAX;
    s->beside = 0;
    for (int i = 0; i < 1 << shift; i++) {
        bits[i] = inside(edges[i], &s->carry[i]) & ~lines[i] & valid;
        lined |= lines[i];
        s->within &= s->carry[i];
        s->beside |= s->carry[i];
    }
    if (r->pen.fill)
        raster_paint(s->r, s->y, pixel_of(r, word), bits, 1, s->fill);
    if (lined)
        raster_paint(s->r, s->y, pixel_of(r, word), lines, 1, s->line);
}

RASTER_EACH void fill_row(struct raster *r, int32_t y, const int shift)
{
    struct sweep s = {.r = r,
                      .y = y,
                      .fill = r->pen.fill ? raster_ink(r, r->pen.fill) : 0,
                      .line = r->pen.line ? raster_ink(r, r->pen.line) : 0};
    uint64_t *touched = r->touched + (size_t)y * (size_t)r->stride;
    int32_t next = next_touched(r, touched, 0), word = next, worked = 0;
    while (word < r->words) {
        if (word < next && s.within == s.beside) {
            if (s.within)
                raster_paint_run(r, y, pixel_of(r, word), pixel_of(r, next), s.fill);
            word = next;
            continue;
        }
        fill_word(&s, word, word == next, shift);
        worked++;
        if (word++ == next)
            next = next_touched(r, touched, word);
    }
    memset(touched, 0, (size_t)r->stride * sizeof *touched);
    mw_tick(r->canvas.run, 1 + ((uint64_t)worked << shift) / 2);
}

/* Lines alone. */
static void line_row(struct raster *r, int32_t y)
{
    uint64_t *touched = r->touched + (size_t)y * (size_t)r->stride;
    const uint8_t number = raster_ink(r, r->pen.line);
    int32_t worked = 0, next;
    for (int32_t word = next_touched(r, touched, 0); word < r->words; word = next, worked++) {
        next = next_touched(r, touched, word + 1);
        if (next < r->words) {
            __builtin_prefetch(r->lines + raster_word_at(r, y, next));
            raster_expect(r, y, pixel_of(r, next), pixel_of(r, next));
        }
        raster_paint(r, y, pixel_of(r, word), r->lines + raster_word_at(r, y, word), 1, number);
    }
    memset(touched, 0, (size_t)r->stride * sizeof *touched);
    mw_tick(r->canvas.run, 1 + ((uint64_t)worked << r->shift) / 2);
}

/* Columns that lie beyond the field are cut off, and it begins with the first of the others. */
static void cut(const struct raster *r, struct patch *patch)
{
    const int64_t left = mw_max64(-patch->column, 0),
                  right = mw_max64(patch->column + RASTER_WORD - r->width, 0);
    for (int32_t row = patch->first; row < patch->end && left + right > 0; row++)
        patch->rows[row] =
            left + right < RASTER_WORD ? patch->rows[row] << right >> right >> left : 0;
    patch->column += left;
}

void raster_paint_patch(struct raster *r)
{
    struct patch *patch = r->patch;
    if (!patch->end)
        return;
    cut(r, patch);
    const int32_t from = (int32_t)mw_max64(patch->first & -r->fine, -patch->row),
                  to = (int32_t)mw_min64(patch->end, r->height - patch->row);
    raster_paint(r, (int32_t)(patch->row + from) >> r->shift, (int32_t)patch->column >> r->shift,
                 patch->rows + from, (to - from + r->fine - 1) >> r->shift,
                 raster_ink(r, r->pen.line));
    memset(patch->rows + patch->first, 0,
           (size_t)(patch->end - patch->first) * sizeof *patch->rows);
    mw_tick(r->canvas.run, 1 + (uint64_t)(patch->end - patch->first) / 2);
    patch->first = RASTER_WORD;
    patch->end = 0;
}

/* Fineness is known where the loops are compiled. */
void raster_fill(struct raster *r)
{
    raster_paint_patch(r);
    for (int32_t y = r->first; y <= r->last; y++)
        switch (r->pen.fill ? r->shift : -1) {
        case -1: line_row(r, y); break;
        case 0: fill_row(r, y, 0); break;
        case 1: fill_row(r, y, 1); break;
        case 2: fill_row(r, y, 2); break;
        default: fill_row(r, y, 3);
        }
    r->first = r->rows;
    r->last = -1;
}
