/* canvas.c: the size of pictures; parallelograms, loops, discs and numbers. */
#include "canvas.h"
#include "kit/integer.h"

enum { WIDE = 1200, HIGH = 2400 };

int32_t canvas_scale(const struct mw_look *look, const struct sheet *sheet)
{
    if (look->scale)
        return look->scale;
    assert(sheet->width > 0 && sheet->height > 0 && sheet->pitch > 0);
    int64_t wide = mw_ceil_div((int64_t)WIDE * sheet->pitch, sheet->width),
            high = (int64_t)HIGH * sheet->pitch / sheet->height;
    return (int32_t)mw_max64(mw_min64(wide, high), 1);
}

/* Units in pixels, rounded up; on a sheet to be tiled, to the nearest. */
static int32_t pixels_of(const struct sheet *sheet, int32_t units)
{
    assert(units > 0 && sheet->scale > 0);
    int64_t parts = (int64_t)units * sheet->scale;
    if (!sheet->tiles)
        return (int32_t)mw_ceil_div(parts, sheet->pitch);
    return (int32_t)mw_max64(mw_floor_div(2 * parts + sheet->pitch, 2 * sheet->pitch), 1);
}

struct sheet canvas_framed(const struct mw_look *look, struct sheet sheet)
{
    if (look->margin >= 0) {
        int32_t scale = canvas_scale(look, &sheet);
        sheet.margin = (2 * look->margin * sheet.pitch + scale) / (2 * scale);
    }
    sheet.width += 2 * sheet.margin;
    sheet.height += 2 * sheet.margin;
    sheet.scale = canvas_scale(look, &sheet);
    sheet.columns = pixels_of(&sheet, sheet.width);
    sheet.rows = pixels_of(&sheet, sheet.height);
    return sheet;
}

void canvas_open(struct canvas *canvas, const struct sheet *sheet)
{
    if (canvas->under)
        return;
    const struct sheet framed = canvas_framed(&canvas->map->request->look, *sheet);
    canvas->margin = framed.margin;
    canvas->operations->open(canvas, &framed);
}

void canvas_parallelogram(struct canvas *canvas, struct mw_point at, struct mw_point along,
                          struct mw_point across)
{
    canvas_move(canvas, at);
    canvas_step(canvas, along.x, along.y);
    canvas_step(canvas, across.x, across.y);
    canvas_step(canvas, -along.x, -along.y);
    canvas_close(canvas);
}

void canvas_loop(struct canvas *canvas, const struct cell_shape *shape, struct mw_point middle,
                 struct outline *outline, int32_t cell, int side)
{
    canvas_move(canvas, (struct mw_point){middle.x + shape->x[side], middle.y + shape->y[side]});
    for (; outline_take(outline, cell, side); outline_advance(outline, &cell, &side)) {
        const int next = (side + 1) % mw_sides(&outline->flat);
        canvas_step(canvas, shape->x[next] - shape->x[side], shape->y[next] - shape->y[side]);
    }
    canvas_close(canvas);
}

static void draw_dot(struct canvas *canvas, enum ink ink, struct mw_point at, int32_t tenths)
{
    canvas_begin(canvas, (struct pen){.line = ink, .tenths = tenths});
    canvas_move(canvas, at);
    canvas_step(canvas, 0, 0);
}

/* As dots, the line is a larger disc below, of which the outer part stays visible. */
void canvas_disc(struct canvas *canvas, struct pen pen, struct mw_point middle,
                 int32_t radius_tenths)
{
    const int32_t rim = pen.line != INK_NONE ? pen.tenths : 0;
    assert(pen.fill != INK_NONE && radius_tenths >= 0);
    if (canvas->operations->disc) {
        canvas_end(canvas);
        canvas->operations->disc(canvas, pen, canvas_place(canvas, middle), radius_tenths);
        return;
    }
    if (rim)
        draw_dot(canvas, pen.line, middle, 2 * radius_tenths + rim);
    if (!rim || 2 * radius_tenths > rim)
        draw_dot(canvas, pen.fill, middle, 2 * radius_tenths - rim);
}

void canvas_put_numbers(struct mw_run *run, const int32_t *thousandths, int count)
{
    assert(count > 0);
    for (int i = 0; i < count; i++) {
        if (i)
            mw_put_char(run, ' ');
        mw_put_thousandths(run, thousandths[i]);
    }
}
