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
 * counted from the lowest. Four samples are there twice, to fill a word.
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
    if (b->count % RASTER_CHUNK == 0)
        b->chunks[b->count / RASTER_CHUNK] = mw_alloc(r->canvas.run, RASTER_CHUNK, b->size);
    return b->count++;
}

static void give_back(struct raster *r, size_t pixel)
{
    uint32_t block = r->block[pixel];
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

static inline uint8_t *split(struct raster *r, size_t pixel, size_t size)
{
    uint32_t block = take_block(r);
    uint8_t *samples = memset(raster_block(r, block), r->at[pixel], size);
    if (r->at[pixel] == RASTER_PAIR) {
        const struct inks pair = raster_pair(r->block[pixel]);
        memset(samples, pair.lower, size);
        paint_samples(samples, pair.samples, pair.upper, size);
    }
    r->block[pixel] = block;
    r->at[pixel] = RASTER_MIXED;
    return samples;
}

enum ink raster_sample(const struct raster *r, int32_t x, int32_t y)
{
    size_t pixel = (size_t)(y >> r->shift) * (size_t)r->columns + (size_t)(x >> r->shift);
    if (r->at[pixel] < RASTER_PAIR)
        return r->ink[r->at[pixel]];
    uint64_t eight;
    int32_t i = ((y & (r->fine - 1)) << r->shift) + (x & (r->fine - 1));
    if (r->at[pixel] == RASTER_PAIR) {
        struct inks pair = raster_pair(r->block[pixel]);
        return r->ink[pair.samples >> i & 1 ? pair.upper : pair.lower];
    }
    memcpy(&eight, raster_block(r, r->block[pixel]) + i / EIGHT * EIGHT, sizeof eight);
    return r->ink[eight >> i % EIGHT * EIGHT & 255];
}

/* ---- paint ----------------------------------------------------------------------------------- */

uint8_t raster_ink(struct raster *r, enum ink ink)
{
    if (!r->number[ink]) {
        r->ink[r->inks++] = ink;
        r->number[ink] = (uint8_t)r->inks;
    }
    return (uint8_t)(r->number[ink] - 1);
}

static void paint_one(struct raster *r, size_t pixel, uint8_t number)
{
    if (r->at[pixel] == RASTER_MIXED)
        give_back(r, pixel);
    r->at[pixel] = number;
}

/* Whether the pixel still has no more than two inks. */
static inline bool paint_pair(struct raster *r, size_t pixel, uint32_t bits, uint8_t number,
                              const size_t size)
{
    const uint32_t all = (UINT32_C(1) << size) - 1;
    struct inks pair = {bits, number, r->at[pixel]};
    if (r->at[pixel] == RASTER_PAIR) {
        const struct inks old = raster_pair(r->block[pixel]);
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
    r->at[pixel] = is_one ? number : RASTER_PAIR;
    r->block[pixel] = raster_pack(pair);
    return true;
}

/* Of one pixel those samples whose bits are set, in rows of `fine` bits. */
static inline __attribute__((always_inline)) void
paint_some(struct raster *r, size_t pixel, uint64_t bits, uint8_t number, const size_t size)
{
    uint8_t at = r->at[pixel];
    if (at == number)
        return;
    if (size <= RASTER_PAIRED && at != RASTER_MIXED &&
        paint_pair(r, pixel, (uint32_t)bits, number, size))
        return;
    uint8_t *samples =
        at == RASTER_MIXED ? raster_block(r, r->block[pixel]) : split(r, pixel, size);
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
static inline void paint_eight(struct raster *r, size_t first, uint64_t bytes, uint8_t number)
{
    uint64_t eight = mw_eight_bytes(r->at + first);
    for (uint64_t several = eight & bytes & EVERY_BYTE << 7; several; several &= several - 1)
        paint_one(r, first + (size_t)__builtin_ctzll(several) / EIGHT, number);
    mw_put_eight_bytes((char *)r->at + first, (eight & ~bytes) | (EVERY_BYTE * number & bytes));
}

static inline __attribute__((always_inline)) void
paint(struct raster *r, size_t first, const uint64_t *bits, uint8_t number, const int shift)
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
    for (size_t i = first; all; i += EIGHT, all = all >> 4 * fine >> 4 * fine)
        paint_eight(r, i, bytes_of(all & eight, shift), number);
    for (; any; any &= any - 1) {
        int at = __builtin_ctzll(any);
        uint64_t samples = 0;
        for (int i = 0; i < fine; i++)
            samples |= (bits[i] >> at & one) << (i << shift);
        samples |= shift == 1 ? samples << 4 : 0;
        paint_some(r, first + (size_t)(at >> shift), samples, number, size);
    }
}

static size_t pixel_of(const struct raster *r, int32_t y, int32_t word)
{
    return (size_t)y * (size_t)r->columns +
           (size_t)mw_min(word * (RASTER_WORD >> r->shift), r->columns);
}

static void paint_all(struct raster *r, size_t first, size_t end, uint8_t number)
{
    size_t i = first;
    for (uint64_t eight; i + EIGHT <= end; i += EIGHT) {
        memcpy(&eight, r->at + i, sizeof eight);
        for (size_t j = i; j < i + EIGHT && eight & EVERY_BYTE << 7; j++)
            paint_one(r, j, number);
    }
    for (; i < end; i++)
        paint_one(r, i, number);
    memset(r->at + first, number, end - first);
}

/* A word that will be painted soon. */
void raster_expect(const struct raster *r, int32_t y, int32_t word)
{
    size_t pixel = pixel_of(r, y, word);
    __builtin_prefetch(r->lines + raster_word_at(r, y, word));
    __builtin_prefetch(r->at + pixel);
    __builtin_prefetch(r->block + pixel);
}

void raster_paint_all(struct raster *r, int32_t y, int32_t from, int32_t to, uint8_t number)
{
    paint_all(r, pixel_of(r, y, from), pixel_of(r, y, to), number);
}

void raster_paint_run(struct raster *r, int32_t y, int32_t from, int32_t to, uint8_t number)
{
    size_t row = (size_t)y * (size_t)r->columns;
    paint_all(r, row + (size_t)from, row + (size_t)to, number);
}

/* Fineness is known where the loops are compiled. */
void raster_paint(struct raster *r, int32_t y, int32_t word, const uint64_t *bits, uint8_t number)
{
    size_t first = pixel_of(r, y, word);
    switch (r->shift) {
    case 0: paint(r, first, bits, number, 0); return;
    case 1: paint(r, first, bits, number, 1); return;
    case 2: paint(r, first, bits, number, 2); return;
    default: paint(r, first, bits, number, 3);
    }
}
