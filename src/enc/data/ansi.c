/*
 * ansi.c: the 256 colours of a terminal.
 *
 * 16 .. 231 are a cube of six levels a side and 232 .. 255 a ramp of greys; users may have changed
 * the first sixteen, so these are not used. The nearest colour is the better of the nearest in
 * either.
 */
#include "ansi.h"
#include "kit/integer.h"
#include "lib/gen.h"

static const int32_t levels[] = {0, 95, 135, 175, 215, 255};
enum { LEVELS = 6, CUBE = 16, GREYS = 232, GREY_COUNT = 24 };

static int32_t nearest_level(int32_t value)
{
    int32_t best = 0;
    for (int32_t i = 1; i < LEVELS; i++)
        if (2 * value >= levels[i - 1] + levels[i])
            best = i;
    return best;
}

static int32_t square(int32_t n) { return n * n; }

uint8_t ansi_colour(uint32_t rgb)
{
    assert(rgb <= 0xffffff);
    int32_t red = rgb >> 16 & 255, green = rgb >> 8 & 255, blue = rgb & 255;
    int32_t r = nearest_level(red), g = nearest_level(green), b = nearest_level(blue);
    int32_t grey = (red + green + blue) / 3 - 3; /* the ramp: 8, 18, .. 238 */
    grey = mw_clamp(grey / 10, 0, GREY_COUNT - 1);
    int32_t ramp = 8 + 10 * grey;
    int32_t off_cube =
        square(red - levels[r]) + square(green - levels[g]) + square(blue - levels[b]);
    int32_t off_ramp = square(red - ramp) + square(green - ramp) + square(blue - ramp);
    return (uint8_t)(off_ramp < off_cube ? GREYS + grey : CUBE + 36 * r + 6 * g + b);
}

uint32_t ansi_mix(uint32_t from, uint32_t to, int32_t thousandths)
{
    uint32_t mixed = 0;
    assert(thousandths >= 0 && thousandths <= 1000);
    for (int shift = 0; shift < 24; shift += 8) {
        int32_t a = from >> shift & 255, b = to >> shift & 255;
        mixed |= (uint32_t)(a + (b - a) * thousandths / 1000) << shift;
    }
    return mixed;
}

static char *write_colour(char *to, const char *which, uint8_t colour)
{
    if (!colour)
        return to;
    memcpy(to, which, 6);
    return mw_write_int(to + 6, colour);
}

char *ansi_paint(char *to, struct paint *now, struct paint next)
{
    assert((!next.back || next.back >= CUBE) && (!next.fore || next.fore >= CUBE));
    if (now->back == next.back && now->fore == next.fore)
        return to;
    *now = next;
    memcpy(to, "\033[0", 3);
    to = write_colour(to + 3, ";48;5;", next.back);
    to = write_colour(to, ";38;5;", next.fore);
    *to++ = 'm';
    return to;
}
