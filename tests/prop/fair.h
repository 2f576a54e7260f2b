/*
 * fair.h: how fair the homes of a map of stars are, in numbers; told from stars and lanes alone.
 *
 * Each share is that of the least to the most among all homes: 1 is fair.
 */
#ifndef MAPWRIGHT_FAIR_H
#define MAPWRIGHT_FAIR_H

#include "mapwright_host.h"

struct fairness {
    int homes;
    bool centre;    /* whether one is the star at the centre */
    double star;    /* of their distances from that star */
    double middle;  /* from the middle of the map, or of the stars where they were given */
    double way;     /* of the ways to the centre along the lanes, by length */
    double nearest; /* of the distances to the nearest other home */
    double rim;     /* the most that one has gone of the way from the middle out through it to the
                       hull of all stars */
    int rival;      /* least jumps between two homes; 0: there is only one */
    double reach;   /* of the stars within three jumps */
    double realm;   /* of the stars nearest by jumps, one nearest to several being of the first */
    double room;    /* the least distance of two by the number of homes, in ways from the centre to
                       the farthest star: 4 on a rim of two, 6.3 on a rim of many */
};

/* Whether any homes of that many stars would have been fair by star, middle, way and nearest. Tries
   all. */
bool fair_exists(const struct mw_map *);

struct fairness fair_look(const struct mw_map *);

#endif
