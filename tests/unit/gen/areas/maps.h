/* maps.h: small grids to try the parts of /areas on. */
#ifndef MAPWRIGHT_TEST_AREAS_MAPS_H
#define MAPWRIGHT_TEST_AREAS_MAPS_H

#include "gen/areas/areas.h"
#include "unit/unit.h"

#include <stdlib.h>

/* One area of `area` cells on a map that is all land. */
static inline struct areas maps_wanted(int32_t width, int32_t height, enum mw_tiling tiling,
                                       enum mw_wrap wrap, int32_t area)
{
    return (struct areas){.width = width,
                          .height = height,
                          .grid = tiling,
                          .wrap = wrap,
                          .edge = AREAS_OPEN,
                          .area = area,
                          .count = 1,
                          .algorithm = AREAS_FRONTIER,
                          .ratio = 500,
                          .first = 250,
                          .burst = 100,
                          .holes = true};
}

/* Its grid, where `land` (NULL: all) says which cells are free; exits are open. */
static inline struct grid maps_grid(struct mw_run *run, const struct areas *p, const char *land)
{
    struct grid g;
    int32_t *owner = MW_NEW(run, int32_t, p->width * p->height);
    run->ticks = INT64_MAX;
    for (int32_t i = 0; i < p->width * p->height; i++)
        owner[i] = !land || land[i / p->width * (p->width + 1) + i % p->width] == '#'
                       ? AREAS_FREE
                       : AREAS_BARRED;
    areas_new_grid(&g, run, p, owner);
    areas_open_exits(&g);
    return g;
}

static inline struct area maps_area(struct grid *g, const struct areas *p)
{
    return (struct area){.grid = g,
                         .rng = unit_rng((uint64_t)p->area),
                         .wanted = p,
                         .id = 1,
                         .cells = MW_NEW(g->run, int32_t, p->area),
                         .pool = MW_NEW(g->run, int32_t, p->area + 2),
                         .stack = MW_NEW(g->run, int32_t, p->area + 1),
                         .back = MW_NEW(g->run, int32_t, g->cells),
                         .next = MW_NEW(g->run, int32_t, g->cells),
                         .seen = MW_NEW(g->run, int32_t, g->cells)};
}

/* Marks in seen[] what hangs together with a cell and has its owner; how many. */
static inline int32_t maps_flood(const struct grid *g, int32_t cell, bool *seen)
{
    int32_t n = 1;
    seen[cell] = true;
    for (int side = 0; side < g->sides; side++) {
        int32_t next = mw_neighbour(&g->lattice, cell, side);
        if (next >= 0 && !seen[next] && g->owner[next] == g->owner[cell])
            n += maps_flood(g, next, seen);
    }
    return n;
}

/* Whether area 1 has its size, in one piece, and lists its cells. */
static inline void maps_check(const struct grid *g, const struct area *a)
{
    bool *seen = calloc((size_t)g->cells, sizeof *seen);
    int32_t held = 0;
    for (int32_t i = 0; i < g->cells; i++)
        held += g->owner[i] == 1;
    ck_assert_int_eq(held, a->wanted->area);
    for (int32_t i = 0; i < held; i++)
        ck_assert_int_eq(g->owner[a->cells[i]], 1);
    ck_assert_int_eq(maps_flood(g, a->cells[0], seen), held);
    free(seen);
}

/* Whether each cell of a walk lies beside the one before. */
static inline void maps_check_walk(const struct grid *g, const struct area *a)
{
    for (int32_t i = 1; i < a->wanted->area; i++)
        ck_assert_int_eq(mw_distance(&g->lattice, a->cells[i - 1], a->cells[i]), 1);
}

/* Floods what is not the area from a cell of a frame around the map; corners are ways on
   squares. */
static inline void maps_flood_rest(const struct grid *g, int32_t x, int32_t y, bool *seen)
{
    int32_t w = g->lattice.width, h = g->lattice.height;
    if (x < -1 || y < -1 || x > w || y > h || seen[(y + 1) * (w + 2) + x + 1] ||
        (x >= 0 && y >= 0 && x < w && y < h && g->owner[y * w + x] == 1))
        return;
    seen[(y + 1) * (w + 2) + x + 1] = true;
    for (int k = 0; k < 9; k++) {
        int dx = k % 3 - 1, dy = k / 3 - 1;
        bool apart = g->sides == 6 && dy && dx == (y % 2 ? -1 : 1); /* odd rows lie to the right */
        if (!apart)
            maps_flood_rest(g, x + dx, y + dy, seen);
    }
}

/* Pieces of what is not area 1 that cannot reach the outside. */
static inline int32_t maps_holes(const struct grid *g)
{
    int32_t w = g->lattice.width, h = g->lattice.height, holes = 0;
    bool *seen = calloc((size_t)((w + 2) * (h + 2)), sizeof *seen);
    maps_flood_rest(g, -1, -1, seen);
    for (int32_t i = 0; i < g->cells; i++)
        if (g->owner[i] != 1 && !seen[(i / w + 1) * (w + 2) + i % w + 1]) {
            maps_flood_rest(g, i % w, i / w, seen);
            holes++;
        }
    free(seen);
    return holes;
}

/* Kinds of map, by number: squares and hexagons, in one piece or wrapped. */
enum { MAPS_KINDS = 6 };
static inline struct areas maps_kind(int kind, int32_t width, int32_t height, int32_t area)
{
    enum mw_tiling tiling = kind / 3 ? MW_HEX : MW_SQUARE;
    enum mw_wrap wrap = (enum mw_wrap)(kind % 3);
    bool odd = tiling == MW_HEX && wrap == MW_WRAP_XY && height % 2;
    return maps_wanted(width, height + odd, tiling, wrap, area);
}

#endif
