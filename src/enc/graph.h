/* graph.h: a map seen as a graph. */
#ifndef MAPWRIGHT_GRAPH_H
#define MAPWRIGHT_GRAPH_H

#include "find.h"

/* Nodes are the rows of a table. */
struct graph {
    const char *name; /* of the edges */
    const char *kind; /* of a node: the table's name, in the singular */
    const struct mw_column *columns;
    const struct mw_rowset *table;
    struct mw_edges edges; /* row numbers, a < b, each pair once */
    int32_t base;          /* the number of row 0: 1 if rows have ids, else 0 */
    bool with_lengths;     /* edges are lanes between positions */
    /* Columns of the table, or NULL: */
    const struct mw_point *places; /* positions, or */
    const int32_t *x, *y;
    const char *const *names;
    const int32_t *emphasis; /* whether a node is emphasized */
    struct mw_box box;       /* of all positions */
};

/* Whether there is a graph: a part of edges, or a column of links. */
bool graph_fits(const struct mw_generator *);
/* In memory of the run. */
struct graph graph_of(struct mw_run *, const struct mw_map *);

/* Whether nodes have positions; the position of one, or 0, 0. */
bool graph_has_places(const struct graph *);
struct mw_point graph_place(const struct graph *, int32_t row);
/* The name of a node; NULL: none. */
static inline const char *graph_name(const struct graph *graph, int32_t row)
{
    return graph->names ? graph->names[row] : NULL;
}

#endif
