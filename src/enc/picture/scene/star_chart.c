/*
 * star_chart.c: nodes and edges on a night sky: the backbone thicker, emphasized nodes in gold, the
 * others in random star colors with a glow. A node that a value of the map names (the center) has
 * four strokes around it, edges that are not part of the graph are faint, those that another part
 * lists are dashed.
 *
 * Pixel = coordinate * one scale, without an offset, so that a game can draw over the picture. The
 * sheet is SIDE units long, or FINE_SIDE where nodes are few enough to be looked at closely.
 *
 * A node is about a tenth as wide as the square that falls to it, so that 100,000 nodes look as
 * airy as 100. Up to CANVAS_NAMED nodes have a figure each, with their number; of more, those of a
 * kind are one figure.
 */
#include "enc/graph.h"
#include "enc/outline.h"
#include "enc/picture/glyphs.h"
#include "kit/integer.h"
#include "kit/noise.h"
#include "scene.h"

enum { SIDE = 1000, FINE_SIDE = 4000, FINE_NODES = 20000 };

struct chart {
    struct canvas *canvas;
    struct graph graph;
    int64_t extent; /* the map's longer side */
    int32_t side;   /* the sheet's longer side */
    int32_t room;   /* side of the square that falls to a node, in tenths of a unit */
};

/* ---- positions ------------------------------------------------------------------------------- */

static int32_t on_sheet(const struct chart *chart, int64_t at)
{
    return (int32_t)((2 * at * chart->side + chart->extent) / (2 * chart->extent));
}

/* On a map underneath, the middle of its cell. */
static struct mw_point place_of(const struct chart *chart, int32_t row)
{
    const struct mw_cells *under = chart->canvas->under;
    struct mw_point at = graph_place(&chart->graph, row);
    return under ? outline_middle_of(&outline_shapes[under->lattice.tiling], at)
                 : (struct mw_point){on_sheet(chart, at.x), on_sheet(chart, at.y)};
}

/* A dimension of the map, at least up to the farthest node. */
static int32_t extent_of(const struct mw_map *map, const char *name, int32_t farthest)
{
    return mw_max(mw_max(find_number(map, name), farthest), 1);
}

static int32_t side_of(int64_t extent, int64_t nodes)
{
    assert(extent > 0 && nodes >= 0);
    return nodes > FINE_NODES || SIDE % extent == 0 ? SIDE : FINE_SIDE;
}

static struct sheet sheet_for(const struct chart *chart, int32_t width, int32_t height)
{
    return (struct sheet){.width = mw_max(on_sheet(chart, width), 1),
                          .height = mw_max(on_sheet(chart, height), 1),
                          .pitch = chart->side / 100,
                          .ground = INK_NIGHT,
                          .shades = INK_NIGHTS};
}

/* The sheet is that of the map underneath, if there is one. */
static void open_sheet(struct chart *chart)
{
    const struct mw_cells *under = chart->canvas->under;
    const struct mw_box box = chart->graph.box;
    const struct mw_map *map = chart->canvas->map;
    const int32_t nodes = chart->graph.table->rows, width = extent_of(map, "width", box.x1),
                  height = extent_of(map, "height", box.y1);
    chart->extent = mw_max(width, height);
    chart->side = side_of(chart->extent, nodes);
    struct sheet sheet = sheet_for(chart, width, height);
    if (under) {
        const struct cell_shape *f = &outline_shapes[under->lattice.tiling];
        sheet.width = under->lattice.width * f->pitch_x;
        sheet.height = under->lattice.height * f->pitch_y;
        chart->side = mw_max(sheet.width, sheet.height);
    }
    const int64_t each = (int64_t)sheet.width * sheet.height * 100 / nodes;
    chart->room = (int32_t)mw_root(mw_min64(each, (int64_t)sheet.width * sheet.width));
    canvas_open(chart->canvas, &sheet);
}

/* A length in tenths of a unit: thousandths of a node's room, but at most thousandths of the side.
 */
