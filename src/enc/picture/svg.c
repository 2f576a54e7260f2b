/*
 * svg.c: the canvas that writes a vector drawing.
 *
 * A figure becomes a path of relative steps; steps that go on the same way are written as one. What
 * figures one after another have in common, the line round them, is written once, in a group.
 */
#include "scene.h"

struct svg {
    struct canvas canvas;
    struct pen pen; /* of the group that is open; line INK_NONE and tenths -1: none is */
    bool word;      /* it is a group of words */
    int32_t x, y;   /* of a step that is not written yet */
    int32_t from_start_x, from_start_y; /* where the way has come to, that step included */
};

static struct svg *svg_of(struct canvas *canvas) { return (struct svg *)canvas; }

static void put_colour(struct mw_run *run, const char *name, enum ink ink)
{
    mw_print(run, " %s=\"", name);
    if (ink == INK_NONE)
        mw_put(run, "none");
    else
        ink_put(run, ink);
    mw_put_char(run, '"');
}

static void put_pair(struct mw_run *run, char command, int32_t x, int32_t y)
{
    char *to = mw_room(run, 32);
    *to++ = command;
    to = mw_write_int(to, x);
    if (y >= 0)
        *to++ = ' ';
    mw_wrote(run, mw_write_int(to, y));
}

static void open_sheet(struct canvas *canvas, const struct sheet *sheet)
{
    struct mw_run *run = canvas->run;
    const struct mw_request *request = canvas->map->request;
    int32_t scale = canvas_scale(&request->look, sheet);
    mw_print(
        run,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
        " fill-rule=\"evenodd\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n<title>",
        sheet->width, sheet->height, canvas_pixels(sheet->width, scale, sheet),
        canvas_pixels(sheet->height, scale, sheet));
    mw_put_xml(run, request->generator->name);
    if (request->seed) {
        mw_put(run, ", seed ");
        mw_put_xml(run, request->seed);
    }
    mw_put(run, "</title>\n<rect width=\"100%\" height=\"100%\"");
    put_colour(run, "fill", sheet->ground);
    mw_put(run, "/>\n");
}

static void close_group(struct svg *svg)
{
    if (svg->pen.tenths >= 0)
        mw_put(svg->canvas.run, "</g>\n");
    svg->pen.tenths = -1;
    svg->word = false;
}

/* Sees to it that the group that is open has the pen's line. */
static void use_line(struct svg *svg, struct pen pen)
{
    struct mw_run *run = svg->canvas.run;
    if (!svg->word && svg->pen.tenths == pen.tenths && svg->pen.line == pen.line)
        return;
    close_group(svg);
    svg->pen = pen;
    mw_put(run, "<g");
    put_colour(run, "stroke", pen.line);
    if (pen.line != INK_NONE) {
        mw_put(run, " stroke-width=\"");
        mw_put_thousandths(run, pen.tenths * 100);
        mw_put_char(run, '"');
    }
    mw_put(run, ">\n");
}

static void begin(struct canvas *canvas, struct pen pen)
{
    assert(pen.fill != INK_NONE || pen.line != INK_NONE);
    use_line(svg_of(canvas), pen);
    mw_put(canvas->run, "<path");
    put_colour(canvas->run, "fill", pen.fill);
    mw_put(canvas->run, " d=\"");
}

static void flush_step(struct svg *svg)
{
    if (svg->x || svg->y)
        put_pair(svg->canvas.run, 'l', svg->x, svg->y);
    svg->x = svg->y = 0;
}

static void move(struct canvas *canvas, int32_t x, int32_t y)
{
    struct svg *svg = svg_of(canvas);
    flush_step(svg);
    svg->from_start_x = svg->from_start_y = 0;
    put_pair(canvas->run, 'M', x, y);
}

/* The same way: the turn is none, and it does not go back. */
static bool goes_on(const struct svg *svg, int32_t dx, int32_t dy)
{
    return (int64_t)svg->x * dy == (int64_t)svg->y * dx &&
           (int64_t)svg->x * dx + (int64_t)svg->y * dy > 0;
}

static void step(struct canvas *canvas, int32_t dx, int32_t dy)
{
    struct svg *svg = svg_of(canvas);
    if (!goes_on(svg, dx, dy))
        flush_step(svg);
    svg->x += dx;
    svg->y += dy;
    svg->from_start_x += dx;
    svg->from_start_y += dy;
}

/* A last step that leads to the start is drawn by the closing. */
static void close_loop(struct canvas *canvas)
{
    struct svg *svg = svg_of(canvas);
    if (svg->from_start_x || svg->from_start_y)
        flush_step(svg);
    svg->x = svg->y = 0;
    mw_put_char(canvas->run, 'z');
}

static void end(struct canvas *canvas)
{
    flush_step(svg_of(canvas));
    mw_put(canvas->run, "\"/>\n");
}

static void disc(struct canvas *canvas, struct pen pen, int32_t x, int32_t y, int32_t radius)
{
    struct mw_run *run = canvas->run;
    use_line(svg_of(canvas), pen);
    mw_put(run, "<circle");
    put_colour(run, "fill", pen.fill);
    mw_print(run, " cx=\"%d\" cy=\"%d\" r=\"%d\"/>\n", x, y, radius);
}

/* Capitals are seven tenths of a font's size, so they are centred a little above its base line. */
static void word(struct canvas *canvas, enum ink ink, int32_t x, int32_t y, int32_t height,
                 const char *text)
{
    struct mw_run *run = canvas->run;
    struct svg *svg = svg_of(canvas);
    if (!svg->word || svg->pen.fill != ink) {
        close_group(svg);
        svg->pen = (struct pen){.fill = ink};
        svg->word = true;
        mw_put(run, "<g font-family=\"sans-serif\" text-anchor=\"middle\"");
        put_colour(run, "fill", ink);
        mw_put(run, ">\n");
    }
    mw_print(run, "<text font-size=\"%d\" x=\"%d\" y=\"%d\">", (height * 10 + 3) / 7, x,
             y + (height + 1) / 2);
    mw_put_xml(run, text);
    mw_put(run, "</text>\n");
}

static const struct canvas_verbs verbs = {.open = open_sheet,
                                          .begin = begin,
                                          .move = move,
                                          .step = step,
                                          .close = close_loop,
                                          .end = end,
                                          .disc = disc,
                                          .word = word};

static void encode(struct mw_run *run, const struct mw_map *map)
{
    struct svg svg = {.canvas = {run, map, &verbs}, .pen.tenths = -1};
    scene_draw(&svg.canvas);
    close_group(&svg);
    mw_put(run, "</svg>\n");
}

/* ---- what it will take ----------------------------------------------------------------------- */

static struct mw_cost forecast(const struct mw_request *request, const struct mw_forecast *f)
{
    int p;
    const struct scene *scene = scene_of(request->generator, &p);
    return (struct mw_cost){.steps = mw_rated(f, &scene->steps),
                            .bytes = mw_rated(f, &scene->bytes),
                            .nanoseconds = mw_rated(f, &scene->vector)};
}

const struct mw_encoder mw_svg = {.name = "svg",
                                  .media = "image/svg+xml",
                                  .help = "a drawing, for people",
                                  .heeds = MW_HEEDS(SCALE),
                                  .fits = scene_fits,
                                  .forecast = forecast,
                                  .encode = encode};
