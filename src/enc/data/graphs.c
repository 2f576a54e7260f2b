/*
 * graphs.c: nodes and edges, for graph programs.
 *
 * Two formats: DOT for Graphviz, where `neato -n2 -Tsvg` keeps the positions, and GraphML, which
 * networkx, Gephi and yEd read. Nodes have labels: their names or numbers. Lanes have lengths, in
 * the unit of the positions.
 */
#include "enc/bytes.h"
#include "enc/graph.h"
#include "kit/integer.h"

/* Whether nodes have a column as an attribute. */
static bool is_attribute(const struct mw_column *column)
{
    return column->type == MW_INTEGER || column->type == MW_BOOLEAN;
}

static void put_attribute(struct mw_run *run, const struct graph *graph, int c, int32_t row)
{
    mw_put_value(run, &mw_as_json, graph->columns[c].type, NULL, graph->table->columns[c], row);
}

/* To hundredths. */
static void put_length(struct mw_run *run, const struct graph *graph, struct mw_edge edge)
{
    struct mw_point a = graph_place(graph, edge.a), b = graph_place(graph, edge.b);
    int64_t x = a.x - (int64_t)b.x, y = a.y - (int64_t)b.y;
    assert(edge.a < edge.b && x * x + y * y <= INT64_MAX / 10000);
    mw_put_decimal(run, mw_root((x * x + y * y) * 10000), 100);
}

/* Edges are a part, or lists of neighbors. */
static struct mw_cost forecast(const struct mw_request *request, const struct mw_forecast *f)
{
    static const struct mw_unit_costs bytes = {8192, .row = 220, .item = 30, .edge = 90},
                                      nanoseconds = {8000, .row = 160, .item = 40, .edge = 40};
    (void)request;
    return (struct mw_cost){.bytes = mw_sum_unit_costs(f, &bytes),
                            .nanoseconds = mw_sum_unit_costs(f, &nanoseconds)};
}

/* ---- Graphviz -------------------------------------------------------------------------------- */

/* In points: ten inches; more if nodes had less than ROOM each, up to the largest page of a PDF. */
enum { PAGE = 720, LARGEST_PAGE = 14400, ROOM = 36 };

/* In tenths of a point, y upward. */
static void put_place(struct mw_run *run, const struct graph *graph, struct mw_point at)
{
    const int64_t extent = mw_max(mw_max(graph->box.x1, graph->box.y1), 1),
                  wanted = ROOM * mw_root(graph->table->rows),
                  tenths = 10 * mw_min64(mw_max64(wanted, PAGE), LARGEST_PAGE);
    mw_put(run, ", pos=\"");
    mw_put_thousandths(run, (int32_t)(at.x * tenths / extent * 100));
    mw_put_char(run, ',');
    mw_put_thousandths(run, (int32_t)(-at.y * tenths / extent * 100));
    mw_put(run, "!\"");
}

static void put_dot_node(struct mw_run *run, const struct graph *graph, int32_t row)
{
    const char *name = graph_name(graph, row);
    mw_print(run, "  %d [label=", row + graph->base);
    if (name)
        mw_print(run, "\"%s\"", name);
    else
        mw_put_int(run, row + graph->base);
    if (graph_has_places(graph))
        put_place(run, graph, graph_place(graph, row));
    if (graph->emphasis && graph->emphasis[row])
        mw_put(run, ", fillcolor=\"#ffcc44\"");
    for (int c = 0; graph->columns[c].type != MW_END_OF_TABLE; c++)
        if (is_attribute(&graph->columns[c])) {
            mw_print(run, ", %s=", graph->columns[c].name);
            put_attribute(run, graph, c, row);
        }
    mw_put(run, "];\n");
}

