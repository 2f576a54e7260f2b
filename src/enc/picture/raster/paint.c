/*
 * paint.c: the field of pixels, and the samples of those that have more than one ink.
 *
 * Most pixels of a drawing are of one ink: such a pixel is a byte, the ink's number. Where a figure
 * covers some of it, it is a pair: two inks, and a bit for each sample, which has the one or the
 * other; all in one number. Only where a third ink comes in, or samples are too many for that, does
 * the pixel get samples, `fine` times `fine` of them, each with an ink of its own; and as soon as
 * another figure covers all of it, it is a byte again. So flat ground costs a byte a pixel, however
 * fine its rims are drawn, and later figures cover earlier ones sample by sample: two that share an
 * edge leave no seam, as each sample between them belongs to one or the other, and nothing behind
 * them shines through.
 *
 * A block holds the samples of a pixel, eight to a word: sample i is in byte i % 8 of word i / 8,
 * counted from the lowest. Four samples are there twice, to fill a word. Pairs and the numbers of
 * blocks lie in tiles of four by four pixels, so that a line of any slope meets few of them, and
 * stays near where it has been.
 */
#include "raster.h"

enum { EIGHT = RASTER_EIGHT };
#define EVERY_BYTE UINT64_C(0x0101010101010101)

/* ---- blocks ---------------------------------------------------------------------------------- */

size_t raster_chunks(size_t pixels) { return pixels / RASTER_CHUNK + 1; }

static uint32_t take_block(struct raster *r)
{
    struct blocks *b = &r->blocks;
    uint32_t block = b->unused - 1;
    if (b->unused) {
        memcpy(&b->unused, raster_block(r, block), sizeof b->unused);
        return block;
    }
    assert(b->count < (size_t)r->columns * (size_t)r->rows); /* of each pixel one */
    if (b->count % RASTER_CHUNK == 0)
        b->chunks[b->count / RASTER_CHUNK] = mw_alloc(r->canvas.run, RASTER_CHUNK, b->size);
    return b->count++;
}

/* A row of pixels. */
struct row {
    uint8_t *at;
    uint32_t *block; /* of pixel 0; that of another is raster_block_at */
};
static inline struct row row_of(const struct raster *r, int32_t y)
{
    return (struct row){raster_pixels(r, y), r->block + raster_block_row(r, y)};
}

static void give_back(struct raster *r, uint32_t block)
{
    memcpy(raster_block(r, block), &r->blocks.unused, sizeof r->blocks.unused);
    r->blocks.unused = block + 1;
}

/* A byte of ones for each bit. */
static uint64_t spread(uint64_t bits)
{
    uint64_t apart = bits * EVERY_BYTE & UINT64_C(0x8040201008040201);
    return ((apart + 0x7f * EVERY_BYTE) >> 7 & EVERY_BYTE) * 255;
}

/* Those whose bits are set. */
static inline void paint_samples(uint8_t *samples, uint64_t bits, uint8_t number, const size_t size)
{
    for (size_t i = 0; i < size; i += EIGHT, bits >>= EIGHT) {
        uint64_t eight, mask = spread(bits & 255);
        memcpy(&eight, samples + i, sizeof eight);
        eight = (eight & ~mask) | (EVERY_BYTE * number & mask);
        memcpy(samples + i, &eight, sizeof eight);
    }
}

static inline uint8_t *split(struct raster *r, uint8_t *at, uint32_t *block, size_t size)
{
    uint32_t taken = take_block(r);
    uint8_t *samples = memset(raster_block(r, taken), *at, size);
    if (*at == RASTER_PAIR) {
        const struct inks pair = raster_pair(*block);
        memset(samples, pair.lower, size);
        paint_samples(samples, pair.samples, pair.upper, size);
    }
    *block = taken;
    *at = RASTER_MIXED;
    return samples;
}

enum ink raster_sample(const struct raster *r, int32_t x, int32_t y)
{
    const struct row row = row_of(r, y >> r->shift);
    const uint8_t at = row.at[x >> r->shift];
    if (at < RASTER_PAIR)
        return r->ink[at];
    uint64_t eight;
    const uint32_t block = row.block[raster_block_at(x >> r->shift)];
    int32_t i = ((y & (r->fine - 1)) << r->shift) + (x & (r->fine - 1));
    if (at == RASTER_PAIR) {
        struct inks pair = raster_pair(block);
        return r->ink[pair.samples >> i & 1 ? pair.upper : pair.lower];
    }
    memcpy(&eight, raster_block(r, block) + i / EIGHT * EIGHT, sizeof eight);
    return r->ink[eight >> i % EIGHT * EIGHT & 255];
}

/* ---- paint ----------------------------------------------------------------------------------- */

