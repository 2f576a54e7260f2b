/*
 * judge.h: what the judges of maps share. It knows nothing of the generators: cells are neighbours
 * by where their centres lie, and what hangs together is found by flooding.
 */
#ifndef MAPWRIGHT_JUDGE_H
#define MAPWRIGHT_JUDGE_H

#include "asked.h"
#include "mapwright_host.h"

#include <stdarg.h>

/* Says what is wrong; false, for `return`. */
__attribute__((format(printf, 3, 4))) static inline bool judge_wrong(char *why, size_t room,
                                                                     const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why, room, format, args);
    va_end(args);
    return false;
}
#define wrong(judge, ...) judge_wrong((judge)->why, (judge)->room, __VA_ARGS__)

/* NULL where a map keeps every promise of its generator, else `why`. */
typedef const char *judge_map(const struct mw_map *, char *why, size_t room);
judge_map check_regions, check_areas, check_islands;

/* The one for an address of these three. */
static inline judge_map *judge_of(const char *address)
{
    return !strncmp(address, "/regions", 8) ? check_regions
           : !strncmp(address, "/areas", 6) ? check_areas
                                            : check_islands;
}

/* A grid, with scratch for as many cells. */
struct judge_grid {
    int32_t width, height;
    bool hex, across, down; /* hexagons; wrapped from left to right, from top to bottom */
    const int32_t *cells;
    int32_t *mark, *queue;
};

static inline void judge_open(struct judge_grid *g, const int32_t *cells)
{
    g->cells = cells;
    g->mark = calloc((size_t)g->width * (size_t)g->height, sizeof *g->mark);
    g->queue = calloc((size_t)g->width * (size_t)g->height, sizeof *g->queue);
}

static inline void judge_close(struct judge_grid *g)
{
    free(g->mark);
    free(g->queue);
}

/* The cell at a column and row, or -1 outside. */
static inline int32_t judge_cell(const struct judge_grid *g, int32_t x, int32_t y)
{
    x = g->across ? (x + g->width) % g->width : x;
    y = g->down ? (y + g->height) % g->height : y;
    return x < 0 || y < 0 || x >= g->width || y >= g->height ? -1 : y * g->width + x;
}

/* What a cell holds; `outside` beyond the map. */
static inline int32_t judge_value(const struct judge_grid *g, const int32_t *values, int32_t x,
                                  int32_t y, int32_t outside)
{
    int32_t cell = judge_cell(g, x, y);
    return cell < 0 ? outside : values[cell];
}

/* Cells across the sides of one, with `corners` those at the corners of a square too; -1 beyond the
   map. How many there would be. */
static inline int judge_beside(const struct judge_grid *g, int32_t cell, bool corners,
                               int32_t to[8])
{
    static const int8_t square[8][2] = {{1, 0}, {-1, 0}, {0, 1},  {0, -1},
                                        {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
    int32_t x = cell % g->width, y = cell / g->width, n = 0;
    for (int dy = -1; g->hex && dy <= 1; dy++)
        for (int half = -2; half <= 2; half++) /* to the right, in half cells: odd rows lie so */
            if (dy ? abs(half) == 1 : abs(half) == 2) {
                int32_t odd = dy && y % 2 ? 1 : 0, left = dy && !(y % 2) ? 1 : 0;
                to[n++] = judge_cell(g, x + (half + odd - left) / 2, y + dy);
            }
    for (; !g->hex && n < (corners ? 8 : 4); n++)
        to[n] = judge_cell(g, x + square[n][0], y + square[n][1]);
    return n;
}

/* Marks by `stamp` all that hangs together with a cell and does (or with `rest`, does not) hold
   `id`; lists it in queue[]. How many cells, and whether the map's rim was reached. */
static inline int32_t judge_flood(struct judge_grid *g, int32_t start, int32_t id, bool rest,
                                  int32_t stamp, bool *rim)
{
    int32_t n = 0, to[8];
    *rim = false;
    g->queue[n++] = start;
    g->mark[start] = stamp;
    for (int32_t i = 0; i < n; i++)
        for (int k = judge_beside(g, g->queue[i], rest, to) - 1; k >= 0; k--) {
            *rim = *rim || to[k] < 0;
            if (to[k] < 0 || (g->cells[to[k]] == id) == rest || g->mark[to[k]] == stamp)
                continue;
            g->mark[to[k]] = stamp;
            g->queue[n++] = to[k];
        }
    return n;
}

/* Steps from each cell that holds an id (above 0) to the nearest that does not hold the same, the
   map's outside included, in mark[]; 0 elsewhere. Breadth first from all shores. */
static inline void judge_depths(struct judge_grid *g)
{
    int32_t n = 0, to[8];
    for (int32_t i = 0; i < g->width * g->height; i++) {
        bool shore = false;
        for (int k = judge_beside(g, i, false, to) - 1; k >= 0; k--)
            shore = shore || to[k] < 0 || g->cells[to[k]] != g->cells[i];
        g->mark[i] = g->cells[i] <= 0 ? 0 : shore ? 1 : -1;
        if (g->mark[i] == 1)
            g->queue[n++] = i;
    }
    for (int32_t i = 0; i < n; i++)
        for (int k = judge_beside(g, g->queue[i], false, to) - 1; k >= 0; k--)
            if (to[k] >= 0 && g->mark[to[k]] < 0) {
                g->mark[to[k]] = g->mark[g->queue[i]] + 1;
                g->queue[n++] = to[k];
            }
}

/* What the cells say of an id. */
struct judge_shape {
    int32_t cells, first; /* how many, and the first of them */
    struct mw_box box;
};

/* Those of 1 .. count, in an array to be freed, after that of all other cells. */
static inline struct judge_shape *judge_shapes(const struct judge_grid *g, int32_t count)
{
    struct judge_shape *of = calloc((size_t)count + 1, sizeof *of);
    for (int32_t i = 0; i < g->width * g->height; i++) {
        int32_t x = i % g->width, y = i / g->width, id = g->cells[i];
        struct judge_shape *s = &of[id > 0 && id <= count ? id : 0];
        if (!s->cells++)
            *s = (struct judge_shape){1, i, {x, y, x, y}};
        s->box.x0 = x < s->box.x0 ? x : s->box.x0;
        s->box.x1 = x > s->box.x1 ? x : s->box.x1;
        s->box.y1 = y;
    }
    return of;
}

/* Pieces of the rest that an id cuts off from the map's rim; marks all but the id by -id. */
static inline int32_t judge_count_holes(struct judge_grid *g, int32_t id)
{
    int32_t holes = 0;
    for (int32_t i = 0; i < g->width * g->height; i++) {
        bool rim;
        if (g->cells[i] == id || g->mark[i] == -id)
            continue;
        judge_flood(g, i, id, true, -id, &rim);
        holes += !rim;
    }
    return holes;
}

/* Whether an id's cells hang together; they are marked with it. */
static inline bool judge_is_whole(struct judge_grid *g, const struct judge_shape *s, int32_t id)
{
    bool rim;
    return s->cells && judge_flood(g, s->first, id, false, id, &rim) == s->cells;
}

#endif
