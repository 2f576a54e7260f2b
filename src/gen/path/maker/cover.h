/*
 * cover.h: boards divided among paths, of which puzzles are made.
 */
#ifndef MAPWRIGHT_COVER_H
#define MAPWRIGHT_COVER_H

#include "gen/path/grade/grade.h"

enum { COVER_PATIENCE = 800 }; /* moves a cell, until the target is met */

enum { MIDGETS_IN = 20 }; /* one path in twenty may have three cells */

enum trait { VARIETY, DETOUR, DIRECT, MIDGETS, RIM, LEVEL, TRAITS };

/* Which traits are too strong (above 0) or too weak, and for how many more moves that is used; the
   weight of variety, which few paths would otherwise give up for short detours; and a random number
   that rounds the number of midgets allowed up or down (taste.c). */
struct taste {
    int off[TRAITS];
    int32_t fresh, variety, luck;
};

struct cover {
    struct mw_run *run;
    struct mw_rng rng;
    const struct board *board; /* its ends are not used */
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
/* Begins again with dominoes or rows, until the target is met and the paths are to the taste.
   False: the target is not met. */
bool cover_make(struct cover *, bool strict, bool rows);
/* At most `patience` moves, until the target is met. */
bool cover_settle(struct cover *, int32_t patience);
/* Whether there are fewer paths than seven in ten of the cells on a side: all are long, then. */
static inline bool cover_has_few(const struct cover *c)
{
    return 2 * c->target * c->target < c->board->cells;
}
/* Moves that begin in cells where the links differ from these; anywhere, if none do. */
void cover_stir_where(struct cover *, const uint8_t *other, int32_t moves);
/* Whether the links, without rings and with as many ends as wanted, are a cover that meets the
   target, after which its paths are numbered. */
bool cover_number(struct cover *, bool strict);
/* All ways to link the cells of a tiny board into so many paths, in random order, until one is good
   (every.c). */
bool cover_every(struct cover *, bool (*is_good)(const void *, struct cover *), const void *);

/* A path as a move would make it. */
struct path_shape {
    int32_t length, ends[2];
};
/* Whether two paths may become these, with `level` more level steps: mostly not, if that is worse
   for the taste. */
bool taste_allows(struct cover *, int32_t p, struct path_shape grown, int32_t q,
                  struct path_shape shrunk, int level);

/* How far the paths are from the taste; 0: not at all. */
int64_t taste_lack(const struct cover *);
/* By how much ends are spread less evenly over three by three blocks than at random. */
int64_t taste_clumps(const struct cover *);

/* The board whose solution the cover is; paths in the order of their first ends. */
struct board cover_board(struct mw_run *, const struct cover *);

/* Changes a cover step by step until its board has that difficulty (ANY: one solution); false where
   its patience, or `until` steps of the run, ended before (aim.c). */
bool cover_aim(struct cover *, enum rule, enum difficulty, uint64_t until);
/* Changes a cover whose board has that difficulty so that it keeps it and is to the taste
   (aim.c). */
void cover_vary(struct cover *, enum rule, enum difficulty, uint64_t until);
/* Makes a cover whose board has one solution, starting with more paths than are wanted (thin.c). */
bool cover_thin(struct cover *, enum rule, uint64_t until);

#endif