static int32_t tenths(const struct chart *chart, int32_t of_room, int32_t of_side)
{
    int64_t near = (int64_t)chart->room * of_room / 1000,
            far = (int64_t)chart->side * of_side / 100;
    return (int32_t)mw_max64(mw_min64(near, far), 1);
}

/* ---- edges ----------------------------------------------------------------------------------- */

/* The point at i/n of the line from a to b. */
static struct mw_point part_way(struct mw_point a, struct mw_point b, int32_t i, int32_t n)
{
    return (struct mw_point){a.x + (int32_t)(((int64_t)b.x - a.x) * i / n),
                             a.y + (int32_t)(((int64_t)b.y - a.y) * i / n)};
}

static int64_t key_of(struct mw_edge edge) { return (int64_t)edge.a << 32 | edge.b; }

/* Whether sorted edges have one, looking from edge *i on, which moves up to its place. */
static bool have(struct mw_edges edges, int32_t *i, struct mw_edge edge)
{
    while (*i < edges.count && key_of(edges.at[*i]) < key_of(edge))
        ++*i;
    return *i < edges.count && key_of(edges.at[*i]) == key_of(edge);
}

/* Those that are not among others, as one figure; both are sorted. Dashes are some three times as
   long as wide, as are the gaps between them. */
static void draw_edges(const struct chart *chart, struct mw_edges edges, struct mw_edges others,
                       bool dashed, struct pen pen)
{
    const int64_t dash = mw_max(pen.tenths / 3, 1); /* units */
    canvas_begin(chart->canvas, pen);
    mw_tick(chart->canvas->run, (uint64_t)edges.count + (uint64_t)others.count);
    for (int32_t i = 0, other = 0; i < edges.count; i++) {
        if (have(others, &other, edges.at[i]))
            continue;
        struct mw_point a = place_of(chart, edges.at[i].a), b = place_of(chart, edges.at[i].b);
        int64_t x = (int64_t)b.x - a.x, y = (int64_t)b.y - a.y;
        int32_t pieces = dashed ? 2 * (int32_t)(mw_root(x * x + y * y) / (2 * dash)) + 1 : 1;
        assert(edges.at[i].a < edges.at[i].b && edges.at[i].b < chart->graph.table->rows);
        mw_tick(chart->canvas->run, (uint64_t)pieces);
        for (int32_t k = 0; k < pieces; k += 2) {
            canvas_move(chart->canvas, part_way(a, b, k, pieces));
            canvas_step_to(chart->canvas, part_way(a, b, k + 1, pieces));
        }
    }
}

/* Dark lines with a light rim over land, light lines in the sky. */
static enum ink over_land(const struct chart *chart, enum ink land, enum ink sky)
{
    return chart->canvas->under ? land : sky;
}

