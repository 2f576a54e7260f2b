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
 * Two passes over the pixels of several inks: the first finds them, 64 at once, and lists their
 * mixtures, the second writes their colours into the field.
 */
#include "kit/integer.h"
#include "raster.h"

enum { MIXTURES = 1 << 15, EIGHT = RASTER_EIGHT };
#define EVERY_BYTE UINT64_C(0x0101010101010101)

/* Three sums in one number. */
static uint64_t apart(uint32_t rgb)
{
    return (uint64_t)(rgb >> 16) << 40 | (uint64_t)(rgb >> 8 & 255) << 20 | (rgb & 255);
}

/* Of a sum of 1 << doublings samples. */
static uint32_t mixture_of(uint64_t sum, int doublings)
{
    int shift = doublings + 3;
    return (uint32_t)(sum >> (40 + shift) & 31) << 10 | (uint32_t)(sum >> (20 + shift) & 31) << 5 |
           (uint32_t)(sum >> shift & 31);
}

static uint32_t colour_of(uint32_t mixture)
{
    uint32_t red = mixture >> 10, green = mixture >> 5 & 31, blue = mixture & 31;
    return (red << 3 | red >> 2) << 16 | (green << 3 | green >> 2) << 8 | (blue << 3 | blue >> 2);
}

struct tints {
    const struct raster *r;
    struct picture *picture;
    uint64_t sums[RASTER_PAIR];    /* of each ink, apart */
    uint32_t *count;               /* of pixels, by mixture */
    uint8_t *mixed;                /* its number in the palette */
    uint64_t *has_mixture;         /* a bit for each pixel, 64 to a word */
    bool is_used[PICTURE_COLOURS]; /* each number fills a pixel, or is that of a mixture */
};

/* The pixels of 64 that have more than one ink: bit 8j + k for pixel 8k + j. The highest seven bits
   of their numbers are set, so that one more is carried out of them. */
static uint64_t find_mixed(const uint8_t *at)
{
    uint64_t mixed = 0;
    for (int k = 0; k < EIGHT; k++) {
        uint64_t highest = mw_eight_bytes(at + EIGHT * k) >> 1 & EVERY_BYTE * 127;
        mixed |= ((highest + EVERY_BYTE) & EVERY_BYTE << 7) >> (EIGHT - 1 - k);
    }
    return mixed;
}

/* One of them; the bit of one. */
static size_t first_mixed(uint64_t mixed)
{
    size_t bit = (size_t)__builtin_ctzll(mixed);
    return bit % EIGHT * EIGHT + bit / EIGHT;
}
static uint64_t bit_of(size_t pixel)
{
    return UINT64_C(1) << (pixel % EIGHT * EIGHT + pixel / EIGHT % EIGHT);
}

/* So many pixels are looked at together. */
enum { STRETCH = 8 * RASTER_WORD };

/* Those of a stretch that have more than one ink; how many they are. */
static int list_mixed(struct tints *t, size_t first, size_t pixels, uint32_t *list)
{
    int n = 0;
    for (size_t i = first; i < pixels && i < first + STRETCH; i += RASTER_WORD) {
        uint64_t mixed = find_mixed(t->r->at + i);
        t->has_mixture[i / RASTER_WORD] = mixed;
        for (; mixed; mixed &= mixed - 1) {
            list[n] = (uint32_t)(i + first_mixed(mixed));
            __builtin_prefetch(t->r->block + list[n++]);
        }
    }
    return n;
}

/* Several figures of one ink may have met in a pixel: then it has no mixture, but that. */
static bool mix(struct tints *t, uint32_t pixel, const uint8_t *samples, uint32_t *mixture)
{
    const uint64_t all = EVERY_BYTE * *samples;
    uint64_t sum = 0, others = 0;
    for (size_t i = 0; i < t->r->blocks.size; i += EIGHT) {
        others |= mw_eight_bytes(samples + i) ^ all;
        for (size_t j = i; j < i + EIGHT; j++)
            sum += t->sums[samples[j]];
    }
    if (!others) {
        t->r->at[pixel] = *samples;
        t->has_mixture[pixel / RASTER_WORD] &= ~bit_of(pixel);
        return false;
    }
    *mixture = mixture_of(sum, mw_max(2 * t->r->finest, RASTER_BLOCK));
    return true;
}

static uint32_t mix_pair(const struct tints *t, struct inks pair)
{
    int doublings = mw_max(2 * t->r->finest, RASTER_BLOCK);
    uint32_t upper = (uint32_t)mw_count_bits(pair.samples), all = 1u << doublings;
    return mixture_of(t->sums[pair.upper] * upper + t->sums[pair.lower] * (all - upper), doublings);
}

