/*
 * feel.h: what path puzzles look like, in numbers over many of them.
 */
#ifndef MAPWRIGHT_FEEL_H
#define MAPWRIGHT_FEEL_H

#include "mapwright_host.h"

enum { FEEL_BLOCKS = 3, FEEL_TILE = 8 };

/* Sums over boards; begin with zeros. */
struct feel {
    int boards;
    long steps, level;   /* of steps, those along a row */
    long tiles, leaning; /* tiles of 8 x 8 with room for one; those with over three quarters
                                    of their steps along rows, or along columns */
    double ends[FEEL_BLOCKS][FEEL_BLOCKS], fair[FEEL_BLOCKS][FEEL_BLOCKS]; /* by cells */
    long paths, midgets;  /* of three cells or fewer */
    long direct;          /* paths as short as walls and other ends allow */
    double rim, fair_rim; /* ends on it, and as many as its cells have, which count for 2/5 */
    double detour;        /* of boards: mean of steps over distance between the ends */
    double spread;        /* of boards: standard deviation of lengths over their mean */
    double lumps;         /* of boards: what feel_clumps() is of one; as chance has it, 1 or less */
};

void feel_add(struct feel *, int width, int height, const struct mw_rowset *paths);
/* Chi-square of the ends over the blocks, by the degrees of freedom: 1 as chance has it. */
double feel_clumps(const struct feel *);

#endif
