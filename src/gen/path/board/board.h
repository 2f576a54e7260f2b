/*
 * board.h: boards of path puzzles (Numberlink), their solutions, and what both generators return.
 *
 * A solution is stored as the sides across which each cell is linked to its neighbours: a byte for
 * each cell, bit s for side s. Two solutions are the same when these are equal.
 */
#ifndef MAPWRIGHT_BOARD_H
#define MAPWRIGHT_BOARD_H

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

/* Whether a path ends in the cell. */
static inline bool board_is_end(const struct board *b, int32_t cell) { return b->path[cell] >= 0; }

static inline int opposite(int side) { return side ^ 2; }

/* The number of sides in a set: a digit of the constant for each set. */
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
/* From rows that board_check has accepted. */
struct board board_read(struct mw_run *, struct mw_rows);
/* The same board, turned about its diagonal where it is wider than high, and with its last row
   first where `flip`. Paths keep their numbers; the first end of a path comes first. */
struct board board_upright(struct mw_run *, const struct board *, bool flip);
/* Adds a problem at `pointer`, or at one of its rows, for everything that is wrong with the
   rows. */
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
/* On which path each cell lies, -1: on none. */
void path_owners(struct mw_run *, const struct board *, const uint8_t *links, int32_t *owner);
/* Whether some path has two cells that are neighbours and not linked. */
bool path_touches_itself(const struct board *, const uint8_t *links, const int32_t *owner);

/* What both generators return: the columns of their table of paths, that table, and rows of
   labels. path_add_table returns how many open cells are left when every path is as short as can
   be. */
extern const struct mw_column path_columns[];
int32_t path_add_table(struct mw_run *, struct mw_map *, int part, const struct board *,
                       const uint8_t *links);
/* Without links: the board itself. */
struct mw_rows path_rows(struct mw_run *, const struct board *, const uint8_t *links);

/* Where a path that does not touch itself can bend (bend.c): bit s of a cell, from side s to the
   next. */
uint8_t *path_bends(struct mw_run *, const struct board *);

#endif
