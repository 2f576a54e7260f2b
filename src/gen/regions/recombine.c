/*
 * regions_recombine.c: two countries put together and cut anew.
 *
 * Where land is thin, single cells cannot move: all that two countries share may be a cell which
 * holds one of them together, with a long cape behind it. Then both are thrown together, a
 * random tree is spanned over their cells, and the tree is cut at the edge that leaves the
 * better sizes: each side of a cut is connected, whatever the land. (DeFord, Duchin and Solomon
 * do so to draw electoral districts at random: «Recombination», 2019.) A tree that branches much
 * leaves compact countries, one that winds leaves a greater choice of sizes; the first trees are
 * of the one kind, later ones of the other.
 */
#include "regions.h"

struct tree {
    struct ground *g;
    int32_t *place, *parent; /* in order of growth: the place, its parent's rank */
    int32_t *below;          /* places at it or below it */
    int32_t *active;         /* ranks that may still have free neighbours */
    int32_t count;
};

/* Cells too many or too few. */
static int32_t off(const struct census *c, int32_t country, int32_t size)
{
    if (size > c->high[country])
        return size - c->high[country];
    return size < c->low[country] ? c->low[country] - size : 0;
}

/* A free neighbour in either country, any of them; -1 when there is none. */
static int32_t free_beside(struct ground *g, struct mw_rng *rng, int32_t place, int32_t a,
                           int32_t b)
{
    int32_t found = -1;
    uint32_t n = 0;
    for (int i = 0, p; (p = g->beside(g, place, i)) >= 0; i++) {
        int32_t holder = regions_holder(g, p);
        if ((holder == a || holder == b) && g->stamp[p >> g->shift] != g->stamps &&
            mw_below(rng, ++n) == 0)
            found = p;
    }
    return found;
}

static void add(struct tree *t, int32_t place, int32_t parent)
{
    t->g->stamp[place >> t->g->shift] = t->g->stamps;
    t->place[t->count] = place;
    t->parent[t->count] = parent;
    t->below[t->count++] = 1;
}

/* Spans a tree over two countries from a place of one of them. */
static void span(struct tree *t, struct mw_rng *rng, int32_t root, int32_t a, int32_t b,
                 bool winding)
{
    int32_t active = 0;
    t->g->stamps += 2;
    t->count = 0;
    add(t, root, -1);
    t->active[active++] = 0;
    while (active) {
        int32_t i = winding ? active - 1 : (int32_t)mw_below(rng, (uint32_t)active),
                rank = t->active[i];
        int32_t place = free_beside(t->g, rng, t->place[rank], a, b);
        if (place < 0) {
            t->active[i] = t->active[--active];
            continue;
        }
        t->active[active++] = t->count;
        add(t, place, rank);
    }
    for (int32_t rank = t->count - 1; rank > 0; rank--)
        t->below[t->parent[rank]] += t->below[rank];
    mw_tick(t->g->run, (uint64_t)t->count * 2);
}

struct cut {
    int32_t rank;        /* the place below which the tree is cut; -1: nowhere */
    bool below;          /* country a gets what is below */
    int32_t both, first; /* cells off in both countries, in a alone */
};

/* The best cut: least off in all; then least off for a, so that what is wrong is passed on;
   then any. */
static struct cut best_cut(const struct tree *t, struct mw_rng *rng, int32_t a, int32_t b,
                           struct cut best)
{
    const struct census *c = t->g->census;
    uint32_t ties = 1;
    for (int32_t rank = 1; rank < t->count; rank++)
        for (int below = 0; below < 2; below++) {
            int32_t size = below ? t->below[rank] : t->count - t->below[rank];
            int32_t first = off(c, a, size), both = first + off(c, b, t->count - size);
            if (both > best.both || (both == best.both && first > best.first))
                continue;
            if (both < best.both || first < best.first)
                ties = 0;
            if (mw_below(rng, ++ties) == 0)
                best = (struct cut){rank, below, both, first};
        }
    return best;
}

static void make_cut(struct tree *t, int32_t a, int32_t b, struct cut cut)
{
    int32_t *side = t->below; /* from here on: 1 below the cut */
    for (int32_t rank = 0; rank < t->count; rank++) {
        side[rank] = rank == cut.rank || (rank > 0 && side[t->parent[rank]]);
        int32_t country = side[rank] == cut.below ? a : b;
        if (regions_holder(t->g, t->place[rank]) != country)
            t->g->move(t->g, t->place[rank], (uint16_t)country);
    }
}

bool regions_recombine(struct ground *g, struct mw_rng *rng, int32_t a, int32_t b, int32_t root)
{
    enum { TREES = 6 };
    const struct census *c = g->census;
    char *mark = mw_mark(g->run);
    int32_t most = c->size[a] + c->size[b];
    struct tree t = {.g = g};
    t.place = MW_NEW(g->run, int32_t, most);
    t.parent = MW_NEW(g->run, int32_t, most);
    t.below = MW_NEW(g->run, int32_t, most);
    t.active = MW_NEW(g->run, int32_t, most);
    int32_t first = off(c, a, c->size[a]), both = first + off(c, b, c->size[b]);
    bool cut = false;
    for (int i = 0; i < TREES && !cut; i++) {
        span(&t, rng, root, a, b, i >= TREES / 2);
        if (t.count != most)
            break; /* they have drifted apart */
        struct cut best = best_cut(&t, rng, a, b, (struct cut){-1, false, both, first});
        cut = best.rank >= 0 && (best.both < both || best.first < first || i == TREES - 1);
        if (cut)
            make_cut(&t, a, b, best);
    }
    mw_rewind(g->run, mark);
    return cut;
}
