/* text.h: the drawings in characters; each ends with a newline. */
#ifndef MAPWRIGHT_TEXT_H
#define MAPWRIGHT_TEXT_H

#include "lib/gen.h"

/* Characters in a line, at most. */
static inline int32_t text_columns(const struct mw_request *request)
{
    return request->look.columns ? request->look.columns : 80;
}

/* Ends the line written from `start` to `past`: strips trailing blanks and adds the newline, for
   which the caller has reserved room. */
void text_end_line(struct mw_run *, const char *start, char *past);

/* All values but boards, in as few lines as they fit into. */
void text_values(struct mw_run *, const struct mw_map *);
/* Part p: the one row of a table that is a record, in words. */
void text_record(struct mw_run *, const struct mw_map *, int p);
/* Part p: the rows of a table, the pairs of a list of edges. */
void text_table(struct mw_run *, const struct mw_map *, int p);
void text_edges(struct mw_run *, const struct mw_map *, int p);

/* Nodes and edges: the edges are part p. */
void text_graph(struct mw_run *, const struct mw_map *, int p);
/* The number of characters of a graph of that extent. */
uint64_t text_graph_cells(const struct mw_lattice *plan, int32_t columns);
/* The grid that is part p. */
void text_grid(struct mw_run *, const struct mw_map *, int p);
/* Cells along a dot, where a grid is drawn smaller to fit; 0: it is not. */
int32_t text_side(const struct mw_lattice *, int32_t columns);
/* A board; with `color`, in the colors of its tracks. */
void text_board(struct mw_run *, const struct mw_map *, const struct mw_rows *);

/* Colors of a terminal: of the 256 that all have had for long those from 16 on, or 0: as the
   terminal has it. */
struct paint {
    uint8_t back, fore;
};

/* The nearest of the 256 to 0xrrggbb. */
uint8_t ansi_color(uint32_t rgb);

enum { ANSI_ROOM = 24 };
/* Writes up to ANSI_ROOM bytes at `to`, where the paint is to change; the byte past the last. */
char *ansi_paint(char *to, struct paint *now, struct paint next);

/* The colors of the cells of a grid. */
struct text_paints {
    const struct mw_cells *cells, *heights; /* heights: NULL where the map has none */
    const int32_t *colors;                  /* of labels; NULL: there are heights */
    const uint8_t *marked;                  /* cells that are marked, or NULL */
    int32_t highest;
};
/* `borders`: of the labels; NULL where the grid is one of heights. */
struct text_paints text_paints_of(struct mw_run *, const struct mw_map *, int p,
                                  const uint8_t *borders);
struct paint text_paint(const struct text_paints *, int32_t cell);

#endif
