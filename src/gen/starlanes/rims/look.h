/*
 * look.h: what corners see across a face; the queue of what they found, and ask for.
 */
#ifndef MAPWRIGHT_STARLANES_LOOK_H
#define MAPWRIGHT_STARLANES_LOOK_H

#include "face.h"
#include "gen/starlanes/mesh/agenda.h"
#include "veil.h"

/* No two stars are as far apart, squared. */
#define FARTHEST (INT64_C(1) << 47)

enum { HELD_MOST = 8 }; /* pairs that a batch finds at once; of more most would die waiting */

struct found {
    struct pair pair;
    int32_t leaf, other;
};

/* What a batch of leaves has found, and looks for. */
struct outlook {
    struct found at[HELD_MOST];
    int32_t count, next; /* those before `next` have been tried */
    int64_t reach;       /* how far it looked, squared */
    int32_t partner;     /* the node where its last pair ended, or all */
    int8_t vain;         /* questions in a row that found nothing */
    bool rising;         /* its first pair was that of an earlier leaf than its last one */
    struct veil veil;    /* the last lane that was in the way of a pair */
};

/* A search through a face, in the order of pairs. */
struct look {
    struct face face;
    struct outlook *outlook; /* of each batch */
    struct queue queue;      /* of batches: what comes next for each; `side` is which */
    struct pair now;         /* all pairs before are decided */
    bool at_sea;             /* there are pieces, and it looks no farther than it has to */
};

/* Makes room for a search through a face that has grown, and lets all batches ask. It lives in the
   run. */
void look_begin(struct mw_run *, struct look *);
/* Goes on to the next place, and tells whether it is that of a pair of leaves; else a batch has
   asked there. */
bool look_next(struct mw_run *, struct look *, int32_t leaf[2]);
/* Goes on behind a pair that was tried. */
void look_on(struct look *, int32_t leaf);
/* Remembers that the first lane of a corner hid a pair from a leaf. */
void look_veil(struct look *, int32_t leaf, int32_t corner);

#endif
