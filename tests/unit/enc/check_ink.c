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

/* What large letters owe is 3; these may be small. A colour between black and white has 4.3 to
   either at best. */
TEST(letters_are_read_on_every_track)
{
    for (int theme = MW_THEME_LIGHT; theme <= MW_THEME_DARK; theme++)
        for (int palette = 0; palette < 3; palette++)
            for (enum ink ink = INK_TRACK; ink < INK_TRACK_END; ink++) {
                const struct mw_look look = {.theme = theme, .palette = palette};
                uint32_t rgb = ink_colour(&look, ink);
                double seen = contrast(rgb, ink_colour(&look, ink_for_text_on(&look, ink)));
                ck_assert_msg(seen >= 4.3, "theme %d, palette %d, track %d, #%06x: %.2f", theme,
                              palette, (int)(ink - INK_TRACK), rgb, seen);
            }
}
