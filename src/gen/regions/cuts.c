/*
 * cuts.c: whether a piece of thin land comes apart into parts of given sizes, exactly.
 *
 * The tree that spans the piece is gone through from its leaves to the root, and for each cell all
 * that can be below it is listed. On a tree that is little: a cell is open with all below it that
 * no cut has taken off, and what matters is how many parts of each size were cut off.
 *
 *            |
 *            v      open: 3 cells, v and the two that are left below it
 *           / \
 *          o   x    x: cut off already, 2 cells
 *         /     \
 *        o       x
 *
 * The list of a cell comes from those of the cells below it, joined one by one: a child is cut off,
 * if what is open there is a size that is wanted, or stays; every such pair, as long as no size is
 * had more often than wanted. At the root it is seen whether all parts can be had, and each entry
 * knows the two it came from (as knapsacks on trees are solved).
 *
 * Loops are sides between cells that are no parent and child. As long as such a side is not
 * decided, it matters in which part its cells are; they stay on the front of the list, with the
 * cell that the list belongs to:
 *
 *            |
 *            a---.       The list of v has two cells on its front, v and x, as the side from
 *            |   |       x to a is not decided. An entry says whether they are in one part, and how
 *            v   |       large the open parts are. When it is joined to that of a, both sides are
 *            |   |       decided, to v and to x, each for itself; then x is no longer on the front,
 *            o---x       and its part is closed, if nothing else of it is.
 *
 * So an entry is a partition of the front into open parts, their sizes, and how many parts of each
 * size were closed; what is not on the front is done with, and the rest of the land cannot tell
 * entries apart that agree in that. Nothing that can be is left out, and nothing else is listed:
 * the answer is exact. It is that of graphs of small tree-width (Ito, Zhou and Nishizeki,
 * «Partitioning a graph of bounded tree-width to connected subgraphs of almost uniform size»,
 * 2006), with fronts as in the counting of partitions (Kawahara et al., «Frontier-based search for
 * enumerating all constrained subgraphs», 2017).
 *
 * The tree grows by depth first, so that every other side leads from a cell to one above it, and
 * fronts are small. Mazes with some loops, combs, rings, grids of corridors have fronts of two to
 * four cells. Where there are more, sides are cut open by chance, and where a list has more entries
 * than there is room or time for, those that are met last are left out: the tree may still tell how
 * the piece comes apart, but no longer that it cannot; unless a list that nothing was left out of,
 * as that of an arm without loops, has no entries at all.
 *
 * One such list is proof enough, but it may come late, when there is no room left. So where nothing
 * else has helped, only a proof is sought: what a list came from is forgotten once it is made, and
 * so is all of a list that something was left out of. Lists are joined in the order opposite to
 * that of growth, so those that are waiting lie one upon the other as in a stack, and the new one
 * sinks to where they began. Then lists may be a hundred times as long as where each cell keeps its
 * own.
 *
 * Parts are counted by size in a few bits each of one number, so that counts are joined by adding.
 * A part holds one capital at most, if any are given; an entry says whose are open, and a part with
 * one can be closed in the size alone that its country wants.
 *
 * What it costs: a list has an entry for each way to share what is below it among closed parts and
 * open ones. With one cell on the front the open part follows from the closed ones; every further
 * one multiplies by the cells of a country.
 */
#include "kit/dsf.h"
#include "kit/integer.h"
#include "tree.h"

enum { FRONT = TREE_FRONT, BOTH = 2 * FRONT, MOST_SIDES = 3 * FRONT };
/* Entries: for each cell at least; at most beyond those; twice as many as a list may have, and one
   of a proof. */
enum { ROOM = 3, MOST_ROOM = 1 << 18, MOST_SLOTS = 1 << 15, PROOF_SLOTS = 1 << 18 };
/* Steps of a pair that is joined. Lists that room and time are shared out among in a proof: it
   wants few of them to be long. */
