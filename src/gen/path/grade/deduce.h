/*
 * deduce.h: links between cells that follow from a board without guessing.
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
    CLASH,      /* the opposite leads to a contradiction */
    REASONS
};

/* A link that was found to hold or not, from the cell across its side; undone in reverse order. */
struct finding {
    int32_t cell, joined; /* the chain that this link joined to another, or -1 */
    int8_t side, colour;  /* the colour that the other chain had before */
    bool link;
    uint8_t reason;
};

/* The board is divided into tiles of cells, one for each bit of a word. */
enum { TILES = 64 };

struct deduce {
    struct mw_run *run;
    const struct board *board;
    const uint8_t *solution; /* NULL: none is known */
    enum rule rule;
    uint8_t *on, *off;              /* of each cell: sides known to have a link, or to have none */
    uint8_t *soon_on, *soon_off;    /* the same for findings that rules see from the next turn on */
    int32_t *chain, *after, *count; /* linked cells: name of the chain, next in its ring, length */
    int8_t *colour;                 /* of a chain: its path, or OPEN */
    uint8_t *bends;                 /* strict: where a path can bend, as of path_bends */
    struct finding *found;
    int32_t finds, followed, turns; /* turns that deduce_follow takes at most */
    int32_t turn;                   /* that it took the last time */
    uint64_t until;                 /* steps of the run after which no assumption is made */
    int32_t links;                  /* of the board: all are known when finds reaches this */
    int32_t deductions;             /* how often a rule found something */
    int32_t depth;                  /* of those that look ahead, added up: turns; a bottleneck: 1 */
    uint64_t *tile, *around;        /* the tile of a cell; with those of its neighbours */
    const uint64_t *marks;          /* one of these two: what looking at a cell adds to `seen` */
    uint64_t seen;                  /* tiles */
    struct tries *tries;            /* of assume.c; NULL before the first assumption */
    int8_t *weight;                 /* of a cell: links it needs, negative on white cells */
    int32_t pinched;                /* number of findings when bottlenecks last found nothing */
    int32_t *order, *place, *low, *size, *up, *surplus; /* of pinch.c */
};

/* Starts with what easy rules find; false where they find a contradiction. A solution, where one is
   known, saves assumptions. */
bool deduce_begin(struct deduce *, struct mw_run *, const struct board *, enum rule,
                  const uint8_t *solution);
/* Adds a finding; false where the opposite is known. */
bool deduce_put(struct deduce *, int32_t cell, int side, bool link, enum reason);
/* The same for a set of sides: one deduction, if any of it is new. */
bool deduce_put_all(struct deduce *, int32_t cell, unsigned sides, bool link, enum reason);
/* Follows all findings, within d->turns turns; false at a contradiction. */
bool deduce_follow(struct deduce *);
/* Takes back all but the first `finds` findings. */
void deduce_undo(struct deduce *, int32_t finds);
/* Links at bottlenecks (pinch.c); false at a contradiction. */
bool deduce_pinch(struct deduce *);

/* Assumes of each open link that it holds (or does not, as `link` says). Where that leads to a
   contradiction within `reach` turns, the opposite is found (assume.c); false where both do. Stops
   early once deduce_is_late. */
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
