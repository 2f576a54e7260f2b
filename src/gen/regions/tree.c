/*
 * tree.c: the last resort: a piece of land divided anew, along trees that span it.
 *
 * Where land is thin, single cells cannot move: all that two countries share may be a cell which
 * holds one of them together, with a long cape behind it. Then what the piece was divided into is
 * forgotten. A random tree is spanned over its cells, and cut into parts of the sizes wanted: each
 * part of a tree is connected, whatever the land (as where electoral districts are drawn at
 * random: DeFord, Duchin and Solomon, «Recombination», 2019). The tree is gone through from its
 * leaves to the root. A cell is open with all below it that no cut has taken off:
 *
 *            |
 *            v      open: 3 cells, v and the two that are left below it
 *           / \
 *          o   x    x: cut off already, 2 cells
 *         /     \
 *        o       x
 *
 * When as many are open as some country wants that has none yet, the cell is cut off from what is
 * above it, three times in four; always, when no country that is left wants more. When more are
 * open than any wants, the try has failed. What is open at the root in the end must be what the
 * last country wants.
 *
 * Why it works. For every division there are trees along which it can be cut, and choices that
 * do: on small pieces both are met before long. A corridor seen from its end, or a ring, is a path,
 * which no choice can spoil, whatever the sizes: the open cells come up to each size in turn. So
 * every other tree grows from the place that the one before it came to last. On thin land trees
 * differ little, so a few choices are tried along each. A comb of thick teeth wants trees that
 * wind, other land those that branch: some do this, some that.
 *
 * What it costs, and when it ends: a few steps a cell for each try; tries and steps are counted.
 * That none has succeeded proves nothing: to divide land exactly is hard in the strict sense.
 */
#include "kit/integer.h"
#include "regions.h"

/* Trees that are tried, cuts of each; how much a tree may wind. */
enum { TREES = 4000, CUTS = 4, WINDING = 8 };

struct tree {
    struct ground *g;
    struct mw_rng *rng;
    int32_t count;
    int32_t *place, *parent; /* in order of growth: the place, its parent's rank */
    int32_t *active;         /* ranks that may still have free neighbours */
    int32_t *open;           /* cells at it and below, down to the next cuts */
    bool *cut;               /* from its parent */
    int32_t *wanted, *left;  /* by size: parts of it, in all and in this try */
    int32_t largest;         /* size wanted */
};

static void add_place(struct tree *t, int32_t place, int32_t parent)
{
    t->g->stamp[place >> t->g->shift] = t->g->stamps;
    t->place[t->count] = place;
    t->parent[t->count++] = parent;
}

/* A neighbour that is not in the tree, any of them; -1 when there is none. */
static int32_t free_beside(const struct tree *t, int32_t place)
{
    const struct ground *g = t->g;
    int32_t found = -1;
    uint32_t n = 0;
    for (int i = 0, p; (p = g->beside(g, place, i)) >= 0; i++)
        if (g->stamp[p >> g->shift] != g->stamps && mw_below(t->rng, ++n) == 0)
            found = p;
    return found;
}

/* Spans a random tree; the more it winds, of WINDING, the more often it goes on from the cell last
   added. */
static void span(struct tree *t, int32_t root, uint32_t winding)
{
    int32_t active = 0;
    regions_fresh_stamp(t->g);
    t->count = 0;
    add_place(t, root, -1);
    t->active[active++] = 0;
    while (active) {
        bool last = winding == WINDING || mw_below(t->rng, WINDING) < winding;
        int32_t i = last ? active - 1 : (int32_t)mw_below(t->rng, (uint32_t)active);
        int32_t rank = t->active[i], place = free_beside(t, t->place[rank]);
        if (place < 0) {
            t->active[i] = t->active[--active];
            continue;
        }
        t->active[active++] = t->count;
        add_place(t, place, rank);
    }
    mw_tick(t->g->run, (uint64_t)t->count * 2);
}

