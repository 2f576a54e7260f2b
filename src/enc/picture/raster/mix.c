/*
 * mix.c: from inks to at most 256 colours.
 *
 * A pixel of one ink has that ink. Any other is a mixture: the mean of its samples, rounded to 32
 * shades of each primary, so that there are at most 2^15 of them, however many inks and shares
 * there are. Mixtures are rims of figures, a pixel wide: the eye does not see the rounding.
 *
 * The palette takes every ink that fills a pixel, as it is and with its number in the field, and
 * then the mixtures by how many pixels have them, equal ones by their number; those that find no
 * room are shown by the nearest of the palette.
 *
 * Two passes over the pixels of several inks: the first finds them, 64 at once, and lists them and
 * their mixtures, these over the pairs and numbers of blocks that have been read; the second writes
 * their colours into the field.
 */
#include "kit/integer.h"
#include "raster.h"

/* A pixel of several inks that turns out to have but one is a mixture beyond all, by its number. */
enum {
    MIXTURES = 1 << 15,
    MIXTURES_END = MIXTURES + RASTER_PAIR,
    EIGHT = RASTER_EIGHT,
    WEIGHT = 6
};
#define EVERY_BYTE UINT64_C(0x0101010101010101)

/* Three sums in one number. */
static uint64_t apart(uint32_t rgb)
{
    return (uint64_t)(rgb >> 16) << 40 | (uint64_t)(rgb >> 8 & 255) << 20 | (rgb & 255);
}

/* Of a sum whose samples weigh 1 << WEIGHT together, however many they are: the five highest bits
   of each mean, brought beside each other. */
static uint32_t mixture_of(uint64_t sum)
{
    enum { LOWEST = WEIGHT + 3 };
    const uint64_t highest = sum >> LOWEST & (UINT64_C(31) << 40 | 31 << 20 | 31);
    return (uint32_t)(highest | highest >> 15 | highest >> 30) & (MIXTURES - 1);
}

static uint32_t colour_of(uint32_t mixture)
{
    uint32_t red = mixture >> 10, green = mixture >> 5 & 31, blue = mixture & 31;
    return (red << 3 | red >> 2) << 16 | (green << 3 | green >> 2) << 8 | (blue << 3 | blue >> 2);
}

/* Of 64 pixels of a row those of several inks. */
struct several {
    uint64_t bits;
    int32_t x, y;
};

struct tints {
    const struct raster *r;
    struct picture *picture;
    uint64_t sums[RASTER_PAIR]; /* of each ink, apart, as much as a sample weighs */
    uint32_t *count;            /* of pixels, by mixture */
    uint8_t *mixed;             /* its number in the palette */
    struct several *several;    /* in the order of mix_tiles */
    size_t severals;
    bool is_used[PICTURE_COLOURS]; /* each number fills a pixel, or is that of a mixture */
    int32_t unused;                /* the first that may not be */
};

/* The pixels of 64 that have more than one ink, a bit for each. Of eight of them those whose
   highest seven bits are set: one more is carried out of those, and the carries are gathered in a
   byte. */
static uint64_t find_several(const uint8_t *at)
{
    uint64_t several = 0, any = 0;
    for (int i = 0; i < RASTER_WORD; i += EIGHT)
        any |= mw_eight_bytes(at + i);
    if (!(any & EVERY_BYTE << 7))
        return 0;
    for (int i = 0; i < RASTER_WORD; i += EIGHT) {
        uint64_t highest = mw_eight_bytes(at + i) >> 1 & EVERY_BYTE * 127,
                 carries = (highest + EVERY_BYTE) >> 7 & EVERY_BYTE;
        several |= carries * UINT64_C(0x0102040810204080) >> 56 << i;
    }
    return several;
}

/* Several figures of one ink may have met in a pixel: then it has that. */
static uint32_t mix(struct tints *t, const uint8_t *samples)
{
    const uint64_t all = EVERY_BYTE * *samples;
    uint64_t sum = 0, others = 0;
    for (size_t i = 0; i < t->r->blocks.size; i += EIGHT) {
        others |= mw_eight_bytes(samples + i) ^ all;
        for (size_t j = i; j < i + EIGHT; j++)
            sum += t->sums[samples[j]];
    }
    if (others)
        return mixture_of(sum);
    t->is_used[*samples] = true;
    return MIXTURES + (uint32_t)*samples;
}

/* Of 16 bits, not all of which are set. */
static uint32_t count_bits(uint32_t n)
{
    n -= n >> 1 & 0x5555;
    n = (n & 0x3333) + (n >> 2 & 0x3333);
    return n * 0x1111 >> 12 & 15;
}

