/* scene.h: one drawing for each kind of map, on any canvas; scene.c chooses. */
#ifndef MAPWRIGHT_SCENE_H
#define MAPWRIGHT_SCENE_H

#include "enc/find.h"
#include "enc/picture/canvas.h"

/* The fields of a look that pictures use. */
#define SCENE_LOOK_MASK \
    (MW_LOOK_BIT(SCALE) | MW_LOOK_BIT(LABELS) | MW_LOOK_BIT(GRID_LINES) | MW_LOOK_BIT(THEME) | \
     MW_LOOK_BIT(PALETTE) | MW_LOOK_BIT(SOLUTION) | MW_LOOK_BIT(UNDER) | MW_LOOK_BIT(MARGIN))

/* Whether there is a drawing of what the generator makes. */
bool scene_fits(const struct mw_generator *);
/* Draws canvas->map, over what lies under it. */
void scene_draw(struct canvas *);

/* A drawing of the part of that kind and role. */
struct scene {
    enum mw_kind kind;
    enum mw_role role;
    void (*draw)(struct canvas *, int p);
    /* What it will take: about the sheet that it opens; steps; bytes of scratch and of a vector
       drawing; nanoseconds on either canvas, a raster's beside those of its samples. */
    struct sheet (*sheet)(const struct mw_forecast *);
    struct mw_unit_costs steps, bytes, vector, raster;
    uint64_t mixtures; /* of inks in one pixel, which a raster has to count */
};
/* What drawing takes beside the rates of its scene: what may be laid side by side is unrolled. */
struct mw_cost scene_unrolling(const struct mw_look *, const struct mw_forecast *);
/* That of what the generator makes; p: which part that is. NULL: there is none. */
const struct scene *scene_of(const struct mw_generator *, int *p);

/* A world of voxels: heights in part p, labels and ways between in another. */
extern const struct scene scene_isles;
/* A grid of labels, in part p. */
extern const struct scene scene_cells;
/* Nodes and edges: the edges are part p. */
extern const struct scene scene_graph;
/* Rows of a board with tracks over it: the rows are part p. */
extern const struct scene scene_board;

#endif
