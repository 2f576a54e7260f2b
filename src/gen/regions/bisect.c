/*
 * bisect.c: a piece of land is cut in two, and each part again, until every part is a country.
 *
 * One spanning tree of winding land seldom yields all sizes: with each country that is cut off it
 * is less likely that the rest can be divided. But a random spanning tree mostly has an edge below
 * which lie exactly as many cells as some of the countries want together. It is cut there, and each
 * part has trees of its own to choose from. If several trees of a part have no such edge, it was
 * cut off badly, and the part that it belonged to is cut again.
 *
 *      a-a-a-a b-b      Where there is no such edge, one is cut that misses the sizes by some
 *      | |   | |        cells. Then places where both parts meet change sides one by one, if
 *      a a-a a-b-b      nothing hangs on them, or what does can be hung elsewhere in its part: so
 *                       both parts stay trees. That works where land is two cells wide or more.
 *
 * A part belongs to the countries whose capitals lie in it; the others follow in a random order,
 * as many as fill it.
 *
 * What it costs, and when it ends: some steps for each place and level of cuts. Each part is tried
 * some times, and steps are counted; that no way is found proves nothing. The first half of the
 * steps goes to a patient search, which combs need. In mazes a bad part is mostly past help, so the
 * second half goes to a search that soon gives up a part, and again cuts one far above it.
 */
#include "kit/integer.h"
#include "kit/spanning_tree.h"
#include "regions.h"

/* Trees that are tried for a part before the part that it belonged to is cut again, by the patient
   search and by the hasty one. Edges of each that are tried: the best of so many random lots. */
enum { PATIENT = 20, HASTY = 4, CUTS = 8, LOTS = 48 };

/* A part: places and countries, each from .. to before .. . */
struct land_part {
    int32_t first, end, country, last;
    int32_t split, split_country; /* where both are cut */
    int32_t tries, done;          /* of its own two parts, the first that are divided */
};

/* Fewest and most cells. */
struct size_range {
    int32_t low, high;
};

struct bisection {
    struct label_grid *grid;
    struct mw_rng *rng;
    const struct country_quota *quota;
    struct mw_spanning_tree tree; /* of the current part */
    int32_t *rank;                /* by index: in the tree */
    int32_t *part, only;          /* by index: the number of its part; that of the current part */
    int32_t *below;               /* by rank: 1 if it is below the edge that is cut, else 0 */
    int32_t *cells;               /* by rank: places at it and below */
    int32_t *saved;               /* by rank: parents before places changed sides */
    int32_t *queue;               /* ranks that may change sides */
    int32_t *place, *country;     /* part by part */
    int32_t *spare;               /* room for countries */
    uint16_t *owner;              /* of the places, at last */
    bool *inside;                 /* by country: its capital is in the part that is cut off */
    int32_t tries;                /* trees for a part */
    int32_t least;                /* cells of the smallest country */
    struct size_range *free;      /* of the first i countries that have no capital */
    struct size_range *held;      /* by rank: of those whose capitals are there and below */
    uint64_t end;                 /* steps at which it gives up */
};

static struct size_range sum(struct size_range a, struct size_range b)
{
    return (struct size_range){a.low + b.low, a.high + b.high};
}

static struct size_range range_of(const struct bisection *b, int32_t k)
{
    return (struct size_range){b->quota->low[k], b->quota->high[k]};
}

/* ---- one cut --------------------------------------------------------------------------------- */

/* The country whose capital is at a rank; or 0. */
static inline uint16_t town_of(const struct bisection *b, int32_t v)
{
    return b->grid->town ? b->grid->town[b->tree.node[v] >> 1] : 0;
}

/* One of the neighbours that are of the part and not in the tree: see mw_draw_neighbour. */
static int32_t draw_neighbour(void *bisection, int32_t place, int32_t rank)
{
    const struct bisection *b = bisection;
    const struct label_grid *g = b->grid;
    int32_t found = -1;
    uint32_t n = 0;
    for (int i = 0, p; (p = regions_beside(g, place, i)) >= 0; i++)
        if (g->stamp[p >> 1] != g->stamps && b->part[p >> 1] == b->only &&
            mw_below(b->rng, ++n) == 0)
            found = p;
    if (found >= 0) {
        g->stamp[found >> 1] = g->stamps;
        b->rank[found >> 1] = rank;
    }
    return found;
}

