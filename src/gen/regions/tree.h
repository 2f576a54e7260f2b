/*
 * tree.h: what tree.c, cuts.c and bisect.c share: a piece of land, the tree that spans it, and the
 * parts that it comes to.
 */
#ifndef MAPWRIGHT_REGIONS_TREE_H
#define MAPWRIGHT_REGIONS_TREE_H

#include "regions.h"

/* Most cells of a front. */
enum { TREE_FRONT = 4 };

struct list; /* of what can be at a cell: cuts.c */
struct entry;

struct tree {
    struct board *board;
    struct mw_rng *rng;
    const struct quota *quota;
    const int32_t *part; /* by index, and the part that it spans; NULL: all of the piece */
    int32_t only;
    int32_t cells, count;    /* of the piece; in the tree by now */
    int32_t *place, *parent; /* in order of growth: the place, its parent's rank */
    int32_t *rank;           /* by index */
    int32_t *active;         /* ranks that may still have free neighbours */
    int32_t *wanted, *left;  /* by size: parts of it, in all and not given away yet */
    int32_t largest;         /* size wanted */
    /* what came of it: */
    int32_t *set;   /* by rank: disjoint sets, the parts; a root is the least of its part */
    int32_t *open;  /* cells of the part; of cuts in two, those at it and below */
    uint16_t *town; /* whose capital is among them; or 0 */
    /* of exact cuts: */
    int classes;               /* of sizes; 0: too many */
    bool proves;               /* only that it cannot be done */
    uint64_t *one;             /* by size: one part of it; 0: none is wanted */
    uint64_t all, bias, guard; /* all parts; added, sets a guard where a size is had too often */
    uint8_t *sides;            /* by rank: those not decided yet */
    struct list *list;         /* by rank */
    struct entry *entry;
    int32_t *slot; /* a hash table of entries of the list that is made */
    int32_t used, room, slots;
    int32_t met;       /* entries of all lists by now */
    char *lists;       /* mark: where entries begin */
    struct side *side; /* by rank, from its first: those decided when its list was joined */
    int32_t *first_side, side_count;
    uint64_t end; /* steps at which it is over */
};

/* Whether a part of that size may hold that capital, if any. */
static inline bool regions_suits(const struct tree *t, uint16_t town, int32_t size)
{
    return !town || (t->quota->low[town] <= size && size <= t->quota->high[town]);
}

/* Whose capital the cell of a rank is; or 0. */
static inline uint16_t regions_town(const struct tree *t, int32_t v)
{
    return t->board->town ? t->board->town[t->place[v] >> 1] : 0;
}

/* Room for trees of that many cells. */
void regions_new_tree(struct tree *, struct board *, struct mw_rng *, int32_t cells);
/* Spans a random tree from a place; the more it winds, of TREE_WINDS, the more often it goes on
   from the cell last added. Or one by breadth first. */
enum { TREE_BREADTH = -1, TREE_WINDS = 8 };
void regions_span(struct tree *, int32_t root, int winding);

/* Prepares exact cuts: counts what is wanted in bits. */
void regions_new_cuts(struct tree *);
/* Makes room for about so many entries for each cell; all that was allocated since the cuts were
   prepared is gone. */
void regions_make_room(struct tree *, int32_t entries);
/* What the lists of this tree would come to. */
uint64_t regions_weigh_cuts(struct tree *);
/* Whether the piece comes apart along the tree, and round those loops that were kept; then set[]
   says how. */
enum regions_verdict regions_cut_exactly(struct tree *);

#endif
