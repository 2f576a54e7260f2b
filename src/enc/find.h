/* find.h: finds parts and columns of a map by their kinds and roles. */
#ifndef MAPWRIGHT_FIND_H
#define MAPWRIGHT_FIND_H

#include "lib/gen.h"

/* For formats that fit every generator. */
bool find_any(const struct mw_generator *);
/* Whether it makes worlds: labels whose rows have marks, and heights. */
bool find_world(const struct mw_generator *);

/* The first part of that kind and role, the first column of that role; -1: none. */
int find_part(const struct mw_generator *, enum mw_kind, enum mw_role);
int find_column(const struct mw_column *, enum mw_role);

/*
 * The map to draw underneath, with `under=true`: the first base map that has cells, if they match
 * the map's own cells or the map's points are cells of it. NULL: none.
 */
const struct mw_map *find_under(const struct mw_map *);
/* The grid of that role; NULL: none. */
const struct mw_cells *find_grid(const struct mw_map *, enum mw_role);
/* The greatest number of a grid, at least 1. */
int32_t find_highest(struct mw_run *, const struct mw_cells *);

/* The first parameter that is rows with that role; NULL: none. Of a label grid it is the mask: `#`
   for land and `.`, no rows if all is land. */
const struct mw_rows *find_rows(const struct mw_request *, enum mw_role);

/* The names of a table's rows; NULL: it has no such column, or no names in it. */
const char *const *find_names(const struct mw_column *, const struct mw_rowset *);
/* The name of a table in the singular. */
const char *find_kind(struct mw_run *, const struct mw_part *table);

/* The number of the value of that name; MW_NULL: it is absent, or the map has no such number. */
int32_t find_number(const struct mw_map *, const char *name);

/* The part with the solution of the board in part `board`; -1: the board itself is the solution. */
int find_answer(const struct mw_generator *, int board);
/* The board to draw: part p, or the board of the request if there is no solution or it is hidden.
   */
const struct mw_rows *find_board(const struct mw_map *, int p);
/* Whether the solution is to be shown. */
bool find_solution_wanted(const struct mw_map *, int board);

/* A column of a table of a map. */
struct found {
    int part, column;
    const struct mw_part *of;
    const struct mw_rowset *table;
    const void *array;
    int32_t rows;
};
/* The next column of that role, in all tables; begin with {0, -1}. False: there are no more. */
bool find_next(const struct mw_map *, enum mw_role, struct found *);
/* The first column of that role and its number of rows; NULL and 0 if there is none. */
const void *find_array(const struct mw_map *, enum mw_role, int32_t *rows);

/* Whether a row has no value in a nullable column. */
bool find_absent(const struct mw_column *, const void *array, int32_t row);

/* The first table with an `id`: its rows are the labels of the grid. */
struct marks {
    const struct mw_part *part; /* NULL: none */
    const struct mw_rowset *table;
    const int32_t *id;
    const struct mw_point *at; /* by row: the position of its mark; NULL: none */
    const char *const *names;  /* by row; NULL: the table has no names */
};
struct marks find_marks(const struct mw_map *);
/* The row of a label; -1: none. The name of a label; NULL: none. */
int32_t marks_row(const struct marks *, int32_t label);
const char *marks_name(const struct marks *, int32_t label);
/* The next part after p (begin with -1) whose value is the id of a row with a mark, and the
   position of that; -1: there are no more. */
int marks_next(const struct marks *, const struct mw_map *, int p, struct mw_point *place);

#endif
