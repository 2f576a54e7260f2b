/*
 * bisect.c: a piece of land cut in two, and each part again, until every part is a country.
 *
 * Land of arms and loops seldom comes apart into all sizes along one tree: with each country that
 * is cut off it is less likely that the rest can be. But of the sides of a random tree that spans
 * it one, mostly, has below it just what some of the countries want together. It is cut there, and
 * each part has trees of its own to choose from. A part for which none is found in some tries was
 * cut off badly; then that which it was part of is cut anew.
 *
 *      a-a-a-a b-b      Where no side has, one is cut that misses sizes by some cells. Places
 *      | |   | |        where both parts meet change sides then, one by one, if nothing hangs
 *      a a-a a-b-b      on them or that can be hung elsewhere in their part: so each stays a
 *                       tree. That does it where land is two cells wide and more.
 *
 * Twigs of fewer cells than the smallest country hold none of their own: whatever is done, they go
 * with the cell that they hang on, and so they are weights of it. What is left is the core: of a
 * comb its back, of a maze with loops the ways between these, of which trees are soon spanned. And
 * they may tell at once that nothing can be done: a country of 500 cells holds one place that
 * weighs 300, and no second, so more such places than countries are too many.
 *
 * Whose land a part is to be: theirs whose capitals lie in it; of others, in an order drawn by
 * chance, that of so many as fill it.
 *
 * What it costs, and when it ends: some steps for each place of the core and level of cuts. Each
 * part is tried some times, and steps are counted; that none is found proves nothing. Half of them
 * are for patience, which combs want. In mazes a bad part is mostly past help: so the other half
 * goes to a search that soon gives parts up, and cuts anew those high above them.
 */
#include "kit/integer.h"
#include "regions.h"

/* Trees that are tried for a part, before that which it was part of is cut anew: at first, and when
   that came to nothing; sides of each, of so many lots the best. */
enum { PATIENT = 20, HASTY = 4, CUTS = 8, LOTS = 48 };

/* Of a spanning tree: grown by breadth first; and how much it winds, at most. */
enum { TREE_BREADTH = -1, TREE_WINDS = 8 };

/* A tree that spans a part of a piece of land. */
struct spanning_tree {
    struct label_grid *board;
    struct mw_rng *rng;
    const int32_t *part; /* by index, and the part that it spans; NULL: all of the piece */
    int32_t only;
    int32_t count;           /* places in the tree by now */
    int32_t *place, *parent; /* in order of growth: the place, its parent's rank */
    int32_t *rank;           /* by index */
    int32_t *active;         /* ranks that may still have free neighbours */
    int32_t *set;            /* by rank: whether it is below the side that is cut */
    int32_t *open;           /* by rank: cells at it and below */
    int32_t *left;           /* by rank: parents as they were before places changed sides */
    uint64_t end;            /* steps at which it is over */
};

/* A part: places of the core, and countries, each from .. to before .. . */
struct part {
    int32_t first, end, country, last;
    int32_t split, split_country; /* where both are cut */
    int32_t tries, done;          /* of its own two parts, the first that are divided */
};

/* Fewest and most cells. */
struct size_range {
    int32_t low, high;
};

struct bisection {
    int32_t cells; /* of the piece */
    struct spanning_tree tree;
    const struct country_quota *quota;
    int32_t *place, *country;    /* of the core; countries: part by part */
    int32_t *weight;             /* by index: cells that hang on a place and its own; 0: a twig */
    int32_t *part;               /* by index: the number of its part */
    int32_t *twig, *host, twigs; /* places in the order in which they were taken off; on what */
    int32_t *spare;              /* room for countries */
    uint16_t *owner;             /* of the places, at last */
    bool *below;                 /* by country: its capital is in the part that is cut off */
    int32_t tries;               /* trees for a part */
    int32_t least, most;         /* cells of the smallest country, and of the largest */
    struct size_range *free;     /* of the first i countries that have no capital */
    struct size_range *held;     /* by rank: of those whose capitals are there and below */
};

static int sides_of(const struct bisection *b) { return b->tree.board->hex ? 6 : 4; }

