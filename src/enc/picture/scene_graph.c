/*
 * scene_graph.c: nodes and edges on a night sky: the backbone thicker, nodes that stand out in
 * gold.
 *
 * Coordinates are moved and shrunk, or grown, in integers, so that the longer side is some thousand
 * units; the drawing knows only ranks: nodes are smaller the more there are.
 */
#include "enc/graph.h"
#include "kit/integer.h"
#include "scene.h"

enum { SIDE = 1000, MARGIN = 24 };

struct chart {
    struct canvas *canvas;
    struct graph graph;
    struct mw_box box; /* of all places */
    int64_t extent;    /* its longer side, at least 1 */
    int32_t radius;
};

static struct mw_point on_sheet(const struct chart *chart, struct mw_point at)
{
    return (struct mw_point){
        MARGIN + (int32_t)(((int64_t)at.x - chart->box.x0) * SIDE / chart->extent),
        MARGIN + (int32_t)(((int64_t)at.y - chart->box.y0) * SIDE / chart->extent)};
}

static struct mw_point place_of(const struct chart *chart, int32_t row)
{
    return on_sheet(chart, graph_place(&chart->graph, row));
}

static void open_sheet(struct chart *chart)
{
    struct mw_box box = chart->box = graph_extent(&chart->graph);
    int32_t rows = chart->graph.table->rows;
    int64_t longer = mw_max64((int64_t)box.x1 - box.x0, (int64_t)box.y1 - box.y0);
    chart->extent = mw_max64(longer, 1);
    chart->radius = rows <= 300 ? 4 : rows <= 3000 ? 2 : 1;
    struct mw_point last = on_sheet(chart, (struct mw_point){box.x1, box.y1});
    canvas_open(chart->canvas, &(struct sheet){.width = last.x + MARGIN,
                                               .height = last.y + MARGIN,
                                               .pitch = SIDE / 100,
                                               .ground = INK_NIGHT});
}

static void draw_edges(const struct chart *chart, struct mw_edges edges, struct pen pen)
{
    canvas_begin(chart->canvas, pen);
    for (int32_t i = 0; i < edges.count; i++) {
        struct mw_point a = place_of(chart, edges.at[i].a), b = place_of(chart, edges.at[i].b);
        canvas_move(chart->canvas, a.x, a.y);
        canvas_step(chart->canvas, b.x - a.x, b.y - a.y);
    }
    canvas_end(chart->canvas);
    mw_tick(chart->canvas->run, (uint64_t)edges.count);
}

static bool stands_out(const struct graph *graph, int32_t row)
{
    return graph->emphasis && graph->emphasis[row];
}

/* Light around the nodes that stand out, under all lanes. */
static void draw_glow(const struct chart *chart)
{
    struct canvas *canvas = chart->canvas;
    for (int32_t row = 0; row < chart->graph.table->rows; row++) {
        if (!stands_out(&chart->graph, row))
            continue;
        struct mw_point at = place_of(chart, row);
        canvas_disc(canvas, (struct pen){.fill = INK_DUSK}, at.x, at.y, 6 * chart->radius + 6);
        canvas_disc(canvas, (struct pen){.fill = INK_GLOW}, at.x, at.y, 4 * chart->radius + 4);
    }
}

static void draw_nodes(const struct chart *chart, bool emphasis, struct pen pen, int32_t radius)
{
    for (int32_t row = 0; row < chart->graph.table->rows; row++) {
        if (stands_out(&chart->graph, row) != emphasis)
            continue;
        struct mw_point at = place_of(chart, row);
        canvas_disc(chart->canvas, pen, at.x, at.y, radius);
    }
    mw_tick(chart->canvas->run, (uint64_t)chart->graph.table->rows);
}

static void draw(struct canvas *canvas, int p)
{
    const struct mw_map *map = canvas->map;
    struct chart chart = {.canvas = canvas, .graph = graph_of(canvas->run, map)};
    open_sheet(&chart);
    draw_glow(&chart);
    draw_edges(&chart, map->slots[p].as.edges, (struct pen){.line = INK_LANE, .tenths = 15});
    int backbone = find_part(map->request->generator, MW_EDGES, MW_BACKBONE);
    if (backbone >= 0 && map->slots[backbone].as.edges.at)
        draw_edges(&chart, map->slots[backbone].as.edges,
                   (struct pen){.line = INK_TRUNK, .tenths = 40});
    draw_nodes(&chart, false, (struct pen){.fill = INK_STAR}, chart.radius);
    draw_nodes(&chart, true, (struct pen){.fill = INK_HOME, .line = INK_NIGHT, .tenths = 10},
               2 * chart.radius + 2);
}

/* ---- what it will take ----------------------------------------------------------------------- */

/* As long as that of the whole extent, and as high as its shape makes it. */
static struct sheet sheet_of(const struct mw_forecast *f)
{
    int64_t longer = mw_max(f->plan.width, f->plan.height);
    return (struct sheet){.width = (int32_t)(f->plan.width * (int64_t)SIDE / longer) + 2 * MARGIN,
                          .height = (int32_t)(f->plan.height * (int64_t)SIDE / longer) + 2 * MARGIN,
                          .pitch = SIDE / 100};
}

const struct scene scene_graph = {
    .kind = MW_EDGES,
    .role = MW_PLAIN,
    .draw = draw,
    .sheet = sheet_of,
    .steps = {200, .row = 4, .edge = 1},
    .bytes = {4096, .row = 95, .edge = 6},
    .vector = {8000, .row = 200, .edge = 5},
    .raster = {.row = 2600, .edge = 320},
    .mixtures = 3000,
};
