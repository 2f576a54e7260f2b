/* svg.h: one drawing for each kind of map; svg.c chooses. */
#ifndef MAPWRIGHT_SVG_H
#define MAPWRIGHT_SVG_H

#include "draw.h"

enum { SVG_COLOURS = 9 };
/* Light fills that people with any colour vision tell apart (after Paul Tol's light scheme). */
extern const char *const svg_palette[SVG_COLOURS];

/* The opening of a document of that size, with its title and a background. */
void svg_begin(struct mw_run *, const struct mw_map *, int32_t width, int32_t height, const char *background);
/* ` name="value"` */
void svg_attribute(struct mw_run *, const char *name, int64_t value);

/* A grid of labels, in part p. */
void svg_cells(struct mw_run *, const struct mw_map *, int p);
/* Nodes and edges: the edges are part p. */
void svg_lanes(struct mw_run *, const struct mw_map *, int p);
/* Rows of a board with tracks over it: the rows are part p. */
void svg_board(struct mw_run *, const struct mw_map *, int p);

#endif
