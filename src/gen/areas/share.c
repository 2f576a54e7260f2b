/*
 * share.c: the land divided beforehand, for demands that fill it so far that areas grown one after
 * another would cut off each other's room. Each area then grows inside its own share, by any
 * algorithm.
 *
 * A map that is all land is divided along a tour of all its cells: blocks of 2 x 2 cells are joined
 * to a random tree, and the tour follows the wall around the tree. (Hexagons numbered
 * odd-r have all the neighbours that squares have, so the tour serves both.)
 *
 *      o---o   o---o       an odd column or row is taken in by detours from the blocks' last sides,
 *      | o-|---|-o |       and where both are odd the last corner stands before the beginning
 *      | | o---o | |
 *      o-o       o-o       stretches of the tour are connected, and exact; the rest of
 *                          the map is connected and has a cell at the rim: no share has holes
 *
 * Any other land is divided along random spanning trees: from the leaves on, a branch is cut off as
 * soon as it has `area` cells. That is the most that a tree can give; several trees are tried.
 */
#include "areas.h"

/* ---- the tour -------------------------------------------------------------------------------- */

enum { EAST, SOUTH, WEST, NORTH };

struct tour {
    int32_t width, height, columns, rows; /* cells; blocks */
    uint8_t *links; /* of a block: a bit for each side with a branch of the tree */
};

static int32_t block_across(const struct tour *t, int32_t block, int side)
{
    int32_t x = block % t->columns + (side == EAST) - (side == WEST);
    int32_t y = block / t->columns + (side == SOUTH) - (side == NORTH);
    return x < 0 || y < 0 || x >= t->columns || y >= t->rows ? -1 : y * t->columns + x;
}

/* The sides of a block on which there is a block without links. */
static unsigned ways_out(const struct tour *t, int32_t block)
{
    unsigned ways = 0;
    for (int side = 0; side < 4; side++) {
        int32_t next = block_across(t, block, side);
        if (next >= 0 && !t->links[next])
            ways |= 1u << side;
    }
    return ways;
}

/* A tree that grows as fat areas do. */
static void plant(struct grid *g, struct mw_rng *rng, struct tour *t)
{
    int32_t blocks = t->columns * t->rows, pooled = 1;
    t->links = MW_NEW0(g->run, uint8_t, blocks);
    int32_t *pool = MW_NEW(g->run, int32_t, blocks);
    pool[0] = (int32_t)mw_below(rng, (uint32_t)blocks);
    while (pooled) {
        mw_tick(g->run, 4);
        int32_t i = (int32_t)mw_below(rng, (uint32_t)pooled), block = pool[i];
        unsigned ways = ways_out(t, block);
        if (!ways || blocks == 1) {
            pool[i] = pool[--pooled];
            continue;
        }
        int side = areas_pick_way(g, rng, (uint32_t)mw_next(rng), ways);
        int32_t next = block_across(t, block, side);
        t->links[block] |= (uint8_t)(1u << side);
        t->links[next] |= (uint8_t)(1u << (side + 2) % 4);
        assert(pooled < blocks);
        pool[pooled++] = next;
    }
}

/* Writes the cells that follow (x, y) up to the next corner of a block, clockwise; how many. */
static int go_on(const struct tour *t, int32_t x, int32_t y, int32_t *to)
{
    static const int8_t ahead[2][2] = {{NORTH, EAST}, {WEST, SOUTH}}; /* by y & 1, x & 1 */
    static const int8_t dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};
    int out = ahead[y & 1][x & 1], along = (out + 1) % 4;
    int32_t w = t->width, x1 = x + dx[out], y1 = y + dy[out];
    int n = 0;
    if (t->links[y / 2 * t->columns + x / 2] >> out & 1) {
        to[n++] = y1 * w + x1;
        return n;
    }
    if ((out == EAST && x1 == w - 1) || (out == SOUTH && y1 == t->height - 1)) {
        to[n++] = y1 * w + x1;
        to[n++] = (y1 + dy[along]) * w + x1 + dx[along];
    }
    to[n++] = (y + dy[along]) * w + x + dx[along];
    return n;
}