/* Whether the tree could be cut into parts of the sizes wanted; then cut[] says where. */
static bool cut_tree(struct tree *t)
{
    int32_t most = t->largest;
    memcpy(t->left, t->wanted, ((size_t)most + 1) * sizeof *t->left);
    for (int32_t v = 0; v < t->count; v++)
        t->open[v] = 1;
    mw_tick(t->g->run, (uint64_t)t->count);
    for (int32_t v = t->count - 1; v > 0; v--) {
        while (!t->left[most])
            most--;
        assert(most > 0 && t->parent[v] < v); /* the root's part, at least, is left */
        int32_t size = t->open[v];
        if (size > most)
            return false;
        t->cut[v] = t->left[size] && (size == most || mw_below(t->rng, 4));
        if (t->cut[v])
            t->left[size]--;
        else
            t->open[t->parent[v]] += size;
    }
    return t->open[0] <= most && t->left[t->open[0]];
}

/* Lists what the countries of the piece are to have, those that may have a cell more the first:
   want[] by seat, wanted[] by size. */
static void list_sizes(struct tree *t, const struct quota *q, const struct piece *piece,
                       int32_t *want)
{
    const int32_t *country = q->order + piece->first;
    int32_t spare = piece->cells;
    for (int32_t s = 0; s < piece->seats; s++)
        spare -= q->low[country[s]];
    for (int32_t s = 0; s < piece->seats; s++) {
        int32_t more = mw_min(spare, q->high[country[s]] - q->low[country[s]]);
        spare -= more;
        want[s] = q->low[country[s]] + more;
        t->wanted[want[s]]++;
        t->largest = mw_max(t->largest, want[s]);
    }
    assert(spare == 0); /* quotas add up to the cells of the piece */
}

/* Gives the parts to countries that want their sizes. */
static void give_parts(struct tree *t, const struct quota *q, const struct piece *piece,
                       const int32_t *want)
{
    struct ground *g = t->g;
    int32_t *seat = t->left, *next = MW_NEW(g->run, int32_t, piece->seats), *country = t->active;
    for (int32_t size = 0; size <= t->largest; size++)
        seat[size] = -1;
    for (int32_t s = piece->seats - 1; s >= 0; s--) { /* seat[size]: the first that wants it */
        next[s] = seat[want[s]];
        seat[want[s]] = s;
    }
    for (int32_t v = 0; v < t->count; v++) {
        if (v > 0 && !t->cut[v]) {
            country[v] = country[t->parent[v]];
        } else {
            int32_t *first = &seat[t->open[v]];
            assert(*first >= 0); /* there are as many parts of a size as are wanted */
            country[v] = q->order[piece->first + *first];
            *first = next[*first];
        }
        if (regions_country(g, t->place[v]) != country[v])
            g->move(g, t->place[v], (uint16_t)country[v]);
    }
}

bool regions_cut_trees(struct board *b, const struct quota *q, const struct piece *piece,
                       struct mw_rng *rng, int32_t root, uint64_t steps)
{
    struct mw_run *run = b->g.run;
    assert(piece->seats > 0 && regions_country(&b->g, root));
    char *mark = mw_mark(run);
    uint64_t end = mw_steps(run) + steps;
    size_t cells = (size_t)piece->cells;
    struct tree t = {.g = &b->g, .rng = rng};
    t.place = MW_NEW(run, int32_t, cells);
    t.parent = MW_NEW(run, int32_t, cells);
    t.active = MW_NEW(run, int32_t, cells);
    t.open = MW_NEW(run, int32_t, cells);
    t.cut = MW_NEW(run, bool, cells);
    t.wanted = MW_NEW0(run, int32_t, cells + 1);
    t.left = MW_NEW(run, int32_t, cells + 1);
    int32_t *want = MW_NEW(run, int32_t, piece->seats);
    list_sizes(&t, q, piece, want);
    bool done = false;
    for (int i = 0; i < TREES && !done && mw_steps(run) < end; i++) {
        span(&t, root, (uint32_t)(WINDING - i % 5 * 2));
        assert(t.count == piece->cells);
        for (int j = 0; j < CUTS && !done; j++)
            done = cut_tree(&t);
        root = t.place[i % 2 ? (int32_t)mw_below(t.rng, (uint32_t)t.count) : t.count - 1];
    }
    if (done)
        give_parts(&t, q, piece, want);
    mw_rewind(run, mark);
    return done;
}
