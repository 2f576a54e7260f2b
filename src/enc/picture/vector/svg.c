/*
 * svg.c: the canvas that writes SVG.
 *
 * A figure becomes a path of relative steps; steps in the same direction are merged. Consecutive
 * figures with the same stroke share a group. A figure that represents something on the map has an
 * id, a class and a title.
 *
 * Paths are most of a drawing, so they are written briefly: moves are relative too, a repeated
 * command letter is left out (after a move a step needs none), steps along an axis have one number,
 * and there are spaces only where two numbers would run together.
 */
#include "enc/picture/glyphs.h"
#include "enc/picture/scene/scene.h"

struct svg {
    struct canvas canvas;
    const struct mw_request *request; /* of the map, while one underneath is drawn, too */
    struct svg_group {
        enum { CLOSED, FIGURES, WORDS } kind;
        enum ink line, halo;
        int32_t tenths;
    } group;
    const char *kind; /* of the name of the next figure; NULL: it has none */
    const char *title;
    char name[32];
    int32_t words; /* groups of text with a halo; their ids have that of the map, as a page may show
                      two */
    /* Of the current path: */
    char command;                        /* the letter that need not be repeated */
    struct mw_point written;             /* the current point as written */
    int32_t x, y;                        /* a step that is not written yet */
    enum { MOVED, DOTTED, STEPPED } way; /* the steps of the subpath: none, of length 0, others */
};

static struct svg *svg_of(struct canvas *canvas) { return (struct svg *)canvas; }

static void put_color(const struct canvas *canvas, const char *name, enum ink ink)
{
    struct mw_run *run = canvas->run;
    mw_print(run, " %s=\"", name);
    if (ink == INK_NONE)
        mw_put(run, "none");
    else
        ink_put_rgb(run, ink_color(&canvas->map->request->look, ink));
    mw_put_char(run, '"');
}

/* A number of a path. */
static char *write_number(char *to, bool after_number, int32_t n)
{
    if (after_number && n >= 0)
        *to++ = ' ';
    return mw_write_int(to, n);
}

static void put_command(struct svg *svg, char command, int32_t x, int32_t y)
{
    char *to = mw_reserve_output(svg->canvas.run, 40);
    bool again = command == svg->command;
    if (!again)
        *to++ = command;
    svg->command = command == 'm' ? 'l' : command;
    if (command != 'v')
        to = write_number(to, again, x);
    if (command != 'h')
        to = write_number(to, again || command != 'v', y);
    svg->written.x += x;
    svg->written.y += y;
    mw_end_output(svg->canvas.run, to);
}

/* A gradient of the first, the middle and the last shade. Its id depends on its color, as other
   drawings may be in the same page. */
static void put_ground(const struct canvas *canvas, const struct sheet *sheet)
{
    struct mw_run *run = canvas->run;
    const struct mw_look *look = &canvas->map->request->look;
    const enum ink ground = sheet->ground, lowest = (enum ink)((int)ground + sheet->shades - 1);
    const uint32_t first = ink_color(look, ground);
    const bool is_plain = !sheet->shades || first == ink_color(look, lowest);
    for (int32_t i = 0; i < 3 && !is_plain; i++) {
        if (!i)
            mw_print(run, "<linearGradient id=\"g%u\" x2=\"0\" y2=\"1\">", first);
        mw_print(run, "<stop offset=\"%s\"", i == 0 ? "0" : i == 1 ? ".5" : "1");
        put_color(canvas, "stop-color", (enum ink)((int)ground + i * (sheet->shades / 2)));
        mw_put(run, i < 2 ? "/>" : "/></linearGradient>\n");
    }
    mw_put(run, "<rect width=\"100%\" height=\"100%\"");
    if (is_plain)
        put_color(canvas, "fill", sheet->ground);
    else
        mw_print(run, " fill=\"url(#g%u)\"", first);
    mw_put(run, "/>\n");
}

static void open_sheet(struct canvas *canvas, const struct sheet *sheet)
{
    struct mw_run *run = canvas->run;
    const struct mw_request *request = svg_of(canvas)->request;
    mw_print(
        run,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\""
        " viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
        "%s fill-rule=\"evenodd\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n<title>",
        sheet->width, sheet->height, sheet->columns, sheet->rows,
        sheet->tiles ? " preserveAspectRatio=\"none\"" : "");
    mw_put_xml(run, request->generator->name);
    if (request->seed) {
        mw_put(run, ", seed ");
        mw_put_xml(run, request->seed);
    }
    mw_put(run, "</title>\n");
    put_ground(canvas, sheet);
}

