/*
 * longest.c: how long a walk on some land can be at most. Three things bound it.
 *
 * Light and dark. On a chessboard each step leads from a cell of one colour to one of the other.
 *
 * Blocks. Cut land at every cell by which alone two parts hang together: what is left are blocks,
 * and they make a tree. A walk that leaves a block cannot come back, so that it goes along one way
 * in that tree; each block gives it a bounded number of steps. Blocks are found as a depth-first
 * search leaves them (Hopcroft, Tarjan 1973), and with each the longest way down from it.
 *
 * Steps. A walk takes at most two of the steps at each cell, and as a set of steps of which that is
 * true it is no larger than the largest such set. That is a flow from light to dark cells (a
 * 2-matching), found by alternating chains: where inlets of one colour hang about fewer cells of
 * the other, as on any ragged coast, it is far below what light and dark allow in all. It is asked
 * of blocks of up to FLOW_MOST cells.
 */
#include "areas.h"

enum { FLOW_MOST = 1 << 16 };

/* Whether every step leads from a cell where x + y is even to one where it is odd, or back. */
static bool is_chequered(const struct mw_lattice *l)
{
    return l->tiling == MW_SQUARE && (l->wrap == MW_WRAP_NONE || l->width % 2 == 0) &&
           (l->wrap != MW_WRAP_XY || l->height % 2 == 0);
}

int32_t areas_walk_most(const struct mw_lattice *l, int32_t cells, int32_t light)
{
    assert(light >= 0 && light <= cells);
    int32_t fewer = mw_min(light, cells - light);
    return is_chequered(l) ? mw_min(2 * fewer + 1, cells) : cells;
}

static int32_t is_light(const struct grid *g, int32_t cell)
{
    return (cell % g->lattice.width + cell / g->lattice.width) % 2;
}

/* ---- steps ----------------------------------------------------------------------------------- */

enum { NEVER = 0, IN_VAIN = -1 };

struct flow {
    struct grid *grid;
    int32_t *block; /* by cell: in which block it was last */
    int32_t *seen;  /* by cell: by which chain; IN_VAIN: none that ends well leads through it */
    int32_t *queue;
    uint8_t *steps, *came; /* by cell: sides across which steps are; from which a chain came */
    int32_t blocks, chains;
};

static struct flow new_flow(struct grid *g)
{
    return (struct flow){.grid = g,
                         .block = MW_NEW0(g->run, int32_t, g->cells),
                         .seen = MW_NEW(g->run, int32_t, g->cells),
                         .queue = MW_NEW(g->run, int32_t, g->cells),
                         .steps = MW_NEW(g->run, uint8_t, g->cells),
                         .came = MW_NEW(g->run, uint8_t, g->cells)};
}

static int steps_at(const struct flow *f, int32_t cell) { return mw_count_bits(f->steps[cell]); }

static int32_t beside(const struct flow *f, int32_t cell, int side)
{
    int32_t next = areas_across(f->grid, cell, side);
    return next >= 0 && f->block[next] == f->blocks ? next : -1;
}

/* A step where there was none, or none where there was one. */
static int32_t turn(struct flow *f, int32_t cell, int side)
{
    int32_t next = areas_across(f->grid, cell, side);
    f->steps[cell] ^= (uint8_t)(1 << side);
    f->steps[next] ^= (uint8_t)(1 << (side + 2) % 4);
    return next;
}

/* Goes on with a chain from a cell; where it ends well, or -1. */
static int32_t lead_on(struct flow *f, int32_t cell, int32_t *queued)
{
    bool light = is_light(f->grid, cell);
    for (int side = 0; side < 4; side++) {
        int32_t next = beside(f, cell, side);
        if (next < 0 || f->seen[next] == f->chains || f->seen[next] == IN_VAIN ||
            (f->steps[cell] >> side & 1) == light)
            continue;
        f->seen[next] = f->chains;
        f->came[next] = (uint8_t)((side + 2) % 4);
        f->queue[(*queued)++] = next;
        if (light && steps_at(f, next) < 2)
            return next;
    }
    return -1;
}

/*
 * One step more from a light cell, by a chain that takes steps from light cells to dark, gives up
 * steps from dark to light, and ends at a dark cell that has less than two. What a chain in vain
 * has seen is of no use to any later one.
 */
static bool add_step(struct flow *f, int32_t start)
{
    int32_t n = 0, end = -1;
    f->queue[n++] = start;
    f->seen[start] = ++f->chains;
    for (int32_t i = 0; i < n && end < 0; i++)
        end = lead_on(f, f->queue[i], &n);
    mw_tick(f->grid->run, (uint64_t)n);
    for (int32_t i = 0; i < n && end < 0; i++)
        f->seen[f->queue[i]] = IN_VAIN;
    if (end < 0)
        return false;
    while (end != start && n-- > 0) /* no longer than the cells that were queued */
        end = turn(f, end, f->came[end]);
    assert(end == start);
    return true;
}

