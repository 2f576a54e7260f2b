/*
 * fill.c: fills figures, given by their edges, and paints pixels.
 *
 * In each row of samples whose middle an edge crosses, it toggles the bit of the first sample to
 * its right. By the even-odd rule a sample is inside if an odd number of bits is set from the start
 * of its row up to it: a prefix sum without carry, for 64 samples at once in six steps. Each row of
 * pixels knows its first and last word with a bit, so the cost depends on the figure, not on the
 * size of the raster. Edges to the right of the raster set no bit: the row is inside to its end.
 *
 * A crossing is always computed from the edge's upper end, so an edge that two figures share is the
 * same for both: they leave no gap and do not overlap. An end belongs to the rows at or below it,
 * so that a corner is counted once.
 */
#include "raster.h"

/* ---- inks ------------------------------------------------------------------------------------ */

uint8_t raster_number(struct raster *r, enum ink ink)
{
    assert(ink > INK_NONE && ink < INK_END);
    if (!r->number[ink]) {
        struct picture *p = &r->picture;
        int32_t n = 0;
        p->palette[p->colors] = ink_color(&r->canvas.map->request->look, ink);
        while (p->palette[n] != p->palette[p->colors])
            n++;
        p->colors = mw_max(p->colors, n + 1);
        assert(p->colors <= RASTER_MIXED); /* islands have most, some 200 */
        r->number[ink] = (uint8_t)(n + 1);
    }
    return (uint8_t)(r->number[ink] - 1);
}

/* ---- pixels ---------------------------------------------------------------------------------- */

/* Each of eight bits as a byte of ones. */
static uint64_t spread(uint64_t bits)
{
    uint64_t apart = bits * EVERY_BYTE & UINT64_C(0x8040201008040201);
    return ((apart + 0x7f * EVERY_BYTE) >> 7 & EVERY_BYTE) * 255;
}

/* Paints the samples of a pixel whose bits are set: some, not all. */
static inline void paint_some(uint8_t *at, uint8_t *samples, uint64_t bits, uint8_t paint,
                              const size_t size)
{
    if (*at == paint)
        return;
    if (*at != RASTER_MIXED)
        memset(samples, *at, size);
    *at = RASTER_MIXED;
    for (size_t i = 0; i < size; i += 8, bits >>= 8) {
        uint64_t mask = spread(bits & 255), eight = mw_eight_bytes(samples + i);
        mw_put_eight_bytes((char *)samples + i, (eight & ~mask) | (EVERY_BYTE * paint & mask));
    }
}

static inline __attribute__((always_inline)) void
paint_words(const struct raster *r, int32_t y, int32_t x, const uint64_t *bits, const int shift)
{
    const int fine = 1 << shift;
    const uint64_t one = (UINT64_C(1) << fine) - 1, each = UINT64_MAX / one;
    uint8_t *at = raster_pixels(r, y) + x;
    uint64_t any = 0, all = UINT64_MAX;
    assert(y >= 0 && y < r->picture.height && x >= 0 && x < r->picture.width);
    for (int i = 0; i < fine; i++) {
        any |= bits[i];
        all &= bits[i];
    }
    for (int reach = 1; reach < fine; reach *= 2) {
        any |= any >> reach;
        all &= all >> reach;
    }
    all &= each;
    any &= each & ~all;
    if (all == each) {
        assert(x + (RASTER_WORD >> shift) <= r->picture.width);
        memset(at, r->paint, (size_t)RASTER_WORD >> shift);
        return;
    }
    for (; all; all &= all - 1)
        at[__builtin_ctzll(all) >> shift] = r->paint;
    for (; any; any &= any - 1) {
        const int first = __builtin_ctzll(any), pixel = first >> shift;
        uint64_t samples = 0;
        for (int i = 0; i < fine; i++)
            samples |= (bits[i] >> first & one) << (i << shift);
        paint_some(at + pixel, raster_samples(r, y, x + pixel), samples, r->paint,
                   (size_t)fine << shift);
    }
}

/* Paints the samples whose bits are set: a word for each row of samples in row y of pixels, from
   pixel x on. Most pictures have 4 samples across a pixel: the compiler then knows the length of
   all loops. */