/* Nodes are a quarter of an inch wide, with their numbers inside; names may be wider. */
static void encode_dot(struct mw_run *run, const struct mw_map *map)
{
    const struct graph graph = graph_of(run, map);
    char digits[16];
    int32_t length = (int32_t)(mw_write_int(digits, graph.table->rows) - digits);
    mw_print(run,
             "graph %s {\n  node [shape=circle, width=0.25, fixedsize=shape, margin=0, "
             "fontsize=%d, style=filled, fillcolor=\"#f4f6ff\"];\n",
             graph.name, mw_min(24 / length, 8));
    for (int32_t row = 0; row < graph.table->rows; row++)
        put_dot_node(run, &graph, row);
    for (int32_t i = 0; i < graph.edges.count; i++) {
        const struct mw_edge edge = graph.edges.at[i];
        mw_print(run, "  %d -- %d", edge.a + graph.base, edge.b + graph.base);
        if (graph.with_lengths) {
            mw_put(run, " [length=");
            put_length(run, &graph, edge);
            mw_put_char(run, ']');
        }
        mw_put(run, ";\n");
    }
    mw_put(run, "}\n");
}

const struct mw_encoder mw_dot = {.name = "dot",
                                  .media = "text/vnd.graphviz",
                                  .help = MW_PROSE("nodes and edges, for Graphviz"),
                                  .fits = graph_fits,
                                  .forecast = forecast,
                                  .encode = encode_dot};

/* ---- GraphML --------------------------------------------------------------------------------- */

/* The id is no attribute, as nodes have it; columns x and y are attributes like others. */
static bool is_key(const struct mw_column *column)
{
    return is_attribute(column) && strcmp(column->name, "id");
}

static void put_key(struct mw_run *run, const char *owner, const char *name, const char *type)
{
    mw_print(run, "<key id=\"%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n", name, owner,
             name, type);
}

/* A column of points makes two attributes. */
static void begin_graphml(struct mw_run *run, const struct graph *graph)
{
    mw_put(run, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    for (const struct mw_column *c = graph->columns; c->type != MW_END_OF_TABLE; c++)
        if (is_key(c))
            put_key(run, "node", c->name, c->type == MW_BOOLEAN ? "boolean" : "int");
    put_key(run, "node", "label", "string");
    if (graph->places) {
        put_key(run, "node", "x", "int");
        put_key(run, "node", "y", "int");
    }
    if (graph->with_lengths)
        put_key(run, "edge", "length", "double");
    mw_put(run, "<graph edgedefault=\"undirected\">\n");
}

static void put_graphml_node(struct mw_run *run, const struct graph *graph, int32_t row)
{
    char digits[16];
    *mw_write_int(digits, row + graph->base) = '\0';
    mw_print(run, "<node id=\"%s\"><data key=\"label\">%s</data>", digits,
             graph_name(graph, row) ? graph_name(graph, row) : digits);
    if (graph->places)
        mw_print(run, "<data key=\"x\">%d</data><data key=\"y\">%d</data>", graph->places[row].x,
                 graph->places[row].y);
    for (int c = 0; graph->columns[c].type != MW_END_OF_TABLE; c++)
        if (is_key(&graph->columns[c])) {
            mw_print(run, "<data key=\"%s\">", graph->columns[c].name);
            put_attribute(run, graph, c, row);
            mw_put(run, "</data>");
        }
    mw_put(run, "</node>\n");
}

static void encode_graphml(struct mw_run *run, const struct mw_map *map)
{
    const struct graph graph = graph_of(run, map);
    begin_graphml(run, &graph);
    for (int32_t row = 0; row < graph.table->rows; row++)
        put_graphml_node(run, &graph, row);
    for (int32_t i = 0; i < graph.edges.count; i++) {
        const struct mw_edge edge = graph.edges.at[i];
        mw_print(run, "<edge source=\"%d\" target=\"%d\"", edge.a + graph.base,
                 edge.b + graph.base);
        if (graph.with_lengths) {
            mw_put(run, "><data key=\"length\">");
            put_length(run, &graph, edge);
            mw_put(run, "</data></edge>\n");
        } else {
            mw_put(run, "/>\n");
        }
    }
    mw_put(run, "</graph>\n</graphml>\n");
}

const struct mw_encoder mw_graphml = {.name = "graphml",
                                      .media = "application/graphml+xml",
                                      .help = MW_PROSE("nodes and edges, for graph tools"),
                                      .fits = graph_fits,
                                      .forecast = forecast,
                                      .encode = encode_graphml};
