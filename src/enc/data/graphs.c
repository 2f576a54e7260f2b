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

struct graph_format {
    void (*begin)(struct mw_run *, const struct graph *);
    void (*begin_node)(struct mw_run *, const struct graph *, int32_t row);
    void (*put_attribute)(struct mw_run *, const char *name, const char *value);
    const char *end_node;
    const char *edge[3];   /* before its ends and after them */
    const char *length[2]; /* in place of the last, where edges have lengths: before and after */
    const char *end;
    bool with_ids; /* ids are attributes, too */
};

/* Attributes of a node are its integers and booleans; names are written by themselves. */
static bool is_attribute(bool with_ids, const struct mw_column *column)
{
    return (column->type == MW_INTEGER || column->type == MW_BOOLEAN) &&
           (with_ids || strcmp(column->name, "id"));
}

static void put_node(struct mw_run *run, const struct graph_format *f, const struct graph *graph,
                     int32_t row)
{
    f->begin_node(run, graph, row);
    for (int c = 0; graph->columns[c].type != MW_END_OF_TABLE; c++) {
        char digits[16];
        const int32_t value = ((const int32_t *)graph->table->columns[c])[row];
        if (!is_attribute(f->with_ids, &graph->columns[c]))
            continue;
        *mw_write_int(digits, value) = '\0';
        f->put_attribute(run, graph->columns[c].name,
                         graph->columns[c].type == MW_INTEGER ? digits
                         : value                              ? "true"
                                                              : "false");
    }
    mw_put(run, f->end_node);
}

/* To hundredths. */
static void put_length(struct mw_run *run, struct mw_point a, struct mw_point b)
{
    int64_t x = a.x - (int64_t)b.x, y = a.y - (int64_t)b.y;
    assert(x * x + y * y <= INT64_MAX / 10000);
    mw_put_decimal(run, mw_root((x * x + y * y) * 10000), 100);
}

static void put_edge(struct mw_run *run, const struct graph_format *f, const struct graph *graph,
                     struct mw_edge edge)
{
    assert(edge.a >= 0 && edge.a < edge.b); /* each pair once */
    mw_print(run, "%s%d%s%d%s", f->edge[0], edge.a + graph->base, f->edge[1], edge.b + graph->base,
             graph->with_lengths ? f->length[0] : f->edge[2]);
    if (!graph->with_lengths)
        return;
    put_length(run, graph_place(graph, edge.a), graph_place(graph, edge.b));
    mw_put(run, f->length[1]);
}

static void put_graph(struct mw_run *run, const struct mw_map *map, const struct graph_format *f)
{
    const struct graph graph = graph_of(run, map);
    f->begin(run, &graph);
    for (int32_t row = 0; row < graph.table->rows; row++)
        put_node(run, f, &graph, row);
    for (int32_t i = 0; i < graph.edges.count; i++)
        put_edge(run, f, &graph, graph.edges.at[i]);
    mw_put(run, f->end);
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

static int64_t page_of(const struct graph *graph)
{
    assert(graph->table->rows > 0);
    int64_t wanted = ROOM * mw_root(graph->table->rows);
    return mw_min64(mw_max64(wanted, PAGE), LARGEST_PAGE);
}

/* Nodes are a quarter of an inch wide, with their numbers inside; names may be wider. */
static void begin_dot(struct mw_run *run, const struct graph *graph)
{
    char digits[16];
    int32_t length = (int32_t)(mw_write_int(digits, graph->table->rows) - digits);
    mw_print(
        run,
        "graph %s {\n  node [shape=circle, width=0.25, fixedsize=shape, margin=0, fontsize=%d, "
        "style=filled, fillcolor=\"#f4f6ff\"];\n",
        graph->name, mw_min(24 / length, 8));
}

/* In tenths of a point, y upward. */
static void put_place(struct mw_run *run, const struct graph *graph, struct mw_point at)
{
    int64_t tenths = 10 * page_of(graph);
    mw_put(run, ", pos=\"");
    mw_put_thousandths(run, (int32_t)(at.x * tenths / graph->extent * 100));
    mw_put_char(run, ',');
    mw_put_thousandths(run, (int32_t)(-at.y * tenths / graph->extent * 100));
    mw_put(run, "!\"");
}

static void begin_dot_node(struct mw_run *run, const struct graph *graph, int32_t row)
{
    int32_t id = row + graph->base;
    mw_put(run, "  ");
    mw_put_int(run, id);
    if (graph_name(graph, row))
        mw_print(run, " [label=\"%s\"", graph_name(graph, row));
    else
        mw_print(run, " [label=%d", id);
    if (graph_has_places(graph))
        put_place(run, graph, graph_place(graph, row));
    if (graph->emphasis && graph->emphasis[row])
        mw_put(run, ", fillcolor=\"#ffcc44\"");
}

static void put_dot_attribute(struct mw_run *run, const char *name, const char *value)
{
    mw_print(run, ", %s=%s", name, value);
}

static void encode_dot(struct mw_run *run, const struct mw_map *map)
{
    static const struct graph_format dot = {.begin = begin_dot,
                                            .begin_node = begin_dot_node,
                                            .put_attribute = put_dot_attribute,
                                            .end_node = "];\n",
                                            .edge = {"  ", " -- ", ";\n"},
                                            .length = {" [length=", "];\n"},
                                            .end = "}\n",
                                            .with_ids = true};
    put_graph(run, map, &dot);
}

const struct mw_encoder mw_dot = {.name = "dot",
                                  .media = "text/vnd.graphviz",
                                  .help = MW_PROSE("nodes and edges, for Graphviz"),
                                  .fits = graph_fits,
                                  .forecast = forecast,
                                  .encode = encode_dot};

/* ---- GraphML --------------------------------------------------------------------------------- */

static void put_key(struct mw_run *run, const char *owner, const char *name, const char *type)
{
    mw_print(run, "<key id=\"%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n", name, owner,
             name, type);
}

/* Columns x and y are attributes like others; a column of points makes two attributes. */
static void begin_graphml(struct mw_run *run, const struct graph *graph)
{
    mw_put(run, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    for (const struct mw_column *c = graph->columns; c->type != MW_END_OF_TABLE; c++)
        if (is_attribute(false, c))
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

static void put_data(struct mw_run *run, const char *name, const char *value)
{
    mw_print(run, "<data key=\"%s\">%s</data>", name, value);
}

static void begin_graphml_node(struct mw_run *run, const struct graph *graph, int32_t row)
{
    char id[16];
    *mw_write_int(id, row + graph->base) = '\0';
    mw_print(run, "<node id=\"%s\">", id);
    put_data(run, "label", graph_name(graph, row) ? graph_name(graph, row) : id);
    if (graph->places)
        mw_print(run, "<data key=\"x\">%d</data><data key=\"y\">%d</data>", graph->places[row].x,
                 graph->places[row].y);
}

static void encode_graphml(struct mw_run *run, const struct mw_map *map)
{
    static const struct graph_format graphml = {
        .begin = begin_graphml,
        .begin_node = begin_graphml_node,
        .put_attribute = put_data,
        .end_node = "</node>\n",
        .edge = {"<edge source=\"", "\" target=\"", "\"/>\n"},
        .length = {"\"><data key=\"length\">", "</data></edge>\n"},
        .end = "</graph>\n</graphml>\n"};
    put_graph(run, map, &graphml);
}

const struct mw_encoder mw_graphml = {.name = "graphml",
                                      .media = "application/graphml+xml",
                                      .help = MW_PROSE("nodes and edges, for graph tools"),
                                      .fits = graph_fits,
                                      .forecast = forecast,
                                      .encode = encode_graphml};
