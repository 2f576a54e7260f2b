/*
 * raster.c: a canvas of samples, several to a pixel.
 *
 * Most pixels have one ink: such a pixel is a byte, the ink's number. A pixel that a figure covers
 * in part is mixed: it gets `fine` times `fine` samples, each with its own ink, until another
 * figure covers all of it. So plain areas cost a byte a pixel, and two figures that share an edge
 * leave no seam. Figures are filled in fill.c, lines and letters drawn in line.c, and colors mixed
 * at the end (mix.c).
 *
 * Cost: a step for each row of samples that an edge or a line crosses, and for some of the words
 * that a figure spans. Memory: 9/8 * fine * fine bytes for each pixel and one more, where `fine` is
 * 8 in pictures of up to 360 by 360 pixels, 4 up to 1770 by 1770, 2 up to 3540 by 3540, then 1;
 * samples of pixels that are not mixed are never touched. Coordinates are 64-bit integers in 256ths
 * of a sample: a picture has at most 2^18 pixels a side, a coordinate is below 2^29, and products
 * of two stay below 2^59.
 */
#include "raster.h"
#include "enc/picture/glyphs.h"
#include "enc/picture/scene/scene.h"

/* The most pixels of a picture with 8, 4 or 2 samples across each. */
enum { FINEST = 1 << 17, FINER = 3 << 20, FINE = 12 << 20 };

static struct raster *raster_of(struct canvas *canvas) { return (struct raster *)canvas; }

/* ---- coordinates ----------------------------------------------------------------------------- */

/* Units in fractions of a sample, to the nearest. */
static int64_t parts_of(const struct raster *r, struct ratio ratio, int64_t units)
{
    int64_t all = 2 * units * ratio.pixels * r->fine * RASTER_PARTS;
    int64_t parts = mw_floor_div(all + ratio.units, 2 * ratio.units);
    assert(parts > -(INT64_C(1) << 30) && parts < INT64_C(1) << 30);
    return parts;
}