static void paint(const struct raster *r, int32_t y, int32_t x, const uint64_t *bits)
{
    if (r->shift == 2)
        paint_words(r, y, x, bits, 2);
    else
        paint_words(r, y, x, bits, r->shift);
}

/* ---- edges ----------------------------------------------------------------------------------- */

/* The first row or column of samples whose middle is at or beyond a coordinate, from 0 to `most`.
   */
static int32_t first_sample(int64_t at, int32_t most)
{
    uint64_t n = (uint64_t)(mw_max64(at, RASTER_PARTS / 2) + RASTER_PARTS / 2 - 1);
    return (int32_t)mw_min64((int64_t)(n / RASTER_PARTS), most);
}

static void toggle(struct raster *r, int32_t row, int32_t column)
{
    struct word_span *span = &r->spans[row >> r->shift];
    int32_t word = column / RASTER_WORD;
    assert(column >= 0 && word < r->words);
    r->crossings[(size_t)row * (size_t)r->words + (size_t)word] ^= UINT64_C(1)
                                                                   << column % RASTER_WORD;
    span->first = mw_min(span->first, word);
    span->last = mw_max(span->last, word);
}

void raster_toggle(struct raster *r, struct spot a, struct spot b)
{
    struct spot upper = a.y < b.y ? a : b, lower = a.y < b.y ? b : a;
    int64_t dx = lower.x - upper.x, dy = lower.y - upper.y;
    int32_t row = first_sample(upper.y, r->height), end = first_sample(lower.y, r->height);
    if (row >= end)
        return;
    r->first = mw_min(r->first, row >> r->shift);
    r->last = mw_max(r->last, (end - 1) >> r->shift);
    /* From row to row the column moves by whole parts and a rest, which is carried over. */
    const int64_t first = (int64_t)row * RASTER_PARTS + RASTER_PARTS / 2 - upper.y,
                  step = mw_floor_div(-dx * RASTER_PARTS, dy),
                  carry = -dx * RASTER_PARTS - step * dy;
    int64_t left = mw_floor_div(-dx * first, dy), rest = -dx * first - left * dy;
    for (; row < end; row++) {
        const int32_t column = first_sample(upper.x - left, r->width);
        if (column < r->width)
            toggle(r, row, column);
        rest += carry;
        left += step + (rest >= dy);
        rest -= rest >= dy ? dy : 0;
    }
}

/* The samples of a word that are inside; carry: all ones if the last one is. */
static uint64_t inside(uint64_t edges, uint64_t *carry)
{
    uint64_t bits = edges;
    for (int reach = 1; edges && reach < RASTER_WORD; reach *= 2)
        bits ^= bits << reach;
    bits ^= *carry;
    *carry = -(bits >> (RASTER_WORD - 1));
    return bits;
}

/* Paints a row of pixels, and clears its edges. */
static void fill_row(struct raster *r, int32_t y)
{
    struct word_span *span = &r->spans[y];
    uint64_t carry[RASTER_FINEST] = {0}, any = 0;
    int32_t word = span->first;
    for (; word <= span->last || (any && word < r->words); word++) {
        const uint64_t valid = UINT64_MAX >> mw_max(RASTER_WORD * (word + 1) - r->width, 0);
        uint64_t bits[RASTER_FINEST];
        any = 0;
        for (int i = 0; i < r->fine; i++) {
            uint64_t *edges =
                &r->crossings[(size_t)((y << r->shift) + i) * (size_t)r->words + (size_t)word];
            bits[i] = inside(*edges, &carry[i]) & valid;
            any |= carry[i];
            *edges = 0;
        }
        paint(r, y, word * RASTER_WORD >> r->shift, bits);
    }
    mw_tick(r->canvas.run, 1 + (uint64_t)mw_max(word - span->first, 0) * (uint64_t)r->fine / 4);
    *span = (struct word_span){INT32_MAX, -1};
}

void raster_fill(struct raster *r)
{
    assert(r->last < r->picture.height);
    for (int32_t y = r->first; y <= r->last; y++)
        fill_row(r, y);
    r->first = r->picture.height;
    r->last = -1;
}
