/*
 * text_draw.c: drawings of characters in the colors of a terminal.
 *
 * A drawing is a function that tells what character and colors are at a place. An escape sequence
 * is written where the colors change.
 */
#include "enc/ink.h"
#include "kit/integer.h"
#include "text.h"

enum { SHADE = 90 };

/* 16 .. 231 are a cube of six levels a side and 232 .. 255 a ramp of grays; users may have changed
   the first sixteen, so these are not used. The nearest color is the better of the nearest in
   either. */
static const int32_t levels[] = {0, 95, 135, 175, 215, 255};
enum { LEVELS = 6, CUBE = 16, GRAYS = 232, GRAY_COUNT = 24 };

static int32_t nearest_level(int32_t value)
{
    int32_t best = 0;
    for (int32_t i = 1; i < LEVELS; i++)
        if (2 * value >= levels[i - 1] + levels[i])
            best = i;
    return best;
}

static int32_t square(int32_t n) { return n * n; }

uint8_t text_color(uint32_t rgb)
{
    assert(rgb <= 0xffffff);
    int32_t red = rgb >> 16 & 255, green = rgb >> 8 & 255, blue = rgb & 255;
    int32_t r = nearest_level(red), g = nearest_level(green), b = nearest_level(blue);
    int32_t gray = (red + green + blue) / 3 - 3; /* the ramp: 8, 18, .. 238 */
    gray = mw_clamp(gray / 10, 0, GRAY_COUNT - 1);
    int32_t ramp = 8 + 10 * gray;
    int32_t off_cube =
        square(red - levels[r]) + square(green - levels[g]) + square(blue - levels[b]);
    int32_t off_ramp = square(red - ramp) + square(green - ramp) + square(blue - ramp);
    return (uint8_t)(off_ramp < off_cube ? GRAYS + gray : CUBE + 36 * r + 6 * g + b);
}

struct paint text_tile(uint32_t rgb)
{
    return (struct paint){text_color(rgb), text_color(ink_mix(rgb, ink_rgb[INK_MARK], SHADE))};
}

static char *write_color(char *to, const char *which, uint8_t color)
{
    if (!color)
        return to;
    memcpy(to, which, 6);
    return mw_write_int(to + 6, color);
}

/* Where the paint changes. */
static char *write_paint(char *to, struct paint *now, struct paint next)
{
    assert((!next.back || next.back >= CUBE) && (!next.fore || next.fore >= CUBE));
    if (now->back == next.back && now->fore == next.fore)
        return to;
    *now = next;
    memcpy(to, "\033[0", 3);
    to = write_color(to + 3, ";48;5;", next.back);
    to = write_color(to, ";38;5;", next.fore);
    *to++ = 'm';
    return to;
}

static void put_row(struct mw_run *run, int32_t columns, int32_t y, text_drawing *draw,
                    const void *of)
{
    struct paint paint = {0, 0};
    char *start = run->bottom, *to = mw_reserve_output(run, (size_t)(columns + 1) * TEXT_CELL_ROOM);
    for (int32_t x = 0; x < columns; x++) {
        struct text_cell cell = draw(of, x, y);
        to = write_paint(to, &paint, cell.paint);
        for (const char *text = cell.text; *text; text++)
            *to++ = *text;
    }
    mw_end_output(run, write_paint(to, &paint, (struct paint){0, 0}));
    text_end_line(run, start);
    mw_tick(run, (uint64_t)columns);
}

void text_draw(struct mw_run *run, int32_t columns, int32_t rows, text_drawing *draw,
               const void *of)
{
    assert(columns > 0);
    for (int32_t y = 0; y < rows; y++)
        put_row(run, columns, y, draw, of);
}
