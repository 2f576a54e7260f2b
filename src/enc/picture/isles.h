/* isles.h: how a world of voxels is laid on its sheet, in units. */
#ifndef MAPWRIGHT_ISLES_H
#define MAPWRIGHT_ISLES_H

#include "canvas.h"

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

struct isles {
    struct canvas *canvas;
    struct mw_run *run;
    const struct mw_cells *labels, *heights;
    int32_t width, height, stride, count; /* of the plane: the map with a rim of air */
    int32_t aside[4];                     /* to the neighbours, by side */
    struct mass land, earth;
    uint8_t *deck;
    int32_t *decks, deck_count; /* cells */
    uint8_t *walked;            /* a bit for each side of a cell */
    struct mw_point rear;       /* where the rear corner of the plane's first cell is, at level 0 */
    enum ink ink;               /* of the figure under way */
    bool begun;                 /* it has been begun: one without a way is left out */
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

/* For each label an outline that is not seen, at the height of the first layer: what a page that
   shows the drawing may style, and be asked about. `rear`: the rear corner of cell 0, 0. */
void isles_stand(struct canvas *, const struct mw_cells *labels, struct mw_point rear);

#endif
