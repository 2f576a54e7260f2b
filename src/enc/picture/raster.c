/*
 * raster.c: the canvas that is a field of samples.
 *
 * The sheet is laid on a field of samples, `fine` times `fine` of them to a pixel. Each holds the
 * number of one ink, and later figures overwrite earlier ones; what a pixel looks like is asked at
 * the very end, when its samples are mixed (raster_mix.c). So two figures that share an edge leave
 * no seam: each sample between them belongs to one or the other, and nothing behind them shines
 * through.
 *
 * Polygons are filled in raster_fill.c; lines, discs and letters are drawn by a brush, in
 * raster_line.c and raster_word.c.
 *
 * Cost: a division for each row that an edge crosses, and the area between the leftmost and
 * rightmost edge of each row, eight samples at a time. Memory: fine * fine bytes for each pixel and
 * 8 for each row of samples, where `fine` is 6 in pictures up to some 480 by 480, 3 up to 2000 by
 * 2000, then less. Places are integers, in 256ths of a sample, and all is computed in 64 bits: a
 * picture has at most 2^18 pixels a side, a place is below 2^28, and products of two stay below
 * 2^57.
 */
#include "raster.h"
#include "kit/integer.h"
#include "scene.h"

enum { MOST_SAMPLES = 36 << 20, FEW_SAMPLES = 8 << 20 };

static struct raster *raster_of(struct canvas *canvas) { return (struct raster *)canvas; }

/* ---- places ---------------------------------------------------------------------------------- */

/* Units in parts of a sample, to the nearest. */
static int64_t parts_of(const struct raster *r, int64_t units)
{
    int64_t pitch = r->sheet.pitch;
    int64_t parts = mw_floor_div(2 * units * r->scale * r->fine * RASTER_PARTS + pitch, 2 * pitch);
    assert(parts > -(INT64_C(1) << 30) && parts < INT64_C(1) << 30);
    return parts;
}

static struct place place_of(const struct raster *r, int32_t x, int32_t y)
{
    return (struct place){parts_of(r, x), parts_of(r, y)};
}

/* ---- the verbs ------------------------------------------------------------------------------- */

/* Small pictures are often of much in little room, and can be had finer. */
static int32_t fineness(int64_t pixels)
{
    return pixels * 36 <= FEW_SAMPLES   ? 6
           : pixels * 9 <= MOST_SAMPLES ? 3
           : pixels * 4 <= MOST_SAMPLES ? 2
                                        : 1;
}

struct extent raster_extent(const struct mw_look *look, struct sheet sheet)
{
    int32_t scale = canvas_scale(look, &sheet);
    int64_t pixels = (int64_t)canvas_pixels(sheet.width, scale, &sheet) *
                     canvas_pixels(sheet.height, scale, &sheet);
    int64_t finest = mw_min64(36 * pixels, FEW_SAMPLES), finer = mw_min64(9 * pixels, MOST_SAMPLES);
    return (struct extent){(uint64_t)pixels, (uint64_t)mw_max64(pixels, mw_max64(finest, finer))};
}

static void check_room(const struct raster *r, int64_t width, int64_t height)
{
    struct mw_run *run = r->canvas.run;
    uint64_t samples = (uint64_t)(width * height) * (uint64_t)(r->fine * r->fine);
    if (samples > (uint64_t)(run->top - run->bottom))
        mw_fail(
            run, MW_TOO_BIG, "/scale",
            "makes a picture of %lld by %lld pixels, which is more than the memory of a request "
            "holds: choose a smaller one",
            (long long)width, (long long)height);
}

static void open_field(struct canvas *canvas, const struct sheet *sheet)
{
    struct raster *r = raster_of(canvas);
    r->sheet = *sheet;
    r->scale = canvas_scale(&canvas->map->request->look, sheet);
    int64_t width = canvas_pixels(sheet->width, r->scale, sheet);
    int64_t height = canvas_pixels(sheet->height, r->scale, sheet);
    r->fine = fineness(width * height);
    check_room(r, width, height);
    r->width = (int32_t)width * r->fine;
    r->height = (int32_t)height * r->fine;
    r->at = mw_alloc(canvas->run, (size_t)r->width, (size_t)r->height);
    memset(r->at, (int)sheet->ground, (size_t)r->width * (size_t)r->height);
    r->spans = MW_NEW(canvas->run, struct span, r->height);
    r->first = 0;
    r->last = r->height - 1;
    for (int32_t row = 0; row < r->height; row++)
        r->spans[row] = (struct span){r->width, 0};
    raster_fill(r);
}

static void begin(struct canvas *canvas, struct pen pen)
{
    struct raster *r = raster_of(canvas);
    assert(pen.fill < INK_END && pen.line < INK_END && pen.tenths >= 0);
    r->pen = pen;
    if (pen.line != INK_NONE)
        raster_brush(r, parts_of(r, pen.tenths) / 20,
                     pen.fill != INK_NONE ? RASTER_LINE : (uint8_t)pen.line);
}

static void draw_edge(struct raster *r, int32_t x, int32_t y)
{
    struct place from = place_of(r, r->x, r->y), to = place_of(r, x, y);
    if (r->pen.fill != INK_NONE)
        raster_toggle(r, from, to);
    if (r->pen.line != INK_NONE)
        raster_stroke(r, from, to);
    r->x = x;
    r->y = y;
    mw_tick(r->canvas.run, 1);
}

static void move(struct canvas *canvas, int32_t x, int32_t y)
{
    struct raster *r = raster_of(canvas);
    r->x = r->start_x = x;
    r->y = r->start_y = y;
}

static void step(struct canvas *canvas, int32_t dx, int32_t dy)
{
    struct raster *r = raster_of(canvas);
    draw_edge(r, r->x + dx, r->y + dy);
}

static void close_loop(struct canvas *canvas)
{
    struct raster *r = raster_of(canvas);
    draw_edge(r, r->start_x, r->start_y);
}

static void end(struct canvas *canvas) { raster_fill(raster_of(canvas)); }

static void disc(struct canvas *canvas, struct pen pen, int32_t x, int32_t y, int32_t radius)
{
    struct raster *r = raster_of(canvas);
    struct place middle = place_of(r, x, y);
    int64_t rim = pen.line != INK_NONE ? parts_of(r, pen.tenths) / 20 : 0,
            edge = parts_of(r, radius);
    if (pen.fill != INK_NONE)
        raster_ring(r, (uint8_t)pen.fill, middle, edge, 0);
    if (pen.line != INK_NONE)
        raster_ring(r, (uint8_t)pen.line, middle, edge + rim, edge - rim);
    mw_tick(canvas->run, (uint64_t)(edge + rim) / RASTER_PARTS + 1);
}

static void word(struct canvas *canvas, enum ink ink, int32_t x, int32_t y, int32_t height,
                 const char *text)
{
    struct raster *r = raster_of(canvas);
    raster_word(r, ink, place_of(r, x, y), parts_of(r, height), text);
}

static const struct canvas_verbs verbs = {.open = open_field,
                                          .begin = begin,
                                          .move = move,
                                          .step = step,
                                          .close = close_loop,
                                          .end = end,
                                          .disc = disc,
                                          .word = word};

void raster_init(struct raster *r, struct mw_run *run, const struct mw_map *map)
{
    *r = (struct raster){.canvas = {run, map, &verbs}};
}

void raster_scene(struct mw_run *run, const struct mw_map *map, struct picture *picture)
{
    struct raster *r = MW_NEW(run, struct raster, 1);
    raster_init(r, run, map);
    scene_draw(&r->canvas);
    raster_mix(r, picture);
}
