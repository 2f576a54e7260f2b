/*
 * cover.h: boards divided among paths, of which puzzles are made.
 */
#ifndef MAPWRIGHT_COVER_H
#define MAPWRIGHT_COVER_H

#include "gen/path/grade/grade.h"

enum { COVER_PATIENCE = 800 }; /* moves a cell, until the target is met */

enum { MIDGETS_IN = 20 }; /* one of so many paths may have three cells */

enum trait { VARIETY, DETOUR, DIRECT, MIDGETS, RIM, LEVEL, TRAITS };

/* What of the paths is too much (above 0) or too little, and for how many moves that is taken as
   true; how much variety counts, or it would be given for short detours where paths are few; and
   what rounds up or down how many midgets there may be (taste.c). */
struct taste {
    int off[TRAITS];
    int32_t fresh, variety, luck;
};

struct cover {
    struct mw_run *run;
    struct mw_rng rng;
    const struct board *board; /* its ends do not matter */
    bool strict;               /* no path is to touch itself */
    int32_t target, least;     /* paths that are wanted, least cells of one */
    uint8_t *links;
    int32_t *owner, *length;         /* of cells; of paths */
    int32_t (*ends)[2], paths, room; /* there is room for so many paths */
    struct taste taste;
};

struct cover cover_new(struct mw_run *, const struct board *, int32_t target, int32_t least);
/* Room for a copy of a cover, and the copy. */
struct cover cover_like(const struct cover *);
void cover_copy(struct cover *to, const struct cover *from);
/* Links two neighbours, or takes that link away. */
void cover_link(struct cover *, int32_t cell, int side);
void cover_unlink(struct cover *, int32_t cell, int side);
/* Begins anew, in dominoes or in rows, until the target is met and the paths are to the taste;
   false where it is not met. */
bool cover_make(struct cover *, bool strict, bool rows);
/* So many moves, at most, until the target is met. */
bool cover_settle(struct cover *, int32_t patience);
/* Whether there are fewer paths than seven in ten of the cells on a side: all are long, then. */
static inline bool cover_has_few(const struct cover *c)
{
    return 2 * c->target * c->target < c->board->cells;
}
/* So many moves that begin in cells where the links differ from these; anywhere, if none do. */
void cover_stir_where(struct cover *, const uint8_t *other, int32_t moves);
/* Whether the links are a cover that meets the target, after which its paths are numbered. */
bool cover_number(struct cover *, bool strict);
/* All ways to link the cells of a tiny board into so many paths, in random order, until one is good
   (every.c). */
bool cover_every(struct cover *, bool (*is_good)(void *, struct cover *), void *);

/* A path as a move would make it. */
struct path_shape {
    int32_t length, ends[2];
};
/* Whether two paths may become these, with so many more level steps: mostly not, if they would be
   less to the taste. */
bool taste_allows(struct cover *, int32_t p, struct path_shape grown, int32_t q,
                  struct path_shape shrunk, int level);

/* How far the paths are from the taste; 0: not at all. */
int64_t taste_lack(const struct cover *);
/* By how much ends lie less evenly over three by three blocks than chance has it. */
int64_t taste_clumps(const struct cover *);

/* The board whose solution the cover is; paths in the order of their first ends. */
struct board cover_board(struct mw_run *, const struct cover *);

/* Changes a cover by and by until its board has that difficulty (ANY: one solution, if nothing
   else); false where that was not met before its patience or so many steps of the run were at an
   end (aim.c). */
bool cover_aim(struct cover *, enum rule, enum difficulty, uint64_t until);
/* Changes a cover whose board has that difficulty, so that it still has and lacks little of what
   people like (aim.c). */
void cover_vary(struct cover *, enum rule, enum difficulty, uint64_t until);
/* Makes a cover whose board has one solution, by way of more paths than are wanted (thin.c). */
bool cover_thin(struct cover *, enum rule, uint64_t until);

#endif
