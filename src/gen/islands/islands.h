/* islands.h: what the files of the generator `islands` share; the essay in islands.c names them. */
#ifndef MAPWRIGHT_ISLANDS_H
#define MAPWRIGHT_ISLANDS_H

#include "kit/integer.h"
#include "lib/gen.h"

struct islands {
    int32_t width, height, layers, land, iterations, edge;
    struct mw_ints islands, size;
    bool bridges;
    int32_t loops;
    bool order;
    int32_t names;
};

enum islands_edge { ISLANDS_SEA, ISLANDS_OPEN };
/* Rows and columns at each rim of the map that stay free. */
static inline int32_t islands_inset(const struct islands *p) { return p->edge == ISLANDS_SEA; }

/* ---- a plane of bits, 64 cells a word -------------------------------------------------------- */

/*
 * Cell (x, y) is bit x % 64 of row(y)[x / 64]. Before and after every row stands a word of zeros,
 * which is the one row's end and the next one's beginning; bits beyond the width are zero. Row -1
 * and row `height` may be read and are zeros.
 */
struct plane {
    int32_t width, height, words, stride; /* words of a row, without and with its word of zeros */
    uint64_t *at;
};

static inline uint64_t *plane_row(const struct plane *p, int32_t y)
{
    return p->at + (int64_t)y * p->stride;
}

void plane_new(struct mw_run *, struct plane *, int32_t width, int32_t height);
/* Sets every cell with the chance of `thousandths` / 1000, exactly. */
void plane_scatter(struct mw_run *, struct plane *, struct mw_rng *, int32_t thousandths);
/* Day & Night, B3678/S34678: all cells at once; outside is dead. */
void life_run(struct mw_run *, struct plane *, int32_t rounds);

/* A stretch of set cells in one row: from .. to - 1. */
struct plane_run {
    uint16_t from, to;
};

/* ---- labels ---------------------------------------------------------------------------------- */

/*
 * The components of the set cells, joined by sides, with labels from 1 on in the order of their
 * first cells, row by row. Runs stand in that order, those of row y from first[y] to first[y + 1] -
 * 1; label[r] is of run r, size[i] the cells with label i.
 */
struct components {
    struct plane_run *runs;
    int32_t *first, *label, *size;
    int32_t count;
};
void life_label(struct mw_run *, const struct plane *, struct components *);

/* ---- the map while it is made ---------------------------------------------------------------- */

/*
 * Cells with a rim around them, so that no step has to check for the edge of the map; at[c] is the
 * id of an island, or one of these. Air in an island's zone of influence is CELL_ZONE - (its id).
 */
enum { CELL_AIR = 0, CELL_LAND = -1, CELL_RIM = -2, CELL_ZONE = -16 };

struct island_map {
    struct mw_run *run;
    struct mw_rng rng;
    int32_t width, height, stride, cells; /* cells with the rim */
    int32_t inset;                        /* rows and columns of sea around it, in the result */
    int32_t longest;                      /* most cells of a bridge that only makes a loop */
    int32_t ring[8];                      /* offsets, from east by south; the sides are even */
    int32_t *at;
    int32_t fewest, most, least, largest; /* islands; cells of one */
    int32_t room;                         /* most islands by the count of corners; >= fewest */
    int32_t count;                        /* islands so far, 1 .. count */
    int32_t *size;                        /* of each, by id */
    struct components land;               /* the islands, when they are done */
    int32_t *list;                        /* scratch, as many as cells of the map */
    bool smooth;                          /* islands grow with short coasts */
};

static inline int32_t world_cell(const struct island_map *s, int32_t x, int32_t y)
{
    return (y + 1) * s->stride + x + 1;
}

/* How many sides of a cell are an island's. */
static inline int islands_sides(const struct island_map *s, int32_t cell, int32_t id)
{
    int sides = 0;
    for (int k = 0; k < 8; k += 2)
        sides += s->at[cell + s->ring[k]] == id;
    return sides;
}

/* Air inside, and a rim around it. */
void islands_clear(struct island_map *);

/* Points of the lattice of corners that an island of so many cells covers at least, with its
   margin. 0: it does not fit at all. */
int64_t islands_cover(int32_t cells, int32_t width, int32_t height);

/* Cells from which on an island has a coast of its own, rather than that of the automaton. */
enum { ISLANDS_COASTAL = 100 };
/* Grows islands of the number and sizes requested, on the land where it can; false: too few. */
bool islands_order(struct island_map *, const struct plane *land);
/* How many islands of a size fit on the shelves of a map, counting no further than `wanted`. */
int32_t islands_hold(struct mw_run *, int32_t width, int32_t height, int32_t size, int32_t wanted);
/* Replaces the land by the fewest islands on shelves, which must have room for them. */
void islands_pack(struct island_map *);

/* Writes the layers of land of each cell of the result. */
void islands_raise(struct island_map *, const int32_t *cells, int32_t layers, int32_t *heights);

/* ---- bridges --------------------------------------------------------------------------------- */

struct bridge {
    int32_t from, to, length; /* from < to */
    int32_t near, far;        /* the two cells that meet, on the side of `from` and of `to` */
};
struct bridges {
    struct bridge *list; /* in order of (from, to) */
    int32_t count;
};
/* Joins all islands; leaves the zones in at[] of air, and the steps to the island in `steps`. */
void islands_bridge(struct island_map *, int32_t loops, uint16_t *steps, struct bridges *);
/* Writes the cells of a bridge in order. */
void islands_lay(const struct island_map *, const uint16_t *steps, const struct bridge *,
                 struct mw_point *);
/* Lists of neighbours by bridge, ascending; by id. */
void islands_join(struct mw_run *, const struct bridges *, int32_t count,
                  struct mw_ints *neighbours);
/* Two islands far apart over bridges, and a shortest way from one to the other. */
struct mw_ints islands_route(struct island_map *, const struct mw_ints *neighbours);

#endif