static void put_width(struct mw_run *run, int32_t thousandths)
{
    mw_put(run, " stroke-width=\"");
    mw_put_thousandths(run, thousandths);
    mw_put_char(run, '"');
}

/* Draws the text of a group, which is written once: its halo, then its strokes. */
static void use_words(struct svg *svg)
{
    for (int stem = 0; stem < 2; stem++) {
        mw_print(svg->canvas.run, "<use xlink:href=\"#w%s-%d\"", svg->request->id, svg->words);
        put_color(&svg->canvas, "stroke", stem ? svg->group.line : svg->group.halo);
        put_width(svg->canvas.run, 10 * (stem ? GLYPH_STEM : GLYPH_HALO) * GLYPH_CAPITAL);
        mw_put(svg->canvas.run, "/>\n");
    }
}

static void close_group(struct svg *svg)
{
    const bool has_halo = svg->group.halo != INK_NONE;
    if (svg->group.kind != CLOSED)
        mw_put(svg->canvas.run, has_halo ? "</g></defs>\n" : "</g>\n");
    if (svg->group.kind != CLOSED && has_halo)
        use_words(svg);
    svg->group.kind = CLOSED;
}

/* Opens a group with a stroke, if it is not open already. Text with a halo is written once, among
   the definitions, and drawn twice. */
static void use_group(struct svg *svg, struct svg_group group)
{
    struct mw_run *run = svg->canvas.run;
    if (!memcmp(&svg->group, &group, sizeof group))
        return;
    close_group(svg);
    svg->group = group;
    if (group.halo != INK_NONE) {
        mw_print(run, "<defs><g id=\"w%s-%d\" fill=\"none\">\n", svg->request->id, ++svg->words);
        return;
    }
    mw_put(run, group.kind == WORDS ? "<g fill=\"none\"" : "<g");
    put_color(&svg->canvas, "stroke", group.line);
    if (group.kind == WORDS)
        put_width(run, 10 * GLYPH_STEM * GLYPH_CAPITAL);
    else if (group.line != INK_NONE)
        put_width(run, group.tenths * 100);
    mw_put(run, ">\n");
}

static void use_line(struct svg *svg, struct pen pen)
{
    use_group(svg, (struct svg_group){FIGURES, pen.line, INK_NONE, pen.tenths});
}

static void put_name(struct svg *svg)
{
    if (!svg->kind)
        return;
    mw_print(svg->canvas.run, " id=\"%s-%s\" class=\"%s\"", svg->kind, svg->name, svg->kind);
}

/* Ends an element, with a title if it has a name. */
static void put_title(struct svg *svg, const char *element)
{
    struct mw_run *run = svg->canvas.run;
    if (svg->kind && svg->title)
        mw_print(run, "><title>%s</title></%s>\n", svg->title, element);
    else if (svg->kind)
        mw_print(run, "><title>%c%s %s</title></%s>\n", *svg->kind - 'a' + 'A', svg->kind + 1,
                 svg->name, element);
    else
        mw_put(run, "/>\n");
    svg->kind = NULL;
}

static void name_figure(struct canvas *canvas, const char *kind, const char *name,
                        const char *title)
{
    struct svg *svg = svg_of(canvas);
    size_t length = strlen(name);
    assert(length < sizeof svg->name);
    svg->kind = kind;
    svg->title = title;
    memcpy(svg->name, name, length + 1);
}

static void begin(struct canvas *canvas, struct pen pen)
{
    struct svg *svg = svg_of(canvas);
    bool seen = pen.fill != INK_NONE || pen.line != INK_NONE,
         over_labels = pen.fill >= INK_RELIEF && pen.fill < INK_RELIEF_END;
    assert(seen || svg->kind);
    use_line(svg, pen);
    mw_put(canvas->run, "<path");
    put_name(svg);
    put_color(canvas, "fill", pen.fill);
    if (over_labels || !seen) /* a pointer is to find figures with names */
        mw_print(canvas->run, " pointer-events=\"%s\"", seen ? "none" : "all");
    mw_put(canvas->run, " d=\"");
    svg->written = (struct mw_point){0, 0};
    svg->command = '\0';
    svg->way = MOVED;
}

static void put_closing(struct svg *svg)
{
    svg->command = 'z';
    mw_put_char(svg->canvas.run, 'z');
}

/* A dot is a path of its start alone. */
static void flush_step(struct svg *svg)
{
    if (svg->way == DOTTED)
        put_closing(svg);
    if (svg->x || svg->y)
        put_command(svg, !svg->y ? 'h' : !svg->x ? 'v' : 'l', svg->x, svg->y);
    svg->x = svg->y = 0;
}

static void move(struct canvas *canvas)
{
    flush_step(svg_of(canvas));
    svg_of(canvas)->way = MOVED;
}

