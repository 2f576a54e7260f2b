/* check_ink.c: letters are read on what they stand on, by the contrast that WCAG defines. */
#include "enc/ink.h"
#include "unit/unit.h"

#include <math.h>

static double luminance(uint32_t rgb)
{
    static const double weights[] = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double part = (rgb >> (16 - 8 * i) & 255) / 255.0;
        sum += weights[i] * (part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
}

static double contrast(uint32_t a, uint32_t b)
{
    double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return x > y ? x / y : y / x;
}

/* What large letters owe is 3; these may be small. A color between black and white has 4.3 to
   either at best. */
TEST(letters_are_read_on_every_track)
{
    for (int theme = MW_THEME_LIGHT; theme <= MW_THEME_DARK; theme++)
        for (int palette = 0; palette < 3; palette++)
            for (enum ink ink = INK_TRACK; ink < INK_TRACK_END; ink++) {
                const struct mw_look look = {.theme = theme, .palette = palette};
                uint32_t rgb = ink_color(&look, ink);
                double seen = contrast(rgb, ink_color(&look, ink_for_text_on(&look, ink)));
                ck_assert_msg(seen >= 4.3, "theme %d, palette %d, track %d, #%06x: %.2f", theme,
                              palette, (int)(ink - INK_TRACK), rgb, seen);
            }
}

/* ---- how different colors are: CIE 1976, D65 ------------------------------------------------ */

struct lab {
    double l, a, b;
};

static void linear_of(uint32_t rgb, double linear[3])
{
    for (int i = 0; i < 3; i++) {
        double part = (rgb >> (16 - 8 * i) & 255) / 255.0;
        linear[i] = part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
    }
}

static double bent(double t) { return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116; }

static struct lab lab_of(const double rgb[3])
{
    double x = bent((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.9505),
           y = bent(0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]),
           z = bent((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.089);
    return (struct lab){116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

static double difference(struct lab p, struct lab q)
{
    return sqrt((p.l - q.l) * (p.l - q.l) + (p.a - q.a) * (p.a - q.a) + (p.b - q.b) * (p.b - q.b));
}

/* As people without red, green or blue cones see it (Machado, Oliveira and Fernandes 2009). */
static struct lab seen_by(int deficiency, uint32_t rgb)
{
    static const double by[3][3][3] = {{{0.152286, 1.052583, -0.204868},
                                        {0.114503, 0.786281, 0.099216},
                                        {-0.003882, -0.048116, 1.051998}},
                                       {{0.367322, 0.860646, -0.227968},
                                        {0.280085, 0.672501, 0.047413},
                                        {-0.011820, 0.042940, 0.968881}},
                                       {{1.255528, -0.076749, -0.178779},
                                        {-0.078411, 0.930809, 0.147602},
                                        {0.004733, 0.691367, 0.303900}}};
    double from[3], to[3];
    linear_of(rgb, from);
    for (int i = 0; i < 3; i++) {
        const double *m = by[deficiency][i];
        to[i] = fmin(fmax(m[0] * from[0] + m[1] * from[1] + m[2] * from[2], 0), 1);
    }
    return lab_of(to);
}

static struct lab seen(uint32_t rgb)
{
    double linear[3];
    linear_of(rgb, linear);
    return lab_of(linear);
}

/* Default, then colorblind; light and dark. */
TEST(countries_do_not_look_like_sea, .end = 4)
{
    const struct mw_look look = {.palette = _i / 2, .theme = _i % 2};
    const struct lab sea = seen(ink_color(&look, INK_SEA));
    for (enum ink ink = INK_LABEL; ink < INK_LABEL_END; ink++) {
        double far = difference(seen(ink_color(&look, ink)), sea);
        ck_assert_msg(far >= 25, "color %d: %.1f", (int)(ink - INK_LABEL), far);
    }
}

TEST(countries_differ_for_every_color_vision, .end = 12)
{
    const struct mw_look look = {.palette = _i / 6, .theme = _i / 3 % 2};
    const double least = look.palette ? 15 : 12;
    for (enum ink a = INK_LABEL; a < INK_LABEL_END; a++)
        for (enum ink b = INK_LABEL; b < a; b++) {
            double far = difference(seen_by(_i % 3, ink_color(&look, a)),
                                    seen_by(_i % 3, ink_color(&look, b)));
            ck_assert_msg(far >= least, "colors %d and %d: %.1f", (int)(b - INK_LABEL),
                          (int)(a - INK_LABEL), far);
        }
}

/* Of each layer of land; default, then colorblind; light and dark. */
TEST(islands_differ_in_tint, .end = 4)
{
    const struct mw_look look = {.palette = _i / 2, .theme = _i % 2};
    for (int layer = 0; layer < 2 * INK_LANDS; layer++)
        for (int a = 0; a < INK_ISLE_TINTS; a++)
            for (int b = 0; b < a; b++) {
                enum ink land = (enum ink)(INK_LAND + layer / 2 * 4);
                double far = difference(seen(ink_color(&look, ink_of_top(land, a, layer % 2))),
                                        seen(ink_color(&look, ink_of_top(land, b, layer % 2))));
                ck_assert_msg(far >= 8, "layer %d, tints %d and %d: %.1f", layer / 2, a, b, far);
            }
}

/* Dark yellow, between 75 and 115 degrees of hue. */
TEST(no_country_is_mustard)
{
    const struct mw_look look = {0};
    for (enum ink ink = INK_LABEL; ink < INK_LABEL_END; ink++) {
        struct lab c = seen(ink_color(&look, ink));
        double hue = atan2(c.b, c.a) * 180 / acos(-1), chroma = hypot(c.a, c.b);
        ck_assert_msg(hue < 75 || hue > 115 || chroma < 35 || c.l > 85, "%.0f %.0f %.0f", c.l,
                      chroma, hue);
    }
}
