/*
 * mix.c: converts inks to at most 256 colors.
 *
 * A pixel of one ink has that ink's color, whose index in the palette is the ink's number. Any
 * other is a mixture: the mean of its samples, rounded to 32 shades of each primary. Mixtures occur
 * at the edges of figures, a pixel wide, where the rounding is invisible. After the inks the
 * palette has mixtures; those that are near one of its colors are shown in that: the fuller the
 * palette, the farther is near. So no edge has a foreign color, and which colors there are does not
 * depend on where they are: a map that wraps can be moved round.
 */
#include "raster.h"

enum { MIXTURES = 1 << 15, WEIGHT = 6 };

/* The components of a color, so far apart that they can be summed in one number. */
static uint64_t spread(uint32_t rgb)
{
    return (uint64_t)(rgb >> 16) << 40 | (uint64_t)(rgb >> 8 & 255) << 20 | (rgb & 255);
}

/* The mixture of samples whose weights sum to 1 << WEIGHT: the five highest bits of each mean. */
static uint32_t mixture_of(uint64_t sum)
{
    enum { LOWEST = WEIGHT + 3 };
    const uint64_t highest = sum >> LOWEST & (UINT64_C(31) << 40 | 31 << 20 | 31);
    return (uint32_t)(highest | highest >> 15 | highest >> 30) & (MIXTURES - 1);
}

static uint32_t color_of(uint32_t mixture)
{
    uint32_t red = mixture >> 10, green = mixture >> 5 & 31, blue = mixture & 31;
    assert(mixture < MIXTURES);
    return (red << 3 | red >> 2) << 16 | (green << 3 | green >> 2) << 8 | (blue << 3 | blue >> 2);
}

struct mixer {
    struct raster *r;
    uint64_t weighted[PICTURE_COLORS]; /* by ink: its color, spread, times a sample's weight */
    bool is_used[MIXTURES];
    uint8_t index[MIXTURES]; /* in the palette */
};

static int32_t part_of(uint32_t rgb, int shift) { return (int32_t)(rgb >> shift & 255); }

/* Weighted, as the eye distinguishes greens best and blues worst. */
static int32_t distance(uint32_t a, uint32_t b)
{
    int32_t red = part_of(a, 16) - part_of(b, 16), green = part_of(a, 8) - part_of(b, 8),
            blue = part_of(a, 0) - part_of(b, 0);
    return 3 * red * red + 6 * green * green + blue * blue;
}

/* The index of the nearest color if it is near enough, else of a new one. */
static uint8_t add_color(struct picture *picture, uint32_t rgb)
{
    int32_t best = INT32_MAX, n = picture->colors;
    assert(n > 0 && n <= PICTURE_COLORS);
    for (int32_t i = 0; i < n; i++)
        best = mw_min(best, distance(picture->palette[i], rgb) * PICTURE_COLORS + i);
    if (n == PICTURE_COLORS || best / PICTURE_COLORS < n * n / 64)
        return (uint8_t)(best % PICTURE_COLORS);
    picture->palette[n] = rgb;
    return (uint8_t)picture->colors++;
}

/* Adds to the inks in the palette, of the mixtures in order, those that are not near a color. */
static void add_mixtures(struct mixer *m)
{
    for (uint32_t mixture = 0; mixture < MIXTURES; mixture++) {
        if (!m->is_used[mixture])
            continue;
        m->index[mixture] = add_color(&m->r->picture, color_of(mixture));
        mw_tick(m->r->canvas.run, PICTURE_COLORS / 8);
    }
}

/* The mixture of a pixel's samples; if all have one ink, MIXTURES + its number. */
static uint32_t mix(const struct mixer *m, const uint8_t *samples)
{
    const int32_t size = m->r->fine * m->r->fine;
    uint64_t sum = 0;
    bool is_single = true;
    for (int32_t i = 0; i < size; i++) {
        sum += m->weighted[samples[i]];
        is_single &= samples[i] == *samples;
    }
    return is_single ? MIXTURES + (uint32_t)*samples : mixture_of(sum);
}

/* Notes which mixtures there are or, once there is a palette, writes their indices. */
static void mix_pixels(struct mixer *m, bool has_palette)
{
    const struct raster *r = m->r;
    const int32_t width = r->picture.width, height = r->picture.height;
    for (int32_t y = 0; y < height; y++) {
        uint8_t *row = raster_pixels(r, y), *past = row + width, *at = row;
        for (; (at = memchr(at, RASTER_MIXED, (size_t)(past - at))) != NULL; at++) {
            const uint32_t mixture = mix(m, raster_samples(r, y, (int32_t)(at - row)));
            if (mixture >= MIXTURES)
                *at = (uint8_t)(mixture - MIXTURES);
            else if (has_palette)
                *at = m->index[mixture];
            else
                m->is_used[mixture] = true;
        }
    }
    mw_tick(r->canvas.run, (uint64_t)width * (uint64_t)height / 8);
}

void raster_mix(struct raster *r)
{
    struct mixer *m = MW_NEW0(r->canvas.run, struct mixer, 1);
    m->r = r;
    for (int32_t i = 0; i < r->picture.colors; i++)
        m->weighted[i] = spread(r->picture.palette[i]) << (WEIGHT - 2 * r->shift);
    mix_pixels(m, false);
    add_mixtures(m);
    mix_pixels(m, true);
}
