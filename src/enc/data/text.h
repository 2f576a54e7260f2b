/* text.h: drawings in characters that text.c chooses from. */
#ifndef MAPWRIGHT_TEXT_H
#define MAPWRIGHT_TEXT_H

#include "ansi.h"
#include "lib/gen.h"

/* Nodes and edges: the edges are part p. */
void text_graph(struct mw_run *, const struct mw_map *, int p);

/* What the cells of a grid are painted by. */
struct text_paints {
    const struct mw_cells *cells, *heights; /* heights: NULL where the map has none */
    const int32_t *colours;                 /* of labels; NULL: there are heights */
    const uint8_t *marked;                  /* cells that are marked, or NULL */
    int32_t highest;
};
struct text_paints text_paints_of(struct mw_run *, const struct mw_map *, int p);
struct paint text_paint(const struct text_paints *, int32_t cell);

/* The rows of a board in the colours of its tracks, each on a line that begins. */
void text_board(struct mw_run *, const struct mw_map *, const struct mw_rows *);

#endif