/* The most steps of which no three are at one cell of the block. */
static int32_t count_steps(struct flow *f, const int32_t *cells, int32_t count)
{
    int32_t all = 0;
    f->blocks++;
    for (int32_t i = 0; i < count; i++) {
        f->block[cells[i]] = f->blocks;
        f->seen[cells[i]] = f->steps[cells[i]] = NEVER;
    }
    f->chains = NEVER;
    for (int32_t i = 0; i < count; i++)
        for (int side = 0; side < 4 && is_light(f->grid, cells[i]); side++) {
            int32_t next = beside(f, cells[i], side);
            if (next >= 0 && steps_at(f, cells[i]) < 2 && steps_at(f, next) < 2)
                turn(f, cells[i], side);
        }
    for (int32_t i = 0; i < count; i++) {
        if (!is_light(f->grid, cells[i]))
            continue;
        while (steps_at(f, cells[i]) < 2 && f->seen[cells[i]] != IN_VAIN && add_step(f, cells[i]))
            ;
        all += steps_at(f, cells[i]);
    }
    mw_tick(f->grid->run, (uint64_t)count * 8);
    return all;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

struct blocks {
    int32_t *order, *low; /* by cell: when it was found; the first cell that its branch touches */
    int32_t *best;        /* by cell: steps of the longest way down from it */
    int32_t *path, *open; /* cells on the way down; cells of blocks not yet left */
    uint8_t *side;        /* by cell: sides looked at */
    int32_t found, depth, opened, longest;
    struct flow flow;
};

static void enter(struct blocks *b, int32_t cell)
{
    assert(!b->order[cell]); /* each cell once: so there is room for all */
    b->order[cell] = b->low[cell] = ++b->found;
    b->best[cell] = b->side[cell] = 0;
    b->path[b->depth++] = b->open[b->opened++] = cell;
}

/* The most steps of a walk in the block of these cells. */
static int32_t steps_within(const struct grid *g, struct blocks *b, const int32_t *cells,
                            int32_t count)
{
    int32_t light = 0;
    for (int32_t i = 0; i < count; i++)
        light += is_light(g, cells[i]);
    int32_t most = areas_walk_most(&g->lattice, count, light) - 1;
    if (count < 4 || count > FLOW_MOST || !is_chequered(&g->lattice))
        return most;
    return mw_min(most, count_steps(&b->flow, cells, count));
}

/* Leaves the block that hangs by `top` and was entered by `first`. */
static void leave_block(const struct grid *g, struct blocks *b, int32_t top, int32_t first)
{
    int32_t down = 0, second = 0, count = 1;
    for (int32_t cell = -1; cell != first && b->opened > 0; count++) {
        cell = b->open[--b->opened];
        second = mw_max(second, mw_min(b->best[cell], down));
        down = mw_max(down, b->best[cell]);
    }
    assert(b->open[b->opened] == first);
    int32_t *cells = b->open + b->opened, behind = cells[count - 1];
    cells[count - 1] = top;
    int32_t inside = steps_within(g, b, cells, count);
    cells[count - 1] = behind;
    b->longest = mw_max(b->longest, inside + down + mw_max(second, b->best[top]));
    b->best[top] = mw_max(b->best[top], inside + down);
}

static void look_down(struct grid *g, struct blocks *b, int32_t start)
{
    enter(b, start);
    while (b->depth) {
        int32_t cell = b->path[b->depth - 1];
        if (b->side[cell] < g->sides) {
            int32_t next = areas_across(g, cell, b->side[cell]++);
            if (next < 0 || g->owner[next] != g->vacant)
                continue;
            if (!b->order[next])
                enter(b, next);
            else
                b->low[cell] = mw_min(b->low[cell], b->order[next]);
            continue;
        }
        int32_t up = --b->depth ? b->path[b->depth - 1] : -1;
        if (up >= 0 && b->low[cell] >= b->order[up])
            leave_block(g, b, up, cell);
        else if (up >= 0)
            b->low[up] = mw_min(b->low[up], b->low[cell]);
    }
    b->opened = 0;
}

int32_t areas_walk_longest(struct area *a)
{
    struct grid *g = a->grid;
    struct blocks b = {.order = a->back,
                       .low = a->next,
                       .best = a->seen,
                       .path = MW_NEW(g->run, int32_t, g->cells),
                       .open = MW_NEW(g->run, int32_t, g->cells + 1),
                       .side = MW_NEW(g->run, uint8_t, g->cells),
                       .flow = new_flow(g)};
    memset(b.order, 0, (size_t)g->cells * sizeof *b.order);
    for (int32_t cell = 0; cell < g->cells; cell++)
        if (g->owner[cell] == g->vacant && !b.order[cell])
            look_down(g, &b, cell);
    mw_tick(g->run, (uint64_t)g->cells * 16);
    assert(b.longest < g->cells);
    return b.longest + 1;
}
