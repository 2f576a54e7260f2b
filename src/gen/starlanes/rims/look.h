/*
 * look.h: what corners see across a face; the queue of what they found, and ask for.
 */
#ifndef MAPWRIGHT_STARLANES_LOOK_H
#define MAPWRIGHT_STARLANES_LOOK_H

#include "gen/starlanes/mesh/agenda.h"
#include "gen/starlanes/mesh/lanes.h"
#include "rim.h"

/* No two stars are as far apart, squared. */
#define FARTHEST (INT64_C(1) << 47)

/* Loops that are alone in their face have a tree each; while there are pieces all others lie in
   one, the sea. */
struct holes {
    struct mw_run *run;
    struct rims rims;
    int32_t sea;    /* its root, or -1 */
    int32_t pieces; /* of the graph; a loop without a positive area each */
    int32_t few;    /* with fewer pieces all ask anew, */
    int32_t rounds; /* as they have done so often */
    int32_t *part;  /* of each corner: the next to the left of what was one with it, or -1 */
    struct queue queue;
    struct batch *batch;
    int32_t *stack; /* of a search */
    struct pair now;
    struct lanes *lanes;
};

/* Makes room for so many corners. */
void look_begin(struct holes *, int32_t room);
/* Queues the next pairs of corners from `first` on and of all their parts, and that they ask again
   from where they have looked to. Of one corner it is one pair, for it to ask again there; the
   other corner is told by its complement, then. */
void look_ask(struct holes *, int32_t first, int32_t count);
/* The same for all corners; what was found and divided before is forgotten. */
void look_ask_all(struct holes *);

#endif
