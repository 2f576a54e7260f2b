/*
 * share.c: the land divided beforehand, for demands that fill it so far that areas grown one after
 * another would cut off each other's room. Each area then grows inside its own share, by any
 * algorithm.
 *
 * A map that is all land is divided along a tour of all its cells (kit/block_tour.h), around a tree
 * of blocks that grows as fat areas do. Stretches of the tour are connected, and exact; the rest of
 * the map is connected and has a cell at the rim: no share has holes.
 *
 * Any other land is divided along random spanning trees: from the leaves on, a branch is cut off as
 * soon as it has `area` cells. That is the most that a tree can give; several trees are tried.
 */
#include "areas.h"
#include "kit/block_tour.h"

/* ---- trees ----------------------------------------------------------------------------------- */

/* Trees while they grow: of blocks of 2 x 2 cells, or of cells, one for each piece of free land. */
struct forest {
    struct grid *grid;
    struct mw_rng *rng;
    struct mw_lattice lattice; /* whose places are the nodes */
    struct mw_spanning_tree tree;
    bool *taken;   /* by node: it is in a tree, or not free */
    int32_t *size; /* by rank: cells below, without branches that were cut off; or -1 - k: the foot
                      of share k */
};

static void new_forest(struct forest *f, struct grid *g, struct mw_rng *rng, struct mw_lattice l)
{
    *f = (struct forest){.grid = g, .rng = rng, .lattice = l};
    mw_new_spanning_tree(g->run, &f->tree, l.width * l.height);
    f->taken = MW_NEW0(g->run, bool, l.width *l.height);
}

/* One of the neighbors of a node that are not taken: see mw_draw_neighbour. */
static int32_t draw_node(void *forest, int32_t node, int32_t rank)
{
    const struct forest *f = forest;
    unsigned ways = 0;
    (void)rank;
    for (int side = 0; side < mw_sides(&f->lattice); side++) {
        int32_t next = mw_neighbour(&f->lattice, node, side);
        ways |= (unsigned)(next >= 0 && !f->taken[next]) << side;
    }
    if (!ways)
        return -1;
    int side = areas_pick_way(f->grid, f->rng, (uint32_t)mw_next(f->rng), ways);
    int32_t next = mw_neighbour(&f->lattice, node, side);
    f->taken[next] = true;
    return next;
}

static void plant(struct forest *f, int32_t root, int growth)
{
    f->taken[root] = true;
    mw_span(f->grid->run, &f->tree, f->rng, root, growth, draw_node, f);
}

/* ---- the tour -------------------------------------------------------------------------------- */

/* All cells inside, each beside the one before; from a corner, or from anywhere if the tour is
   closed. */
static void tour_all(struct grid *g, struct mw_rng *rng, bool anywhere, int32_t *cells)
{
    struct mw_box in = g->inside;
    int32_t width = in.x1 - in.x0 + 1, height = in.y1 - in.y0 + 1, start = 0;
    const struct mw_lattice blocks = {width / 2, height / 2, MW_SQUARE, MW_WRAP_NONE};
    int32_t count = blocks.width * blocks.height;
    struct forest f;
    new_forest(&f, g, rng, blocks);
    if (count)
        plant(&f, (int32_t)mw_below(rng, (uint32_t)count), MW_TREE_ANY);
    if (count && anywhere && (width % 2 == 0 || height % 2 == 0)) {
        start = (int32_t)mw_below(rng, (uint32_t)blocks.width * 2);
        start += (int32_t)mw_below(rng, (uint32_t)blocks.height * 2) * width;
    }
    mw_block_tour(g->run, &f.tree, width, height, start, cells);
    for (int32_t i = 0; i < width * height; i++)
        cells[i] = (cells[i] / width + in.y0) * g->lattice.width + cells[i] % width + in.x0;
}

/* ---- branches -------------------------------------------------------------------------------- */

enum { TREES = 24 };

