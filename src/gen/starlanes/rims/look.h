/*
 * look.h: what corners see across a face; the queue of what they found, and ask for.
 */
#ifndef MAPWRIGHT_STARLANES_LOOK_H
#define MAPWRIGHT_STARLANES_LOOK_H

#include "face.h"
#include "gen/starlanes/mesh/agenda.h"

/* No two stars are as far apart, squared. */
#define FARTHEST (INT64_C(1) << 47)

/* A search through a face, in the order of pairs. */
struct look {
    struct face face;
    struct queue queue;
    struct pair now; /* all pairs before are decided */
    bool at_sea;     /* there are pieces, and it looks no farther than it has to */
};

/* What to do when the place of a task comes: to try whether two leaves can be joined, `side` and
   `epoch`; or, where `side` is ~ the first leaf of a batch, that asks again. */

/* Makes room for the queue. It lives in the run. */
void look_begin(struct mw_run *, struct look *);
/* Queues the next pairs of a batch, and that it asks again behind them. */
void look_ask(struct mw_run *, struct look *, int32_t first);
/* The same for all batches. */
void look_ask_all(struct mw_run *, struct look *);

#endif
