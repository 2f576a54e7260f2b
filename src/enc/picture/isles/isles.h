/* isles.h: how a world of voxels is laid on its sheet, in units. */
#ifndef MAPWRIGHT_ISLES_H
#define MAPWRIGHT_ISLES_H

#include "enc/picture/canvas.h"

/* Half a rhombus, which is a cell; a layer of land. */
enum { ISLES_ACROSS = 8, ISLES_DOWN = 4, ISLES_RISE = 6 };

/* What a deck is, and to which sides of it a way goes: a bit each, from this one on. */
enum { NO_DECK, DECK, DECK_LIT, DECK_KIND = 3, DECK_WAY = 4 };
enum { EAST, SOUTH, WEST, NORTH };

/* Layers of one kind upon another: a cell reaches to so many of them. */
struct mass {
    int16_t *layers;
    int32_t most;
    int64_t *first; /* of layer n, in list: */
    int32_t *list;  /* cells that a neighbour does not reach, or that have this for their top */
};

/* What of a layer is painted: its outline, and its sides to the south and east. */
struct terrace {
    struct isles *w;
    const struct mass *mass;
    int32_t layer;
    struct figure outline, left, right, tips, others;
};

struct isles {
    struct canvas *canvas;
    struct mw_run *run;
    const struct mw_cells *labels, *heights;
    int32_t width, height, stride, count; /* of the plane: the map with a rim of air */
    int32_t aside[4];                     /* to the neighbours, by side */
    struct mass land, earth;
    int32_t land_count; /* cells */
    bool terraced;      /* land rises by a layer each step inland, up to its highest */
    bool coarse;        /* edges are smoothed, and cells so small that some units are not seen */
    struct terrace *terraces;
    uint8_t *deck;
    int32_t *decks, deck_count; /* cells */
    uint8_t *walked;            /* a bit for each side of a cell */
    int32_t *way, way_count;    /* cells, from its end to its beginning */
    bool *trees;                /* where they stand; NULL: they would not be seen */
    struct mw_point rear;       /* where the rear corner of the plane's first cell is, at level 0 */
};

/* The world of a map, its layers sorted; nothing is drawn yet. */
struct isles isles_of(struct canvas *, const struct mw_cells *heights,
                      const struct mw_cells *labels);
/* A cell of the map, in the plane. */
static inline int32_t isles_cell(const struct isles *w, int32_t x, int32_t y)
{
    assert(x >= 0 && x < w->width && y >= 0 && y < w->height);
    return (y + 1) * w->stride + x + 1;
}
/* A point in a cell: quarters of it to the east and south of its rear corner, from that of the
   plane. */
static inline struct mw_point isles_point(const struct isles *w, int32_t cell, int32_t east,
                                          int32_t south)
{
    int32_t x = 4 * (cell % w->stride) + east, y = 4 * (cell / w->stride) + south;
    return (struct mw_point){(x - y) * ISLES_ACROSS / 4, (x + y) * ISLES_DOWN / 4};
}
/* Where what is so many units above level 0 is painted. */
static inline struct mw_point isles_at(const struct isles *w, int32_t level)
{
    return (struct mw_point){w->rear.x, w->rear.y - level};
}

/* A layer's sides, its upper edge at that level. */
void isles_paint_sides(struct isles *, const struct mass *, int32_t layer, int32_t level,
                       int32_t thick, enum ink left, enum ink right);
/* A layer's tops, every other cell in another ink. */
void isles_paint_tops(struct isles *, int32_t layer, int32_t level, enum ink, enum ink other);
void isles_paint_decks(struct isles *);
/* The way from one cell to another, along lit decks; none where there is none. */
void isles_find_way(struct isles *, int32_t from, int32_t to);
/* A line over all. */
void isles_paint_way(struct isles *);

/* Trees, off the way; how high up the sheet that of a cell reaches. */
void isles_plant(struct isles *);
int32_t isles_treetop(const struct isles *, int32_t cell);
/* What of them lies in a layer, which may be one of the two above the highest: after its sides,
   before its tops. */
void isles_paint_trees(struct isles *, int32_t layer);

/* For each label an outline that is not seen, at the height of the first layer: what a page that
   shows the drawing may style, and be asked about. `rear`: the rear corner of cell 0, 0. */
void isles_stand(struct canvas *, const struct mw_cells *labels, struct mw_point rear);

#endif