static uint32_t mix_pair(const struct tints *t, struct inks pair)
{
    const uint64_t upper = t->sums[pair.upper], lower = t->sums[pair.lower];
    return mixture_of(lower * t->r->blocks.size + (upper - lower) * count_bits(pair.samples));
}

/* Finds the pixels of several inks in 64 columns and in the rows that lie together in `block`, and
   asks for what that has of them: they are far apart, and all of it is on its way before the first
   is read. */
static struct several *find_tiles(struct tints *t, int32_t x, int32_t y, struct several *several)
{
    const struct raster *r = t->r;
    const uint64_t within = UINT64_MAX >> mw_max(RASTER_WORD - (r->columns - x), 0);
    const uint32_t *blocks = r->block + raster_block_row(r, y);
    uint64_t tiles = 0;
    for (int32_t row = y; row < r->rows && row < y + RASTER_TILE; row++) {
        const uint8_t *at = raster_pixels(r, row) + x;
        t->is_used[*at] = true;
        *several = (struct several){find_several(at) & within, x, row};
        tiles |= several->bits;
        several += several->bits != 0;
    }
    for (; tiles; tiles &= UINT64_MAX << (__builtin_ctzll(tiles) | (RASTER_TILE - 1)) << 1)
        __builtin_prefetch(blocks + raster_block_at(x + __builtin_ctzll(tiles)));
    return several;
}

/* Those of a row of tiles: of some columns all are read before the first mixture is written, which
   so never takes the place of what is still to be read. Where the next goes. */
static uint32_t *mix_tiles(struct tints *t, const struct several *s, const struct several *end,
                           uint32_t *mixture)
{
    const struct raster *r = t->r;
    uint32_t block[RASTER_TILE * RASTER_WORD];
    bool is_pair[RASTER_TILE * RASTER_WORD];
    while (s < end) {
        int32_t n = 0;
        for (const int32_t x = s->x; s < end && s->x == x; s++) {
            const uint8_t *at = raster_pixels(r, s->y) + x;
            const uint32_t *blocks = r->block + raster_block_row(r, s->y) + raster_block_at(x);
            for (uint64_t left = s->bits; left; left &= left - 1) {
                int32_t i = __builtin_ctzll(left);
                assert(n < RASTER_TILE * RASTER_WORD);
                is_pair[n] = at[i] == RASTER_PAIR;
                block[n++] = blocks[raster_block_at(i)];
            }
        }
        for (int32_t i = 0; i < n; i++) {
            *mixture =
                is_pair[i] ? mix_pair(t, raster_pair(block[i])) : mix(t, raster_block(r, block[i]));
            t->count[*mixture++]++;
        }
    }
    return mixture;
}

static void mix_all(struct tints *t)
{
    uint32_t *mixture = t->r->block;
    struct several *end = t->several;
    for (int32_t y = 0; y < t->r->rows; y += RASTER_TILE) {
        const struct several *first = end;
        for (int32_t x = 0; x < t->r->columns; x += RASTER_WORD)
            end = find_tiles(t, x, y, end);
        mixture = mix_tiles(t, first, end, mixture);
    }
    t->severals = (size_t)(end - t->several);
}

static void show_mixed(const struct tints *t)
{
    const uint32_t *mixture = t->r->block;
    for (size_t i = 0; i < t->severals; i++) {
        uint8_t *at = raster_pixels(t->r, t->several[i].y) + t->several[i].x;
        for (uint64_t left = t->several[i].bits; left; left &= left - 1)
            at[__builtin_ctzll(left)] = t->mixed[*mixture++];
    }
}

/* ---- the palette ----------------------------------------------------------------------------- */

static int32_t used_of(const struct tints *t)
{
    int32_t used = 0;
    for (int32_t i = 0; i < t->r->inks; i++)
        used += t->is_used[i];
    return used;
}

/* Eight pixels at once, most of which are as the eight before. */
static void look_along(struct tints *t, const uint8_t *at)
{
    uint64_t last = ~mw_eight_bytes(at);
    for (int32_t x = 0; x < t->r->columns; x += EIGHT) {
        uint64_t eight = mw_eight_bytes(at + x);
        if (eight == last)
            continue;
        for (int32_t i = x; i < mw_min(x + EIGHT, t->r->columns); i++)
            t->is_used[at[i]] = true;
        last = eight;
    }
}

/* Which inks fill a pixel: most were met where several were looked for, the others are soon. */
static void find_used(struct tints *t)
{
    const struct raster *r = t->r;
    for (int32_t y = 0; y < r->rows && used_of(t) < r->inks; y++)
        look_along(t, raster_pixels(r, y));
    t->is_used[RASTER_PAIR] = t->is_used[RASTER_MIXED] = false;
    t->picture->colours = used_of(t);
}

