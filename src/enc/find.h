/* find.h: what there is to draw, found by the kinds and roles of parts and columns. */
#ifndef MAPWRIGHT_FIND_H
#define MAPWRIGHT_FIND_H

#include "lib/gen.h"

/* For formats that fit every generator. */
bool find_any(const struct mw_generator *);
/* Whether there are labels and heights: a world. */
bool find_world(const struct mw_generator *);

/* The first part of that kind and role, the first column of that role, or -1. */
int find_part(const struct mw_generator *, enum mw_kind, enum mw_role);
int find_column(const struct mw_column *, enum mw_role);

/*
 * The map that another one is drawn over, if the look wants that: the first that it stands on and
 * that has cells, where they are the places of its own cells, or of its points. NULL: none.
 */
const struct mw_map *find_under(const struct mw_map *);
/* The labels of a map, its heights; NULL: it has none. */
const struct mw_cells *find_cells(const struct mw_map *);
const struct mw_cells *find_heights(const struct mw_map *);
/* The greatest number of a grid, and at least 1. */
int32_t find_highest(struct mw_run *, const struct mw_cells *);

/* The rows of `#` and `.` that say where labels may lie, none where they may anywhere; NULL: the
   generator is not asked for that. */
const struct mw_rows *find_mask(const struct mw_request *);

/* What a row of the table is: its name, in the singular. */
const char *find_kind(struct mw_run *, const struct mw_part *table);

/* The rows, beside those of the board in part p, that hold its answer: then the board is a
   question; or -1. */
int find_answer(const struct mw_generator *, int board);
/* The board that the map is about, as the look wants it: part p; without its answer that which was
   asked about, as a map has it that has no answer. */
const struct mw_rows *find_board(const struct mw_map *, int p);
/* Whether the look wants the answer beside the board. */
bool find_solution_wanted(const struct mw_map *, int board);

/* A column of a table that the map has. */
struct found {
    int part, column;
    const void *array;
    int32_t rows;
};
/* The next column of that role, after {0, -1}: part by part; false when there are no more. */
bool find_next(const struct mw_map *, enum mw_role, struct found *);
/* The first column of that role, and its rows; or NULL, and 0. */
const void *find_array(const struct mw_map *, enum mw_role, int32_t *rows);

/* Whether a row says nothing there: a null list of a column that may be null. */
bool find_absent(const struct mw_column *, const void *array, int32_t row);

/* The first table with an `id`, which is what the labels of a grid are. */
struct marks {
    const struct mw_part *part; /* NULL: there is none */
    const struct mw_rowset *table;
    const int32_t *id;
    const struct mw_point *at; /* where a row is marked; NULL: nowhere */
};
struct marks find_marks(const struct mw_map *);
/* The row of a label, or -1. */
int32_t marks_row(const struct marks *, int32_t label);
/* The next part behind part p, -1 at first, that is a value with the id of a row which is marked,
   and where that is; -1: there is none. */
int marks_next(const struct marks *, const struct mw_map *, int p, struct mw_point *place);

#endif