static void add(struct size_range *sum, struct size_range more)
{
    sum->low += more.low;
    sum->high += more.high;
}

static struct size_range range_of(const struct bisection *b, int32_t k)
{
    return (struct size_range){b->quota->low[k], b->quota->high[k]};
}

/* ---- spanning trees -------------------------------------------------------------------------- */

/* Whose capital the cell of a rank is; or 0. */
static inline uint16_t town_of(const struct spanning_tree *t, int32_t v)
{
    return t->board->town ? t->board->town[t->place[v] >> 1] : 0;
}

static void add_place(struct spanning_tree *t, int32_t place, int32_t parent)
{
    assert(place >= 0 && parent < t->count);
    struct ground *g = &t->board->g;
    g->stamp[place >> 1] = g->stamps;
    t->rank[place >> 1] = t->count;
    t->place[t->count] = place;
    t->parent[t->count++] = parent;
}

/* A neighbour that is not in the tree, any of them; -1 when there is none. */
static int32_t free_beside(const struct spanning_tree *t, int32_t place)
{
    const struct ground *g = &t->board->g;
    int32_t found = -1;
    uint32_t n = 0;
    for (int i = 0, p; (p = regions_beside(g, place, i)) >= 0; i++)
        if (g->stamp[p >> 1] != g->stamps && (!t->part || t->part[p >> 1] == t->only) &&
            mw_below(t->rng, ++n) == 0)
            found = p;
    return found;
}

/* Spans a random tree from a place; the more it winds, of TREE_WINDS, the more often it goes on
   from the cell last added. Or one by breadth first. */
static void span(struct spanning_tree *t, int32_t root, int winding)
{
    int32_t active = 0, first = 0;
    regions_fresh_stamp(&t->board->g);
    t->count = 0;
    add_place(t, root, -1);
    t->active[active++] = 0;
    while (first < active) {
        bool last = winding == TREE_WINDS ||
                    (winding >= 0 && mw_below(t->rng, TREE_WINDS) < (uint32_t)winding);
        int32_t i = last          ? active - 1
                    : winding < 0 ? first
                                  : (int32_t)mw_below(t->rng, (uint32_t)active);
        int32_t rank = t->active[i], place = free_beside(t, t->place[rank]);
        if (place < 0 && winding < 0) {
            first++;
            continue;
        }
        if (place < 0) {
            t->active[i] = t->active[--active];
            continue;
        }
        t->active[active++] = t->count;
        add_place(t, place, rank);
    }
    mw_tick(t->board->g.run, (uint64_t)t->count * 2);
}

/* Room for trees of that many cells. */
static void new_tree(struct spanning_tree *t, struct label_grid *b, struct mw_rng *rng,
                     int32_t cells)
{
    struct mw_run *run = b->g.run;
    *t = (struct spanning_tree){.board = b, .rng = rng};
    t->place = MW_NEW(run, int32_t, cells);
    t->parent = MW_NEW(run, int32_t, cells);
    t->rank = MW_NEW(run, int32_t, b->g.indices);
    t->active = MW_NEW(run, int32_t, cells);
    t->set = MW_NEW(run, int32_t, cells);
    t->open = MW_NEW(run, int32_t, cells);
    t->left = MW_NEW(run, int32_t, cells);
}

/* ---- the core -------------------------------------------------------------------------------- */

/* The only place of the core beside one; -1: there are none, or several. */
static int32_t only_beside(const struct bisection *b, int32_t place)
{
    int32_t only = -1, n = 0;
    for (int i = 0, p; (p = regions_beside(&b->tree.board->g, place, i)) >= 0; i++)
        if (p != place && b->weight[p >> 1]) {
            only = p;
            n++;
        }
    return n == 1 ? only : -1;
}

/* Takes twigs off that no country fits in: from a place on, as far as that is the end of one. */
static void take_twig(struct bisection *b, int32_t place)
{
    const uint16_t *town = b->tree.board->town;
    for (int32_t host; b->weight[place >> 1] && b->weight[place >> 1] < b->least &&
                       !(town && town[place >> 1]) && (host = only_beside(b, place)) >= 0;
         place = host) {
        b->weight[host >> 1] += b->weight[place >> 1];
        b->weight[place >> 1] = 0;
        assert(b->twigs < b->cells);
        b->twig[b->twigs] = place;
        b->host[b->twigs++] = host;
    }
}

