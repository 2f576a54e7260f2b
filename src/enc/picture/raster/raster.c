/*
 * raster.c: the canvas that is a field of pixels.
 *
 * The sheet is laid on a field of pixels, each of `fine` times `fine` samples. A figure is drawn in
 * bits, one for each sample (fill.c; its lines, discs and letters by a brush, line.c and word.c),
 * and then painted over those before it (paint.c). What a pixel of several inks looks like is asked
 * at the very end (mix.c).
 *
 * A figure whose rim will lie under a line has whole pixels: a pixel that the rim goes through has
 * the one ink or the other, and the line covers all that is not so.
 *
 * Cost: a step for each row of samples that an edge or line crosses, and for each 64 samples that a
 * figure touches. Memory: fine * fine / 4 bytes for each pixel and 5 more, and fine * fine for each
 * pixel that has more inks than fit into the 5, where `fine` is 8 in pictures up to some 360 by
 * 360, 4 up to 2000 by 2000, 2 up to 3000 by 3000, then 1. Places are integers, in 256ths of a
 * sample, and all is computed in 64 bits: a picture has at most 2^18 pixels a side, a place is
 * below 2^29, and products of two stay below 2^59.
 */
#include "raster.h"
#include "enc/picture/scene/scene.h"
#include "kit/integer.h"

/* Pixels of a picture that can be had so fine. */
enum { FINEST = 1 << 17, FINER = 1 << 22, FINE = 9 << 20 };

static struct raster *raster_of(struct canvas *canvas) { return (struct raster *)canvas; }

/* ---- places ---------------------------------------------------------------------------------- */

/* Units in parts of a sample, to the nearest. */
static int64_t parts_of(const struct raster *r, struct ratio ratio, int64_t units)
{
    int64_t all = 2 * units * ratio.pixels * r->fine * RASTER_PARTS;
    int64_t parts = mw_floor_div(all + ratio.units, 2 * ratio.units);
    assert(parts > -(INT64_C(1) << 30) && parts < INT64_C(1) << 30);
    return parts;
}

static struct place place_of(const struct raster *r, int32_t x, int32_t y)
{
    return (struct place){parts_of(r, r->across, x), parts_of(r, r->down, y)};
}

/* ---- the verbs ------------------------------------------------------------------------------- */

/* Small pictures are often of much in little room, and can be had finer. */
static int32_t shift_of(int64_t pixels)
{
    return pixels <= FINEST ? 3 : pixels <= FINER ? 2 : pixels <= FINE ? 1 : 0;
}

/* Of the field before anything is drawn: inks, numbers of blocks in whole tiles, planes. sides: how
   wide and how high it is, together. */
static int64_t room_of(int64_t pixels, int64_t sides)
{
    return pixels + (pixels + sides * RASTER_TILE) * (int64_t)sizeof(uint32_t) +
           (pixels << (2 * shift_of(pixels))) / 4;
}

struct extent raster_extent(const struct mw_look *look, struct sheet sheet)
{
    sheet = canvas_framed(look, sheet);
    int32_t scale = canvas_scale(look, &sheet);
    int64_t width = canvas_pixels(sheet.width, scale, &sheet),
            height = canvas_pixels(sheet.height, scale, &sheet), pixels = width * height, most = 0;
    const int64_t steps[] = {pixels, FINEST, FINER, FINE};
    for (int i = 0; i < 4; i++)
        most = mw_max64(most, room_of(mw_min64(pixels, steps[i]), width + height));
    return (struct extent){(uint64_t)pixels, (uint64_t)most};
}

static void check_room(const struct raster *r, int64_t width, int64_t height)
{
    struct mw_run *run = r->canvas.run;
    if (room_of(width * height, width + height) > run->top - run->bottom)
        mw_fail(
            run, MW_TOO_BIG, "/scale",
            "makes a picture of %lld by %lld pixels, which is more than the memory of a request "
            "holds: choose a smaller one",
            (long long)width, (long long)height);
}

/* Before a figure. */
static void refine(struct raster *r, int32_t shift)
{
    r->shift = shift;
    r->fine = 1 << shift;
    r->width = r->columns << shift;
    r->height = r->rows << shift;
    r->words = (r->width + RASTER_WORD - 1) / RASTER_WORD;
    r->stride = (r->words + RASTER_WORD - 1) / RASTER_WORD;
}

static void open_planes(struct raster *r)
{
    struct mw_run *run = r->canvas.run;
    r->edges = mw_alloc(run, (size_t)r->words * (size_t)r->height, sizeof *r->edges);
    r->lines = mw_alloc(run, (size_t)r->words * (size_t)r->height, sizeof *r->lines);
    for (int i = 0; i < 2; i++)
        r->patches[i] = (struct patch){.first = RASTER_WORD};
    r->patch = r->patches;
    r->touched = mw_calloc(run, (size_t)r->stride * (size_t)r->rows, sizeof *r->touched);
    r->first = r->rows;
    r->last = -1;
}

static void paint_ground(struct raster *r)
{
    for (int32_t y = 0; y < r->rows; y++) {
        int64_t shade = (int64_t)y * r->sheet.shades / r->rows;
        uint8_t *at = raster_pixels(r, y);
        memset(at, raster_ink(r, (enum ink)(r->sheet.ground + shade)), (size_t)r->columns);
        at[-1] = 0;
    }
}

