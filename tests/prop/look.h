/*
 * look.h: what the countries of maps look like, in numbers; for full maps without a seam.
 *
 * Lengths are in cells, from centre to centre.
 */
#ifndef MAPWRIGHT_LOOK_H
#define MAPWRIGHT_LOOK_H

#include <stdbool.h>
#include <stdint.h>

/* Of 2 cells; of an eighth of a country's diameter; and five in all, evenly in logarithms, from the
   first to a quarter of the diameter: 0, 2, 3, 4, 5. */
enum { RULERS = 6, SHORT_RULER = 0, LONG_RULER = 1, MIDDLE_RULER = 3, LONGEST_RULER = 5 };

struct look {
    /* of countries inside the map, not at its edge */
    int countries;
    int neighbours;           /* of all of them */
    int longish;              /* longer than wide */
    int along;                /* of these: within 15 degrees of the map's axes */
    double quotient, squares; /* isoperimetric quotients by the short ruler, and their squares */
    /* of borders between countries that go some way */
    double ruler[RULERS];  /* of the last map */
    double length[RULERS]; /* as stepped off by each */
    int points;            /* where three meet, with some way to go in each direction */
    int tees, wyes;        /* of these: like T, like Y */
};

/* Adds a map of `count` countries to what was seen. */
void look_at(struct look *, const int32_t *cells, int width, int height, bool hex, int count);

/* Standard deviation of the quotients. */
double look_spread(const struct look *);

/* Divider dimension of the borders, from one ruler to a longer one. */
double look_dimension(const struct look *, int from, int to);

/* The share of cells that have the same country on both maps. */
double look_alike(const int32_t *cells, const int32_t *others, int n);

#endif
