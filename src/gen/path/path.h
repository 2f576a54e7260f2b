/*
 * path.h: boards of path puzzles (Numberlink), and the engines that solve them.
 *
 * A solution is written down as the sides across which each cell is linked to its neighbours: a
 * byte for each cell, bit s for side s. Two solutions are the same when these are.
 */
#ifndef MAPWRIGHT_PATH_H
#define MAPWRIGHT_PATH_H

#include "lib/gen.h"

enum side { RIGHT, DOWN, LEFT, UP, SIDES };
enum rule { FLOW, STRICT, CLASSIC };
enum { MAX_PATHS = 62, MAX_SIDE = 64, MAX_CELLS = MAX_SIDE * MAX_SIDE };
enum { OPEN = -1, WALL = -2 };

struct board {
    int32_t width, height, cells, paths;
    int32_t (*next)[SIDES]; /* the cell across a side, -1 where there is none or a wall */
    int8_t *path;           /* which path ends in the cell; OPEN or WALL */
    int32_t (*ends)[2];     /* of each path */
    char *letters;          /* of each path */
};

extern const char *const path_rules[]; /* in the order of `enum rule` */
#define PATH_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" /* labels */

static inline int opposite(int side) { return side ^ 2; }

/* How many sides are in a set of them: a digit of a constant for each set. */
static inline int count_sides(unsigned sides)
{
    return (int)(UINT64_C(0x4332322132212110) >> 4 * sides & 15);
}

/* ---- boards (board.c) ------------------------------------------------------------------------ */

/* A board of that size without walls and ends. */
struct board board_new(struct mw_run *, int32_t width, int32_t height);
/* Sets a cell to WALL. */
void board_wall(struct board *, int32_t cell);
/* The next path, between two open cells. */
void board_path(struct board *, char letter, int32_t from, int32_t to);
/* Rows that board_check has found to be good. */
struct board board_read(struct mw_run *, struct mw_rows);
/* The same board, turned about its diagonal where it is wider than high; the first end of a path
   comes first. */
struct board board_upright(struct mw_run *, const struct board *);
/* The same board, its last row first; paths keep their numbers. */
struct board board_flipped(struct mw_run *, const struct board *);
/* Complains at `pointer`, or at its rows, of all that keeps the rows from being a board. */
void board_check(struct mw_run *, const char *pointer, struct mw_rows);

/* The cell after `cell` on its path, coming across side *from (SIDES at its beginning), which is
   set for the step after; -1 past the end. */
static inline int32_t path_step(const struct board *b, const uint8_t *links, int32_t cell,
                                int *from)
{
    unsigned ways = links[cell] & ~(1u << *from);
    if (!ways)
        return -1;
    int side = __builtin_ctz(ways);
    assert(b->next[cell][side] >= 0);
    *from = opposite(side);
    return b->next[cell][side];
}
/* The cells of path p in order, from its first end to the other; their number. */
int32_t path_trace(const struct board *, const uint8_t *links, int32_t p, int32_t *cells);

/* What both generators give: the columns of their table of paths, that table, and rows of
   labels. Of the table: how many open cells are left when every path is as short as can be. */
extern const struct mw_column path_columns[];
int32_t path_add_table(struct mw_run *, struct mw_map *, int part, const struct board *,
                       const uint8_t *links);
/* Without links: the board itself. */
struct mw_rows path_rows(struct mw_run *, const struct board *, const uint8_t *links);

/* ---- engines --------------------------------------------------------------------------------- */

/* Whether a simple look finds a reason why no solution can exist (obstacle.c). */
bool path_obstacle(struct mw_run *, const struct board *, enum rule);

/* Where a path that does not touch itself can bend (bend.c): bit s of a cell, from side s to the
   next. */
uint8_t *path_bends(struct mw_run *, const struct board *);

/* Of a number of solutions, with a NUL: no cell more than doubles them. */
enum { MAX_DIGITS = MAX_CELLS / 3 };

/* The number of solutions, in decimal digits (count.c, count_strict.c). NULL where it takes more
   than so many steps or half of the memory (UINT64_MAX: never NULL, the run fails instead). */
const char *path_count(struct mw_run *, const struct board *, enum rule, uint64_t steps);
const char *path_count_strict(struct mw_run *, const struct board *, uint64_t steps);

enum answer { UNDECIDED, FOUND, EXHAUSTED };

/* Depth first, cell by cell (sweep.c): up to `wanted` solutions, one or two, the first of them in
   `links`. It gives up after a number of cells that grows with the board, or half of the steps;
   `over`: there are no others. */
struct swept {
    int found;
    bool over;
};
struct swept path_sweep(struct mw_run *, const struct board *, enum rule, int wanted,
                        uint64_t steps, uint8_t *links);

/* By clauses (search.c): solutions one by one, all different. */
struct search;
struct search *search_new(struct mw_run *, const struct board *, enum rule);
/* From now on this solution counts as given; the search goes on near it. */
void search_exclude(struct search *, const uint8_t *links);
/* Another solution, within so many steps. */
enum answer search_next(struct search *, uint64_t steps, uint8_t *links);

/* By changing a solution inside a window of `side` cells a side, at every place in turn (window.c;
   not for strict): true where that gave another one, in its stead. No window is begun after so many
   steps. */
bool path_vary(struct mw_run *, const struct board *, enum rule, int32_t side, uint64_t steps,
               uint8_t *links);

/* ---- covers (cover.c): boards divided among paths, for the generator ------------------------- */

/* What of the paths is too much (1) or too little (-1), and for how many moves that is taken as
   true (taste.c). */
struct taste {
    int variety, detour, midgets;
    int32_t fresh;
};

struct cover {
    struct mw_run *run;
    struct mw_rng rng;
    const struct board *board; /* its ends do not matter */
    bool strict;               /* no path is to touch itself */
    int32_t target, least;     /* paths that are wanted, least cells of one */
    uint8_t *links;
    int32_t *owner, *length; /* of cells; of paths */
    int32_t (*ends)[2], paths;
    struct taste taste;
};

struct cover cover_new(struct mw_run *, const struct board *, int32_t target, int32_t least);
/* Begins anew, in dominoes or in rows: so many random moves, then more until the target is met;
   false where it is not met in `patience` more. */
bool cover_make(struct cover *, bool strict, bool rows, int32_t moves, int32_t patience);
/* Only the latter. */
bool cover_settle(struct cover *, int32_t patience);
/* So many moves that begin in cells where the links differ from these. */
void cover_stir_where(struct cover *, const uint8_t *other, int32_t moves);
/* Whether the links are a cover that meets the target, after which its paths are numbered. */
bool cover_number(struct cover *, bool strict);
/* All ways to link the cells of a tiny board into so many paths, in random order, until one is good
   (every.c). */
bool cover_every(struct cover *, bool (*is_good)(void *, struct cover *), void *);

/* A path as a move would make it. */
struct shape {
    int32_t length, ends[2];
};
/* Whether two paths may become these: mostly not, if what is too much or too little would be more
   so. */
bool taste_allows(struct cover *, int32_t p, struct shape grown, int32_t q, struct shape shrunk);

/* The board whose solution the cover is; paths in the order of their first ends. */
struct board cover_board(struct mw_run *, const struct cover *);

#endif
