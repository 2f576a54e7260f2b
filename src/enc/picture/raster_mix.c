/*
 * raster_mix.c: from samples to pixels of at most 256 colours.
 *
 * A pixel whose samples are of one ink has that ink. Any other is a mixture: the mean of its
 * samples, rounded to 32 shades of each primary, so that there are at most 2^15 of them, however
 * many inks and shares there are. Mixtures are rims of figures, a pixel wide: the eye does not see
 * the rounding.
 *
 * The palette takes every ink that fills a pixel, as it is, and then the mixtures by how many
 * pixels have them, equal ones by their number; those that find no room are shown by the nearest of
 * the palette.
 *
 * Both passes work in place. The first writes two bytes a pixel over samples that have been read:
 * pixel i in reading order is written at 2i, and the first sample of it lies at fine^2 * (i - i %
 * width) + fine * (i % width), which for fine >= 2 is never less. The second writes one byte over
 * those two.
 */
#include "raster.h"

enum { MIXTURES = 1 << 15, FIRST_MIXTURE = 128, TINTS = FIRST_MIXTURE + MIXTURES };

/* Three sums in one number. */
static uint64_t spread(uint32_t rgb)
{
    return (uint64_t)(rgb >> 16) << 40 | (uint64_t)(rgb >> 8 & 255) << 20 | (rgb & 255);
}

static uint32_t tint_of_sum(uint64_t sum, uint32_t n)
{
    uint32_t red = (uint32_t)(sum >> 40), green = (uint32_t)(sum >> 20) & 0xfffff,
             blue = (uint32_t)sum & 0xfffff;
    assert(red / n <= 255 && green / n <= 255 && blue / n <= 255);
    return FIRST_MIXTURE + (red / n >> 3 << 10 | green / n >> 3 << 5 | blue / n >> 3);
}

static uint32_t colour_of(uint32_t tint)
{
    if (tint < FIRST_MIXTURE)
        return ink_rgb[tint];
    uint32_t red = (tint - FIRST_MIXTURE) >> 10, green = (tint - FIRST_MIXTURE) >> 5 & 31;
    uint32_t blue = (tint - FIRST_MIXTURE) & 31;
    return (red << 3 | red >> 2) << 16 | (green << 3 | green >> 2) << 8 | (blue << 3 | blue >> 2);
}

struct tints {
    const struct raster *r;
    size_t width, height;         /* pixels */
    uint64_t sums[FIRST_MIXTURE]; /* of each ink, spread */
    uint32_t *count;              /* of pixels, by tint */
    uint8_t *number;              /* in the palette, by tint */
};

static uint32_t tint_of(const struct tints *t, const uint8_t *at)
{
    size_t fine = (size_t)t->r->fine, width = (size_t)t->r->width;
    uint64_t sum = 0;
    bool pure = true;
    for (const uint8_t *row = at; row < at + fine * width; row += width)
        for (size_t x = 0; x < fine; x++) {
            pure &= row[x] == *at;
            sum += t->sums[row[x]];
        }
    return pure ? *at : tint_of_sum(sum, (uint32_t)(fine * fine));
}

/* Where samples are pixels there is nothing to mix, and a tint stays a byte. */
static bool is_mixed(const struct tints *t) { return t->r->fine > 1; }

static uint32_t tint_at(const struct tints *t, size_t pixel)
{
    if (!is_mixed(t))
        return t->r->at[pixel];
    uint16_t tint;
    memcpy(&tint, t->r->at + 2 * pixel, sizeof tint);
    return tint;
}

static void set_tints(struct tints *t, size_t pixel, uint32_t tint, size_t n)
{
    uint16_t two = (uint16_t)tint;
    t->count[tint] += (uint32_t)n;
    for (size_t i = pixel; i < pixel + n && is_mixed(t); i++)
        memcpy(t->r->at + 2 * i, &two, sizeof two);
}

/* Whether the next eight samples are of one ink, in each row of the pixel. */
static bool are_alike(const struct tints *t, const uint8_t *at)
{
    const uint64_t ink = UINT64_C(0x0101010101010101) * *at;
    bool alike = true;
    for (int32_t y = 0; y < t->r->fine; y++, at += t->r->width) {
        uint64_t eight;
        memcpy(&eight, at, sizeof eight);
        alike &= eight == ink;
    }
    return alike;
}

