/* regions_land.h: what the files about land in pieces share: the pieces, who is to live there. */
#ifndef MAPWRIGHT_REGIONS_LAND_H
#define MAPWRIGHT_REGIONS_LAND_H

#include "regions.h"

struct piece {
    int32_t cells;
    int32_t first, seats; /* its countries: order[first] .. order[first + seats - 1] */
};

struct land {
    struct mw_run *run;
    struct board *board;
    const struct regions_wish *wish;
    struct piece *piece;
    int32_t pieces;
    int32_t *order; /* countries, piece by piece */
    int32_t *low, *high;
    struct mw_rng rng;
};

/* Numbers the pieces of land, in graph->piece; fails when there are too few countries for them. */
void regions_find_pieces(struct land *, struct graph *);
/* Decides which countries live on which piece, and how many cells each is to have. */
void regions_deal_seats(struct land *);

/*
 * Divides a small piece by trying everything, `root` being one of its places. 1: done; 0: it
 * cannot be divided so; -1: too large, or not done after so many steps.
 */
int regions_try_all(struct land *, const struct piece *, int32_t root, int64_t steps);
/* Divides a piece that is a tree or a ring. 1: done; 0: it cannot be divided so; -1: it is neither,
   or there are too many sizes, or too many cells for them. */
int regions_try_tree(struct land *, const struct piece *, int32_t root);
/* Divides a piece along some tree that spans it; whether one was found. */
bool regions_try_trees(struct land *, const struct piece *, int32_t root);

#endif