enum { PAIR_STEPS = 4, SHARES = 8 };
enum { NOT_OPEN = 0xff };

struct side {
    int32_t a, b; /* ranks */
};

struct list {
    int32_t cell[FRONT]; /* ranks; its own first */
    int32_t width;       /* of the front */
    int32_t first, count;
    bool narrowed; /* something that can be was left out, of it or of a list it comes from */
};

/* What can be at a cell: parts closed below it, and those that are open; what it came from. The
   first four say what it is, the others how. */
struct entry {
    uint64_t parts;
    int32_t size[FRONT];   /* of each open part */
    uint16_t town[FRONT];  /* the country whose capital is in it; or 0 */
    uint8_t part[FRONT];   /* by cell of the front: its part, the first is 0 */
    int32_t before, child; /* entries: its own before the last child came, that child's */
    uint16_t together;     /* bits: sides whose cells are in one part */
};

/* Two lists being joined: the fronts of both, sides between them, and who stays. */
struct joint {
    int32_t cell[BOTH], width, own; /* own: of the parent */
    uint8_t a[MOST_SIDES], b[MOST_SIDES];
    int sides;
    uint8_t stays[BOTH];
    int staying;
    struct list list;
    int32_t most;
    int32_t before, child; /* entries that are joined */
};

/* Two entries being joined. */
struct both {
    uint64_t parts;
    int32_t size[BOTH];
    uint16_t town[BOTH];
    uint8_t part[BOTH];
    uint16_t together;
};

/* ---- sizes in bits --------------------------------------------------------------------------- */

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

void regions_new_cuts(struct tree *t)
{
    struct mw_run *run = t->board->g.run;
    t->one = MW_NEW0(run, uint64_t, t->cells + 1);
    set_classes(t);
    t->list = MW_NEW(run, struct list, t->cells);
    t->sides = MW_NEW(run, uint8_t, t->cells);
    t->side = MW_NEW(run, struct side, (t->board->hex ? 3 : 2) * t->cells);
    t->first_side = MW_NEW(run, int32_t, t->cells + 1);
    t->lists = mw_mark(run);
}

void regions_make_room(struct tree *t, int32_t entries)
{
    struct mw_run *run = t->board->g.run;
    mw_rewind(run, t->lists);
    t->room = (int32_t)mw_min64(entries * (int64_t)t->cells, MOST_ROOM) + ROOM * t->cells;
    t->slots = 64;
    while (t->slots < t->room && t->slots < (t->proves ? PROOF_SLOTS : MOST_SLOTS))
        t->slots *= 2;
    t->entry = MW_NEW(run, struct entry, t->room);
    t->slot = MW_NEW(run, int32_t, t->slots);
}

/* ---- fronts ---------------------------------------------------------------------------------- */

static int sides_of(const struct tree *t) { return t->board->hex ? 6 : 4; }

/* Every cell is a front by itself, all its sides undecided. */
static void set_fronts(struct tree *t)
{
    const struct ground *g = &t->board->g;
    for (int32_t v = 0; v < t->count; v++) {
        t->sides[v] = 0;
        for (int i = 0, p; (p = regions_beside(g, t->place[v], i)) >= 0; i++)
            t->sides[v] |= (uint8_t)((p != t->place[v]) << i);
        t->list[v] = (struct list){.cell = {v}, .width = 1};
    }
    t->side_count = 0;
    mw_tick(g->run, (uint64_t)t->count * 4);
}

static int32_t across(const struct tree *t, int32_t v, int side)
{
    return t->rank[regions_beside(&t->board->g, t->place[v], side) >> 1];
}

/* Takes a side from those that are to be decided. */
static void strike(struct tree *t, int32_t v, int side)
{
    int back = (side + sides_of(t) / 2) % sides_of(t);
    t->sides[across(t, v, side)] &= (uint8_t) ~(1 << back);
    t->sides[v] &= (uint8_t) ~(1 << side);
}