/* The number of an ink that fills no pixel is free. */
static uint8_t add_colour(struct tints *t, uint32_t rgb)
{
    int32_t number = t->unused;
    while (number < PICTURE_COLOURS - 1 && t->is_used[number])
        number++;
    assert(!t->is_used[number]);
    t->unused = number + 1;
    t->is_used[number] = true;
    t->picture->palette[number] = rgb;
    t->picture->colours++;
    return (uint8_t)number;
}

/* Where there are too few mixtures for all free numbers. */
static void close_gaps(const struct tints *t)
{
    uint8_t number[PICTURE_COLOURS];
    int32_t kept = 0, end = PICTURE_COLOURS;
    while (end > 1 && !t->is_used[end - 1])
        end--;
    for (int32_t i = 0; i < end; i++)
        if (t->is_used[i]) {
            t->picture->palette[kept] = t->picture->palette[i];
            number[i] = (uint8_t)kept++;
        }
    for (int32_t y = 0; y < t->r->rows && kept < end; y++) {
        uint8_t *at = raster_pixels(t->r, y);
        for (int32_t x = 0; x < t->r->columns; x++)
            at[x] = number[at[x]];
    }
}

static int32_t part_of(uint32_t rgb, int shift) { return (int32_t)(rgb >> shift & 255); }

/* The eye tells greens apart best, blues worst. */
static uint8_t nearest(const struct picture *picture, uint32_t rgb)
{
    int32_t best = INT32_MAX, red = part_of(rgb, 16), green = part_of(rgb, 8),
            blue = part_of(rgb, 0);
    for (int32_t i = 0; i < picture->colours; i++) {
        int32_t r = part_of(picture->palette[i], 16) - red,
                g = part_of(picture->palette[i], 8) - green,
                b = part_of(picture->palette[i], 0) - blue;
        best = mw_min(best, (3 * r * r + 6 * g * g + b * b) * PICTURE_COLOURS + i);
    }
    return (uint8_t)(best % PICTURE_COLOURS);
}

/* The mixtures that there are, those of most pixels first. */
static int32_t rank(const struct tints *t, int32_t *mixtures)
{
    uint64_t *keys = MW_NEW(t->r->canvas.run, uint64_t, MIXTURES);
    int32_t n = 0;
    for (int32_t mixture = 0; mixture < MIXTURES; mixture++)
        if (t->count[mixture]) {
            keys[n] = UINT32_MAX - t->count[mixture];
            mixtures[n++] = mixture;
        }
    mw_sort(t->r->canvas.run, keys, mixtures, n);
    return n;
}

static void choose(struct tints *t)
{
    struct mw_run *run = t->r->canvas.run;
    int32_t *mixtures = MW_NEW(run, int32_t, MIXTURES), n = rank(t, mixtures);
    for (int32_t i = 0; i < t->r->inks; i++) {
        t->picture->palette[i] = ink_seen(&t->r->canvas.map->request->look, t->r->ink[i]);
        t->mixed[MIXTURES + i] = (uint8_t)i;
    }
    for (int32_t i = 0; i < n; i++) {
        uint32_t rgb = colour_of((uint32_t)mixtures[i]);
        t->mixed[mixtures[i]] =
            t->picture->colours < PICTURE_COLOURS ? add_colour(t, rgb) : nearest(t->picture, rgb);
    }
    mw_tick(run, (uint64_t)n * PICTURE_COLOURS / 8);
}

void raster_mix(struct raster *r, struct picture *picture)
{
    struct mw_run *run = r->canvas.run;
    struct tints *t = MW_NEW0(run, struct tints, 1);
    t->r = r;
    t->picture = picture;
    for (int32_t i = 0; i < r->inks; i++)
        t->sums[i] = apart(ink_seen(&r->canvas.map->request->look, r->ink[i]))
                     << (WEIGHT - mw_max(2 * r->finest, RASTER_BLOCK));
    t->count = MW_NEW0(run, uint32_t, MIXTURES_END);
    t->mixed = MW_NEW(run, uint8_t, MIXTURES_END);
    size_t words = ((size_t)r->columns + RASTER_WORD - 1) / RASTER_WORD;
    t->several = MW_NEW(run, struct several, words * (size_t)r->rows + 1);
    mix_all(t);
    find_used(t);
    choose(t);
    show_mixed(t);
    close_gaps(t);
    mw_tick(run, (uint64_t)r->columns * (uint64_t)r->rows);
    picture->width = r->columns;
    picture->height = r->rows;
    picture->at = r->at;
}
