/* graph.c: a map seen as a graph. */
#include "graph.h"
#include "kit/integer.h"

/* The first table with a column of links, or -1. */
static int linked_table(const struct mw_generator *generator)
{
    const struct mw_part *parts = generator->parts;
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        if (parts[p].kind == MW_TABLE && find_column(parts[p].columns, MW_LINKS) >= 0)
            return p;
    return -1;
}

bool graph_fits(const struct mw_generator *generator)
{
    return find_part(generator, MW_EDGES, MW_PLAIN) >= 0 || linked_table(generator) >= 0;
}

/* Lists of ids contain each pair twice; returns it once. */
static struct mw_edges edges_of_lists(struct mw_run *run, const struct mw_ints *lists, int32_t rows)
{
    int32_t ends = 0, n = 0;
    for (int32_t row = 0; row < rows; row++)
        ends += lists[row].count;
    struct mw_edge *edges = MW_NEW(run, struct mw_edge, ends);
    for (int32_t row = 0; row < rows; row++)
        for (int32_t i = 0; i < lists[row].count; i++)
            if (lists[row].at[i] - 1 > row)
                edges[n++] = (struct mw_edge){row, lists[row].at[i] - 1};
    assert(n <= ends && (!n || edges[n - 1].b < rows));
    return (struct mw_edges){edges, n};
}

static const void *column_of(const struct graph *graph, enum mw_role role)
{
    int c = find_column(graph->columns, role);
    return c < 0 ? NULL : graph->table->columns[c];
}

bool graph_has_places(const struct graph *graph) { return graph->places || (graph->x && graph->y); }

struct mw_point graph_place(const struct graph *graph, int32_t row)
{
    assert(row >= 0 && row < graph->table->rows);
    if (graph->places)
        return graph->places[row];
    return graph->x && graph->y ? (struct mw_point){graph->x[row], graph->y[row]}
                                : (struct mw_point){0, 0};
}

/* There must be a row. */
static struct mw_box box_of(const struct graph *graph)
{
    struct mw_box box = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    assert(graph->table->rows > 0);
    for (int32_t row = 0; row < graph->table->rows; row++) {
        struct mw_point at = graph_place(graph, row);
        box = (struct mw_box){mw_min(box.x0, at.x), mw_min(box.y0, at.y), mw_max(box.x1, at.x),
                              mw_max(box.y1, at.y)};
    }
    return box;
}

struct graph graph_of(struct mw_run *run, const struct mw_map *map)
{
    const struct mw_generator *generator = map->request->generator;
    int e = find_part(generator, MW_EDGES, MW_PLAIN), t = e >= 0 ? 0 : linked_table(generator);
    while (e >= 0 && strcmp(generator->parts[t].name, generator->parts[e].of))
        t++;
    assert(t >= 0 && generator->parts[t].kind == MW_TABLE);
    struct graph graph = {.kind = find_kind(run, &generator->parts[t]),
                          .columns = generator->parts[t].columns,
                          .table = &map->slots[t].as.table};
    graph.places = column_of(&graph, MW_MARK);
    graph.names = find_names(graph.columns, graph.table);
    graph.emphasis = column_of(&graph, MW_EMPHASIS);
    graph.x = column_of(&graph, MW_ACROSS);
    graph.y = column_of(&graph, MW_DOWN);
    graph.box = box_of(&graph);
    if (e >= 0) {
        graph.name = generator->parts[e].name;
        graph.edges = map->slots[e].as.edges;
        graph.with_lengths = graph_has_places(&graph);
        return graph;
    }
    int c = find_column(graph.columns, MW_LINKS);
    graph.name = graph.columns[c].name;
    graph.base = 1;
    graph.edges = edges_of_lists(run, graph.table->columns[c], graph.table->rows);
    return graph;
}
