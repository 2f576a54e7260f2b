/*
 * look.h: what the countries, areas or islands of maps look like, in figures over many maps; for
 * maps that do not wrap. Lengths are those of cells with an area of 1.
 */
#ifndef MAPWRIGHT_LOOK_H
#define MAPWRIGHT_LOOK_H

#include "mapwright_host.h"

enum { LOOK_SHAPES = 1 << 15, LOOK_BOXES = 3 };

struct look {
    int least; /* cells of a shape that counts */
    int maps, shapes;
    struct look_shape {
        double cells, perimeter;
        double elongation, turn; /* of the ellipse with the same moments: the longer axis by the
                                    shorter; degrees from the map's axes to it, 0 to 45 */
        double disc; /* share of its cells in the disc of equal area around its centre */
        int map, neighbours;
        bool at_rim, framed; /* at the edge of the map; mostly in the arms of one other alone */
    } shape[LOOK_SHAPES];
    double length;            /* of borders between two shapes */
    double border, teeth;     /* cells at borders; of these, with one neighbour of their own */
    double pairs, level;      /* of cells side by side in one shape; of these, along a row */
    double tees, wyes;        /* corners where three meet like T, or like Y */
    double boxes[LOOK_BOXES]; /* of 2, 4 and 8 cells that a border passes */
};

/* Adds a map. */
void look_add(struct look *, const struct mw_cells *);

enum look_measure {
    LOOK_END,
    LOOK_COUNT,       /* shapes inside the map that are longer than wide */
    LOOK_ALONG,       /* share of these within 15 degrees of the map's axes */
    LOOK_NEIGHBOURS,  /* of a shape inside the map */
    LOOK_QUOTIENT,    /* mean of the isoperimetric quotients of all shapes */
    LOOK_SPREAD,      /* standard deviation of the quotients of those inside the map */
    LOOK_ROUNDEST,    /* greatest quotient of the largest shape of a map */
    LOOK_ELONGATION,  /* of all but a tenth */
    LOOK_FRAMED,      /* share of shapes */
    LOOK_AT_RIM,      /* share of shapes */
    LOOK_DISC,        /* mean share of cells in the disc */
    LOOK_DISC_SPREAD, /* its standard deviation */
    LOOK_RATIO,     /* of the largest shape to the smallest; mean of the logarithm, raised again */
    LOOK_LENGTH,    /* of borders on a map */
    LOOK_TEETH,     /* share of cells at borders */
    LOOK_LEVEL,     /* share of pairs along a row, by what it is if shapes lie at random */
    LOOK_WYES,      /* by the number of tees */
    LOOK_DIMENSION, /* of borders, by counting boxes */
    LOOK_BEND,      /* difference of that dimension on the coarse scale and on the fine */
};

double look_figure(const struct look *, enum look_measure, bool hex);

#endif
