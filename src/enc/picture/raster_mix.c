/*
 * raster_mix.c: from inks to at most 256 colours.
 *
 * A pixel of one ink has that ink. Any other is a mixture: the mean of its samples, rounded to 32
 * shades of each primary, so that there are at most 2^15 of them, however many inks and shares
 * there are. Mixtures are rims of figures, a pixel wide: the eye does not see the rounding.
 *
 * The palette takes every ink that fills a pixel, as it is, and then the mixtures by how many
 * pixels have them, equal ones by their number; those that find no room are shown by the nearest of
 * the palette.
 *
 * Two passes: the first writes the number of a pixel's mixture over that of its block, the second
 * the number of its colour over its ink.
 */
#include "kit/integer.h"
#include "raster.h"

enum { MIXTURES = 1 << 15, EIGHT = 1 << RASTER_BLOCK };
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
    uint64_t sums[RASTER_MIXED];  /* of each ink, apart */
    bool is_used[RASTER_MIXED];   /* each ink fills a pixel */
    uint8_t number[RASTER_MIXED]; /* of each ink, in the palette */
    uint32_t *count;              /* of pixels, by mixture */
    uint8_t *mixed;               /* its number in the palette */
};

/* Whether all samples of a pixel are of one ink after all: several figures of it may meet there. */
static bool is_pure(const uint8_t *at, size_t size)
{
    const uint64_t all = EVERY_BYTE * *at;
    uint64_t other = 0, eight;
    for (size_t i = 0; i < size; i += EIGHT) {
        memcpy(&eight, at + i, sizeof eight);
        other |= eight ^ all;
    }
    return !other;
}

static uint32_t mix(const struct tints *t, const uint8_t *at)
{
    uint64_t sum = 0;
    int doublings = mw_max(2 * t->r->finest, RASTER_BLOCK);
    for (int32_t i = 0; i < 1 << doublings; i++)
        sum += t->sums[at[i]];
    return mixture_of(sum, doublings);
}

/* How many pixels from the first on are of its ink, of `most`. */
static size_t run_of(const uint8_t *at, size_t most)
{
    const uint64_t all = EVERY_BYTE * *at;
    size_t n = 0;
    for (uint64_t eight; n + EIGHT <= most; n += EIGHT) {
        memcpy(&eight, at + n, sizeof eight);
        if (eight != all)
            break;
    }
    while (n < most && at[n] == *at)
        n++;
    return n;
}

static void mix_all(struct tints *t, size_t pixels)
{
    const struct raster *r = t->r;
    for (size_t i = 0, n; i < pixels; i += n) {
        n = 1;
        if (r->at[i] == RASTER_MIXED) {
            const uint8_t *samples = raster_block(r, r->block[i]);
            if (!is_pure(samples, r->blocks.size)) {
                r->block[i] = mix(t, samples);
                t->count[r->block[i]]++;
                continue;
            }
            r->at[i] = *samples;
        }
        t->is_used[r->at[i]] = true;
        n = run_of(r->at + i, pixels - i);
    }
}

static void number_all(struct tints *t, size_t pixels)
{
    const struct raster *r = t->r;
    for (size_t i = 0, n; i < pixels; i += n) {
        n = 1;
        if (r->at[i] == RASTER_MIXED) {
            r->at[i] = t->mixed[r->block[i]];
            continue;
        }
        n = run_of(r->at + i, pixels - i);
        memset(r->at + i, t->number[r->at[i]], n);
    }
}

/* ---- the palette ----------------------------------------------------------------------------- */

static uint8_t add_colour(struct picture *picture, uint32_t rgb)
{
    assert(picture->colours < PICTURE_COLOURS);
    picture->palette[picture->colours] = rgb;
    return (uint8_t)picture->colours++;
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
    t->picture->colours = 0;
    for (int ink = 0; ink < RASTER_MIXED; ink++)
        if (t->is_used[ink])
            t->number[ink] =
                add_colour(t->picture, ink_seen(&t->r->canvas.map->request->look, (enum ink)ink));
    for (int32_t i = 0; i < n; i++) {
        uint32_t rgb = colour_of((uint32_t)mixtures[i]);
        t->mixed[mixtures[i]] = t->picture->colours < PICTURE_COLOURS ? add_colour(t->picture, rgb)
                                                                      : nearest(t->picture, rgb);
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
    for (int ink = 1; ink < INK_END; ink++)
        t->sums[ink] = apart(ink_seen(&r->canvas.map->request->look, (enum ink)ink));
    t->count = MW_NEW0(run, uint32_t, MIXTURES);
    t->mixed = MW_NEW(run, uint8_t, MIXTURES);
    mix_all(t, pixels);
    choose(t);
    number_all(t, pixels);
    mw_tick(run, pixels);
    picture->width = r->columns;
    picture->height = r->rows;
    picture->at = r->at;
}
