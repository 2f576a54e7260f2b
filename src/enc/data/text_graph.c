/*
 * text_graph.c: a graph in characters: `*` is a node, `@` an emphasized one, and edges are lines of
 * dots, eight to a character as in Braille, in two columns of four. Those of the backbone
 * have all their dots, others every third.
 *
 * A full page would be unreadable, so larger graphs are drawn with less detail. With many nodes
 * only the backbone is drawn. With more still, nodes are dots without edges, and of too many for
 * that only every n-th is drawn, so that it is still visible where they are dense.
 */
#include "enc/graph.h"
#include "enc/ink.h"
#include "kit/integer.h"
#include "text.h"

enum { MOST_ROWS = 200, ACROSS = 2, DOWN = 4 };
/* Characters to a node, where there are many; dots to one that is drawn as a dot, at least. */
enum { MANY = 16, CROWD = 5, SPARSE = 4 };

/* What a character shows; later ones take precedence. */
enum shown { NOTHING, LANE, TRUNK, STAR, NODE, HOME };

struct cell {
    uint8_t dots, shown;
};

struct plot {
    struct mw_run *run;
    struct graph graph;
    struct mw_box box;    /* of all places */
    int64_t across, down; /* its extent, at least 1 */
    int32_t columns, rows;
    bool has_colors;
    struct cell *at; /* row by row */
};

/* ---- positions ------------------------------------------------------------------------------- */

static int32_t rows_for(int64_t across, int64_t down, int32_t columns)
{
    return (int32_t)mw_min64(down * columns * ACROSS / (DOWN * across) + 1, MOST_ROWS);
}

/* The dot that a node is. */
static struct mw_point dot_of(const struct plot *plot, int32_t row)
{
    struct mw_point at = graph_place(&plot->graph, row);
    return (struct mw_point){
        (int32_t)(((int64_t)at.x - plot->box.x0) * (plot->columns * ACROSS - 1) / plot->across),
        (int32_t)(((int64_t)at.y - plot->box.y0) * (plot->rows * DOWN - 1) / plot->down)};
}

static struct cell *cell_of(const struct plot *plot, struct mw_point dot)
{
    assert(dot.x >= 0 && dot.x < plot->columns * ACROSS);
    assert(dot.y >= 0 && dot.y < plot->rows * DOWN);
    return &plot->at[dot.y / DOWN * plot->columns + dot.x / ACROSS];
}

