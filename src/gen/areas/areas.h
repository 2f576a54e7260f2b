/*
 * areas.h: what the files of the generator `areas` share.
 *
 * areas.c       parameters, one area after another, the result
 * grid.c        the grid: free cells, open sides, and which cells would close a ring
 * grow.c        four ways to grow an area: thin, fat and mixed
 * area_coast.c  the fifth: natural land
 * walk.c        the sixth: a walk that never meets itself
 * share.c       when room is tight: the land divided beforehand, a share for each area
 * measure.c     holes and bounds
 */
#ifndef MAPWRIGHT_AREAS_H
#define MAPWRIGHT_AREAS_H

#include "kit/integer.h"
#include "kit/lattice.h"
#include "kit/mask.h"
#include "lib/gen.h"

enum areas_algorithm {
    AREAS_COAST,
    AREAS_WALK,
    AREAS_DFS,
    AREAS_FRONTIER,
    AREAS_MIXED,
    AREAS_FRENZIED
};

enum areas_edge { AREAS_SEA, AREAS_OPEN };

struct areas {
    int32_t width, height, grid, wrap, edge;
    struct mw_rows mask;
    int32_t area, count, algorithm, ratio, first, burst;
    bool holes;
    int32_t names;
};

/* Cells that an area may hold where there is no mask: the first and last column and row. Without
   any cell inside, a last one lies before its first. */
struct mw_box areas_inside(const struct areas *);

/* ---- the grid -------------------------------------------------------------------------------- */

/*
 * owner[c] is the id of the area that holds c, or `vacant` where the area at work may go, or
 * another negative number: no land, a hole too small for an area, someone else's share.
 *
 * exits[c] has a bit for each side of c beyond which a cell is vacant; exits of vacant cells count
 * as well. Two more bits say how to find the cell across a side without dividing: ODD rows of
 * hexagons have other offsets, and on the EDGE of the map an offset may lead out of it or across a
 * seam. (On squares without seams it does no harm to close an exit that is not there: it is a rim
 * cell's exit to the outside, or lies in the rows to spare.)
 */
enum { AREAS_EXITS = 0x3f, AREAS_ODD = 0x40, AREAS_EDGE = 0x80 };
enum { AREAS_FLAT_DRAWS = 12 };
enum { AREAS_FREE = 0, AREAS_BARRED = -1, AREAS_FIRST_SHARE = -2 };

struct grid {
    struct mw_run *run;
    struct mw_lattice lattice;
    int32_t cells;
    struct mw_box inside; /* cells that an area may hold: with a sea at the edge, none at the rim */
    uint64_t reciprocal;  /* of the width, times 2^36 */
    int sides, around;    /* neighbours across a side; cells of the ring around one */
    int32_t step[2][MW_MAX_SIDES];
    int32_t ring[2][8];
    uint8_t shut[MW_MAX_SIDES]; /* all bits but that of the opposite side */
    uint32_t draws;             /* 12, or 60 on hexagons: any number of open sides divides it */
    uint8_t way[64 * 60];       /* by set of sides and number drawn: a side of the set */
    bool flat;                  /* squares without seams: a step over the edge does no harm */
    int32_t offset[16 * AREAS_FLAT_DRAWS]; /* on such: the step across that side, else 0 */
    uint8_t *exits;                        /* with a row to spare before and after */
    int32_t *owner;
    int32_t vacant;
    /* Without holes only: */
    bool once[256]; /* by the ring's cells that belong to the area: whether they are one arc */
    uint8_t *mine;  /* 1: held by the area that grows (not the one that walks) */
};

void areas_new_grid(struct grid *, struct mw_run *, const struct areas *, int32_t *owner);
/* Sets the exits, from owner[]: one opens only between cells that have the same owner. `alike`: all
   cells inside are vacant, and no others. */
void areas_open_exits(struct grid *, bool alike);