/* All cells, each beside the one before; from a corner, or from anywhere if the tour is closed. */
static void tour_all(struct grid *g, struct mw_rng *rng, bool anywhere, int32_t *cells)
{
    int32_t w = g->lattice.width, h = g->lattice.height;
    struct tour t = {w, h, w / 2, h / 2, NULL};
    if (!t.columns || !t.rows) {
        for (int32_t i = 0; i < g->cells; i++)
            cells[i] = i;
        return;
    }
    plant(g, rng, &t);
    int32_t x = 0, y = 0, n = 0;
    bool corner = w % 2 && h % 2;
    if (corner) {
        cells[n++] = g->cells - 1;
        cells[n++] = g->cells - 1 - w;
        x = w - 2;
        y = h - 2;
    } else if (anywhere) {
        x = (int32_t)mw_below(rng, (uint32_t)t.columns * 2);
        y = (int32_t)mw_below(rng, (uint32_t)t.rows * 2);
    }
    cells[n++] = y * w + x;
    while (n < g->cells) { /* each round writes a cell at least */
        assert(x >= 0 && x < 2 * t.columns && y >= 0 && y < 2 * t.rows);
        int32_t next[3];
        int steps = go_on(&t, x, y, next);
        for (int i = 0; i < steps && n < g->cells; i++)
            cells[n++] = next[i];
        x = next[steps - 1] % w;
        y = next[steps - 1] / w;
    }
    mw_tick(g->run, (uint64_t)g->cells * 2);
}

/* ---- trees ----------------------------------------------------------------------------------- */

enum { TREES = 24 };

struct forest {
    int32_t *order, *parent, *size; /* every cell after its parent; size by cell */
    int32_t count;
};

/* Adds the tree of one piece, depth first, or with `broad` from a pool. */
static void plant_piece(struct grid *g, struct mw_rng *rng, struct forest *f, int32_t *open,
                        int32_t root, bool broad)
{
    int32_t opened = 0;
    open[opened++] = root;
    f->parent[root] = root;
    f->order[f->count++] = root;
    while (opened) {
        mw_tick(g->run, 4);
        int32_t i = broad ? (int32_t)mw_below(rng, (uint32_t)opened) : opened - 1, cell = open[i];
        unsigned ways = 0;
        for (int side = 0; side < g->sides; side++) {
            int32_t next = areas_across(g, cell, side);
            ways |= (unsigned)(next >= 0 && !g->owner[next] && f->parent[next] < 0) << side;
        }
        if (!ways) {
            open[i] = open[--opened];
            continue;
        }
        int32_t next = areas_across(g, cell, areas_pick_way(g, rng, (uint32_t)mw_next(rng), ways));
        f->parent[next] = cell;
        f->order[f->count++] = next;
        open[opened++] = next;
    }
}

/* Cuts branches of `area` cells or more; size becomes -1 - k at the foot of share k. How many. */
static int32_t prune(struct forest *f, int32_t area)
{
    int32_t shares = 0;
    for (int32_t i = 0; i < f->count; i++)
        f->size[f->order[i]] = 1;
    for (int32_t i = f->count - 1; i >= 0; i--) {
        int32_t cell = f->order[i], up = f->parent[cell];
        if (f->size[cell] >= area)
            f->size[cell] = -1 - shares++;
        else if (up != cell)
            f->size[up] += f->size[cell];
    }
    return shares;
}

/* From the feet up: every cell belongs where its parent does. Feet of no share are barred. */
static void mark_shares(struct grid *g, const struct forest *f, const int32_t *name, int32_t count)
{
    for (int32_t i = 0; i < f->count; i++) {
        int32_t cell = f->order[i], up = f->parent[cell];
        int32_t k = f->size[cell] < 0 ? name[-1 - f->size[cell]] : count;
        int32_t own = k < count ? AREAS_FIRST_SHARE - k : AREAS_BARRED;
        g->owner[cell] = f->size[cell] < 0 || up == cell ? own : g->owner[up];
    }
}