static void draw_lanes(const struct chart *chart, struct mw_edges edges, struct mw_edges others,
                       bool dashed, enum ink ink, int32_t width)
{
    if (chart->canvas->under && !dashed)
        draw_edges(chart, edges, others, false,
                   (struct pen){.line = INK_WHITE, .tenths = 2 * width});
    draw_edges(chart, edges, others, dashed,
               (struct pen){.line = over_land(chart, INK_MARK, ink), .tenths = width});
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static bool is_emphasized(const struct graph *graph, int32_t row)
{
    return graph->emphasis && graph->emphasis[row];
}

/* Tenths of a unit. */
static int32_t width_of(const struct chart *chart) { return tenths(chart, 120, 8); }

/* The radius of emphasized nodes, in units. */
static int32_t radius_of(const struct chart *chart)
{
    return (width_of(chart) + chart->side / 50) / 10 + 1;
}

/* Kinds of nodes: stars, of which the hottest are the largest, as in src/web/draw/palette.js, and
   emphasized ones. */
enum { EMPHASIZED = INK_STARS };
static const struct {
    int32_t percent; /* of the mean width */
    int before;      /* sixteenths of all stars that are hotter */
} kinds[] = {{130, 0}, {115, 2}, {104, 5}, {96, 9}, {90, 13}, {0, 16}};

/* Over land all stars are of the first kind. */
static int kind_of(const struct chart *chart, int32_t row)
{
    const int chance = (int)(mw_noise((uint32_t)row) >> 28);
    int kind = 0;
    while (!chart->canvas->under && chance >= kinds[kind + 1].before)
        kind++;
    return is_emphasized(&chart->graph, row) ? EMPHASIZED : kind;
}

static struct pen pen_of(const struct chart *chart, int kind)
{
    int32_t width = width_of(chart);
    if (chart->canvas->under)
        return (struct pen){.line = INK_MARK, .tenths = width};
    return (struct pen){.line = (enum ink)(INK_STAR + kind),
                        .tenths = mw_max(width * kinds[kind].percent / 100, 1)};
}

/* All nodes of a kind as one figure. */
static void draw_all(const struct chart *chart, int kind, struct pen pen)
{
    struct canvas *canvas = chart->canvas;
    canvas_begin(canvas, pen);
    for (int32_t row = 0; row < chart->graph.table->rows; row++) {
        if (kind_of(chart, row) != kind)
            continue;
        canvas_move(canvas, place_of(chart, row));
        canvas_step(canvas, 0, 0);
    }
    mw_tick(canvas->run, (uint64_t)chart->graph.table->rows);
}

/* Each node of a kind as a disc, with its name or without; radius: tenths of a unit. */
static void draw_discs(const struct chart *chart, int kind, struct pen pen, int32_t radius,
                       bool named)
{
    char number[16];
    for (int32_t row = 0; row < chart->graph.table->rows; row++) {
        if (kind_of(chart, row) != kind)
            continue;
        *mw_write_int(number, row + chart->graph.base) = '\0';
        if (named)
            canvas_name_figure(chart->canvas, chart->graph.kind, number,
                               graph_name(&chart->graph, row));
        canvas_disc(chart->canvas, pen, place_of(chart, row), radius);
    }
    mw_tick(chart->canvas->run, (uint64_t)chart->graph.table->rows);
}

/* Radii of the glow, in tenths of a star's width. The outermost is for emphasized nodes only. */
static const uint8_t reach[INK_GLOWS] = {42, 32, 21};

/* A glow around stars of the hottest kinds, below all lanes. */
static void draw_light(const struct chart *chart)
{
    if (chart->canvas->under || chart->graph.table->rows > CANVAS_NAMED)
        return;
    for (int kind = 0; kind < INK_LIT; kind++)
        for (int i = 1; i < INK_GLOWS; i++)
            draw_all(chart, kind,
                     (struct pen){.line = (enum ink)(INK_GLOW + kind * INK_GLOWS + i),
                                  .tenths = pen_of(chart, kind).tenths * reach[i] / 10});
}

/* A glow around emphasized nodes, with a ring at its brightest; none over land. */
static void draw_glow(const struct chart *chart)
{
    for (int i = 0; i < INK_GLOWS && !chart->canvas->under; i++) {
        const struct pen pen = {.fill = (enum ink)(INK_GLOW + INK_LIT * INK_GLOWS + i),
                                .line = i == INK_GLOWS - 1 ? INK_HOME : INK_NONE,
                                .tenths = tenths(chart, 60, 2)};
        draw_discs(chart, EMPHASIZED, pen, 10 * radius_of(chart) * reach[i] / 12, false);
    }
}

static void draw_dots(const struct chart *chart)
{
    for (int kind = 0; kind < (chart->canvas->under ? 1 : INK_STARS); kind++) {
        const struct pen pen = pen_of(chart, kind);
        if (chart->graph.table->rows > CANVAS_NAMED)
            draw_all(chart, kind, pen);
        else
            draw_discs(chart, kind, (struct pen){.fill = pen.line}, mw_max(pen.tenths / 2, 1),
                       true);
    }
}

static void draw_homes(const struct chart *chart)
{
    const struct pen pen = {.fill = INK_HOME,
                            .line = over_land(chart, INK_MARK, INK_NIGHT),
                            .tenths = tenths(chart, 30, 1)};
    draw_discs(chart, EMPHASIZED, pen, 10 * radius_of(chart), true);
}

/* Four strokes around a node, outside of its ring. */
static void draw_strokes(const struct chart *chart, int32_t row, struct pen pen)
{
    static const struct mw_point ways[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const struct mw_point at = place_of(chart, row);
    const int32_t radius = radius_of(chart);
    canvas_begin(chart->canvas, pen);
    for (int i = 0; i < 4; i++) {
        canvas_move(chart->canvas,
                    (struct mw_point){at.x + ways[i].x * radius, at.y + ways[i].y * radius});
        canvas_step(chart->canvas, ways[i].x * radius, ways[i].y * radius);
    }
}

/* The nodes that values of the map refer to, such as the center. */
static void draw_marked(const struct chart *chart)
{
    const struct mw_map *map = chart->canvas->map;
    const struct mw_part *parts = map->request->generator->parts;
    int32_t width = tenths(chart, 90, 3);
    for (int p = 0; parts[p].kind != MW_NO_PART; p++) {
        if (parts[p].kind != MW_VALUE || parts[p].role != MW_MARK || !map->slots[p].present)
            continue;
        int32_t row = map->slots[p].as.value.integer - chart->graph.base;
        assert(row >= 0 && row < chart->graph.table->rows);
        if (chart->canvas->under)
            draw_strokes(chart, row, (struct pen){.line = INK_WHITE, .tenths = 2 * width});
        draw_strokes(chart, row,
                     (struct pen){.line = over_land(chart, INK_MARK, INK_TRUNK), .tenths = width});
    }
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Names lie on a lattice of boxes as high as letters; a box that is taken belongs to a star or to
   another name. */
struct name_field {
    bool *taken;
    int32_t letter, side; /* units; boxes */
};

static bool is_in(const struct name_field *f, struct mw_point box)
{
    return box.x >= 0 && box.x < f->side && box.y >= 0 && box.y < f->side;
}

static struct mw_point box_of(const struct name_field *f, int32_t x, int32_t y)
{
    return (struct mw_point){(int32_t)mw_floor_div(x, f->letter),
                             (int32_t)mw_floor_div(y, f->letter)};
}

/* Takes the boxes of a name that is centered at a point, if all of them are free, or by force. */
static bool take_boxes(struct name_field *f, struct mw_point at, int32_t across, bool force)
{
    const int32_t up = f->letter / 2;
    const struct mw_point first = box_of(f, at.x - across, at.y - up),
                          last = box_of(f, at.x + across, at.y + up);
    bool is_free = is_in(f, first) && is_in(f, last);
    for (int32_t y = first.y; y <= last.y && !force; y++)
        for (int32_t x = first.x; is_free && x <= last.x; x++)
            is_free = !f->taken[y * f->side + x];
    for (int32_t y = first.y; is_free && y <= last.y; y++)
        for (int32_t x = first.x; x <= last.x; x++)
            f->taken[y * f->side + x] = true;
    return is_free || force;
}

/* Below the node, or above it; else below it for one that is emphasized, or not at all. */
static void draw_name(const struct chart *chart, struct name_field *f, int32_t row, bool home)
{
    const char *name = graph_name(&chart->graph, row);
    const struct mw_point at = place_of(chart, row);
    const int32_t across = glyph_text_width(name) * f->letter / (2 * GLYPH_CAPITAL) + f->letter / 4,
                  away = f->letter * (home ? 3 : 1) + f->letter / 2;
    const struct text_style style = {over_land(chart, INK_TEXT, home ? INK_HOME : INK_TRUNK),
                                     over_land(chart, INK_HALO, INK_NIGHT), f->letter};
    for (int tries = 0; tries < 2 + home; tries++) {
        const struct mw_point middle = {at.x, tries == 1 ? at.y - away : at.y + away};
        if (!take_boxes(f, middle, across, tries == 2))
            continue;
        canvas_word(chart->canvas, style, middle, name);
        return;
    }
}

/* Emphasized nodes first, the others as long as there is room. */
static void draw_names(const struct chart *chart)
{
    const int32_t nodes = chart->graph.table->rows, letter = mw_max(chart->side / 100, 1);
    struct mw_run *run = chart->canvas->run;
    struct name_field f = {.letter = letter, .side = chart->side / letter + 1};
    if (!chart->graph.names || !chart->canvas->map->request->look.labels || nodes > CANVAS_NAMED)
        return;
    f.taken = MW_NEW0(run, bool, f.side *f.side);
    for (int32_t row = 0; row < nodes; row++) {
        const struct mw_point at = place_of(chart, row), box = box_of(&f, at.x, at.y);
        if (is_in(&f, box))
            f.taken[box.y * f.side + box.x] = true;
    }
    for (int home = 1; home >= 0; home--)
        for (int32_t row = 0; row < nodes; row++)
            if (is_emphasized(&chart->graph, row) == home)
                draw_name(chart, &f, row, home);
    mw_tick(run, 30 * (uint64_t)nodes);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* The edges in part p, sorted; none if the map does not have them. */
static struct mw_edges edges_in(const struct mw_map *map, int p)
{
    return p >= 0 ? map->slots[p].as.edges : (struct mw_edges){NULL, 0};
}

/* Other edges, faintly: lanes that would have been possible. */
static void draw_spare(const struct chart *chart, int p, struct mw_edges edges)
{
    const struct mw_map *map = chart->canvas->map;
    const struct mw_part *parts = map->request->generator->parts;
    for (int i = 0; parts[i].kind != MW_NO_PART; i++)
        if (parts[i].kind == MW_EDGES && parts[i].role == MW_PLAIN && i != p &&
            map->slots[i].present)
            draw_edges(chart, edges_in(map, i), edges, false,
                       (struct pen){.line = over_land(chart, INK_NET, INK_SPARE),
                                    .tenths = tenths(chart, 30, 1)});
}

static void draw(struct canvas *canvas, int p)
{
    const struct mw_map *map = canvas->map;
    struct chart chart = {.canvas = canvas, .graph = graph_of(canvas->run, map)};
    open_sheet(&chart);
    draw_light(&chart);
    draw_glow(&chart);
    const struct mw_generator *generator = map->request->generator;
    struct mw_edges edges = edges_in(map, p),
                    backbone = edges_in(map, find_part(generator, MW_EDGES, MW_BACKBONE)),
                    dashed = edges_in(map, find_part(generator, MW_EDGES, MW_DASHED));
    int32_t thin = tenths(&chart, 40, 2), thick = tenths(&chart, 70, 4);
    draw_spare(&chart, p, edges);
    draw_lanes(&chart, edges, backbone, false, INK_LANE, thin);
    draw_lanes(&chart, backbone, dashed, false, INK_TRUNK, thick);
    draw_lanes(&chart, dashed, (struct mw_edges){NULL, 0}, true, INK_TRUNK, thick);
    draw_dots(&chart);
    draw_marked(&chart);
    draw_homes(&chart);
    draw_names(&chart);
}

/* A square, as only the extent of given positions may be known. */
static struct sheet sheet_of(const struct mw_forecast *f)
{
    int32_t longer = mw_max(f->plan.width, f->plan.height);
    struct chart chart = {.extent = longer, .side = side_of(longer, (int64_t)f->rows)};
    return sheet_for(&chart, longer, longer);
}

const struct scene scene_graph = {
    .kind = MW_EDGES,
    .role = MW_PLAIN,
    .draw = draw,
    .sheet = sheet_of,
    .steps = {200, .row = 4, .edge = 1},
    .bytes = {32768, .row = 130, .edge = 40},
    .vector = {8000, .row = 150, .edge = 30},
    .raster = {.row = 700, .edge = 700},
};