/* Lists what is left of the piece; how many places. */
static int32_t list_core(struct bisection *b, int32_t root)
{
    struct spanning_tree *t = &b->tree;
    int32_t n = 0;
    span(t, root, TREE_BREADTH);
    for (int32_t v = 0; v < t->count; v++)
        b->weight[t->place[v] >> 1] = 1;
    for (int32_t v = 0; v < t->count; v++)
        take_twig(b, t->place[v]);
    for (int32_t v = 0; v < t->count; v++) {
        b->place[n] = t->place[v];
        n += b->weight[t->place[v] >> 1] != 0;
    }
    mw_tick(t->board->g.run, (uint64_t)t->count * 4);
    return n;
}

/* Whether places of the core are so heavy that countries could not hold them all: of those with so
   many cells or more, each holds only some. */
static bool is_crowded(const struct bisection *b, int32_t core, int32_t seats)
{
    assert(core > 0 && seats > 0 && b->least > 0);
    struct mw_run *run = b->tree.board->g.run;
    char *mark = mw_mark(run);
    int32_t *heavy = MW_NEW0(run, int32_t, b->most + 2); /* places, by cells */
    int64_t places = 0;
    bool crowded = false;
    for (int32_t i = 0; i < core; i++)
        heavy[mw_min(b->weight[b->place[i] >> 1], b->most + 1)]++;
    for (int32_t cells = b->most + 1; cells > 0 && !crowded; cells--) {
        places += heavy[cells];
        crowded = places > (int64_t)seats * (b->most / cells);
    }
    mw_tick(run, (uint64_t)b->most / 4);
    mw_rewind(run, mark);
    return crowded;
}

/* ---- one cut --------------------------------------------------------------------------------- */

static void swap(int32_t *a, int32_t *b)
{
    int32_t c = *a;
    *a = *b;
    *b = c;
}

/* Puts those countries of a part first that have no capital, in an order drawn by chance; how
   many. */
static int32_t shuffle(struct bisection *b, const struct part *p)
{
    int32_t *country = b->country + p->country, n = 0;
    for (int32_t i = 0; i < p->last - p->country; i++)
        if (country[i] > b->quota->capitals.count)
            swap(&country[i], &country[n++]);
    b->free[0] = (struct size_range){0};
    for (int32_t i = 0; i < n; i++) {
        swap(&country[i], &country[i + (int32_t)mw_below(b->tree.rng, (uint32_t)(n - i))]);
        b->free[i + 1] = b->free[i];
        add(&b->free[i + 1], range_of(b, country[i]));
    }
    return n;
}

/* Sums up the tree from its leaves. */
static void weigh(struct bisection *b)
{
    struct spanning_tree *t = &b->tree;
    for (int32_t v = 0; v < t->count; v++) {
        uint16_t town = town_of(t, v);
        t->open[v] = b->weight[t->place[v] >> 1];
        b->held[v] = town ? range_of(b, town) : (struct size_range){0};
    }
    for (int32_t v = t->count - 1; v > 0; v--) {
        t->open[t->parent[v]] += t->open[v];
        add(&b->held[t->parent[v]], b->held[v]);
    }
}

/* Where a tree is cut: below a rank; so many countries without a capital, with those whose capitals
   are there, are to have what is below and so many cells more. */
struct tree_cut {
    int32_t rank, free, more;
};

/* The cells by which a size is out of a range that other countries leave of a whole: above 0: it is
   short of them. */
static int32_t lack(struct size_range range, struct size_range all, int32_t cells, int32_t whole)
{
    int32_t low = mw_max(range.low, whole - (all.high - range.high)),
            high = mw_min(range.high, whole - (all.low - range.low));
    assert(low <= high);
    return cells < low ? low - cells : cells > high ? high - cells : 0;
}

/* Above 0: countries of a range, of all who share the whole, expect more than so many cells. What
   is to spare goes to all alike. */
