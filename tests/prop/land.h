/*
 * land.h: kinds of land, as masks of /regions and /areas spell it, and what of it is connected.
 */
#ifndef MAPWRIGHT_LAND_H
#define MAPWRIGHT_LAND_H

#include "arbitrary.h"

enum { LAND_SIDE = 47, LAND_CELLS = 400 * 400 }; /* longest side that is drawn; most cells */

/* One of 0 .. n - 1; n > 0. */
static inline int below(struct arbitrary *source, int n)
{
    return (int)arbitrary_below(source, (uint32_t)n);
}

struct land {
    int width, height;
    bool hex;
    int wrap; /* 0 none, 1 x, 2 xy */
    bool is[LAND_CELLS];
    int cells, pieces, piece_of[LAND_CELLS]; /* from 1; 0 for water */
};

/* All land, of any lattice and sides up to `most`. */
void land_shape(struct land *, struct arbitrary *, int most);

/* Draws on it. */
typedef void land_draw(struct land *, struct arbitrary *);
land_draw land_full, land_two_rows, land_noise, land_lakes, land_islands, land_isthmus, land_comb,
    land_spiral, land_maze, land_loops, land_tree;

/* The cell across a side, or -1; not taken from the library. */
int land_beside(const struct land *, int cell, int side);
static inline int land_sides(const struct land *l) { return l->hex ? 6 : 4; }
/* Land beside a cell. */
int land_count_beside(const struct land *, int cell);
void land_find_pieces(struct land *);
/* All but the largest piece becomes water. */
void land_keep_one_piece(struct land *);

/* As fields of an address: with `mask`, or with `width` and `height` where there is no water. Lives
   until it is called again. */
const char *land_fields(const struct land *);

#endif
