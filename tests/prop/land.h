/*
 * land.h: maps with water for the suites of /regions: kinds of land, what of it hangs together, and
 * requests for it, whose answers are judged.
 */
#ifndef MAPWRIGHT_LAND_H
#define MAPWRIGHT_LAND_H

#include "arbitrary.h"
#include "rounds.h"

enum { LAND_SIDE = 48, LAND_CELLS = LAND_SIDE * LAND_SIDE };

/* A map under construction: land or not, row by row, as the mask is spelled. */
struct land {
    int width, height;
    bool hex;
    int wrap; /* 0 none, 1 x, 2 xy */
    bool is[LAND_CELLS];
    int cells, pieces;
};

/* All land, of any lattice. */
struct land land_of_shape(struct arbitrary *, uint32_t most);

/* Draws on it. */
typedef void land_draw(struct land *, struct arbitrary *);
land_draw land_noise, land_lakes, land_islands, land_comb, land_spiral, land_maze, land_loops,
    land_rings, land_checkers, land_tree, land_serpentine;

/* The cell across a side, or -1. */
int land_beside(const struct land *, int cell, int side);
static inline int land_sides(const struct land *l) { return l->hex ? 6 : 4; }
/* Marks the land that hangs together with a cell; how many cells that are. */
int land_flood(const struct land *, int start, int *piece_of, int piece);
void land_count_pieces(struct land *);
/* All but the largest piece goes under. */
void land_keep_one_piece(struct land *);

/* ---- requests -------------------------------------------------------------------------------- */

extern char land_query[LAND_CELLS * 8];
/* What was wrong with the request that was refused last. */
extern char land_refusal[512];

void land_ask(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Begins a request. */
void land_ask_lattice(const struct land *, uint32_t seed);
void land_ask_mask(const struct land *);
void land_ask_look(struct arbitrary *, bool varied);
void land_ask_sizes(const int *sizes, int count);
/* True when a map was made; one that breaks a promise, or a fault that is no refusal, fails the
   test. */
bool land_answer(void);

/* Of few, of many, of as many as there are, and of nearly as many. */
int land_draw_count(struct arbitrary *, int least, int most);
/* Sizes that add up to so many cells: small ones as a rule, or anything; how many. */
int land_draw_sizes(struct arbitrary *, int cells, int *sizes);
/* No more than so many of a thousand may be refused. */
void land_judge_refusals(int refused, int asked, int per_mille, const char *what, const char *land);

#endif
