/* text.h: the drawings in characters; each ends with a newline. */
#ifndef MAPWRIGHT_TEXT_H
#define MAPWRIGHT_TEXT_H

#include "lib/gen.h"

/* Characters in a line, at most. */
static inline int32_t text_columns(const struct mw_request *request)
{
    return request->look.columns ? request->look.columns : 80;
}

/* Ends the line written since `start`: strips trailing blanks and adds the newline. */
void text_end_line(struct mw_run *, const char *start);

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
uint8_t text_color(uint32_t rgb);
/* A background of that color, and a letter in a darker shade of it. */
struct paint text_tile(uint32_t rgb);

/* A character in UTF-8, and its colors. */
struct text_cell {
    char text[4];
    struct paint paint;
};
enum { TEXT_CELL_ROOM = 27 }; /* bytes of one in the output, at most */
typedef struct text_cell text_drawing(const void *of, int32_t x, int32_t y);
/* Writes a drawing of characters. */
void text_draw(struct mw_run *, int32_t columns, int32_t rows, text_drawing *, const void *of);

#endif