static void add_side(struct joint *j, int a, int b)
{
    for (int i = 0; i < j->sides; i++)
        if (j->a[i] == a && j->b[i] == b)
            return; /* across the seam of a narrow map */
    assert(j->sides < MOST_SIDES);
    j->a[j->sides] = (uint8_t)a;
    j->b[j->sides++] = (uint8_t)b;
}

/* Finds the sides that lead from one front to the other. */
static void find_sides(struct tree *t, struct joint *j)
{
    for (int b = j->own; b < j->width; b++)
        for (int side = 0; side < sides_of(t); side++) {
            if (!(t->sides[j->cell[b]] >> side & 1))
                continue;
            int32_t v = across(t, j->cell[b], side);
            int a = 0;
            while (a < j->own && j->cell[a] != v)
                a++;
            if (a == j->own)
                continue;
            strike(t, j->cell[b], side);
            if (j->sides < MOST_SIDES)
                add_side(j, a, b);
            else /* as on a torus there may be: it is cut open */
                j->list.narrowed = true;
        }
}

/* Finds who stays on the front; if they are too many, sides of some are cut open. */
static void find_staying(struct tree *t, struct joint *j)
{
    j->staying = 0;
    for (int i = 0; i < j->width; i++)
        if (t->sides[j->cell[i]])
            j->stays[j->staying++] = (uint8_t)i;
    while (j->staying > FRONT) {
        int i = 1 + (int)mw_below(t->rng, (uint32_t)j->staying - 1);
        int32_t v = j->cell[j->stays[i]];
        for (int side = 0; side < sides_of(t); side++)
            if (t->sides[v] >> side & 1)
                strike(t, v, side);
        memmove(j->stays + i, j->stays + i + 1, (size_t)(--j->staying - i));
        j->list.narrowed = true;
    }
}

/* Puts the front of a cell beside that of its parent. */
static struct joint join_fronts(struct tree *t, int32_t v)
{
    const struct list *own = &t->list[t->parent[v]], *child = &t->list[v];
    struct joint j = {.width = own->width + child->width, .own = own->width};
    j.list.narrowed = own->narrowed | child->narrowed;
    memcpy(j.cell, own->cell, (size_t)own->width * sizeof *j.cell);
    memcpy(j.cell + j.own, child->cell, (size_t)child->width * sizeof *j.cell);
    find_sides(t, &j);
    find_staying(t, &j);
    for (int i = 0; i < j.staying; i++)
        j.list.cell[i] = j.cell[j.stays[i]];
    j.list.width = j.staying;
    return j;
}

uint64_t regions_weigh_cuts(struct tree *t)
{
    uint64_t weight = 0;
    set_fronts(t);
    for (int32_t v = t->count - 1; v > 0; v--) {
        struct joint j = join_fronts(t, v);
        t->list[t->parent[v]] = j.list;
        weight += UINT64_C(1) << 4 * j.list.width;
    }
    mw_tick(t->board->g.run, (uint64_t)t->count * 8);
    return weight;
}

/* ---- lists ----------------------------------------------------------------------------------- */