static void step(struct canvas *canvas)
{
    struct svg *svg = svg_of(canvas);
    if (svg->way == MOVED)
        put_command(svg, 'm', canvas->start.x - svg->written.x, canvas->start.y - svg->written.y);
    const int32_t dx = canvas->at.x - svg->written.x - svg->x,
                  dy = canvas->at.y - svg->written.y - svg->y;
    if (!dx && !dy) {
        svg->way = svg->way == MOVED ? DOTTED : svg->way;
        return;
    }
    svg->way = STEPPED;
    const bool same_way = (int64_t)svg->x * dy == (int64_t)svg->y * dx &&
                          (int64_t)svg->x * dx + (int64_t)svg->y * dy > 0;
    if (!same_way)
        flush_step(svg);
    svg->x += dx;
    svg->y += dy;
}

/* A last step to the start is left to `z`. */
static void close_loop(struct canvas *canvas)
{
    struct svg *svg = svg_of(canvas);
    if (canvas->at.x != canvas->start.x || canvas->at.y != canvas->start.y)
        flush_step(svg);
    svg->x = svg->y = 0;
    svg->way = STEPPED;
    svg->written = canvas->start;
    put_closing(svg);
}

static void end(struct canvas *canvas)
{
    struct svg *svg = svg_of(canvas);
    flush_step(svg);
    mw_put_char(canvas->run, '"');
    put_title(svg, "path");
}

/* ---- discs and text -------------------------------------------------------------------------- */

static void disc(struct canvas *canvas, struct pen pen, struct mw_point at, int32_t radius_tenths)
{
    struct mw_run *run = canvas->run;
    struct svg *svg = svg_of(canvas);
    use_line(svg, pen);
    mw_put(run, "<circle");
    put_name(svg);
    put_color(canvas, "fill", pen.fill);
    mw_print(run, " cx=\"%d\" cy=\"%d\" r=\"", at.x, at.y);
    mw_put_thousandths(run, 100 * radius_tenths);
    mw_put_char(run, '"');
    put_title(svg, "circle");
}

/* Where letters are traced; at first nowhere. */
struct svg_text {
    struct mw_run *run;
    struct mw_point at;
};

static void put_curve(void *of, struct mw_point a, struct mw_point bend, struct mw_point b)
{
    struct svg_text *text = of;
    if (a.x != text->at.x || a.y != text->at.y)
        mw_print(text->run, "M%d %d", a.x, a.y);
    if (2 * bend.x == a.x + b.x && 2 * bend.y == a.y + b.y)
        mw_print(text->run, "L%d %d", b.x, b.y);
    else
        mw_print(text->run, "Q%d %d %d %d", bend.x, bend.y, b.x, b.y);
    text->at = b;
}

static void word(struct canvas *canvas, struct text_style style, struct mw_point at,
                 const char *text)
{
    struct mw_run *run = canvas->run;
    const struct glyph_frame f = glyph_frame(text, style.height, at);
    struct svg_text letters = {run, {-1, -1}};
    use_group(svg_of(canvas), (struct svg_group){WORDS, style.ink, style.halo, 0});
    mw_put(run, "<path aria-label=\"");
    mw_put_xml(run, text);
    mw_put(run, "\" transform=\"matrix(");
    canvas_put_numbers(run, (const int32_t[]){f.scale, 0, 0, f.scale, f.left, f.top}, 6);
    mw_put(run, ")\" d=\"");
    glyph_trace(text, put_curve, &letters);
    mw_put(run, "\"/>\n");
}

static const struct canvas_operations operations = {.open = open_sheet,
                                                    .name_figure = name_figure,
                                                    .begin = begin,
                                                    .move = move,
                                                    .step = step,
                                                    .close = close_loop,
                                                    .end = end,
                                                    .disc = disc,
                                                    .word = word};

static void encode(struct mw_run *run, const struct mw_map *map)
{
    struct svg svg = {.canvas = {run, map, &operations, .has_names = true},
                      .request = map->request};
    scene_draw(&svg.canvas);
    close_group(&svg);
    mw_put(run, "</svg>\n");
}

/* ---- cost ------------------------------------------------------------------------------------ */

static struct mw_cost forecast(const struct mw_request *request, const struct mw_forecast *f)
{
    return scene_cost(request, f, false);
}

const struct mw_encoder mw_svg = {.name = "svg",
                                  .media = "image/svg+xml",
                                  .help = MW_PROSE("a drawing, for people"),
                                  .look_mask = SCENE_LOOK_MASK,
                                  .fits = scene_fits,
                                  .forecast = forecast,
                                  .encode = encode};
