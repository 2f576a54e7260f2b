/* canvas.c: how large a picture is. */
#include "canvas.h"
#include "kit/integer.h"

enum { SCREEN = 1200, LARGEST = 24 };

int32_t canvas_scale(const struct mw_look *look, const struct sheet *sheet)
{
    if (look->scale)
        return look->scale;
    assert(sheet->width > 0 && sheet->height > 0 && sheet->pitch > 0);
    int64_t fits = (int64_t)SCREEN * sheet->pitch / mw_max(sheet->width, sheet->height);
    return (int32_t)mw_max64(mw_min64(fits, LARGEST), 1);
}

int32_t canvas_pixels(int32_t units, int32_t scale, const struct sheet *sheet)
{
    assert(units > 0 && scale > 0);
    return (int32_t)mw_ceil_div((int64_t)units * scale, sheet->pitch);
}
