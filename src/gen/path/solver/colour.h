/*
 * colour.h: the path of each cell, for the clause search under the strict rule.
 */
#ifndef MAPWRIGHT_COLOUR_H
#define MAPWRIGHT_COLOUR_H

#include "gen/path/board/board.h"
#include "sat.h"

/* A theory of the solver: the colour of a cell is the path that it is on. */
struct colours {
    const struct board *board;
    sat_literal (*link)[SIDES]; /* that the cell is linked across the side */
    uint32_t first;             /* variable of a colour; those before are links and constants */
    int32_t *place;             /* of each link's variable: SIDES * cell + side; of a colour's:
                                   MAX_COLOURS * cell + path */
    sat_literal *names;         /* by that place: the cell has the colour; 0: not needed yet */
    struct sat *sat;
    const int8_t *value; /* of its literals */
    int8_t *now;         /* of each cell: its colour, -1 while that is not known */
    uint64_t *denied;    /* of each cell: colours that it was found not to have */
};

/* The most variables that it needs besides the `first`. */
static inline uint32_t colours_variables(const struct board *b)
{
    return (uint32_t)b->cells * (uint32_t)b->paths;
}
void colours_init(struct colours *, struct mw_run *);
/* The literal: the cell has the colour. */
sat_literal colours_is(const struct colours *, int32_t cell, int path);
bool colours_follow(void *colours, sat_literal);
void colours_take_back(void *colours, sat_literal);

#endif
