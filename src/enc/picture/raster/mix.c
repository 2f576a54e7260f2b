/*
 * mix.c: converts inks to at most 256 colors.
 *
 * A pixel of one ink has that ink's color. Any other is a mixture: the mean of its samples,
 * rounded to 32 shades of each primary, so that there are at most 2^15 mixtures. Mixtures occur at
 * the edges of figures, a pixel wide, where the rounding is invisible.
 *
 * The palette has all inks that fill a pixel, then the most frequent mixtures (of equal ones the
 * smaller number first). The others are shown in the nearest color of the palette.
 *
 * The first pass counts inks and mixtures, and stores the mixture of each pixel in place of its
 * samples; the second writes indices into the palette.
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
    bool is_used[PICTURE_COLORS];      /* by ink: it fills a pixel */
    uint32_t count[MIXTURES];          /* pixels by mixture */
    uint8_t of_ink[PICTURE_COLORS], of_mixture[MIXTURES]; /* indices into the palette */
};

/* ---- pixels ---------------------------------------------------------------------------------- */

/* Counts the mixture of a pixel; if all its samples have one ink, it is no longer mixed. */
static void mix_pixel(struct mixer *m, uint8_t *pixel, uint8_t *samples)
{
    const int32_t size = m->r->fine * m->r->fine;
    uint64_t sum = 0;
    bool is_single = true;
    assert(size >= (int32_t)sizeof(uint16_t)); /* the mixture fits */
    for (int32_t i = 0; i < size; i++) {
        sum += m->weighted[samples[i]];
        is_single &= samples[i] == *samples;
    }
    const uint16_t mixture = (uint16_t)mixture_of(sum);
    if (is_single) {
        *pixel = *samples;
        m->is_used[*samples] = true;
        return;
    }
    m->count[mixture]++;
    memcpy(samples, &mixture, sizeof mixture);
}

/* A number of pixels from x on that have the same value: 1 and as many eights as do. */
static int32_t run_of(const uint8_t *at, int32_t x, int32_t columns)
{
    int32_t end = x + 1;
    while (end + 8 <= columns && mw_eight_bytes(at + end) == EVERY_BYTE * at[x])
        end += 8;
    return end - x;
}

static void count_row(struct mixer *m, int32_t y)
{
    uint8_t *at = raster_pixels(m->r, y);
    for (int32_t x = 0, n; x < m->r->columns; x += n) {
        n = at[x] == RASTER_MIXED ? 1 : run_of(at, x, m->r->columns);
        if (at[x] == RASTER_MIXED)
            mix_pixel(m, at + x, raster_samples(m->r, y, x));
        else
            m->is_used[at[x]] = true;
    }
}

static void write_row(const struct mixer *m, int32_t y)
{
    const struct raster *r = m->r;
    uint8_t *at = raster_pixels(r, y);
    for (int32_t x = 0, n; x < r->columns; x += n) {
        uint16_t mixture;
        n = 1;
        if (at[x] == RASTER_MIXED) {
            memcpy(&mixture, raster_samples(r, y, x), sizeof mixture);
            at[x] = m->of_mixture[mixture];
        } else {
            n = run_of(at, x, r->columns);
            memset(at + x, m->of_ink[at[x]], (size_t)n);
        }
    }
}

/* ---- the palette ----------------------------------------------------------------------------- */

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

/* Lists the mixtures in use, the most frequent first; returns their number. */
static int32_t rank(const struct mixer *m, int32_t *mixtures)
{
    struct mw_run *run = m->r->canvas.run;
    uint64_t *keys = MW_NEW(run, uint64_t, MIXTURES);
    int32_t n = 0;
    for (int32_t mixture = 0; mixture < MIXTURES; mixture++)
        if (m->count[mixture]) {
            keys[n] = UINT32_MAX - m->count[mixture];
            mixtures[n++] = mixture;
        }
    mw_sort(run, keys, mixtures, n);
    return n;
}

static void make_palette(struct mixer *m)
{
    struct mw_run *run = m->r->canvas.run;
    const struct mw_look *look = &m->r->canvas.map->request->look;
    int32_t *mixtures = MW_NEW(run, int32_t, MIXTURES), n = rank(m, mixtures);
    m->picture->colors = 0;
    for (int32_t i = 0; i < m->r->inks; i++)
        if (m->is_used[i])
            m->of_ink[i] = add_color(m->picture, ink_color(look, m->r->ink[i]));
    for (int32_t i = 0; i < n; i++)
        m->of_mixture[mixtures[i]] = add_color(m->picture, color_of((uint32_t)mixtures[i]));
    mw_tick(run, (uint64_t)n * PICTURE_COLORS / 8);
}

void raster_mix(struct raster *r, struct picture *picture)
{
    struct mw_run *run = r->canvas.run;
    struct mixer *m = MW_NEW0(run, struct mixer, 1);
    m->r = r;
    m->picture = picture;
    assert(2 * r->shift <= WEIGHT);
    for (int32_t i = 0; i < r->inks; i++)
        m->weighted[i] = spread(ink_color(&r->canvas.map->request->look, r->ink[i]))
                         << (WEIGHT - 2 * r->shift);
    for (int32_t y = 0; y < r->rows; y++)
        count_row(m, y);
    make_palette(m);
    for (int32_t y = 0; y < r->rows; y++)
        write_row(m, y);
    mw_tick(run, (uint64_t)r->columns * (uint64_t)r->rows);
    picture->width = r->columns;
    picture->height = r->rows;
    picture->at = r->at;
}
