/* islands.h: what the files of the generator `islands` share; the essay in islands.c names them. */
#ifndef MAPWRIGHT_ISLANDS_H
#define MAPWRIGHT_ISLANDS_H

#include "kit/integer.h"
#include "lib/gen.h"
#include "life.h"

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
    int32_t *size;                        /* of each, by id; room + 1 */
    int32_t *list;                        /* scratch, as many as cells of the map */
    bool smooth;                          /* islands grow with short coasts */
};

static inline int32_t world_cell(const struct island_map *s, int32_t x, int32_t y)
{
    return (y + 1) * s->stride + x + 1;
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
/* How many islands of the least size fit on shelves; counts no further than the fewest. Needs
   run, width, height, least and fewest. */
int32_t islands_hold(struct island_map *);
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