static int64_t expect(struct size_range range, struct size_range all, int32_t cells, int32_t whole)
{
    int64_t spare = whole - all.low, room = mw_max(all.high - all.low, 1);
    return (range.low - (int64_t)cells) * room + (range.high - range.low) * spare;
}

/* How the side above a rank is best cut. */
static struct tree_cut cut_above(const struct bisection *b, int32_t v, int32_t free)
{
    const struct spanning_tree *t = &b->tree;
    int32_t low = 0, high = free;
    struct size_range all = b->held[0];
    add(&all, b->free[free]);
    while (low < high) {
        int32_t middle = (low + high + 1) / 2;
        struct size_range range = b->held[v];
        add(&range, b->free[middle]);
        if (expect(range, all, t->open[v], t->open[0]) <= 0)
            low = middle;
        else
            high = middle - 1;
    }
    struct tree_cut best = {v, low, 0};
    for (int32_t n = low; n <= mw_min(low + 1, free); n++) {
        struct size_range range = b->held[v];
        add(&range, b->free[n]);
        int32_t more = lack(range, all, t->open[v], t->open[0]);
        if (n == low || mw_abs(more) < mw_abs(best.more))
            best = (struct tree_cut){v, n, more};
    }
    return best;
}

/* Finds sides of the tree to cut: that which misses no sizes and halves it best, or else of each of
   some lots the one that misses them least; how many. */
static int find_cuts(const struct bisection *b, int32_t free, struct tree_cut cuts[CUTS])
{
    const struct spanning_tree *t = &b->tree;
    int32_t most = 0;
    for (int i = 0; i < CUTS; i++)
        cuts[i] = (struct tree_cut){.more = t->open[0]};
    for (int32_t v = 1; v < t->count; v++) {
        int32_t half = mw_min(t->open[v], t->open[0] - t->open[v]);
        if (2 * half < b->least || half <= most)
            continue;
        struct tree_cut cut = cut_above(b, v, free);
        uint32_t lot = cut.more ? mw_below(t->rng, LOTS) : 0;
        most = cut.more ? most : half;
        if (!cut.more || (!most && lot < CUTS && mw_abs(cut.more) < mw_abs(cuts[lot].more)))
            cuts[lot] = cut;
    }
    int n = 0;
    for (int i = 0; i < CUTS && !(most && n); i++)
        if (cuts[i].rank)
            cuts[n++] = cuts[i];
    return n;
}

/* The rank of the place across a side, if it is of the part and on that side of the cut; or -1. */
static int32_t beside(const struct bisection *b, int32_t v, int i, int32_t side)
{
    const struct spanning_tree *t = &b->tree;
    int32_t p = regions_beside(&t->board->g, t->place[v], i) >> 1, rank = t->rank[p];
    return b->part[p] == t->only && t->set[rank] == side ? rank : -1;
}

/* Whether a rank hangs on another. */
static bool hangs_on(const struct spanning_tree *t, int32_t v, int32_t on)
{
    assert(0 <= on && on < t->count && v < t->count);
    int32_t n = 0;
    for (; v >= 0 && v != on && n < t->count; v = t->parent[v])
        n++;
    assert(v < 0 || v == on); /* a tree has no loops */
    mw_tick(t->board->g.run, (uint64_t)n / 4);
    return v == on;
}

/* Hangs a rank on something that does not hang on one; false: there is nothing. */
static bool hang_elsewhere(struct bisection *b, int32_t v, int32_t off, int32_t side)
{
    struct spanning_tree *t = &b->tree;
    for (int i = 0; i < sides_of(b); i++) {
        int32_t host = beside(b, v, i, side);
        if (host < 0 || host == v || hangs_on(t, host, off))
            continue;
        t->parent[v] = host;
        return true;
    }
    return false;
}

/* Whether nothing hangs on a rank of a side, or could be hung elsewhere. */
static bool come_off(struct bisection *b, int32_t v, int32_t side)
{
    bool off = true;
    for (int i = 0; i < sides_of(b) && off; i++) {
        int32_t heir = beside(b, v, i, side);
        if (heir >= 0 && b->tree.parent[heir] == v)
            off = hang_elsewhere(b, heir, v, side);
    }
    return off;
}

