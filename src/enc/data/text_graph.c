/*
 * text_graph.c: a graph in characters: `*` a node, `@` one that stands out, `.` an edge, `:` one of
 * the backbone. A character is about twice as high as it is wide, so rows are half as many.
 */
#include "enc/graph.h"
#include "enc/ink.h"
#include "kit/integer.h"
#include "text.h"

enum { COLUMNS = 79, STRIDE = COLUMNS + 1, MOST_ROWS = 200 };

struct plot {
    struct graph graph;
    struct mw_box box;    /* of all places */
    int64_t across, down; /* its extent, at least 1 */
    int32_t rows;
    char *at; /* rows of COLUMNS and a newline each */
};

/* Where a node is, as an index of plot->at. */
static struct mw_point place_of(const struct plot *plot, int32_t row)
{
    struct mw_point at = graph_place(&plot->graph, row);
    return (struct mw_point){
        (int32_t)(((int64_t)at.x - plot->box.x0) * (COLUMNS - 1) / plot->across),
        (int32_t)(((int64_t)at.y - plot->box.y0) * (plot->rows - 1) / plot->down)};
}

static void measure(struct plot *plot)
{
    plot->box = graph_extent(&plot->graph);
    plot->across = mw_max64((int64_t)plot->box.x1 - plot->box.x0, 1);
    plot->down = mw_max64((int64_t)plot->box.y1 - plot->box.y0, 1);
    plot->rows = (int32_t)mw_min64(plot->down * COLUMNS / (2 * plot->across) + 1, MOST_ROWS);
}

static void set(struct plot *plot, struct mw_point at, char c)
{
    assert(at.x >= 0 && at.x < COLUMNS && at.y >= 0 && at.y < plot->rows);
    plot->at[at.y * STRIDE + at.x] = c;
}

/* Bresenham's line, without its last character. */
static void draw_line(struct plot *plot, struct mw_point a, struct mw_point b, char c)
{
    int32_t dx = b.x > a.x ? b.x - a.x : a.x - b.x, dy = b.y > a.y ? a.y - b.y : b.y - a.y;
    int32_t error = dx + dy;
    while (a.x != b.x || a.y != b.y) {
        set(plot, a, c);
        int32_t twice = 2 * error;
        if (twice >= dy) {
            error += dy;
            a.x += b.x > a.x ? 1 : -1;
        }
        if (twice <= dx) {
            error += dx;
            a.y += b.y > a.y ? 1 : -1;
        }
    }
}

static void draw_edges(struct mw_run *run, struct plot *plot, struct mw_edges edges, char c)
{
    for (int32_t i = 0; i < edges.count; i++) {
        draw_line(plot, place_of(plot, edges.at[i].a), place_of(plot, edges.at[i].b), c);
        mw_tick(run, COLUMNS);
    }
}

static void draw_nodes(struct plot *plot)
{
    const int32_t *emphasis = plot->graph.emphasis;
    for (int32_t row = 0; row < plot->graph.table->rows; row++)
        set(plot, place_of(plot, row), '*');
    for (int32_t row = 0; emphasis && row < plot->graph.table->rows; row++)
        if (emphasis[row])
            set(plot, place_of(plot, row), '@');
}

static enum ink ink_of(char c)
{
    switch (c) {
    case '@': return INK_HOME;
    case '*': return INK_STAR;
    case ':': return INK_TRUNK;
    default: return INK_LANE;
    }
}

/* The same on a night sky. */
static void put_coloured(struct mw_run *run, const struct plot *plot)
{
    const uint8_t night = ansi_colour(ink_rgb[INK_NIGHT]);
    for (int32_t y = 0; y < plot->rows; y++) {
        char *to = mw_room(run, COLUMNS * (1 + ANSI_ROOM) + ANSI_ROOM + 1);
        const char *row = plot->at + y * STRIDE;
        struct paint paint = {0, 0};
        for (int32_t x = 0; x < COLUMNS; x++) {
            to =
                ansi_paint(to, &paint, (struct paint){night, ansi_colour(ink_rgb[ink_of(row[x])])});
            *to++ = row[x];
        }
        to = ansi_paint(to, &paint, (struct paint){0, 0});
        *to++ = '\n';
        mw_wrote(run, to);
    }
}

void text_graph(struct mw_run *run, const struct mw_map *map, int p)
{
    struct plot plot = {.graph = graph_of(run, map)};
    measure(&plot);
    size_t size = (size_t)plot.rows * STRIDE;
    plot.at = memset(MW_NEW(run, char, size), ' ', size);
    for (int32_t y = 0; y < plot.rows; y++)
        plot.at[y * STRIDE + COLUMNS] = '\n';
    draw_edges(run, &plot, map->slots[p].as.edges, '.');
    int backbone = find_part(map->request->generator, MW_EDGES, MW_BACKBONE);
    if (backbone >= 0 && map->slots[backbone].as.edges.at)
        draw_edges(run, &plot, map->slots[backbone].as.edges, ':');
    draw_nodes(&plot);
    if (map->request->look.color)
        put_coloured(run, &plot);
    else
        mw_put_bytes(run, plot.at, size);
}
