/*
 * svg_lanes.c: stars and lanes on a night sky: strong edges thicker, strong nodes in gold.
 *
 * Coordinates are moved and shrunk, or grown, in integers, so that the longer side is some thousand
 * units; the drawing knows only ranks: nodes are smaller the more there are.
 */
#include "links.h"
#include "svg.h"

enum { SIDE = 1000, MARGIN = 24 };

struct sky {
    struct mw_run *run;
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
    int64_t across = (int64_t)sky->most.x - sky->least.x, down = (int64_t)sky->most.y - sky->least.y;
    sky->extent = across > down ? across : down;
    sky->extent = sky->extent > 0 ? sky->extent : 1;
    int32_t rows = sky->links.table->rows;
    sky->radius = rows <= 300 ? 4 : rows <= 3000 ? 2 : 1;
}

static void put_edges(const struct sky *sky, struct mw_edges edges, const char *style)
{
    struct mw_run *run = sky->run;
    mw_put(run, "<path fill=\"none\" stroke-linecap=\"round\" ");
    mw_put(run, style);
    mw_put(run, " d=\"");
    for (int32_t i = 0; i < edges.count; i++) {
        struct mw_point a = on_sky(sky, edges.at[i].a), b = on_sky(sky, edges.at[i].b);
        mw_put_char(run, 'M');
        mw_put_int(run, a.x);
        mw_put_char(run, ' ');
        mw_put_int(run, a.y);
        mw_put_char(run, 'L');
        mw_put_int(run, b.x);
        mw_put_char(run, ' ');
        mw_put_int(run, b.y);
    }
    mw_put(run, "\"/>\n");
}

static void put_nodes(const struct sky *sky, bool strong)
{
    const int32_t *stands_out = links_strong(&sky->links);
    mw_put(sky->run, strong ? "<g fill=\"#ffcc44\" stroke=\"#0b1026\">\n" : "<g fill=\"#f4f6ff\">\n");
    for (int32_t row = 0; row < sky->links.table->rows; row++) {
        if ((stands_out && stands_out[row]) != strong)
            continue;
        struct mw_point at = on_sky(sky, row);
        mw_put(sky->run, "<circle");
        svg_attribute(sky->run, "cx", at.x);
        svg_attribute(sky->run, "cy", at.y);
        svg_attribute(sky->run, "r", strong ? 2 * sky->radius + 2 : sky->radius);
        mw_put(sky->run, "/>\n");
    }
    mw_put(sky->run, "</g>\n");
}

void svg_lanes(struct mw_run *run, const struct mw_map *map, int p)
{
    struct sky sky = {.run = run, .links = links_of(run, map)};
    const struct mw_part *parts = map->request->generator->parts;
    measure(&sky);
    svg_begin(run, map, (int32_t)(((int64_t)sky.most.x - sky.least.x) * SIDE / sky.extent) + 2 * MARGIN,
              (int32_t)(((int64_t)sky.most.y - sky.least.y) * SIDE / sky.extent) + 2 * MARGIN, "#0b1026");
    put_edges(&sky, map->slots[p].as.edges, "stroke=\"#5b78b4\" stroke-width=\"1.5\"");
    for (int i = 0; parts[i].kind != MW_NO_PART; i++)
        if (parts[i].kind == MW_EDGES && parts[i].role == MW_STRONG && map->slots[i].as.edges.at)
            put_edges(&sky, map->slots[i].as.edges, "stroke=\"#9fc0ff\" stroke-width=\"4\"");
    put_nodes(&sky, false);
    put_nodes(&sky, true);
}