static uint32_t hash(const struct entry *e)
{
    uint64_t h = e->parts;
    for (int i = 0; i < FRONT; i++) {
        uint64_t part = (uint64_t)e->size[i] << 24 | (uint64_t)e->town[i] << 8 | e->part[i];
        h = (h ^ part) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    return (uint32_t)(h >> 8);
}

static bool is_same(const struct entry *a, const struct entry *b)
{
    return !memcmp(a, b, offsetof(struct entry, before));
}

/* Adds an entry to the list that is made, if it is new; when there is no room for it, it is
   left out. */
static void add_entry(struct tree *t, struct joint *j, const struct entry *e)
{
    struct entry *list = t->entry + j->list.first;
    uint32_t mask = (uint32_t)t->slots - 1;
    uint32_t i = hash(e) & mask;
    for (; t->slot[i] >= t->met; i = (i + 1) & mask)
        if (is_same(&list[t->slot[i] - t->met], e))
            return;
    if (j->list.count < j->most) {
        t->slot[i] = t->met + j->list.count;
        list[j->list.count++] = *e;
        return;
    }
    j->list.narrowed = true;
}

/* Closes the parts that have nobody left on the front, and lists what then is. */
static void list_both(struct tree *t, struct joint *j, const struct both *both)
{
    struct entry e = {
        .parts = both->parts, .before = j->before, .child = j->child, .together = both->together};
    uint8_t name[BOTH], open = 0;
    memset(name, NOT_OPEN, sizeof name);
    for (int i = 0; i < j->staying; i++) {
        uint8_t part = both->part[j->stays[i]];
        if (name[part] == NOT_OPEN) {
            assert(open < FRONT);
            name[part] = open;
            e.size[open] = both->size[part];
            e.town[open++] = both->town[part];
        }
        e.part[i] = name[part];
    }
    for (int i = 0; i < j->width; i++) {
        uint8_t part = both->part[i];
        if (name[part] != NOT_OPEN)
            continue;
        name[part] = 0;
        uint64_t one = t->one[both->size[part]];
        if (!one || !regions_suits(t, both->town[part], both->size[part]))
            return;
        e.parts += one;
        if ((e.parts + t->bias) & t->guard)
            return;
    }
    add_entry(t, j, &e);
}

/* Makes one part of those of two cells; false: it would be too large, or hold two capitals. */
static bool unite(const struct tree *t, const struct joint *j, struct both *both, int a, int b)
{
    uint8_t one = both->part[a], other = both->part[b];
    uint16_t town = both->town[one] | both->town[other];
    int32_t size = both->size[one] + both->size[other];
    if ((both->town[one] && both->town[other]) || size > t->largest ||
        (town && size > t->quota->high[town]))
        return false;
    both->size[one] = size;
    both->town[one] = town;
    for (int i = 0; i < j->width; i++)
        both->part[i] = both->part[i] == other ? one : both->part[i];
    return true;
}

/* Decides sides, from one on, in every way. */
static void decide(struct tree *t, struct joint *j, const struct both *both, int side)
{
    while (side < j->sides && both->part[j->a[side]] == both->part[j->b[side]])
        side++;
    if (side == j->sides) {
        list_both(t, j, both);
        return;
    }
    struct both united = *both;
    if (unite(t, j, &united, j->a[side], j->b[side])) {
        united.together |= (uint16_t)(1 << side);
        decide(t, j, &united, side + 1);
    }
    decide(t, j, both, side + 1);
}

static void join_entries(struct tree *t, struct joint *j, int32_t before, int32_t child)
{
    const struct entry *a = &t->entry[before], *b = &t->entry[child];
    struct both both = {.parts = a->parts + b->parts};
    if ((both.parts + t->bias) & t->guard)
        return;
    for (int i = 0; i < FRONT; i++) {
        both.size[i] = a->size[i];
        both.town[i] = a->town[i];
        both.size[FRONT + i] = b->size[i];
        both.town[FRONT + i] = b->town[i];
    }
    for (int i = 0; i < j->width; i++)
        both.part[i] = i < j->own ? a->part[i] : (uint8_t)(FRONT + b->part[i - j->own]);
    j->before = before;
    j->child = child;
    decide(t, j, &both, 0);
}

/* Has a list take the place of those that it came from, or none if it is no proof of anything. */
static void sink(struct tree *t, struct list *list, int32_t first)
{
    first = mw_min(first, list->first);
    list->count = list->narrowed ? 0 : list->count;
    memmove(t->entry + first, t->entry + list->first, (size_t)list->count * sizeof *t->entry);
    list->first = first;
}

/* Joins the list of a cell to that of its parent. */
static void join_child(struct tree *t, int32_t v)
{
    const struct list own = t->list[t->parent[v]], child = t->list[v];
    struct joint j = join_fronts(t, v);
    struct mw_run *run = t->board->g.run;
    t->first_side[v] = t->side_count;
    assert(t->side_count + j.sides <= (t->board->hex ? 3 : 2) * t->cells);
    for (int i = 0; i < j.sides; i++)
        t->side[t->side_count++] = (struct side){j.cell[j.a[i]], j.cell[j.b[i]]};
    j.list.first = t->used;
    int32_t lists = t->proves ? SHARES : v;
    j.most = mw_min(t->slots / 2, mw_max((t->room - t->used) / lists * 4, 2));
    j.most = mw_min(j.most, t->room - t->used);
    uint64_t steps = mw_steps(run), left = t->end > steps ? t->end - steps : 0;
    uint64_t pairs = (uint64_t)child.count * (uint64_t)own.count;
    uint64_t time = left / (PAIR_STEPS * (uint64_t)lists) * 4 + 16;
    if (pairs > time) {
        j.list.narrowed = true;
        pairs = time;
    }
    int32_t turn = pairs ? (int32_t)mw_below(t->rng, (uint32_t)child.count) : 0;
    for (uint64_t i = 0; i < pairs; i++)
        join_entries(t, &j, own.first + (int32_t)(i % (uint64_t)own.count),
                     child.first +
                         (int32_t)(i / (uint64_t)own.count + (uint64_t)turn) % child.count);
    mw_tick(run, PAIR_STEPS * pairs);
    t->met += j.list.count;
    if (t->proves)
        sink(t, &j.list, mw_min(own.first, child.first));
    t->used = j.list.first + j.list.count;
    t->list[t->parent[v]] = j.list;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Sets parts by the entry of the root: children come apart in the order opposite to that in which
   they were joined. */
static void trace_back(struct tree *t, int32_t root)
{
    int32_t *at = t->active;
    at[0] = root;
    for (int32_t v = 1; v < t->count; v++) {
        const struct entry *e = &t->entry[at[t->parent[v]]];
        const struct side *side = t->side + t->first_side[v];
        for (int i = 0; e->together >> i; i++)
            if (e->together >> i & 1)
                mw_dsf_join(t->set, side[i].a, side[i].b);
        at[v] = e->child;
        at[t->parent[v]] = e->before;
    }
}

/* Lists what every cell is by itself. */
static void list_cells(struct tree *t)
{
    int32_t shared = --t->room; /* by cells that are no capitals */
    t->entry[shared] = (struct entry){.size = {1}};
    for (int32_t i = 0; i < t->slots; i++)
        t->slot[i] = -1;
    for (int32_t v = 0; v < t->count; v++) {
        uint16_t town = regions_town(t, v);
        t->list[v].first = town ? --t->room : shared;
        t->list[v].count = 1;
        t->entry[t->list[v].first] = (struct entry){.size = {1}, .town = {town}};
    }
    mw_tick(t->board->g.run, (uint64_t)t->count + (uint64_t)t->slots);
}

enum regions_verdict regions_cut_exactly(struct tree *t)
{
    struct mw_rng chances = *t->rng; /* as they are once a list is empty */
    bool proven = false, empty = false;
    set_fronts(t);
    list_cells(t);
    mw_dsf_init(t->set, t->count);
    for (int32_t v = t->count - 1; v > 0 && !proven; v--) {
        join_child(t, v);
        const struct list *list = &t->list[t->parent[v]];
        chances = empty ? chances : *t->rng;
        empty |= !list->count;
        proven = !list->count && !list->narrowed;
    }
    *t->rng = chances;
    const struct list *root = &t->list[0];
    for (int32_t i = root->first; i < root->first + root->count && !empty; i++) {
        if (t->entry[i].parts != t->all)
            continue;
        if (t->proves) /* it can be, but how is forgotten */
            return REGIONS_UNKNOWN;
        trace_back(t, i);
        return REGIONS_CUT;
    }
    return proven || !(empty || root->narrowed) ? REGIONS_CANNOT : REGIONS_UNKNOWN;
}
