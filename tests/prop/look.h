/*
 * look.h: what the countries of maps look like, in numbers; for full maps without a seam.
 *
 * Lengths are in cells, from centre to centre.
 */
#ifndef MAPWRIGHT_LOOK_H
#define MAPWRIGHT_LOOK_H

#include <stdbool.h>
#include <stdint.h>

enum { RULERS = 2 };

struct look {
    /* of countries inside the map, not at its edge */
    int countries;
    int neighbours;           /* of all of them */
    int longish;              /* longer than wide */
    int along;                /* of these: within 15 degrees of the map's axes */
    double quotient, squares; /* isoperimetric quotients by the short ruler, and their squares */
    /* of borders between countries that go some way */
    double length[RULERS]; /* by rulers of 2 cells and of an eighth of a country's diameter */
    int points;            /* where three meet, with some way to go in each direction */
    int tees, wyes;        /* of these: like T, like Y */
};

/* Adds a map of `count` countries to what was seen. */
void look_at(struct look *, const int32_t *cells, int width, int height, bool hex, int count);

/* Standard deviation of the quotients. */
double look_spread(const struct look *);

#endif