uint8_t raster_ink(struct raster *r, enum ink ink)
{
    assert(ink > INK_NONE && ink < INK_END && (r->number[ink] || r->inks < RASTER_PAIR));
    if (!r->number[ink]) {
        r->ink[r->inks++] = ink;
        r->number[ink] = (uint8_t)r->inks;
    }
    return (uint8_t)(r->number[ink] - 1);
}

/* One ink for all of a pixel. */
static void paint_one(struct raster *r, struct row row, int32_t x, uint8_t number)
{
    if (row.at[x] == RASTER_MIXED)
        give_back(r, row.block[raster_block_at(x)]);
    row.at[x] = number;
}

/* Whether the pixel still has no more than two inks. */
static inline bool paint_pair(uint8_t *at, uint32_t *block, uint32_t bits, uint8_t number,
                              const size_t size)
{
    const uint32_t all = (UINT32_C(1) << size) - 1;
    struct inks pair = {bits, number, *at};
    if (*at == RASTER_PAIR) {
        const struct inks old = raster_pair(*block);
        if (old.upper == number)
            pair = (struct inks){old.samples | bits, number, old.lower};
        else if (old.lower == number)
            pair = (struct inks){old.samples & ~bits, old.upper, number};
        else if (!(old.samples & ~bits))
            pair.lower = old.lower;
        else if ((old.samples | bits) == all)
            pair.lower = old.upper;
        else
            return false;
    }
    bool is_one = !pair.samples || pair.samples == all;
    *at = is_one ? number : RASTER_PAIR;
    *block = raster_pack(pair);
    return true;
}

/* Of one pixel those samples whose bits are set, in rows of `fine` bits. */
RASTER_EACH void paint_some(struct raster *r, struct row row, int32_t x, uint64_t bits,
                            uint8_t number, const size_t size)
{
    uint8_t *at = row.at + x;
    uint32_t *block = row.block + raster_block_at(x);
    if (*at == number)
        return;
    if (size <= RASTER_PAIRED && *at != RASTER_MIXED &&
        paint_pair(at, block, (uint32_t)bits, number, size))
        return;
    uint8_t *samples = *at == RASTER_MIXED ? raster_block(r, *block) : split(r, at, block, size);
    paint_samples(samples, bits, number, size);
}

/* Of eight pixels the bytes whose bits are set: the lowest of `fine` bits each. Twice as many apart
   in each of three steps. */
static inline uint64_t bytes_of(uint64_t bits, const int shift)
{
    const uint64_t one = 1;
    const int half = 4 << shift, fourth = half / 2, eighth = half / 4;
    bits = (bits | bits << (32 - half)) & (UINT64_MAX / UINT32_MAX * ((one << half) - 1));
    bits = (bits | bits << (16 - fourth)) & (UINT64_MAX / UINT16_MAX * ((one << fourth) - 1));
    return ((bits | bits << (8 - eighth)) & EVERY_BYTE) * 255;
}

/* Of eight pixels those whose bytes are set. */
static inline void paint_eight(struct raster *r, struct row row, int32_t x, uint64_t bytes,
                               uint8_t number)
{
    uint64_t eight = mw_eight_bytes(row.at + x);
    for (uint64_t several = eight & bytes & EVERY_BYTE << 7; several; several &= several - 1)
        paint_one(r, row, x + __builtin_ctzll(several) / EIGHT, number);
    mw_put_eight_bytes((char *)row.at + x, (eight & ~bytes) | (EVERY_BYTE * number & bytes));
}

RASTER_EACH void paint(struct raster *r, struct row row, int32_t x, const uint64_t *bits,
                       uint8_t number, const int shift)
{
    const int fine = 1 << shift;
    const size_t size = (size_t)1 << (2 * shift > RASTER_BLOCK ? 2 * shift : RASTER_BLOCK);
    const uint64_t one = (UINT64_C(1) << fine) - 1, each = UINT64_MAX / one;
    uint64_t any = 0, all = UINT64_MAX;
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
    const uint64_t eight = UINT64_MAX >> (RASTER_WORD - EIGHT * fine);
    for (int32_t i = x; all; i += EIGHT, all = all >> 4 * fine >> 4 * fine)
        paint_eight(r, row, i, bytes_of(all & eight, shift), number);
    for (; any; any &= any - 1) {
        int at = __builtin_ctzll(any);
        uint64_t samples = 0;
        for (int i = 0; i < fine; i++)
            samples |= (bits[i] >> at & one) << (i << shift);
        samples |= shift == 1 ? samples << 4 : 0;
        paint_some(r, row, x + (at >> shift), samples, number, size);
    }
}