static void set_dot(const struct plot *plot, struct mw_point dot, enum shown shown)
{
    static const uint8_t bits[DOWN][ACROSS] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
    struct cell *cell = cell_of(plot, dot);
    cell->dots |= bits[dot.y % DOWN][dot.x % ACROSS];
    cell->shown = (uint8_t)mw_max(cell->shown, (int32_t)shown);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* `share` / `whole` of a length, to the nearest. */
static int32_t share_of(int32_t length, int64_t share, int64_t whole)
{
    assert(whole > 0);
    return (int32_t)((2 * length * share + (length < 0 ? -whole : whole)) / (2 * whole));
}

/* The dots of a trunk, or every third of other lines. */
static void draw_line(const struct plot *plot, struct mw_point a, struct mw_point b,
                      enum shown shown)
{
    const int32_t x = b.x - a.x, y = b.y - a.y, steps = mw_max(mw_max(mw_abs(x), mw_abs(y)), 1),
                  pace = shown == TRUNK ? 1 : 3;
    for (int32_t i = 0; i < steps + (pace == 1); i += pace)
        set_dot(plot, (struct mw_point){a.x + share_of(x, i, steps), a.y + share_of(y, i, steps)},
                shown);
}

static void draw_edges(const struct plot *plot, struct mw_edges edges, enum shown shown)
{
    for (int32_t i = 0; i < edges.count; i++) {
        draw_line(plot, dot_of(plot, edges.at[i].a), dot_of(plot, edges.at[i].b), shown);
        mw_tick(plot->run, (uint64_t)plot->columns);
    }
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Emphasized nodes, and the others where there is room. */
static void draw_nodes(const struct plot *plot, bool has_room)
{
    const int32_t *emphasis = plot->graph.emphasis;
    for (int32_t row = 0; row < plot->graph.table->rows; row++) {
        struct cell *cell = cell_of(plot, dot_of(plot, row));
        const enum shown shown = emphasis && emphasis[row] ? HOME : has_room ? NODE : NOTHING;
        cell->shown = (uint8_t)mw_max(cell->shown, (int32_t)shown);
    }
}

/* As dots; of many not all. */
static void draw_crowd(const struct plot *plot)
{
    const int32_t nodes = plot->graph.table->rows,
                  most = plot->columns * plot->rows * ACROSS * DOWN / SPARSE,
                  step = nodes / mw_max(most, 1) + 1;
    for (int32_t row = 0; row < nodes; row += step)
        set_dot(plot, dot_of(plot, row), STAR);
}

/* Whether there is less than this number of characters for each node. */
static bool is_crowded(const struct plot *plot, int32_t characters)
{
    return (int64_t)plot->graph.table->rows * characters > (int64_t)plot->columns * plot->rows;
}

static void draw_graph(const struct plot *plot, const struct mw_map *map, int p)
{
    int backbone = find_part(map->request->generator, MW_EDGES, MW_BACKBONE);
    struct mw_edges trunk = {NULL, 0};
    if (backbone >= 0 && map->slots[backbone].as.edges.at)
        trunk = map->slots[backbone].as.edges;
    if (is_crowded(plot, CROWD)) {
        draw_crowd(plot);
    } else {
        if (!trunk.count || !is_crowded(plot, MANY))
            draw_edges(plot, map->slots[p].as.edges, LANE);
        draw_edges(plot, trunk, TRUNK);
    }
    draw_nodes(plot, !is_crowded(plot, CROWD));
}

/* ---- characters ------------------------------------------------------------------------------ */

/* In colors, on a night sky. */
static struct text_cell draw_cell(const void *of, int32_t x, int32_t y)
{
    static const enum ink inks[] = {INK_LANE,     INK_LANE,     INK_TRUNK,
                                    INK_STAR + 2, INK_STAR + 2, INK_HOME};
    const struct plot *plot = of;
    const struct cell cell = plot->at[y * plot->columns + x];
    struct text_cell drawn = {.text = " "};
    if (plot->has_colors)
        drawn.paint =
            (struct paint){text_color(ink_rgb[INK_NIGHT]), text_color(ink_rgb[inks[cell.shown]])};
    if (cell.shown >= NODE)
        drawn.text[0] = cell.shown == HOME ? '@' : '*';
    else if (cell.dots) /* U+2800 and the dots, in UTF-8 */
        memcpy(drawn.text,
               (char[]){'\xe2', (char)(0xa0 + (cell.dots >> 6)), (char)(0x80 + (cell.dots & 63))},
               3);
    return drawn;
}

void text_graph(struct mw_run *run, const struct mw_map *map, int p)
{
    struct plot plot = {.run = run,
                        .graph = graph_of(run, map),
                        .columns = text_columns(map->request),
                        .has_colors = map->request->look.color};
    plot.box = graph_extent(&plot.graph);
    plot.across = mw_max64((int64_t)plot.box.x1 - plot.box.x0, 1);
    plot.down = mw_max64((int64_t)plot.box.y1 - plot.box.y0, 1);
    plot.rows = rows_for(plot.across, plot.down, plot.columns);
    plot.at = MW_NEW0(run, struct cell, plot.rows * plot.columns);
    draw_graph(&plot, map, p);
    text_draw(run, plot.columns, plot.rows, draw_cell, &plot);
}

uint64_t text_graph_cells(const struct mw_lattice *plan, int32_t columns)
{
    return (uint64_t)columns * (uint64_t)rows_for(plan->width, plan->height, columns);
}
