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
 * What may be open at a cell depends on what was cut below. So for each cell all that can be is
 * listed: how many parts of each size were cut off below it; what is open follows from that. The
 * list of a cell comes from those of the cells below it, joined one by one: a child is cut off, if
 * what is open there is a size that is wanted, or stays; every such pair, as long as no size is
 * had more often than wanted. At the root it is seen whether all parts can be had, and each entry
 * knows the two it came from. That is an exact answer for the tree (as knapsacks on trees are
 * solved; Ito, Zhou and Nishizeki, «Partitioning a graph of bounded tree-width to connected
 * subgraphs of almost uniform size», 2006), so on land that is a tree one try decides it: mazes,
 * combs, corridors.
 *
 * Parts are counted by size in a few bits each of one number, so that a pair is joined by adding.
 * A part holds one capital at most, if any are given; a list says too whose is open, and one
 * that is can be cut off in the size alone that its country wants.
 *
 * Sizes that are too many for 64 bits are cut off greedily instead: a cell is cut off from what is
 * above it, when some country wants as many as are open, three times in four; always, when none
 * wants more.
 *
 * On other land a tree says what can be along it, and others are tried. A ring is a path but for
 * one side, and so every other tree grows from the place that the one before it came to last. On
 * thin land trees differ little. A comb of thick teeth wants trees that wind, other land those that
 * branch: some do this, some that.
 *
 * What it costs, and when it ends: a list is bounded, by the room there is, and then what it holds
 * is a choice by chance; tries and steps are counted. That none has succeeded proves nothing, but
 * on a tree: to divide land exactly is hard in the strict sense.
 */
#include "kit/integer.h"
#include "regions.h"

/* Trees that are tried, greedy cuts of each; how much a tree may wind. */
enum { TREES = 4000, CUTS = 4, WINDING = 8 };
/* Entries for each cell that there is room for: at least, and on small land. */
enum { ROOM = 3, MUCH_ROOM = 16, MOST_ROOM = 1 << 18 };

/* What can be at a cell: parts cut off below it, by size; what it came from. */
struct entry {
    uint64_t parts;
    int32_t open;
    int32_t before, child; /* entries: its own before the last child came, that child's */
    uint16_t town;         /* the country whose capital is open; or 0 */
    bool cut;              /* whether the child was cut off */
};

struct list {
    int32_t first, count;
};

struct tree {
    struct ground *g;
    struct mw_rng *rng;
    const struct quota *quota;
    const uint16_t *towns; /* by index, or NULL: none */
    int32_t count;
    int32_t *place, *parent; /* in order of growth: the place, its parent's rank */
    int32_t *active;         /* ranks that may still have free neighbours */
    int32_t *open;           /* cells at it and below, down to the next cuts */
    uint16_t *town;          /* whose capital is among them; or 0 */
    bool *cut;               /* from its parent */
    int32_t *wanted, *left;  /* by size: parts of it, in all and in this try */
    int32_t largest;         /* size wanted */
    /* of exact cuts: */
    int classes;               /* of sizes; 0: too many */
    uint64_t *one;             /* by size: one part of it; 0: none is wanted */
    uint64_t all, bias, guard; /* all parts; added, sets a guard where a size is had too often */
    struct entry *entry;
    struct list *list; /* by rank */
    int32_t *slot;     /* a hash table of entries of the list that is made */
    int32_t used, room, slots;
    bool dropped; /* entries, as there was no room */
};

static void add_place(struct tree *t, int32_t place, int32_t parent)
{
    t->g->stamp[place >> 1] = t->g->stamps;
    t->place[t->count] = place;
    t->parent[t->count++] = parent;
}

/* Whose capital the cell of a rank is; or 0. */
static uint16_t town_at(const struct tree *t, int32_t v)
{
    return t->towns ? t->towns[t->place[v] >> 1] : 0;
}

/* Whether a part of that size may hold that capital, if any. */
static bool suits(const struct tree *t, uint16_t town, int32_t size)
{
    return !town || (t->quota->low[town] <= size && size <= t->quota->high[town]);
}

