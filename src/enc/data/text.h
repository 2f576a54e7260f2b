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

/* Nodes and edges: the edges are part p. */
void text_graph(struct mw_run *, const struct mw_map *, int p);
/* The grid that is part p. */
void text_grid(struct mw_run *, const struct mw_map *, int p);
/* A board; with `color`, in the colors of its tracks. */
void text_board(struct mw_run *, const struct mw_map *, const struct mw_rows *);
/* The number of characters of the drawing. */
uint64_t text_characters(const struct mw_request *, const struct mw_forecast *);

/* The nearest of the colors of a terminal to 0xrrggbb. */
uint8_t text_color(uint32_t rgb);
/* Bytes that the colors of a character take in the output, at most. */
enum { TEXT_PAINT_ROOM = 24 };

#endif
