/* graph.h: a map seen as a graph. */
#ifndef MAPWRIGHT_GRAPH_H
#define MAPWRIGHT_GRAPH_H

#include "find.h"

/* The rows of a table, and which of them are joined. */
struct graph {
    const char *name; /* of the edges */
    const char *kind; /* what a row is: the table's name, in the singular */
    const struct mw_column *columns;
    const struct mw_rowset *table;
    struct mw_edges edges; /* row numbers, a < b, each pair once */
    int32_t base;          /* what row 0 is called: 0, or 1 where rows have ids */
    /* Columns of the table, or NULL: */
    const struct mw_point *places; /* where rows are, or */
    const int32_t *x, *y;
    const int32_t *emphasis; /* which of them stand out */
    int64_t extent;          /* the farthest that a row is, either way; at least 1 */
};

/* Whether there is a graph: a part of edges, or a column of links. */
bool graph_fits(const struct mw_generator *);
/* In memory of the run. */
struct graph graph_of(struct mw_run *, const struct mw_map *);

/* Whether the table says where rows are, and where row i is: 0,0 unless it says. */
bool graph_has_places(const struct graph *);
struct mw_point graph_place(const struct graph *, int32_t row);
/* The least box that holds all places; there is a row. */
struct mw_box graph_extent(const struct graph *);

#endif