static struct spot spot_of(const struct raster *r, struct mw_point at)
{
    return (struct spot){parts_of(r, r->across, at.x), parts_of(r, r->down, at.y)};
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Small pictures often have much detail, and can have more samples. */
static int32_t shift_of(int64_t pixels)
{
    return pixels <= FINEST ? 3 : pixels <= FINER ? 2 : pixels <= FINE ? 1 : 0;
}

/* Bytes of pixels, samples and crossings. */
static int64_t room_of(int64_t pixels, int64_t width, int64_t height)
{
    int32_t shift = shift_of(pixels);
    return pixels + (pixels << 2 * shift) + ((pixels + width + height) << 2 * shift) / 8 +
           height * (int64_t)sizeof(struct word_span);
}

static void check_room(const struct raster *r)
{
    struct mw_run *run = r->canvas.run;
    int64_t width = r->picture.width, height = r->picture.height;
    if (room_of(width * height, width, height) > run->top - run->bottom)
        mw_fail(
            run, MW_TOO_BIG, "/scale",
            "makes a picture of %lld by %lld pixels, which is more than the memory of a request "
            "holds: choose a smaller one",
            (long long)width, (long long)height);
}

/* Each row has a 0 before it, as in struct picture. */
static void open_pixels(struct raster *r, const struct sheet *sheet)
{
    struct mw_run *run = r->canvas.run;
    struct picture *p = &r->picture;
    p->at = (uint8_t *)mw_alloc(run, picture_row(p->width, p->height), 1) + 1;
    for (int32_t y = 0; y < p->height; y++) {
        int64_t shade = (int64_t)y * sheet->shades / p->height;
        uint8_t *row = raster_pixels(r, y);
        row[-1] = 0;
        memset(row, raster_number(r, (enum ink)(sheet->ground + shade)), (size_t)p->width);
    }
    r->samples = mw_alloc(run, (size_t)r->width * (size_t)r->height + sizeof(uint64_t), 1);
}

static void open_crossings(struct raster *r)
{
    r->words = (r->width + RASTER_WORD - 1) / RASTER_WORD;
    r->crossings =
        mw_calloc(r->canvas.run, (size_t)r->words * (size_t)r->height, sizeof *r->crossings);
    r->spans = MW_NEW(r->canvas.run, struct word_span, r->picture.height);
    for (int32_t y = 0; y < r->picture.height; y++)
        r->spans[y] = (struct word_span){INT32_MAX, -1};
    r->first = r->picture.height;
    r->last = -1;
}

/* ---- the operations of a canvas -------------------------------------------------------------- */

static void open_raster(struct canvas *canvas, const struct sheet *sheet)
{
    struct raster *r = raster_of(canvas);
    struct picture *p = &r->picture;
    p->width = sheet->columns;
    p->height = sheet->rows;
    r->across = r->down = (struct ratio){sheet->scale, sheet->pitch};
    if (sheet->tiles) {
        r->across = (struct ratio){p->width, sheet->width};
        r->down = (struct ratio){p->height, sheet->height};
    }
    check_room(r);
    r->shift = shift_of((int64_t)p->width * p->height);
    r->fine = 1 << r->shift;
    r->width = p->width << r->shift;
    r->height = p->height << r->shift;
    open_pixels(r, sheet);
    open_crossings(r);
    mw_tick(canvas->run, (uint64_t)p->width * (uint64_t)p->height / 8);
}

/* Figures are filled or lined, not both. */
static void begin(struct canvas *canvas, struct pen pen)
{
    struct raster *r = raster_of(canvas);
    assert((pen.fill == INK_NONE) != (pen.line == INK_NONE) && pen.tenths >= 0);
    assert(r->last < 0); /* no figure waits to be filled */
    r->paint = raster_number(r, pen.fill != INK_NONE ? pen.fill : pen.line);
    if (pen.line != INK_NONE)
        r->radius = parts_of(r, r->across, pen.tenths) / 20;
}

static void draw_edge(struct raster *r, struct mw_point at)
{
    struct spot from = r->spot, to = spot_of(r, at);
    if (r->canvas.pen.fill != INK_NONE)
        raster_toggle(r, from, to);
    else
        raster_stroke(r, from, to);
    r->spot = to;
    mw_tick(r->canvas.run, 1);
}

static void move(struct canvas *canvas)
{
    raster_of(canvas)->spot = spot_of(raster_of(canvas), canvas->at);
}

static void step(struct canvas *canvas) { draw_edge(raster_of(canvas), canvas->at); }

static void close_loop(struct canvas *canvas) { draw_edge(raster_of(canvas), canvas->start); }

static void end(struct canvas *canvas)
{
    struct raster *r = raster_of(canvas);
    if (canvas->pen.fill != INK_NONE)
        raster_fill(r);
}

static void word(struct canvas *canvas, struct text_style style, struct mw_point middle,
                 const char *text)
{
    struct raster *r = raster_of(canvas);
    const struct spot at = spot_of(r, middle);
    const int64_t height = parts_of(r, r->across, style.height);
    if (style.halo != INK_NONE)
        raster_word(r, style.halo, at, height, GLYPH_HALO, text);
    raster_word(r, style.ink, at, height, GLYPH_STEM, text);
}

static const struct canvas_operations operations = {.open = open_raster,
                                                    .begin = begin,
                                                    .move = move,
                                                    .step = step,
                                                    .close = close_loop,
                                                    .end = end,
                                                    .word = word};

void raster_init(struct raster *r, struct mw_run *run, const struct mw_map *map)
{
    *r = (struct raster){
        .canvas = {.run = run, .map = map, .operations = &operations, .is_raster = true}};
}

const struct picture *raster_scene(struct mw_run *run, const struct mw_map *map)
{
    struct raster *r = MW_NEW(run, struct raster, 1);
    raster_init(r, run, map);
    scene_draw(&r->canvas);
    raster_mix(r);
    return &r->picture;
}

/* ---- the picture as PNG ---------------------------------------------------------------------- */

static void encode(struct mw_run *run, const struct mw_map *map)
{
    png_put(run, raster_scene(run, map), map->request);
}

/* ---- cost ------------------------------------------------------------------------------------ */

/* Tables of mixtures and tokens; the usual time to fill them. */
enum { BASE_BYTES = 3 << 19, BASE_NANOSECONDS = 300000 };

/* The most that a picture of that size or of fewer pixels takes. */
static uint64_t most_room(int64_t width, int64_t height)
{
    const int64_t pixels = width * height, steps[] = {pixels, FINEST, FINER, FINE};
    int64_t most = 0;
    for (int i = 0; i < 4; i++)
        most = mw_max64(most, room_of(mw_min64(pixels, steps[i]), width, height));
    return (uint64_t)most;
}

static struct mw_cost forecast(const struct mw_request *request, const struct mw_forecast *f)
{
    int p;
    const struct scene *scene = scene_of(request->generator, &p);
    const struct sheet sheet = canvas_framed(&request->look, scene->sheet(f));
    const uint64_t pixels = (uint64_t)sheet.columns * (uint64_t)sheet.rows;
    struct mw_cost cost = scene_cost(request, f, true);
    cost.steps += 3 * pixels;
    cost.bytes += BASE_BYTES + most_room(sheet.columns, sheet.rows) + 6 * pixels;
    cost.nanoseconds += BASE_NANOSECONDS + 4 * pixels;
    return cost;
}

const struct mw_encoder mw_png = {.name = "png",
                                  .media = "image/png",
                                  .help = MW_PROSE("a picture, for people"),
                                  .look_mask = SCENE_LOOK_MASK,
                                  .fits = scene_fits,
                                  .forecast = forecast,
                                  .encode = encode};