static inline int32_t areas_across(const struct grid *g, int32_t cell, int side)
{
    assert(cell >= 0 && cell < g->cells && side >= 0 && side < g->sides);
    uint8_t exits = g->exits[cell];
    if (exits & AREAS_EDGE)
        return mw_neighbour(&g->lattice, cell, side);
    return cell + g->step[exits >> 6][side];
}

/* A cell's column and row, without dividing: the reciprocal is at most 1 too large, so the quotient
   is right for all of 2^24 cells. */
static inline struct mw_point areas_point(const struct grid *g, int32_t cell)
{
    int32_t y = (int32_t)((uint64_t)cell * g->reciprocal >> 36);
    return (struct mw_point){cell - y * g->lattice.width, y};
}

/* Closes the exits to a cell. */
ALWAYS_INLINE void areas_shut_exits(struct grid *g, int32_t cell, bool flat)
{
    uint8_t *exits = g->exits + cell;
    const int32_t *step = g->step[(*exits & AREAS_ODD) != 0];
    bool inner = !(*exits & AREAS_EDGE);
    if (flat) {
        exits[1] &= (uint8_t)~4;
        exits[step[1]] &= (uint8_t)~8;
        exits[-1] &= (uint8_t)~1;
        exits[step[3]] &= (uint8_t)~2;
        return;
    }
    for (int side = 0; inner && side < g->sides; side++)
        exits[step[side]] &= g->shut[side];
    for (int side = 0; !inner && side < g->sides; side++) {
        int32_t next = mw_neighbour(&g->lattice, cell, side);
        if (next >= 0)
            g->exits[next] &= g->shut[side];
    }
}

/* A cell was released: opens the exits to it from cells that are vacant or of area `id`. */
void areas_reopen_exits_to(struct grid *, int32_t cell, int32_t id);

/* The cell behind the exit that the number drawn chooses; the cell itself where there is none. */
static inline int32_t areas_through_an_exit(const struct grid *g, int32_t cell, uint32_t drawn)
{
    uint8_t exits = g->exits[cell];
    unsigned ways = exits & AREAS_EXITS;
    int side = g->way[ways * g->draws + drawn];
    if (exits & AREAS_EDGE)
        return ways ? mw_neighbour(&g->lattice, cell, side) : cell;
    return cell + (g->step[exits >> 6][side] & -(int32_t)(ways != 0));
}

/* The k-th cell of the ring around one, from east by south; -1 outside. Not for maps that wrap. */
int32_t areas_around(const struct grid *, int32_t cell, int k);
/* The cells of the ring that area `id` holds, a bit each. */
unsigned areas_ring(const struct grid *, int32_t cell, int32_t id);

/* A bit for the last cell of each arc of a ring by which a cell would join the area. */
static inline unsigned areas_arcs(const struct grid *g, unsigned ring)
{
    if (g->around == 6)
        return ring & ~(ring >> 1 | ring << 5) & 0x3f;
    return ring & ~((ring >> 1 | ring << 7) & (ring >> 2 | ring << 6)) & 0x55;
}

/* The ring's cells that the area holds, a bit each: without holes only. */
static inline unsigned areas_held_around(const struct grid *g, int32_t cell)
{
    const uint8_t *mine = g->mine + cell;
    ptrdiff_t w = g->lattice.width;
    unsigned ring = 0;
    if (g->exits[cell] & AREAS_EDGE) {
        for (int k = 0; k < g->around; k++) {
            int32_t at = areas_around(g, cell, k);
            ring |= (unsigned)(at >= 0 && g->mine[at]) << k;
        }
        return ring;
    }
    if (g->around == 8)
        return mine[1] + 2u * mine[w + 1] + 4u * mine[w] + 8u * mine[w - 1] + 16u * mine[-1] +
               32u * mine[-w - 1] + 64u * mine[-w] + 128u * mine[-w + 1];
    const int32_t *to = g->ring[g->exits[cell] >> 6];
    for (int k = 0; k < 6; k++)
        ring |= (unsigned)mine[to[k]] << k;
    return ring;
}

/* Whether a cell would join the area by one arc of its ring, and so close nothing. */
static inline bool areas_joins_once(const struct grid *g, int32_t cell)
{
    return g->once[areas_held_around(g, cell)];
}

