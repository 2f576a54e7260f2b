/*
 * scene_lanes.c: stars and lanes on a night sky: strong edges thicker, strong nodes in gold.
 *
 * Coordinates are moved and shrunk, or grown, in integers, so that the longer side is some thousand
 * units; the drawing knows only ranks: nodes are smaller the more there are.
 */
#include "enc/links.h"
#include "scene.h"

enum { SIDE = 1000, MARGIN = 24 };

struct sky {
    struct canvas *canvas;
    struct links links;
    struct mw_point least, most;
    int64_t extent; /* of the longer side, at least 1 */
    int32_t radius;
};

static struct mw_point on_sky(const struct sky *sky, int32_t row)
{
    struct mw_point at = {0, 0};
    links_place(&sky->links, row, &at);
    return (struct mw_point){
        MARGIN + (int32_t)(((int64_t)at.x - sky->least.x) * SIDE / sky->extent),
        MARGIN + (int32_t)(((int64_t)at.y - sky->least.y) * SIDE / sky->extent)};
}

static void measure(struct sky *sky)
{
    sky->least = (struct mw_point){INT32_MAX, INT32_MAX};
    sky->most = (struct mw_point){INT32_MIN, INT32_MIN};
    for (int32_t row = 0; row < sky->links.table->rows; row++) {
        struct mw_point at = {0, 0};
        links_place(&sky->links, row, &at);
        sky->least.x = at.x < sky->least.x ? at.x : sky->least.x;
        sky->least.y = at.y < sky->least.y ? at.y : sky->least.y;
        sky->most.x = at.x > sky->most.x ? at.x : sky->most.x;
        sky->most.y = at.y > sky->most.y ? at.y : sky->most.y;
    }
    int64_t across = (int64_t)sky->most.x - sky->least.x,
            down = (int64_t)sky->most.y - sky->least.y;
    sky->extent = across > down ? across : down;
    sky->extent = sky->extent > 0 ? sky->extent : 1;
    int32_t rows = sky->links.table->rows;
    sky->radius = rows <= 300 ? 4 : rows <= 3000 ? 2 : 1;
}

static void draw_edges(const struct sky *sky, struct mw_edges edges, struct pen pen)
{
    canvas_begin(sky->canvas, pen);
    for (int32_t i = 0; i < edges.count; i++) {
        struct mw_point a = on_sky(sky, edges.at[i].a), b = on_sky(sky, edges.at[i].b);
        canvas_move(sky->canvas, a.x, a.y);
        canvas_step(sky->canvas, b.x - a.x, b.y - a.y);
    }
    canvas_end(sky->canvas);
    mw_tick(sky->canvas->run, (uint64_t)edges.count);
}

/* Light around the nodes that stand out, under all lanes. */
static void draw_glow(const struct sky *sky)
{
    const int32_t *stands_out = links_strong(&sky->links);
    for (int32_t row = 0; stands_out && row < sky->links.table->rows; row++) {
        if (!stands_out[row])
            continue;
        struct mw_point at = on_sky(sky, row);
        canvas_disc(sky->canvas, (struct pen){.fill = INK_DUSK}, at.x, at.y, 6 * sky->radius + 6);
        canvas_disc(sky->canvas, (struct pen){.fill = INK_GLOW}, at.x, at.y, 4 * sky->radius + 4);
    }
}

static void draw_nodes(const struct sky *sky, bool strong)
{
    const int32_t *stands_out = links_strong(&sky->links);
    struct pen pen = strong ? (struct pen){.fill = INK_HOME, .line = INK_NIGHT, .tenths = 10}
                            : (struct pen){.fill = INK_STAR};
    for (int32_t row = 0; row < sky->links.table->rows; row++) {
        if ((stands_out && stands_out[row]) != strong)
            continue;
        struct mw_point at = on_sky(sky, row);
        canvas_disc(sky->canvas, pen, at.x, at.y, strong ? 2 * sky->radius + 2 : sky->radius);
    }
    mw_tick(sky->canvas->run, (uint64_t)sky->links.table->rows);
}

void scene_lanes(struct canvas *canvas, int p)
{
    const struct mw_map *map = canvas->map;
    struct sky sky = {.canvas = canvas, .links = links_of(canvas->run, map)};
    const struct mw_part *parts = map->request->generator->parts;
    measure(&sky);
    canvas_open(canvas,
                &(struct sheet){
                    .width = (int32_t)(((int64_t)sky.most.x - sky.least.x) * SIDE / sky.extent) +
                             2 * MARGIN,
                    .height = (int32_t)(((int64_t)sky.most.y - sky.least.y) * SIDE / sky.extent) +
                              2 * MARGIN,
                    .pitch = SIDE / 100,
                    .ground = INK_NIGHT});
    draw_glow(&sky);
    draw_edges(&sky, map->slots[p].as.edges, (struct pen){.line = INK_LANE, .tenths = 15});
    for (int i = 0; parts[i].kind != MW_NO_PART; i++)
        if (parts[i].kind == MW_EDGES && parts[i].role == MW_STRONG && map->slots[i].as.edges.at)
            draw_edges(&sky, map->slots[i].as.edges, (struct pen){.line = INK_TRUNK, .tenths = 40});
    draw_nodes(&sky, false);
    draw_nodes(&sky, true);
}