/* A neighbour that is not in the tree, any of them; -1 when there is none. */
static int32_t free_beside(const struct tree *t, int32_t place)
{
    const struct ground *g = t->g;
    int32_t found = -1;
    uint32_t n = 0;
    for (int i = 0, p; (p = regions_beside(g, place, i)) >= 0; i++)
        if (g->stamp[p >> 1] != g->stamps && mw_below(t->rng, ++n) == 0)
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

/* Every cell by itself. */
static void open_all(struct tree *t)
{
    for (int32_t v = 0; v < t->count; v++) {
        t->open[v] = 1;
        t->town[v] = town_at(t, v);
    }
}

/* A cell is not cut off from its parent. */
static void leave_open(struct tree *t, int32_t v)
{
    t->open[t->parent[v]] += t->open[v];
    t->town[t->parent[v]] |= t->town[v];
}

/* ---- exact cuts ------------------------------------------------------------------------------ */

/* Gives every size its bits, and a guard above them; none, if they are too many. */
static void set_classes(struct tree *t)
{
    int shift = 0;
    for (int32_t size = 1; size <= t->largest; size++) {
        t->one[size] = 0;
        if (!t->wanted[size])
            continue;
        int bits = 1;
        while (t->wanted[size] >> bits)
            bits++;
        if (shift + bits + 1 > 64) {
            t->classes = 0;
            return;
        }
        t->one[size] = UINT64_C(1) << shift;
        t->all += (uint64_t)t->wanted[size] << shift;
        t->bias += ((UINT64_C(1) << bits) - 1 - (uint64_t)t->wanted[size]) << shift;
        t->guard |= UINT64_C(1) << (shift + bits);
        shift += bits + 1;
        t->classes++;
    }
}

/* Adds an entry to the list that is made, if it is new; when there is no room for it, it is
   left out. */
static void add_entry(struct tree *t, struct list *list, int32_t most, struct entry e)
{
    if (e.open > t->largest || ((e.parts + t->bias) & t->guard) ||
        (e.town && e.open > t->quota->high[e.town]))
        return;
    uint32_t mask = (uint32_t)t->slots - 1;
    uint32_t i = (uint32_t)((e.parts + e.town) * UINT64_C(0x9e3779b97f4a7c15) >> 40) & mask;
    for (; t->slot[i] >= list->first; i = (i + 1) & mask)
        if (t->entry[t->slot[i]].parts == e.parts && t->entry[t->slot[i]].town == e.town)
            return;
    if (list->count < most) {
        t->slot[i] = list->first + list->count++;
        t->entry[t->slot[i]] = e;
        return;
    }
    t->dropped = true;
}

/* Joins the list of a cell to that of its parent. */
static bool join_child(struct tree *t, int32_t v)
{
    struct list *own = &t->list[t->parent[v]], child = t->list[v];
    struct list joined = {.first = t->used};
    int32_t most = mw_min(t->slots / 2, mw_max((t->room - t->used) / v * 2, 2));
    most = mw_min(most, t->room - t->used);
    int32_t turn = (int32_t)mw_below(t->rng, (uint32_t)child.count);
    for (int32_t i = 0; i < child.count; i++) {
        int32_t at = child.first + (i + turn) % child.count;
        const struct entry *c = &t->entry[at];
        uint64_t part = suits(t, c->town, c->open) ? t->one[c->open] : 0;
        for (int32_t j = own->first; j < own->first + own->count; j++) {
            const struct entry *e = &t->entry[j];
            if (part)
                add_entry(
                    t, &joined, most,
                    (struct entry){e->parts + c->parts + part, e->open, j, at, e->town, true});
            if (!e->town || !c->town)
                add_entry(t, &joined, most,
                          (struct entry){e->parts + c->parts, e->open + c->open, j, at,
                                         e->town | c->town, false});
        }
    }
    mw_tick(t->g->run, (uint64_t)child.count * (uint64_t)own->count);
    t->used += joined.count;
    *own = joined;
    return joined.count > 0;
}

/* Sets cut[] and open[] by the entry of the root: children come apart in the order opposite to that
   in which they were joined. */
static void trace_back(struct tree *t, int32_t root)
{
    int32_t *at = t->active;
    at[0] = root;
    for (int32_t v = 1; v < t->count; v++) {
        const struct entry *e = &t->entry[at[t->parent[v]]];
        t->cut[v] = e->cut;
        at[v] = e->child;
        at[t->parent[v]] = e->before;
    }
    open_all(t);
    for (int32_t v = t->count - 1; v > 0; v--)
        if (!t->cut[v])
            leave_open(t, v);
}

static bool cut_exactly(struct tree *t)
{
    int32_t shared = 0; /* by cells that are no capitals */
    t->entry[shared] = (struct entry){.open = 1};
    t->used = 1;
    t->dropped = false;
    for (int32_t i = 0; i < t->slots; i++)
        t->slot[i] = -1;
    for (int32_t v = 0; v < t->count; v++) {
        uint16_t town = town_at(t, v);
        t->list[v] = (struct list){town ? t->used++ : shared, 1};
        t->entry[t->list[v].first] = (struct entry){.open = 1, .town = town};
    }
    mw_tick(t->g->run, (uint64_t)t->count + (uint64_t)t->slots);
    for (int32_t v = t->count - 1; v > 0; v--)
        if (!join_child(t, v))
            return false;
    const struct list *root = &t->list[0];
    for (int32_t i = root->first; i < root->first + root->count; i++) {
        const struct entry *e = &t->entry[i];
        if (!suits(t, e->town, e->open) || !t->one[e->open] || e->parts + t->one[e->open] != t->all)
            continue;
        trace_back(t, i);
        return true;
    }
    return false;
}

/* ---- greedy cuts ----------------------------------------------------------------------------- */

/* Whether the tree could be cut into parts of the sizes wanted; then cut[] says where. */
static bool cut_greedily(struct tree *t)
{
    int32_t most = t->largest;
    memcpy(t->left, t->wanted, ((size_t)most + 1) * sizeof *t->left);
    open_all(t);
    mw_tick(t->g->run, (uint64_t)t->count);
    for (int32_t v = t->count - 1; v > 0; v--) {
        while (!t->left[most])
            most--;
        assert(most > 0 && t->parent[v] < v); /* the root's part, at least, is left */
        int32_t size = t->open[v];
        if (size > most)
            return false;
        bool may = t->left[size] && suits(t, t->town[v], size);
        bool clash = t->town[v] && t->town[t->parent[v]];
        if (clash && !may)
            return false;
        t->cut[v] = may && (clash || size == most || mw_below(t->rng, 4));
        if (t->cut[v])
            t->left[size]--;
        else
            leave_open(t, v);
    }
    return t->open[0] <= most && t->left[t->open[0]] && suits(t, t->town[0], t->open[0]);
}

/* ---- a piece --------------------------------------------------------------------------------- */

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

/* Whether a part begins at a rank. */
static bool is_part(const struct tree *t, int32_t v) { return !v || t->cut[v]; }

/* Those that have got their capitals, and so their parts, want nothing more; others what is
   left. */
static void set_towns_apart(struct tree *t, const struct piece *piece, int32_t *want)
{
    const struct quota *q = t->quota;
    char *mark = mw_mark(t->g->run);
    bool *got = MW_NEW0(t->g->run, bool, q->count + 1);
    int32_t *left = t->left;
    memcpy(left, t->wanted, ((size_t)t->largest + 1) * sizeof *left);
    for (int32_t v = 0; v < t->count; v++)
        if (is_part(t, v) && t->town[v]) {
            got[t->town[v]] = true;
            left[t->open[v]]--;
        }
    for (int32_t s = 0; s < piece->seats; s++) {
        int32_t k = q->order[piece->first + s];
        want[s] = got[k] ? 0 : left[q->high[k]] ? q->high[k] : q->low[k];
        left[want[s]]--;
    }
    mw_rewind(t->g->run, mark);
}

/* Gives the parts to countries that want their sizes, and those with a capital to its own. */
static void give_parts(struct tree *t, const struct quota *q, const struct piece *piece,
                       int32_t *want)
{
    struct ground *g = t->g;
    if (t->towns)
        set_towns_apart(t, piece, want);
    int32_t *seat = t->left, *next = MW_NEW(g->run, int32_t, piece->seats), *country = t->active;
    for (int32_t size = 0; size <= t->largest; size++)
        seat[size] = -1;
    for (int32_t s = piece->seats - 1; s >= 0; s--) { /* seat[size]: the first that wants it */
        next[s] = seat[want[s]];
        seat[want[s]] = s;
    }
    for (int32_t v = 0; v < t->count; v++) {
        if (!is_part(t, v)) {
            country[v] = country[t->parent[v]];
        } else if (t->town[v]) {
            country[v] = t->town[v];
        } else {
            int32_t *first = &seat[t->open[v]];
            assert(*first >= 0); /* there are as many parts of a size as are wanted */
            country[v] = q->order[piece->first + *first];
            *first = next[*first];
        }
        if (regions_country(g, t->place[v]) != country[v])
            regions_move(g, t->place[v], (uint16_t)country[v]);
    }
}

/* Sides between places of the piece. */
static int32_t count_crossings(const struct tree *t)
{
    int32_t n = 0;
    for (int32_t v = 0; v < t->count; v++)
        for (int i = 0, p; (p = regions_beside(t->g, t->place[v], i)) >= 0; i++)
            n += p != t->place[v];
    return n / 2;
}

static void new_tree(struct tree *t, struct ground *g, struct mw_rng *rng, int32_t cells)
{
    struct mw_run *run = g->run;
    *t = (struct tree){.g = g, .rng = rng, .slots = 64};
    t->place = MW_NEW(run, int32_t, cells);
    t->parent = MW_NEW(run, int32_t, cells);
    t->active = MW_NEW(run, int32_t, cells);
    t->open = MW_NEW(run, int32_t, cells);
    t->town = MW_NEW(run, uint16_t, cells);
    t->cut = MW_NEW(run, bool, cells);
    t->wanted = MW_NEW0(run, int32_t, cells + 1);
    t->left = MW_NEW(run, int32_t, cells + 1);
    t->one = MW_NEW0(run, uint64_t, cells + 1);
    t->room = (int32_t)mw_min64(MUCH_ROOM * (int64_t)cells, MOST_ROOM) + ROOM * cells;
    while (t->slots < t->room && t->slots < 1 << 14)
        t->slots *= 2;
    t->entry = MW_NEW(run, struct entry, t->room);
    t->list = MW_NEW(run, struct list, cells);
    t->slot = MW_NEW(run, int32_t, t->slots);
}

/* Whether the tree could be cut into parts of the sizes wanted; then cut[] says where, and open[]
   how large parts are. */
static bool cut_tree(struct tree *t)
{
    bool done = t->classes && cut_exactly(t);
    bool decided = t->classes && !t->dropped;
    for (int j = 0; j < CUTS && !decided && !done; j++)
        done = cut_greedily(t);
    return done;
}

bool regions_cut_trees(struct board *b, const struct quota *q, const struct piece *piece,
                       struct mw_rng *rng, int32_t root, uint64_t steps)
{
    struct mw_run *run = b->g.run;
    assert(piece->seats > 0 && regions_country(&b->g, root));
    char *mark = mw_mark(run);
    uint64_t end = mw_steps(run) + steps;
    struct tree t;
    new_tree(&t, &b->g, rng, piece->cells);
    int32_t *want = MW_NEW(run, int32_t, piece->seats);
    t.quota = q;
    t.towns = b->town;
    list_sizes(&t, q, piece, want);
    set_classes(&t);
    bool done = false, hopeless = false;
    for (int i = 0; i < TREES && !done && !hopeless && mw_steps(run) < end; i++) {
        span(&t, root, (uint32_t)(WINDING - i % 5 * 2));
        assert(t.count == piece->cells);
        done = cut_tree(&t);
        hopeless = !i && t.classes && !t.dropped && count_crossings(&t) == t.count - 1;
        root = t.place[i % 2 ? (int32_t)mw_below(t.rng, (uint32_t)t.count) : t.count - 1];
    }
    if (done)
        give_parts(&t, q, piece, want);
    mw_rewind(run, mark);
    return done;
}
