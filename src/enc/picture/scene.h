/* scene.h: one drawing for each kind of map, on any canvas; scene.c chooses. */
#ifndef MAPWRIGHT_SCENE_H
#define MAPWRIGHT_SCENE_H

#include "canvas.h"
#include "enc/find.h"

/* Whether there is a drawing of what the generator makes. */
bool scene_fits(const struct mw_generator *);
/* Draws canvas->map. */
void scene_draw(struct canvas *);

/* A world of voxels: heights in part p, labels and ways between in another. */
void scene_isles(struct canvas *, int p);
/* A grid of labels, in part p. */
void scene_cells(struct canvas *, int p);
/* Nodes and edges: the edges are part p. */
void scene_graph(struct canvas *, int p);
/* Rows of a board with tracks over it: the rows are part p. */
void scene_board(struct canvas *, int p);

#endif
