/* canvas.c: how large a picture is. */
#include "canvas.h"

enum { SCREEN = 1200, LARGEST = 24 };

int32_t canvas_scale(const struct mw_look *look, const struct sheet *sheet)
{
    if (look->scale)
        return look->scale;
    int64_t longer = sheet->width > sheet->height ? sheet->width : sheet->height;
    int64_t fits = (int64_t)SCREEN * sheet->pitch / longer;
    return fits > LARGEST ? LARGEST : fits < 1 ? 1 : (int32_t)fits;
}

int32_t canvas_pixels(int32_t units, int32_t scale, const struct sheet *sheet)
{
    return (int32_t)(((int64_t)units * scale + sheet->pitch - 1) / sheet->pitch);
}
