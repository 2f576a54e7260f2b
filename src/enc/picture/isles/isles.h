/* isles.h: the isometric drawing of a world of voxels; lengths are units of the sheet. */
#ifndef MAPWRIGHT_ISLES_H
#define MAPWRIGHT_ISLES_H

#include "enc/picture/canvas.h"

/* Half the width and height of a rhombus, which is a cell; the height of a layer. */
enum { ISLES_ACROSS = 8, ISLES_DOWN = 4, ISLES_RISE = 6 };

/* Trees: their sizes, and of how many cells one may have a tree. */
enum { ISLES_TREES = 3, ISLES_TREE_CELLS = 6 };
/* Units above the foot of the tree, and half of the width of the rim. */
struct isles_cone {
    int32_t rim, tip, half;
};
/* The lower and the upper cone of each size. */
extern const struct isles_cone isles_trees[ISLES_TREES][2];

/* A cell of a bridge: its kind, and a bit for each side that a bridge leads to. */
enum { NO_DECK, DECK, DECK_LIT, DECK_KIND = 3, DECK_WAY = 4 };
enum { EAST, SOUTH, WEST, NORTH };
enum { TOP, LEFT, RIGHT }; /* inks of a layer, and of a deck */

/* The land or the earth, in layers. */
struct mass {
    int16_t *layers; /* by cell: how many it has */
    int32_t most;
    int64_t *first; /* by layer: its cells in the list begin here */
    int32_t *list;  /* cells with a visible side or top in that layer */
};

struct isles {
    struct canvas *canvas;
    struct mw_run *run;
    const struct mw_cells *labels;
    int32_t width, height, stride, count; /* the map, and the plane: the map with a rim of air */
    int32_t offset[4];                    /* offsets to the neighbors, by side */
    struct mass land, earth;
    struct outline faces; /* of the layer under way: its borders are the sides that are visible */
    uint8_t *tints;       /* by cell of an island: those of islands near each other differ */
    int32_t land_count;   /* cells */
    uint8_t *deck;        /* by cell; 0: none */
    int32_t deck_count;   /* cells */
    int32_t *route, route_length; /* cells of the route, from end to start */
    bool *trees;                  /* by cell; NULL: too small to be seen */
    struct mw_point rear;         /* the rear corner of the plane's first cell, at level 0 */
};

/* The world of a map, its faces sorted by layer; draws nothing. */
struct isles isles_of(struct canvas *, const struct mw_cells *heights,
                      const struct mw_cells *labels);
/* The plane's cell for a cell of the map. */
static inline int32_t isles_cell(const struct isles *w, int32_t x, int32_t y)
{
    assert(x >= 0 && x < w->width && y >= 0 && y < w->height);
    return (y + 1) * w->stride + x + 1;
}
/* The position of a point in a cell, `level` units above level 0; east, south: quarters of a cell
   from the cell's rear corner. */
static inline struct mw_point isles_place(const struct isles *w, int32_t cell, int32_t east,
                                          int32_t south, int32_t level)
{
    int32_t x = 4 * (cell % w->stride) + east, y = 4 * (cell / w->stride) + south;
    return (struct mw_point){w->rear.x + (x - y) * ISLES_ACROSS / 4,
                             w->rear.y + (x + y) * ISLES_DOWN / 4 - level};
}

/* Adds the loop of an outline that begins with a side of a cell; `from`: that cell of the plane. */
void isles_draw_loop(const struct isles *, int32_t level, int32_t from, struct outline *,
                     int32_t cell, int side);

/* A layer's sides, whose upper edge is at that level. */
void isles_paint_sides(const struct isles *, const struct mass *, int32_t layer, int32_t level,
                       int32_t thick, enum ink left, enum ink right);
/* A layer's tops. */
void isles_paint_tops(const struct isles *, int32_t layer, int32_t level);
void isles_paint_decks(const struct isles *);
/* Finds a route from one cell to another over land and lit decks, if there is one. */
void isles_find_route(struct isles *, int32_t from, int32_t to);
/* Draws it as a line. */
void isles_paint_route(struct isles *);

/* Chooses cells for trees, off the route; the top of the tree of a cell on the sheet. */
void isles_plant(struct isles *);
int32_t isles_treetop(const struct isles *, int32_t cell);
/* The parts of trees within a layer, or one of the two above the highest: to be called after its
   sides and before its tops. */
void isles_paint_trees(struct isles *, int32_t layer);

#endif