/* Grows a random tree over the current part. */
static void span_part(struct bisection *b, int32_t root, int growth)
{
    regions_fresh_stamp(b->grid);
    b->grid->stamp[root >> 1] = b->grid->stamps;
    b->rank[root >> 1] = b->tree.count = 0;
    mw_span(b->grid->run, &b->tree, b->rng, root, growth, draw_neighbour, b);
}

static void swap(int32_t *a, int32_t *b)
{
    int32_t c = *a;
    *a = *b;
    *b = c;
}

/* Puts those countries of a part first that have no capital, in an order drawn by chance; how
   many. */
static int32_t shuffle(struct bisection *b, const struct land_part *p)
{
    int32_t *country = b->country + p->country, n = 0;
    for (int32_t i = 0; i < p->last - p->country; i++)
        if (country[i] > b->quota->capitals.count)
            swap(&country[i], &country[n++]);
    b->free[0] = (struct size_range){0};
    for (int32_t i = 0; i < n; i++) {
        swap(&country[i], &country[i + (int32_t)mw_below(b->rng, (uint32_t)(n - i))]);
        b->free[i + 1] = sum(b->free[i], range_of(b, country[i]));
    }
    return n;
}

/* Sums up the tree from its leaves. */
static void weigh(struct bisection *b)
{
    struct mw_spanning_tree *t = &b->tree;
    for (int32_t v = 0; v < t->count; v++) {
        uint16_t town = town_of(b, v);
        b->cells[v] = 1;
        b->held[v] = town ? range_of(b, town) : (struct size_range){0};
    }
    for (int32_t v = t->count - 1; v > 0; v--) {
        b->cells[t->parent[v]] += b->cells[v];
        b->held[t->parent[v]] = sum(b->held[t->parent[v]], b->held[v]);
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

/* Above 0: countries with this range, of all that share the whole, expect more than so many cells,
   if what is to spare is shared in proportion. */
static int64_t expect(struct size_range range, struct size_range all, int32_t cells, int32_t whole)
{
    int64_t spare = whole - all.low, room = mw_max(all.high - all.low, 1);
    return (range.low - (int64_t)cells) * room + (range.high - range.low) * spare;
}

/* The best cut above a rank. */
static struct tree_cut cut_above(const struct bisection *b, int32_t v, int32_t free)
{
    int32_t low = 0, high = free;
    struct size_range all = sum(b->held[0], b->free[free]);
    while (low < high) {
        int32_t middle = (low + high + 1) / 2;
        struct size_range range = sum(b->held[v], b->free[middle]);
        if (expect(range, all, b->cells[v], b->cells[0]) <= 0)
            low = middle;
        else
            high = middle - 1;
    }
    struct tree_cut best = {v, low, 0};
    for (int32_t n = low; n <= mw_min(low + 1, free); n++) {
        int32_t more = lack(sum(b->held[v], b->free[n]), all, b->cells[v], b->cells[0]);
        if (n == low || mw_abs(more) < mw_abs(best.more))
            best = (struct tree_cut){v, n, more};
    }
    return best;
}

/* Finds edges to cut: the one that meets all sizes and halves the tree best, or else the best of
   each of some random lots. Returns how many. */
static int find_cuts(const struct bisection *b, int32_t free, struct tree_cut cuts[CUTS])
{
    const struct mw_spanning_tree *t = &b->tree;
    int32_t most = 0;
    for (int i = 0; i < CUTS; i++)
        cuts[i] = (struct tree_cut){.more = b->cells[0]};
    for (int32_t v = 1; v < t->count; v++) {
        int32_t half = mw_min(b->cells[v], b->cells[0] - b->cells[v]);
        if (2 * half < b->least)
            continue;
        if (b->tries ==
            HASTY) /* of a tree that is the only one, the best edge may be the wrong one */
            half = 1 + (int32_t)mw_below(b->rng, (uint32_t)half);
        if (half <= most)
            continue;
        struct tree_cut cut = cut_above(b, v, free);
        uint32_t lot = cut.more ? mw_below(b->rng, LOTS) : 0;
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
    const struct mw_spanning_tree *t = &b->tree;
    int32_t p = regions_beside(b->grid, t->node[v], i) >> 1, rank = b->rank[p];
    return b->part[p] == b->only && b->below[rank] == side ? rank : -1;
}

/* Whether a rank is another or a descendant of it. */
static bool hangs_on(const struct bisection *b, int32_t v, int32_t on)
{
    const struct mw_spanning_tree *t = &b->tree;
    assert(0 <= on && on < t->count && v < t->count);
    int32_t n = 0;
    for (; v >= 0 && v != on && n < t->count; v = t->parent[v])
        n++;
    assert(v < 0 || v == on); /* a tree has no loops */
    mw_tick(b->grid->run, (uint64_t)n / 4);
    return v == on;
}

/* Gives a rank another parent, which is no descendant of `off`; false: there is none. */
static bool hang_elsewhere(struct bisection *b, int32_t v, int32_t off, int32_t side)
{
    struct mw_spanning_tree *t = &b->tree;
    for (int i = 0; i < regions_sides(b->grid); i++) {
        int32_t host = beside(b, v, i, side);
        if (host < 0 || host == v || hangs_on(b, host, off))
            continue;
        t->parent[v] = host;
        return true;
    }
    return false;
}

/* Whether a rank has no children on its side, or all of them were given other parents. */
static bool come_off(struct bisection *b, int32_t v, int32_t side)
{
    bool off = true;
    for (int i = 0; i < regions_sides(b->grid) && off; i++) {
        int32_t heir = beside(b, v, i, side);
        if (heir >= 0 && b->tree.parent[heir] == v)
            off = hang_elsewhere(b, heir, v, side);
    }
    return off;
}

/* Moves places across the cut, until the part below the rank has as many cells as it should;
   whether it then has. */
static bool shift_places(struct bisection *b, struct tree_cut *cut)
{
    struct mw_spanning_tree *t = &b->tree;
    int32_t *below = b->below, *queue = b->queue, tail = 0, to = cut->more > 0;
    for (int32_t v = 0; v < t->count; v++)
        below[v] = v == cut->rank || (v > cut->rank && below[t->parent[v]]);
    size_t size = (size_t)t->count * sizeof *t->parent;
    memcpy(b->saved, t->parent, size);
    t->parent[cut->rank] = -1;
    for (int32_t v = 0; v < t->count && cut->more; v++)
        for (int i = 0; i < regions_sides(b->grid) && below[v] != to; i++)
            if (beside(b, v, i, to) >= 0) {
                queue[tail++] = v;
                break;
            }
    while (tail && cut->more) {
        int32_t v = queue[--tail];
        if (below[v] == to || t->parent[v] < 0 || town_of(b, v) || !come_off(b, v, !to))
            continue;
        below[v] = to;
        cut->more -= to ? 1 : -1;
        for (int i = 0; i < regions_sides(b->grid) && tail < t->count; i++) {
            int32_t next = beside(b, v, i, !to);
            if (next >= 0)
                queue[tail++] = next;
        }
    }
    memcpy(t->parent, b->saved, size);
    mw_tick(b->grid->run, (uint64_t)t->count);
    return !cut->more;
}

/* Moves the places below the cut and their countries to the front of the part; `free` of all its
   countries have no capital. */
static void cut(struct bisection *b, struct land_part *p, struct tree_cut cut, int32_t free)
{
    assert(0 < cut.rank && cut.rank < b->tree.count && cut.free <= free);
    struct mw_spanning_tree *t = &b->tree;
    int32_t countries = p->last - p->country, cells = p->first, n = 0;
    int32_t *below = b->below, *country = b->country + p->country;
    for (int32_t v = 0; v < t->count; v++)
        b->inside[town_of(b, v)] = below[v];
    p->split = p->first;
    p->split_country = p->country;
    for (int pass = 1; pass >= 0; pass--) {
        for (int32_t v = 0; v < t->count; v++)
            if (below[v] == pass) {
                b->place[cells++] = t->node[v];
                p->split += pass;
            }
        for (int32_t i = 0; i < countries; i++)
            if ((i < free ? i < cut.free : b->inside[country[i]]) == pass) {
                b->spare[n++] = country[i];
                p->split_country += pass;
            }
    }
    assert(p->first < p->split && p->split < p->end);
    assert(p->country < p->split_country && p->split_country < p->last); /* so it comes to an end */
    memcpy(country, b->spare, (size_t)countries * sizeof *country);
}

/* Cuts a part along one of some random trees; false: no side of any will do. */
static bool cut_part(struct bisection *b, struct land_part *p)
{
    assert(p->first < p->end && p->last - p->country > 1);
    struct mw_spanning_tree *t = &b->tree;
    bool done = false;
    while (!done && p->tries < b->tries && mw_steps(b->grid->run) < b->end) {
        b->only++;
        for (int32_t i = p->first; i < p->end; i++)
            b->part[b->place[i] >> 1] = b->only;
        int32_t free = shuffle(b, p);
        uint32_t places = (uint32_t)(p->end - p->first);
        int32_t root = b->place[p->first + (int32_t)mw_below(b->rng, places)];
        span_part(b, root, p->tries % 4 == 3 ? MW_TREE_BREADTH : MW_TREE_WALK - p->tries % 4 * 4);
        p->tries++;
        weigh(b);
        struct tree_cut cuts[CUTS];
        int n = find_cuts(b, free, cuts);
        for (int i = 0; i < n && !done; i++) {
            done = shift_places(b, &cuts[i]);
            if (done)
                cut(b, p, cuts[i], free);
        }
        mw_tick(b->grid->run, (uint64_t)t->count * 4 + (uint64_t)(p->last - p->country));
    }
    return done;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Cuts the part that is second in the stack, until all are countries; a part lies upon that which
   it is part of. */
static bool cut_all(struct bisection *b, struct land_part *stack)
{
    for (int32_t top = 1; top;) {
        struct land_part *p = &stack[top];
        bool single = p->last - p->country == 1, divided = single || p->done == 2;
        assert(p->first < p->end && p->country < p->last);
        for (int32_t i = p->first; single && i < p->end; i++)
            b->owner[i] = (uint16_t)b->country[p->country];
        if (divided || (!p->done && !cut_part(b, p))) {
            struct land_part *below = &stack[--top];
            below->done = divided ? below->done + 1 : 0;
        } else {
            stack[++top] = p->done ? (struct land_part){.first = p->split,
                                                        .end = p->end,
                                                        .country = p->split_country,
                                                        .last = p->last}
                                   : (struct land_part){.first = p->first,
                                                        .end = p->split,
                                                        .country = p->country,
                                                        .last = p->split_country};
        }
    }
    return stack->done;
}

static void new_bisection(struct bisection *b, const struct land_piece *piece)
{
    struct mw_run *run = b->grid->run;
    int32_t cells = piece->cells, seats = piece->seats, indices = b->grid->indices;
    const int32_t *country = b->quota->order + piece->first;
    mw_new_spanning_tree(run, &b->tree, cells);
    b->rank = MW_NEW(run, int32_t, indices);
    b->part = MW_NEW0(run, int32_t, indices);
    b->below = MW_NEW(run, int32_t, cells);
    b->cells = MW_NEW(run, int32_t, cells);
    b->saved = MW_NEW(run, int32_t, cells);
    b->queue = MW_NEW(run, int32_t, cells);
    b->place = MW_NEW(run, int32_t, cells);
    b->owner = MW_NEW(run, uint16_t, cells);
    b->held = MW_NEW(run, struct size_range, cells);
    b->spare = MW_NEW(run, int32_t, seats);
    b->free = MW_NEW(run, struct size_range, seats + 1);
    b->inside = MW_NEW0(run, bool, b->quota->count + 1);
    b->country = MW_NEW(run, int32_t, seats);
    memcpy(b->country, country, (size_t)seats * sizeof *country);
    b->least = cells;
    for (int32_t i = 0; i < seats; i++)
        b->least = mw_min(b->least, b->quota->low[country[i]]);
}

bool regions_bisect(struct label_grid *g, const struct country_quota *q,
                    const struct land_piece *piece, struct mw_rng *rng, int32_t root,
                    uint64_t steps)
{
    assert(piece->seats > 0 && steps > 0 && regions_country(g, root));
    char *mark = mw_mark(g->run);
    struct bisection b = {.grid = g, .rng = rng, .quota = q};
    new_bisection(&b, piece);
    struct land_part *stack = MW_NEW0(g->run, struct land_part, piece->seats + 2);
    span_part(&b, root, MW_TREE_BREADTH);
    assert(b.tree.count == piece->cells);
    memcpy(b.place, b.tree.node, (size_t)piece->cells * sizeof *b.place);
    bool cut = false;
    for (int round = 0; round < 2 && !cut; round++) {
        b.tries = round ? HASTY : PATIENT;
        b.end = mw_steps(g->run) + (round ? steps : steps / 8);
        stack[0] = (struct land_part){0};
        stack[1] = (struct land_part){.end = piece->cells, .last = piece->seats};
        cut = cut_all(&b, stack);
    }
    for (int32_t i = 0; i < piece->cells && cut; i++)
        if (regions_country(g, b.place[i]) != b.owner[i])
            regions_move(g, b.place[i], b.owner[i]);
    mw_rewind(g->run, mark);
    return cut;
}