static void mix_all(struct tints *t)
{
    const struct raster *r = t->r;
    size_t fine = (size_t)r->fine, run = 8 / fine;
    for (size_t y = 0; y < t->height; y++) {
        const uint8_t *row = r->at + y * fine * (size_t)r->width;
        for (size_t x = 0, n; x < t->width; x += n) {
            const uint8_t *at = row + x * fine;
            assert(fine == 1 || at >= r->at + 2 * (y * t->width + x)); /* read before it is lost */
            bool alike = x * fine + 8 <= (size_t)r->width && are_alike(t, at);
            n = alike ? run : 1;
            set_tints(t, y * t->width + x, alike ? *at : tint_of(t, at), n);
        }
        mw_tick(r->canvas.run, t->width);
    }
}

/* ---- the palette ----------------------------------------------------------------------------- */

static void add_colour(struct tints *t, struct picture *picture, uint32_t tint)
{
    assert(picture->colours < PICTURE_COLOURS);
    t->number[tint] = (uint8_t)picture->colours;
    picture->palette[picture->colours++] = colour_of(tint);
}

static int32_t part_apart(uint32_t a, uint32_t b, int shift)
{
    return (int32_t)(a >> shift & 255) - (int32_t)(b >> shift & 255);
}

/* The eye tells greens apart best, blues worst. */
static int32_t apart(uint32_t a, uint32_t b)
{
    int32_t red = part_apart(a, b, 16), green = part_apart(a, b, 8), blue = part_apart(a, b, 0);
    return 3 * red * red + 6 * green * green + blue * blue;
}

static uint8_t nearest(const struct picture *picture, uint32_t colour)
{
    int32_t best = 0;
    for (int32_t i = 1; i < picture->colours; i++)
        if (apart(picture->palette[i], colour) < apart(picture->palette[best], colour))
            best = i;
    return (uint8_t)best;
}

/* The mixtures that there are, those of most pixels first. */
static int32_t rank(const struct tints *t, int32_t *tints)
{
    uint64_t *keys = MW_NEW(t->r->canvas.run, uint64_t, MIXTURES);
    int32_t n = 0;
    for (int32_t tint = FIRST_MIXTURE; tint < TINTS; tint++)
        if (t->count[tint]) {
            keys[n] = UINT32_MAX - t->count[tint];
            tints[n++] = tint;
        }
    mw_sort(t->r->canvas.run, keys, tints, n);
    return n;
}

static void choose(struct tints *t, struct picture *picture)
{
    int32_t *tints = MW_NEW(t->r->canvas.run, int32_t, MIXTURES);
    picture->colours = 0;
    for (uint32_t ink = 0; ink < FIRST_MIXTURE; ink++)
        if (t->count[ink])
            add_colour(t, picture, ink);
    int32_t n = rank(t, tints);
    for (int32_t i = 0; i < n; i++)
        if (picture->colours < PICTURE_COLOURS)
            add_colour(t, picture, (uint32_t)tints[i]);
        else
            t->number[tints[i]] = nearest(picture, colour_of((uint32_t)tints[i]));
    mw_tick(t->r->canvas.run, (uint64_t)n * PICTURE_COLOURS);
}

void raster_mix(struct raster *r, struct picture *picture)
{
    struct mw_run *run = r->canvas.run;
    struct tints *t = MW_NEW(run, struct tints, 1);
    *t = (struct tints){
        .r = r, .width = (size_t)(r->width / r->fine), .height = (size_t)(r->height / r->fine)};
    for (int ink = 1; ink < INK_END; ink++)
        t->sums[ink] = spread(ink_rgb[ink]);
    t->count = MW_NEW0(run, uint32_t, TINTS);
    t->number = MW_NEW(run, uint8_t, TINTS);
    mix_all(t);
    choose(t, picture);
    for (size_t i = 0; i < t->width * t->height; i++)
        r->at[i] = t->number[tint_at(t, i)];
    mw_tick(run, t->width * t->height);
    picture->width = (int32_t)t->width;
    picture->height = (int32_t)t->height;
    picture->at = r->at;
}
