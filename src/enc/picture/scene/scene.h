/* scene.h: a drawing for each kind of map, on any canvas; scene.c chooses it. */
#ifndef MAPWRIGHT_SCENE_H
#define MAPWRIGHT_SCENE_H

#include "enc/find.h"
#include "enc/picture/canvas.h"

/* The fields of a look that pictures use. */
#define SCENE_LOOK_MASK \
    (MW_LOOK_BIT(SCALE) | MW_LOOK_BIT(LABELS) | MW_LOOK_BIT(GRID_LINES) | MW_LOOK_BIT(THEME) | \
     MW_LOOK_BIT(PALETTE) | MW_LOOK_BIT(SOLUTION) | MW_LOOK_BIT(UNDER) | MW_LOOK_BIT(MARGIN))

/* Whether maps of the generator can be drawn. */
bool scene_fits(const struct mw_generator *);
/* Draws canvas->map, over its base map if that is to be shown. */
void scene_draw(struct canvas *);

/* A drawing of the part of that kind and role. */
struct scene {
    enum mw_kind kind;
    enum mw_role role;
    void (*draw)(struct canvas *, int p);
    /* Cost estimates: the approximate sheet; steps; bytes of scratch and of a vector drawing;
       nanoseconds on a vector canvas and on a raster, there in addition to those of its samples. */
    struct sheet (*sheet)(const struct mw_forecast *);
    struct mw_unit_costs steps, bytes, vector, raster;
};
/* What the drawing of a map will take. */
struct mw_cost scene_cost(const struct mw_request *, const struct mw_forecast *, bool is_raster);
/* The drawing of a generator's maps, and the part p that it is of; NULL: none. */
const struct scene *scene_of(const struct mw_generator *, int *p);

/* A world of voxels: heights in part p, labels and bridges in another. */
extern const struct scene scene_isles;
/* A grid of labels, in part p. */
extern const struct scene scene_cells;
/* Nodes and edges: the edges are part p. */
extern const struct scene scene_graph;
/* Rows of a board with tracks over it: the rows are part p. */
extern const struct scene scene_board;

#endif
