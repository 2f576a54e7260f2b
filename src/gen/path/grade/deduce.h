/*
 * deduce.h: what follows about a board without a guess.
 */
#ifndef MAPWRIGHT_DEDUCE_H
#define MAPWRIGHT_DEDUCE_H

#include "gen/path/board/board.h"

/* Why a link holds, or does not. */
enum reason {
    ONE_WAY,    /* a cell has just as many ways left as it needs */
    FULL,       /* it has all the links that it needs */
    DEAD_END,   /* a cell that may stay empty has one way left */
    LOOP,       /* a path would close on itself */
    FOREIGN,    /* two paths would meet */
    TOUCH,      /* a path would touch itself */
    SAME_PATH,  /* neighbours on one path must be linked, or it would touch itself */
    BEND,       /* a bend would go on, cell by cell, to where none can be */
    BOTTLENECK, /* a cell is the only way between two parts of the board */
    CLASH,      /* the contrary leads to a contradiction */
    REASONS
};

/* A link that was found to hold or not: from the cell across its side. */
struct finding {
    int32_t cell, joined; /* the chain that was joined to another by it, -1 */
    int8_t side, colour;  /* that the other had before */
    bool link;
    uint8_t reason;
};

/* A board is told in tiles of some cells, as many as a word has bits. */
enum { TILES = 64 };

struct deduce {
    struct mw_run *run;
    const struct board *board;
    const uint8_t *solution; /* NULL: none is known */
    enum rule rule;
    uint8_t *on, *off;              /* of each cell: sides with a link, and without */
    uint8_t *soon_on, *soon_off;    /* the same of what was put, which rules see in the next turn */
    int32_t *chain, *after, *count; /* cells that hang together: whose, a ring of them, how many */
    int8_t *colour;                 /* of a chain: its path, or OPEN */
    uint8_t *bends;                 /* strict: where a path can bend, as of path_bends */
    struct finding *found;
    int32_t finds, followed, turns; /* turns that deduce_follow takes at most */
    int32_t turn;                   /* that it took the last time */
    uint64_t until;                 /* steps of the run, after which nothing more is assumed */
    int32_t links;                  /* that are to be known in all */
    int32_t deductions;             /* times that a rule settled something */
    int32_t depth;                  /* of those that look ahead, added up: turns; a bottleneck: 1 */
    uint64_t *tile, *around;        /* that a cell lies in, with those of its neighbours */
    const uint64_t *marks;          /* one of these two: what a look at a cell leaves */
    uint64_t seen;                  /* in here */
    struct tries *tries;            /* of assume.c; NULL before the first */
    int8_t *weight;                 /* of a cell: its links, below 0 on white cells */
    int32_t pinched;                /* findings when bottlenecks told nothing more */
    int32_t *order, *place, *low, *size, *up, *surplus; /* of pinch.c */
};

/* Starts with what easy rules find; false where they find a contradiction. A solution, where one is
   known, saves assumptions. */
bool deduce_begin(struct deduce *, struct mw_run *, const struct board *, enum rule,
                  const uint8_t *solution);
/* The link is now known, unless it is known to be otherwise: then false. */
bool deduce_put(struct deduce *, int32_t cell, int side, bool link, enum reason);
/* What follows from all that was put, within `turns`; false where that is a contradiction. */
bool deduce_follow(struct deduce *);
/* Back to when there were so many findings. */
void deduce_undo(struct deduce *, int32_t finds);
/* Links at bottlenecks (pinch.c); false at a contradiction. */
bool deduce_pinch(struct deduce *);

/* Assumes of each open link that it holds, or does not: where that comes to a contradiction within
   so many turns, the contrary is put (assume.c); false where that does as well. Ends early when it
   is late. */
bool deduce_assume(struct deduce *, bool link, int32_t reach);

/* The most steps that a grade takes, or little more. */
static inline uint64_t grade_steps(const struct board *b) { return 4000 * (uint64_t)b->cells; }

static inline bool deduce_is_over(const struct deduce *d) { return d->finds == d->links; }
static inline bool deduce_is_late(const struct deduce *d) { return mw_steps(d->run) >= d->until; }

static inline bool deduce_knows(const struct deduce *d, int32_t cell, int side)
{
    return (d->on[cell] | d->off[cell]) >> side & 1;
}

#endif