/* The mixtures of all pixels that have one, one after another over the pairs and numbers of blocks
   that have been read. What lies far apart is asked for early. */
static void mix_all(struct tints *t, size_t pixels)
{
    const struct raster *r = t->r;
    uint32_t list[STRETCH], pairs[STRETCH], *mixture = r->block;
    const uint8_t *samples[STRETCH];
    for (size_t first = 0; first < pixels; first += STRETCH) {
        int n = list_mixed(t, first, pixels, list);
        for (int i = 0; i < n; i++) {
            pairs[i] = r->block[list[i]];
            samples[i] = r->at[list[i]] == RASTER_PAIR ? NULL : raster_block(r, pairs[i]);
        }
        for (int i = 0; i < n; i++) {
            if (!samples[i])
                *mixture = mix_pair(t, raster_pair(pairs[i]));
            else if (!mix(t, list[i], samples[i], mixture))
                continue;
            t->count[*mixture++]++;
        }
    }
}

static void show_mixed(const struct tints *t, size_t pixels)
{
    const uint32_t *mixture = t->r->block;
    for (size_t i = 0; i < pixels; i += RASTER_WORD)
        for (uint64_t mixed = t->has_mixture[i / RASTER_WORD]; mixed; mixed &= mixed - 1)
            t->r->at[i + first_mixed(mixed)] = t->mixed[*mixture++];
}

/* ---- the palette ----------------------------------------------------------------------------- */

static int32_t used_of(const struct tints *t)
{
    int32_t used = 0;
    for (int32_t i = 0; i < t->r->inks; i++)
        used += t->is_used[i];
    return used;
}

/* Which inks fill a pixel: most are met by a look here and there, the others soon. */
static void find_used(struct tints *t, size_t pixels)
{
    const uint8_t *at = t->r->at;
    for (size_t i = 0; i < pixels; i += RASTER_WORD)
        t->is_used[at[i]] = true;
    for (size_t i = 0; i < pixels && used_of(t) < t->r->inks; i += RASTER_WORD)
        for (size_t j = i; j < i + RASTER_WORD && j < pixels; j++)
            t->is_used[at[j]] = true;
    t->is_used[RASTER_PAIR] = t->is_used[RASTER_MIXED] = false;
    t->picture->colours = used_of(t);
}

/* The number of an ink that fills no pixel is free. */
static uint8_t add_colour(struct tints *t, uint32_t rgb)
{
    int32_t number = 0;
    while (t->is_used[number])
        number++;
    assert(number < PICTURE_COLOURS);
    t->is_used[number] = true;
    t->picture->palette[number] = rgb;
    t->picture->colours++;
    return (uint8_t)number;
}

/* Where there are too few mixtures for all free numbers. */
static void close_gaps(struct tints *t, size_t pixels)
{
    uint8_t number[PICTURE_COLOURS];
    int32_t kept = 0, end = PICTURE_COLOURS;
    while (!t->is_used[end - 1])
        end--;
    for (int32_t i = 0; i < end; i++)
        if (t->is_used[i]) {
            t->picture->palette[kept] = t->picture->palette[i];
            number[i] = (uint8_t)kept++;
        }
    for (size_t i = 0; i < pixels && kept < end; i++)
        t->r->at[i] = number[t->r->at[i]];
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
    for (int32_t i = 0; i < t->r->inks; i++)
        t->picture->palette[i] = ink_seen(&t->r->canvas.map->request->look, t->r->ink[i]);
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
    size_t pixels = (size_t)r->columns * (size_t)r->rows;
    struct tints *t = MW_NEW0(run, struct tints, 1);
    t->r = r;
    t->picture = picture;
    for (int32_t i = 0; i < r->inks; i++)
        t->sums[i] = apart(ink_seen(&r->canvas.map->request->look, r->ink[i]));
    t->count = MW_NEW0(run, uint32_t, MIXTURES);
    t->mixed = MW_NEW(run, uint8_t, MIXTURES);
    t->has_mixture = MW_NEW(run, uint64_t, pixels / RASTER_WORD + 1);
    memset(r->at + pixels, 0, RASTER_WORD);
    mix_all(t, pixels);
    find_used(t, pixels);
    choose(t);
    show_mixed(t, pixels);
    close_gaps(t, pixels);
    mw_tick(run, pixels);
    picture->width = r->columns;
    picture->height = r->rows;
    picture->at = r->at;
}