static void open_field(struct canvas *canvas, const struct sheet *sheet)
{
    struct raster *r = raster_of(canvas);
    r->sheet = *sheet;
    int32_t scale = canvas_scale(&canvas->map->request->look, sheet);
    r->columns = canvas_pixels(sheet->width, scale, sheet);
    r->rows = canvas_pixels(sheet->height, scale, sheet);
    r->across = r->down = (struct ratio){scale, sheet->pitch};
    if (sheet->tiles) {
        r->across = (struct ratio){r->columns, sheet->width};
        r->down = (struct ratio){r->rows, sheet->height};
    }
    canvas->pixel = (int32_t)mw_ceil_div(10 * r->across.units, r->across.pixels);
    check_room(r, r->columns, r->rows);
    size_t pixels = (size_t)r->columns * (size_t)r->rows;
    r->finest = shift_of((int64_t)pixels);
    refine(r, r->finest);
    r->at = mw_alloc(canvas->run, picture_row(r->columns, r->rows) + RASTER_WORD, 1);
    r->at++;
    memset(raster_pixels(r, r->rows) - 1, 0, RASTER_WORD); /* what is read past the end */
    paint_ground(r);
    r->block =
        mw_alloc(canvas->run, raster_block_row(r, r->rows + RASTER_TILE - 1), sizeof *r->block);
    r->blocks.size = (size_t)1 << mw_max(2 * r->finest, RASTER_BLOCK);
    r->blocks.chunks = mw_alloc(canvas->run, raster_chunks(pixels), sizeof *r->blocks.chunks);
    open_planes(r);
    mw_tick(canvas->run, pixels / 8);
}

/* A rim that will lie under a line a pixel wide need not be seen. */
static bool is_rough(const struct raster *r, struct pen pen)
{
    return pen.line == INK_NONE && parts_of(r, r->across, pen.tenths) >= 10 * RASTER_PARTS
                                                                             << r->shift;
}

static void begin(struct canvas *canvas, struct pen pen)
{
    struct raster *r = raster_of(canvas);
    assert(pen.fill < INK_END && pen.line < INK_END && pen.tenths >= 0);
    r->pen = pen;
    refine(r, is_rough(r, pen) ? 0 : r->finest);
    if (pen.line != INK_NONE)
        raster_brush(r, parts_of(r, r->across, pen.tenths) / 20);
}

static void draw_edge(struct raster *r, int32_t x, int32_t y)
{
    struct place from = r->place, to = place_of(r, x, y);
    if (r->pen.fill != INK_NONE)
        raster_toggle(r, from, to);
    if (r->pen.line != INK_NONE)
        raster_stroke(r, from, to);
    r->x = x;
    r->y = y;
    r->place = to;
    mw_tick(r->canvas.run, 1);
}

static void move(struct canvas *canvas, int32_t x, int32_t y)
{
    struct raster *r = raster_of(canvas);
    r->x = r->start_x = x;
    r->y = r->start_y = y;
    r->place = place_of(r, x, y);
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

static void end(struct canvas *canvas)
{
    struct raster *r = raster_of(canvas);
    raster_fill(r);
    refine(r, r->finest);
}

static void disc(struct canvas *canvas, struct pen pen, int32_t x, int32_t y, int32_t radius)
{
    struct raster *r = raster_of(canvas);
    struct place middle = place_of(r, x, y);
    int64_t rim = pen.line != INK_NONE ? parts_of(r, r->across, pen.tenths) / 20 : 0,
            edge = parts_of(r, r->across, radius);
    if (pen.fill != INK_NONE)
        raster_ring(r, pen.fill, middle, edge, 0);
    if (pen.line != INK_NONE)
        raster_ring(r, pen.line, middle, edge + rim, edge - rim);
    mw_tick(canvas->run, (uint64_t)(edge + rim) / RASTER_PARTS + 1);
}

static void bands(struct canvas *canvas, int32_t top, int32_t bottom, const struct band *band,
                  int32_t count)
{
    struct raster *r = raster_of(canvas);
    refine(r, 0);
    int32_t y = raster_row(r, parts_of(r, r->down, top)),
            end = raster_row(r, parts_of(r, r->down, bottom));
    for (int32_t i = 1, from = 0, to; i < count && y < end; i++, from = to) {
        from = i > 1 ? from : raster_column(r, parts_of(r, r->across, band[0].x));
        to = raster_column(r, parts_of(r, r->across, band[i].x));
        for (int32_t row = y; row < end && band[i].ink != INK_NONE; row++)
            raster_paint_run(r, row, from, to, raster_ink(r, band[i].ink));
    }
    refine(r, r->finest);
    mw_tick(canvas->run, (uint64_t)count);
}

static void word(struct canvas *canvas, enum ink ink, int32_t x, int32_t y, int32_t height,
                 const char *text)
{
    struct raster *r = raster_of(canvas);
    raster_word(r, ink, place_of(r, x, y), parts_of(r, r->across, height), text);
}

static const struct canvas_verbs verbs = {.open = open_field,
                                          .begin = begin,
                                          .move = move,
                                          .step = step,
                                          .close = close_loop,
                                          .end = end,
                                          .disc = disc,
                                          .bands = bands,
                                          .word = word};

void raster_init(struct raster *r, struct mw_run *run, const struct mw_map *map)
{
    *r = (struct raster){.canvas = {.run = run, .map = map, .verbs = &verbs, .paints = true}};
}

void raster_scene(struct mw_run *run, const struct mw_map *map, struct picture *picture)
{
    struct raster *r = MW_NEW(run, struct raster, 1);
    raster_init(r, run, map);
    scene_draw(&r->canvas);
    raster_mix(r, picture);
}