/* Has places change sides where these meet, until what is below a rank has as many cells as it
   should; whether it then has. */
static bool shift_places(struct bisection *b, struct tree_cut *cut)
{
    struct spanning_tree *t = &b->tree;
    int32_t *below = t->set, *queue = t->active, tail = 0, to = cut->more > 0;
    for (int32_t v = 0; v < t->count; v++)
        below[v] = v == cut->rank || (v > cut->rank && below[t->parent[v]]);
    size_t size = (size_t)t->count * sizeof *t->parent;
    memcpy(t->left, t->parent, size);
    t->parent[cut->rank] = -1;
    for (int32_t v = 0; v < t->count && cut->more; v++)
        for (int i = 0; i < sides_of(b) && below[v] != to; i++)
            if (beside(b, v, i, to) >= 0) {
                queue[tail++] = v;
                break;
            }
    while (tail && cut->more) {
        int32_t v = queue[--tail], cells = b->weight[t->place[v] >> 1];
        if (below[v] == to || t->parent[v] < 0 || cells > mw_abs(cut->more) || town_of(t, v) ||
            !come_off(b, v, !to))
            continue;
        below[v] = to;
        cut->more -= to ? cells : -cells;
        for (int i = 0; i < sides_of(b) && tail < t->count; i++) {
            int32_t next = beside(b, v, i, !to);
            if (next >= 0)
                queue[tail++] = next;
        }
    }
    memcpy(t->parent, t->left, size);
    mw_tick(t->board->g.run, (uint64_t)t->count);
    return !cut->more;
}

/* Puts first what is below, and whose it is to be; of the countries so many have no capital. */
static void cut(struct bisection *b, struct part *p, struct tree_cut cut, int32_t free)
{
    assert(0 < cut.rank && cut.rank < b->tree.count && cut.free <= free);
    struct spanning_tree *t = &b->tree;
    int32_t countries = p->last - p->country, cells = p->first, n = 0;
    int32_t *below = t->set, *country = b->country + p->country;
    for (int32_t v = 0; v < t->count; v++)
        b->below[town_of(t, v)] = below[v];
    p->split = p->first;
    p->split_country = p->country;
    for (int pass = 1; pass >= 0; pass--) {
        for (int32_t v = 0; v < t->count; v++)
            if (below[v] == pass) {
                b->place[cells++] = t->place[v];
                p->split += pass;
            }
        for (int32_t i = 0; i < countries; i++)
            if ((i < free ? i < cut.free : b->below[country[i]]) == pass) {
                b->spare[n++] = country[i];
                p->split_country += pass;
            }
    }
    assert(p->first < p->split && p->split < p->end);
    assert(p->country < p->split_country && p->split_country < p->last); /* so it comes to an end */
    memcpy(country, b->spare, (size_t)countries * sizeof *country);
}