/* ---- one area -------------------------------------------------------------------------------- */

struct area {
    struct grid *grid;
    struct mw_rng rng;
    const struct areas *wanted;
    int32_t id, size;
    int32_t *cells; /* in the order in which they were taken; room for `wanted->area` */
    int32_t *pool;  /* cells that may have an exit left; room for two more */
    int32_t pooled;
    int64_t wasted; /* cells of large pockets that were looked at in vain */
    int32_t *stack; /* of thin growth; room for one more */
    int32_t *back;  /* of a walk: by cell its place in it */
    int32_t *next;  /* of a walk: what it becomes; as large as the map, as are the others */
    int32_t *seen;  /* of a walk: cells left again */
    struct coast *coast;
};

/* Begins an area with its first cell. */
void areas_begin(struct area *, int32_t origin);
/* Grows it fat to the wanted size; false, and bars its cells, when it is stuck before. */
bool areas_finish(struct area *);
/* Takes a vacant cell, which there must be room for. */
static inline void areas_take(struct area *a, int32_t cell)
{
    assert(a->size < a->wanted->area);
    assert(a->grid->owner[cell] == a->grid->vacant || a->grid->owner[cell] == a->id);
    a->grid->owner[cell] = a->id;
    if (a->grid->mine)
        a->grid->mine[cell] = 1;
    areas_shut_exits(a->grid, cell, a->grid->flat);
    a->cells[a->size++] = cell;
    a->pool[a->pooled++] = cell;
}
enum { AREAS_POCKET = 65 }; /* cells of a small pocket, with the one that closes it */
/* Takes one with all that it encloses, at most `room` cells; false, and takes nothing, where that
   would leave a hole. */
bool areas_take_whole(struct area *, int32_t cell, int32_t room);

/* Uniform in 0 .. n-1, from 32 random bits, or others if these would make it uneven (Lemire). */
static inline uint32_t areas_below(struct mw_rng *rng, uint32_t bits, uint32_t n)
{
    uint64_t m = (uint64_t)bits * n;
    return (uint32_t)m >= n || (uint32_t)m >= -n % n ? (uint32_t)(m >> 32) : mw_below(rng, n);
}

/* A random bit of `ways`, by its number; 0 where there is none. */
static inline int areas_pick_way(const struct grid *g, struct mw_rng *rng, uint32_t bits,
                                 unsigned ways)
{
    return g->way[ways * g->draws + areas_below(rng, bits, g->draws)];
}

/* Grows from a vacant cell by any other algorithm but a walk; false when it is stuck before. */
bool areas_grow(struct area *, int32_t origin);
/* Finds a walk near a vacant cell; false when none was found. Bars the cells within reach if they
   are too few. */
bool areas_walk(struct area *, int32_t origin);

/* ---- coasts ---------------------------------------------------------------------------------- */

/* What every area of a map with coasts needs. */
void areas_new_coast(struct area *);
/* A vacant cell with room around it, and low; -1: none was found soon. */
int32_t areas_low_origin(struct area *);
/* Grows from a vacant cell to the wanted size; false when it is stuck before. */
bool areas_grow_coast(struct area *, int32_t origin);

/* ---- shares ---------------------------------------------------------------------------------- */

/*
 * Divides the free land into `count` connected shares of `area` cells or more. Share k holds
 * cells[first[k]] .. cells[first[k + 1] - 1] and is marked in owner[] by AREAS_FIRST_SHARE - k. On
 * land that fills the map they are stretches of one walk over all of it. False: not found.
 */
struct shares {
    int32_t *cells, *first;
};
bool areas_share_out(struct grid *, const struct areas *, struct mw_rng *, struct shares *);

/* ---- measures -------------------------------------------------------------------------------- */

/* Counts holes (MW_NULL where the map wraps) and finds bounds, from owner[] and the areas'
   cells. */
void areas_measure(const struct grid *, const struct areas *, const int32_t *cells, int32_t *holes,
                   struct mw_box *bounds);

#endif
