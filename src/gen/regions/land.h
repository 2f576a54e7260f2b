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

/* Divides a piece anew along trees that span it, `root` being one of its places; false when none
   would do in about so many steps. */
bool regions_cut_trees(struct land *, const struct piece *, int32_t root, uint64_t steps);

#endif
