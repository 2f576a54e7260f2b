/* marks.h: the rows that the labels of a grid stand for, and what is marked on the map. */
#ifndef MAPWRIGHT_MARKS_H
#define MAPWRIGHT_MARKS_H

#include "lib/gen.h"

/* The first table with an `id`, which is what the labels are. */
struct marks {
    const struct mw_part *part; /* NULL: there is none */
    const struct mw_rowset *table;
    const int32_t *id;
    const struct mw_point *at; /* where a row is marked; NULL: nowhere */
};

struct marks marks_of(const struct mw_map *);
/* The row of a label, or -1. */
int32_t marks_row(const struct marks *, int32_t label);
/* Where the row is marked that part p, a value, is the id of; false where p is no mark, or
   absent. */
bool marks_place(const struct marks *, const struct mw_map *, int p, struct mw_point *);

#endif