/* Collects the cells of each share. */
static void list_shares(struct grid *g, const struct forest *f, int32_t count, struct shares *s)
{
    memset(s->first, 0, ((size_t)count + 1) * sizeof *s->first);
    for (int32_t i = 0; i < f->count; i++)
        if (g->owner[f->order[i]] <= AREAS_FIRST_SHARE)
            s->first[AREAS_FIRST_SHARE - g->owner[f->order[i]]]++;
    for (int32_t k = 0, sum = 0; k <= count; k++) {
        int32_t n = s->first[k];
        s->first[k] = sum += k < count ? n : 0;
    }
    for (int32_t i = f->count - 1; i >= 0; i--)
        if (g->owner[f->order[i]] <= AREAS_FIRST_SHARE)
            s->cells[--s->first[AREAS_FIRST_SHARE - g->owner[f->order[i]]]] = f->order[i];
    mw_tick(g->run, (uint64_t)f->count * 3);
}

static int32_t plant_all(struct grid *g, struct mw_rng *rng, struct forest *f, int32_t *open,
                         bool broad)
{
    f->count = 0;
    memset(f->parent, -1, (size_t)g->cells * sizeof *f->parent);
    int32_t first = (int32_t)mw_below(rng, (uint32_t)g->cells);
    for (int32_t i = 0; i < g->cells; i++) {
        int32_t root = i < g->cells - first ? i + first : i + first - g->cells;
        if (!g->owner[root] && f->parent[root] < 0)
            plant_piece(g, rng, f, open, root, broad);
    }
    mw_tick(g->run, (uint64_t)g->cells);
    return f->count;
}

static bool share_by_trees(struct grid *g, const struct areas *p, struct mw_rng *rng,
                           struct shares *s)
{
    struct forest f = {MW_NEW(g->run, int32_t, g->cells), MW_NEW(g->run, int32_t, g->cells),
                       MW_NEW(g->run, int32_t, g->cells), 0};
    int32_t *open = s->cells; /* not yet in use */
    for (int try = 0; try < TREES; try++) {
        plant_all(g, rng, &f, open, try % 2);
        int32_t shares = prune(&f, p->area);
        mw_tick(g->run, (uint64_t)f.count);
        if (shares < p->count)
            continue;
        int32_t *name = MW_NEW(g->run, int32_t, shares);
        for (int32_t k = 0; k < shares; k++)
            name[k] = k;
        mw_shuffle(rng, name, shares);
        mark_shares(g, &f, name, p->count);
        list_shares(g, &f, p->count, s);
        assert(s->first[0] == 0 && s->first[p->count] <= f.count);
        return true;
    }
    return false;
}

/* ---- both ------------------------------------------------------------------------------------ */

static void share_tour(struct grid *g, const struct areas *p, struct mw_rng *rng, struct shares *s)
{
    tour_all(g, rng, p->holes, s->cells);
    for (int32_t k = 0; k <= p->count; k++)
        s->first[k] = (int32_t)((int64_t)g->cells * k / p->count);
    for (int32_t k = 0; k < p->count; k++)
        for (int32_t i = s->first[k]; i < s->first[k + 1]; i++) {
            assert(g->owner[s->cells[i]] == AREAS_FREE); /* the tour meets no cell twice */
            g->owner[s->cells[i]] = AREAS_FIRST_SHARE - k;
        }
}

bool areas_share_out(struct grid *g, const struct areas *p, struct mw_rng *rng, struct shares *s)
{
    *s = (struct shares){MW_NEW(g->run, int32_t, g->cells), MW_NEW(g->run, int32_t, p->count + 1)};
    if (p->mask.count)
        return share_by_trees(g, p, rng, s);
    share_tour(g, p, rng, s);
    return true;
}
