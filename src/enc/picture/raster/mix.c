/*
 * mix.c: converts inks to at most 256 colors.
 *
 * A pixel of one ink has that ink's color, whose index in the palette is the ink's number. Any
 * other is a mixture: the mean of its samples, rounded to 32 shades of each primary. Mixtures occur
 * at the edges of figures, a pixel wide, where the rounding is invisible. After the inks the
 * palette has the mixtures that were met first; when it is full, others are shown in its nearest
 * color.
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
    const struct raster *r;
    struct picture *picture;
    uint64_t weighted[PICTURE_COLORS]; /* by ink: its color, spread, times a sample's weight */
    bool is_known[MIXTURES];
    uint8_t index[MIXTURES]; /* in the palette */
};

static int32_t part_of(uint32_t rgb, int shift) { return (int32_t)(rgb >> shift & 255); }

/* Weighted, as the eye distinguishes greens best and blues worst. */
static uint8_t nearest(const struct picture *picture, uint32_t rgb)
{
    int32_t best = INT32_MAX, red = part_of(rgb, 16), green = part_of(rgb, 8),
            blue = part_of(rgb, 0);
    for (int32_t i = 0; i < picture->colors; i++) {
        int32_t r = part_of(picture->palette[i], 16) - red,
                g = part_of(picture->palette[i], 8) - green,
                b = part_of(picture->palette[i], 0) - blue;
        best = mw_min(best, (3 * r * r + 6 * g * g + b * b) * PICTURE_COLORS + i);
    }
    assert(best < INT32_MAX);
    return (uint8_t)(best % PICTURE_COLORS);
}

/* The index of a color: a new one as long as there is room. */
static uint8_t add_color(struct picture *picture, uint32_t rgb)
{
    if (picture->colors == PICTURE_COLORS)
        return nearest(picture, rgb);
    picture->palette[picture->colors] = rgb;
    return (uint8_t)picture->colors++;
}

/* The index of a mixed pixel's color; if all samples have one ink, it is that ink's. */
static uint8_t mix(struct mixer *m, const uint8_t *samples)
{
    const int32_t size = m->r->fine * m->r->fine;
    uint64_t sum = 0;
    bool is_single = true;
    for (int32_t i = 0; i < size; i++) {
        sum += m->weighted[samples[i]];
        is_single &= samples[i] == *samples;
    }
    const uint32_t mixture = mixture_of(sum);
    if (is_single)
        return *samples;
    if (!m->is_known[mixture]) {
        m->is_known[mixture] = true;
        m->index[mixture] = add_color(m->picture, color_of(mixture));
        mw_tick(m->r->canvas.run, PICTURE_COLORS / 8);
    }
    return m->index[mixture];
}

static void mix_row(struct mixer *m, int32_t y)
{
    uint8_t *row = raster_pixels(m->r, y), *past = row + m->r->columns, *at = row;
    for (; (at = memchr(at, RASTER_MIXED, (size_t)(past - at))) != NULL; at++)
        *at = mix(m, raster_samples(m->r, y, (int32_t)(at - row)));
}

void raster_mix(struct raster *r, struct picture *picture)
{
    struct mw_run *run = r->canvas.run;
    const struct mw_look *look = &r->canvas.map->request->look;
    struct mixer *m = MW_NEW0(run, struct mixer, 1);
    m->r = r;
    m->picture = picture;
    picture->width = r->columns;
    picture->height = r->rows;
    picture->colors = r->inks;
    picture->at = r->at;
    for (int32_t i = 0; i < r->inks; i++) {
        picture->palette[i] = ink_color(look, r->ink[i]);
        m->weighted[i] = spread(picture->palette[i]) << (WEIGHT - 2 * r->shift);
    }
    for (int32_t y = 0; y < r->rows; y++)
        mix_row(m, y);
    mw_tick(run, (uint64_t)r->columns * (uint64_t)r->rows / 8);
}
