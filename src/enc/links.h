/* links.h: a map seen as a graph, for the encoders of graphs. */
#ifndef MAPWRIGHT_LINKS_H
#define MAPWRIGHT_LINKS_H

#include "lib/gen.h"

/* The rows of a table, and which of them are joined. */
struct links {
    const char *name; /* of the edges */
    const struct mw_column *columns;
    const struct mw_rowset *table;
    struct mw_edges edges; /* row numbers, a < b, each pair once */
    int32_t base;          /* what row 0 is called: 0, or 1 where rows have ids */
};

/* Whether there is a graph: a part of edges, or a column of links. */
bool links_fit(const struct mw_generator *);
/* In memory of the run. */
struct links links_of(struct mw_run *, const struct mw_map *);

/* Where row i is drawn, and whether the table says so: a point that is a mark, or columns x and
   y. */
bool links_place(const struct links *, int32_t row, struct mw_point *);
/* The column that says which rows stand out, or NULL. */
const int32_t *links_strong(const struct links *);

#endif
