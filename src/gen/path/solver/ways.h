/*
 * ways.h: how a path can pass a cell, by the codes at its plugs, for count.c.
 */
#ifndef MAPWRIGHT_WAYS_H
#define MAPWRIGHT_WAYS_H

#include "gen/path/board/board.h"

/* The code at a plug: nothing, either end of a piece of path, or a colour (COLOURS + its name). */
enum { NOTHING, OPENS, CLOSES, COLOURS };

/* A way to fill a cell. */
struct way {
    uint64_t takes[2];      /* bit n: the next cell can then take code n from above */
    uint64_t below, beside; /* what leaves the cell, at its plugs in their words of a key */
    int16_t turned;         /* the plug whose mate becomes `into`, or -1 */
    uint8_t into;
    uint8_t down, right, next_left; /* codes that leave the cell; that come to the next from left */
    bool moves_pair;                /* a pair's colour has moved to another plug, or gone */
};

enum { WAYS_MOST = 2 };

/* All ways to fill it. */
struct step {
    uint32_t of; /* the cell and the codes of its plugs */
    int count;
    struct way way[WAYS_MOST];
};

enum { STEPS = 256 }; /* in the table: all pairs, where a code has four bits */

/* The cell that the frontier passes. */
struct site {
    int32_t cell;
    int x, path;      /* its column; OPEN, WALL or the path that ends in it */
    bool down, right; /* whether a path can leave that way */
    int below;        /* `path` of the cell below; WALL where a path cannot go there */
};

/* The present cell, for all states. */
struct passage {
    enum rule rule;
    struct site at;
    int left, up, next_up;     /* places of its plugs, and of the upper one of the next cell */
    int next_path, next_exits; /* of that: ways out of it */
    bool same_row;             /* as that is */
    int8_t name[MAX_PATHS];    /* of each path, or -1 */
    uint64_t single;           /* names of those with an end ahead; the others are pairs' */
    struct step steps[STEPS];
};

/* The ways where these codes come from the left and from above. */
const struct step *step_of(struct passage *, unsigned left, unsigned up);

#endif