void raster_paint_run(struct raster *r, int32_t y, int32_t from, int32_t to, uint8_t number)
{
    const struct row row = row_of(r, y);
    int32_t i = from;
    assert(y >= 0 && y < r->rows && from >= 0 && from <= to && to <= r->columns);
    for (uint64_t eight; i + EIGHT <= to; i += EIGHT) {
        memcpy(&eight, row.at + i, sizeof eight);
        for (int32_t j = i; j < i + EIGHT && eight & EVERY_BYTE << 7; j++)
            paint_one(r, row, j, number);
    }
    for (; i < to; i++)
        paint_one(r, row, i, number);
    memset(row.at + from, number, (size_t)(to - from));
}

/* The bits of a word from one column up to another. */
static inline uint64_t bits_between(int32_t from, int32_t to)
{
    return (UINT64_C(1) << to) - (UINT64_C(1) << from);
}

/* In words that are short of a pixel, as no word can be shifted by all of its bits. */
RASTER_EACH void paint_slice(struct raster *r, int32_t y, const struct slice *slice, uint8_t number,
                             const int shift)
{
    const struct row row = row_of(r, y);
    const int32_t fine = 1 << shift, wide = RASTER_WORD - fine;
    for (int32_t at = slice->least & -fine; at < slice->most; at += wide) {
        uint64_t bits[RASTER_FINEST];
        for (int i = 0; i < fine; i++)
            bits[i] = bits_between(mw_min(mw_max(slice->from[i] - at, 0), wide),
                                   mw_min(mw_max(slice->to[i] - at, 0), wide));
        paint(r, row, at >> shift, bits, number, shift);
    }
}

/* Four rows of four times four bits: the columns as rows, from the lowest bits on. */
static inline uint64_t turned(uint64_t fours)
{
    uint64_t other = (fours ^ fours >> 12) & UINT64_C(0x0000f0f00000f0f0);
    fours ^= other ^ other << 12;
    other = (fours ^ fours >> 24) & UINT64_C(0x00000000ff00ff00);
    return fours ^ other ^ other << 24;
}

/* Of pixels with four by four samples, where a word holds all of a row: the samples of four pixels
   are one number. So narrow are most lines and discs, and hardly a pixel of theirs is full. */
static void paint_narrow(struct raster *r, int32_t y, const struct slice *slice, uint8_t number)
{
    enum { FINE = 4, ALL = UINT16_MAX };
    const struct row row = row_of(r, y);
    const int32_t at = slice->least & -FINE;
    uint64_t bits[FINE];
    for (int i = 0; i < FINE; i++)
        bits[i] = bits_between(mw_max(slice->from[i] - at, 0), mw_max(slice->to[i] - at, 0));
    for (int32_t x = at / FINE; x * FINE < slice->most; x += FINE) {
        uint64_t fours = 0;
        for (int i = 0; i < FINE; i++, bits[i - 1] >>= 16)
            fours |= (bits[i] & ALL) << 16 * i;
        fours = turned(fours);
        for (int32_t j = x; fours; j++, fours >>= 16)
            if ((fours & ALL) == ALL)
                paint_one(r, row, j, number);
            else if (fours & ALL)
                paint_some(r, row, j, fours & ALL, number, FINE * FINE);
    }
}

void raster_paint_slice(struct raster *r, int32_t y, const struct slice *slice, uint8_t number)
{
    if (y + RASTER_TILE < r->rows)
        raster_expect(r, y + RASTER_TILE, slice->least >> r->shift, (slice->most - 1) >> r->shift);
    if (r->shift == 2 && slice->most - (slice->least & -4) < RASTER_WORD) {
        paint_narrow(r, y, slice, number);
        return;
    }
    switch (r->shift) {
    case 0: paint_slice(r, y, slice, number, 0); return;
    case 1: paint_slice(r, y, slice, number, 1); return;
    case 2: paint_slice(r, y, slice, number, 2); return;
    default: paint_slice(r, y, slice, number, 3);
    }
}

RASTER_EACH void paint_rows(struct raster *r, int32_t y, int32_t x, const uint64_t *bits,
                            int32_t rows, uint8_t number, const int shift)
{
    for (int32_t i = 0; i < rows; i++)
        paint(r, row_of(r, y + i), x, bits + (i << shift), number, shift);
}

/* Fineness is known where the loops are compiled. */
void raster_paint(struct raster *r, int32_t y, int32_t x, const uint64_t *bits, int32_t rows,
                  uint8_t number)
{
    switch (r->shift) {
    case 0: paint_rows(r, y, x, bits, rows, number, 0); return;
    case 1: paint_rows(r, y, x, bits, rows, number, 1); return;
    case 2: paint_rows(r, y, x, bits, rows, number, 2); return;
    default: paint_rows(r, y, x, bits, rows, number, 3);
    }
}