/* Cuts a part along one of some random trees; false: no side of any will do. */
static bool cut_part(struct bisection *b, struct part *p)
{
    assert(p->first < p->end && p->last - p->country > 1);
    struct spanning_tree *t = &b->tree;
    bool done = false;
    while (!done && p->tries < b->tries && mw_steps(t->board->g.run) < t->end) {
        t->only++;
        for (int32_t i = p->first; i < p->end; i++)
            b->part[b->place[i] >> 1] = t->only;
        int32_t free = shuffle(b, p);
        uint32_t places = (uint32_t)(p->end - p->first);
        int32_t root = b->place[p->first + (int32_t)mw_below(t->rng, places)];
        span(t, root, p->tries % 4 == 3 ? TREE_BREADTH : TREE_WINDS - p->tries % 4 * 4);
        p->tries++;
        weigh(b);
        struct tree_cut cuts[CUTS];
        int n = find_cuts(b, free, cuts);
        for (int i = 0; i < n && !done; i++) {
            done = shift_places(b, &cuts[i]);
            if (done)
                cut(b, p, cuts[i], free);
        }
        mw_tick(t->board->g.run, (uint64_t)t->count * 4 + (uint64_t)(p->last - p->country));
    }
    return done;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void note_owner(struct bisection *b, const struct part *p)
{
    assert(p->first < p->end && p->last == p->country + 1);
    for (int32_t i = p->first; i < p->end; i++)
        b->owner[i] = (uint16_t)b->country[p->country];
}

/* Cuts the part that is second in the stack, until all are countries; a part lies upon that which
   it is part of. */
static bool cut_all(struct bisection *b, struct part *stack)
{
    for (int32_t top = 1; top;) {
        struct part *p = &stack[top];
        bool single = p->last - p->country == 1, divided = single || p->done == 2;
        if (single)
            note_owner(b, p);
        if (divided || (!p->done && !cut_part(b, p))) {
            struct part *below = &stack[--top];
            below->done = divided ? below->done + 1 : 0;
        } else {
            stack[++top] = p->done ? (struct part){.first = p->split,
                                                   .end = p->end,
                                                   .country = p->split_country,
                                                   .last = p->last}
                                   : (struct part){.first = p->first,
                                                   .end = p->split,
                                                   .country = p->country,
                                                   .last = p->split_country};
        }
    }
    return stack->done;
}

static void give(struct ground *g, int32_t place, uint16_t country)
{
    if (regions_country(g, place) != country)
        regions_move(g, place, country);
}

static void new_bisection(struct bisection *b, struct label_grid *board,
                          const struct land_piece *piece, struct mw_rng *rng)
{
    struct mw_run *run = board->g.run;
    int32_t cells = piece->cells, seats = piece->seats;
    const int32_t *country = b->quota->order + piece->first;
    b->cells = cells;
    new_tree(&b->tree, board, rng, cells);
    b->place = MW_NEW(run, int32_t, cells);
    b->owner = MW_NEW(run, uint16_t, cells);
    b->twig = MW_NEW(run, int32_t, cells);
    b->host = MW_NEW(run, int32_t, cells);
    b->held = MW_NEW(run, struct size_range, cells);
    b->weight = MW_NEW0(run, int32_t, board->g.indices);
    b->part = MW_NEW0(run, int32_t, board->g.indices);
    b->spare = MW_NEW(run, int32_t, seats);
    b->free = MW_NEW(run, struct size_range, seats + 1);
    b->below = MW_NEW0(run, bool, b->quota->count + 1);
    b->country = MW_NEW(run, int32_t, seats);
    memcpy(b->country, country, (size_t)seats * sizeof *country);
    b->least = cells;
    for (int32_t i = 0; i < seats; i++) {
        b->least = mw_min(b->least, b->quota->low[country[i]]);
        b->most = mw_max(b->most, mw_min(b->quota->high[country[i]], cells - 1));
    }
}

/* Hands the core to its owners, and twigs to those of what they hang on. */
static void give_all(const struct bisection *b, int32_t core)
{
    struct ground *g = &b->tree.board->g;
    for (int32_t i = 0; i < core; i++)
        give(g, b->place[i], b->owner[i]);
    for (int32_t i = b->twigs - 1; i >= 0; i--)
        give(g, b->twig[i], regions_country(g, b->host[i]));
}

bool regions_bisect(struct label_grid *board, const struct country_quota *q,
                    const struct land_piece *piece, struct mw_rng *rng, int32_t root,
                    uint64_t steps)
{
    struct mw_run *run = board->g.run;
    assert(piece->seats > 0 && steps > 0 && regions_country(&board->g, root));
    char *mark = mw_mark(run);
    struct bisection b = {.quota = q};
    new_bisection(&b, board, piece, rng);
    struct part *stack = MW_NEW0(run, struct part, piece->seats + 2);
    int32_t core = list_core(&b, root);
    bool cut = false, crowded = is_crowded(&b, core, piece->seats);
    b.tree.part = b.part;
    for (int round = 0; round < 2 && !crowded && !cut; round++) {
        b.tries = round ? HASTY : PATIENT;
        b.tree.end = mw_steps(run) + steps / 2;
        stack[0] = (struct part){0};
        stack[1] = (struct part){.end = core, .last = piece->seats};
        cut = cut_all(&b, stack);
    }
    if (cut)
        give_all(&b, core);
    mw_rewind(run, mark);
    return cut;
}
