/* sky.h: stars at given positions, for the tests of /starlanes. */
#ifndef MAPWRIGHT_SKY_H
#define MAPWRIGHT_SKY_H

#include "arbitrary.h"

enum { SKY_STARS = 100000, SKY_SIDE = 1 << 23 };

/* Families: common kinds of galaxies, lattices and lines full of equal lengths, tiny squares, hubs
   with most of a row around each; and thin curves: circles, rows, waves, rays, spirals. */
enum { SKY_UNIFORM, SKY_CLUSTERS, SKY_JITTERED = 3, SKY_HUBS = 9, SKY_CURVES, CURVES = 8 };
enum { SKIES = SKY_CURVES + CURVES };

extern struct mw_point sky[SKY_STARS];
extern int32_t stars;

/* Up to n different stars of a family, in any order; at least two. */
void sky_make(struct arbitrary *, int family, int32_t n);
/* Adds star i at a part of a curve, from 0 to 1. */
void sky_put_on_curve(int curve, int32_t i, double part);
/* Sorts the stars, and drops those at the place of another. */
void sky_sort(void);
/* Compares two points, for qsort. */
int sky_order(const void *, const void *);
/* All stars, as an address spells them. */
const char *sky_positions(void);

#endif
