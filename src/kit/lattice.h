/* lattice.h: squares and hexagons, flat or wrapped: neighbors. */
#ifndef MAPWRIGHT_LATTICE_H
#define MAPWRIGHT_LATTICE_H

#include "mapwright_host.h"

enum { MW_MAX_SIDES = 6 };
static inline int mw_sides(const struct mw_lattice *l) { return l->tiling == MW_HEX ? 6 : 4; }
/* The cell across a side, or -1 where the map ends. Sides go round: HEX from east by south-east,
   SQUARE east, south, west, north; the side opposite of s is (s + sides / 2) % sides. */
int32_t mw_neighbour(const struct mw_lattice *, int32_t cell, int side);

#endif