/* Cuts branches of `area` cells or more; how many. */
static int32_t prune(struct forest *f, int32_t area)
{
    const struct mw_spanning_tree *t = &f->tree;
    int32_t shares = 0;
    for (int32_t v = 0; v < t->count; v++)
        f->size[v] = 1;
    for (int32_t v = t->count - 1; v >= 0; v--) {
        if (f->size[v] >= area)
            f->size[v] = -1 - shares++;
        else if (t->parent[v] >= 0)
            f->size[t->parent[v]] += f->size[v];
    }
    return shares;
}

/* From the feet up: every cell belongs where its parent does. Feet of no share are barred. */
static void mark_shares(struct grid *g, const struct forest *f, const int32_t *name, int32_t count)
{
    const struct mw_spanning_tree *t = &f->tree;
    for (int32_t v = 0; v < t->count; v++) {
        int32_t k = f->size[v] < 0 ? name[-1 - f->size[v]] : count, up = t->parent[v];
        int32_t own = k < count ? AREAS_FIRST_SHARE - k : AREAS_BARRED;
        g->owner[t->node[v]] = f->size[v] < 0 || up < 0 ? own : g->owner[t->node[up]];
    }
}

/* Collects the cells of each share. */
static void list_shares(struct grid *g, const struct mw_spanning_tree *t, int32_t count,
                        struct shares *s)
{
    memset(s->first, 0, ((size_t)count + 1) * sizeof *s->first);
    for (int32_t v = 0; v < t->count; v++)
        if (g->owner[t->node[v]] <= AREAS_FIRST_SHARE)
            s->first[AREAS_FIRST_SHARE - g->owner[t->node[v]]]++;
    for (int32_t k = 0, sum = 0; k <= count; k++) {
        int32_t n = s->first[k];
        s->first[k] = sum += k < count ? n : 0;
    }
    for (int32_t v = t->count - 1; v >= 0; v--)
        if (g->owner[t->node[v]] <= AREAS_FIRST_SHARE)
            s->cells[--s->first[AREAS_FIRST_SHARE - g->owner[t->node[v]]]] = t->node[v];
    mw_tick(g->run, (uint64_t)t->count * 3);
}

/* Trees of all free land, as walks or, with `broad`, grown from any of their cells. */
static void plant_all(struct forest *f, bool broad)
{
    const struct grid *g = f->grid;
    int32_t first = (int32_t)mw_below(f->rng, (uint32_t)g->cells);
    f->tree.count = 0;
    for (int32_t i = 0; i < g->cells; i++)
        f->taken[i] = g->owner[i] != AREAS_FREE;
    for (int32_t i = 0; i < g->cells; i++) {
        int32_t root = i < g->cells - first ? i + first : i + first - g->cells;
        if (!f->taken[root])
            plant(f, root, broad ? MW_TREE_ANY : MW_TREE_WALK);
    }
    mw_tick(g->run, (uint64_t)g->cells);
}

static bool share_by_trees(struct grid *g, const struct areas *p, struct mw_rng *rng,
                           struct shares *s)
{
    struct forest f;
    new_forest(&f, g, rng, g->lattice);
    f.size = MW_NEW(g->run, int32_t, g->cells);
    for (int try = 0; try < TREES; try++) {
        plant_all(&f, try % 2);
        int32_t shares = prune(&f, p->area);
        mw_tick(g->run, (uint64_t)f.tree.count);
        if (shares < p->count)
            continue;
        int32_t *name = MW_NEW(g->run, int32_t, shares);
        for (int32_t k = 0; k < shares; k++)
            name[k] = k;
        mw_shuffle(rng, name, shares);
        mark_shares(g, &f, name, p->count);
        list_shares(g, &f.tree, p->count, s);
        assert(s->first[0] == 0 && s->first[p->count] <= f.tree.count);
        return true;
    }
    return false;
}

/* ---- both ------------------------------------------------------------------------------------ */

static void share_tour(struct grid *g, const struct areas *p, struct mw_rng *rng, struct shares *s)
{
    tour_all(g, rng, p->holes, s->cells);
    for (int32_t k = 0; k <= p->count; k++)
        s->first[k] = (int32_t)((int64_t)mw_box_cells(g->inside) * k / p->count);
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
