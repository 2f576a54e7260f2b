/*
 * regions_tree.c: thin land, divided along trees.
 *
 * Land one cell wide is a tree of corridors, and whether a tree can be cut into parts of two
 * sizes, so many of each, can be decided. A part that holds cell v reaches below v to some
 * cells, it is open to what is above, and complete parts lie below that:
 *
 *            |
 *            v      open: r cells, v among them (to grow upwards)
 *           / \
 *          o   x    x: cut off, a complete part
 *         /     \
 *        x       x  c complete parts in all
 *
 * For each cell the pairs (r, c) that some choice of cuts makes possible are found from those of
 * its children, one child after the other: either the child's open part joins, and r and c add
 * up, or it has just a size wanted and is cut off, and counts as one complete part. How many
 * parts have the larger size needs no counting: the cells below v are known, and
 * cells = r + c * small + larger ones * (large - small). At the root one asks for an open part
 * of a wanted size, and all others complete. Every set of pairs is kept, so the choices can be
 * read backwards. A set is a row of bits, by r, for every c; so a merge is shifts and ors, and
 * the work about cells * large / 64 steps where parts are large.
 *
 * A corridor without forks, or a ring, needs no counting: it is cut into stretches, of any
 * sizes.
 *
 * If the land is a tree, this decides. If it is not, random trees that span it are tried: some
 * wind, as they must in a comb of thick teeth, some branch. A division along such a tree is one
 * of the land; that none of some trees has one proves nothing. Memory for the sets is bounded,
 * and so is the number of trees.
 */
#include "land.h"

enum { TREES = 240, TREE_STEPS = 1 << 26, WORDS_PER_CELL = 1, WORDS_AT_LEAST = 1 << 17 };

/* Pairs (r, c), c from `low` to `high`: bits[(c - low) * words + r / 64] >> r % 64. */
struct pairs {
    int32_t low, high, words;
    int32_t most; /* r at most */
    uint64_t *bits;
};

struct tree {
    struct land *land;
    const struct piece *piece;
    int32_t small, large; /* the sizes wanted */
    int32_t count;
    int32_t *place, *parent; /* by rank, in order of growth */
    int32_t *active;
    int32_t *open, *complete; /* the pair chosen for each cell */
    struct pairs *now;        /* of each cell, with the children merged so far */
    struct pairs *before;     /* of its parent, before it was merged */
    uint64_t one_cell;        /* bits of the pair (1, 0) */
    uint64_t *bits;
    int64_t used, room; /* words */
};

/* ---- sets of pairs --------------------------------------------------------------------------- */

static bool has(const struct pairs *p, int32_t r, int32_t c)
{
    return c >= p->low && c <= p->high && r >= 0 && r <= p->most &&
           p->bits[(int64_t)(c - p->low) * p->words + r / 64] >> r % 64 & 1;
}

/* Whether a cell's open part can be cut off, so that there are c complete ones. */
static bool can_cut(const struct tree *t, const struct pairs *p, int32_t c)
{
    return has(p, t->small, c - 1) || has(p, t->large, c - 1);
}

/* Makes room for pairs up to (most, high); false when there is none. */
static bool new_pairs(struct tree *t, struct pairs *p, int32_t most, int32_t low, int32_t high)
{
    most = most < t->large ? most : t->large;
    *p = (struct pairs){low, high, most / 64 + 1, most, t->bits + t->used};
    int64_t words = (int64_t)p->words * (high - low + 1);
    if (words > t->room - t->used)
        return false;
    memset(p->bits, 0, (size_t)words * sizeof *p->bits);
    t->used += words;
    mw_tick(t->land->run, (uint64_t)words);
    return true;
}

/* to |= from << by, as far as `to` goes. */
static void or_shifted(uint64_t *to, int32_t to_words, const uint64_t *from, int32_t from_words,
                       int32_t by)
{
    int32_t skip = by / 64, shift = by % 64;
    for (int32_t i = 0; i < from_words && i + skip < to_words; i++) {
        to[i + skip] |= from[i] << shift;
        if (shift && i + skip + 1 < to_words)
            to[i + skip + 1] |= from[i] >> (64 - shift);
    }
}

/* Bits past `most` go; rows that came out empty, too, at either end. */
static void trim(struct tree *t, struct pairs *p)
{
    int32_t last = p->words - 1;
    uint64_t mask = p->most % 64 == 63 ? UINT64_MAX : (UINT64_C(1) << (p->most % 64 + 1)) - 1;
    int32_t low = INT32_MAX, high = p->low - 1;
    for (int32_t c = p->low; c <= p->high; c++) {
        uint64_t *row = p->bits + (int64_t)(c - p->low) * p->words, any = 0;
        row[last] &= mask;
        for (int32_t i = 0; i < p->words; i++)
            any |= row[i];
        if (!any)
            continue;
        low = low < c ? low : c;
        high = c;
    }
    if (high < p->low)
        low = p->low;
    p->bits += (int64_t)(low - p->low) * p->words;
    t->used = p->bits - t->bits + (int64_t)(high - low + 1) * p->words;
    p->low = low;
    p->high = high;
}

/* All sums of a pair of p and one of row c of q. */
static void add_row(struct tree *t, struct pairs *sum, const struct pairs *p, const struct pairs *q,
                    int32_t c)
{
    const uint64_t *row = q->bits + (int64_t)(c - q->low) * q->words;
    for (int32_t r = 0; r <= q->most; r++) {
        if (!(row[r / 64] >> r % 64)) {
            r |= 63;
            continue;
        }
        if (!(row[r / 64] >> r % 64 & 1))
            continue;
        for (int32_t d = p->low; d <= p->high; d++)
            or_shifted(sum->bits + (int64_t)(c + d - sum->low) * sum->words, sum->words,
                       p->bits + (int64_t)(d - p->low) * p->words, p->words, r);
        mw_tick(t->land->run, (uint64_t)(p->high - p->low + 1) * (uint64_t)p->words);
    }
}

/* p without the child, or with its open part. False when there is no more room. */
static bool merge(struct tree *t, struct pairs *p, const struct pairs *child)
{
    struct pairs sum;
    if (child->high < child->low || p->high < p->low) {
        p->high = p->low - 1;
        return true;
    }
    if (!new_pairs(t, &sum, p->most + child->most, p->low + child->low, p->high + child->high + 1))
        return false;
    for (int32_t c = child->low; c <= child->high; c++)
        add_row(t, &sum, p, child, c);
    for (int32_t c = child->low + 1; c <= child->high + 1; c++)
        for (int32_t d = p->low; can_cut(t, child, c) && d <= p->high; d++)
            or_shifted(sum.bits + (int64_t)(c + d - sum.low) * sum.words, sum.words,
                       p->bits + (int64_t)(d - p->low) * p->words, p->words, 0);
    trim(t, &sum);
    *p = sum;
    return true;
}

/* ---- one tree -------------------------------------------------------------------------------- */

/* Reads the choices backwards, from the root's pair: open[] is 0 above no cut. A cell above
   which the tree is cut has its parent's rank made negative. */
static void choose(struct tree *t, int32_t open)
{
    t->open[0] = open;
    t->complete[0] = t->piece->seats - 1;
    for (int32_t v = 1; v < t->count; v++) {
        int32_t u = t->parent[v], r = t->open[u], c = t->complete[u];
        const struct pairs *child = &t->now[v], *rest = &t->before[v];
        for (int32_t d = child->low; d <= child->high + 1 && t->open[v] < 0; d++) {
            if (can_cut(t, child, d) && has(rest, r, c - d)) {
                t->open[v] = has(child, t->small, d - 1) ? t->small : t->large;
                t->complete[v] = d - 1;
                t->complete[u] = c - d;
                t->parent[v] = -1 - u;
            }
            for (int32_t s = 1; s <= child->most && s < r && t->open[v] < 0; s++)
                if (has(child, s, d) && has(rest, r - s, c - d)) {
                    t->open[v] = s;
                    t->complete[v] = d;
                    t->open[u] = r - s;
                    t->complete[u] = c - d;
                }
        }
    }
}

/* 1: cut, as parent[] says; 0: there is no way along this tree; -1: no room. */
static int cut_tree(struct tree *t)
{
    t->used = 0;
    for (int32_t v = 0; v < t->count; v++) {
        t->now[v] = (struct pairs){0, 0, 1, 1, &t->one_cell};
        t->open[v] = -1;
    }
    for (int32_t v = t->count - 1; v > 0; v--) {
        struct pairs *above = &t->now[t->parent[v]];
        t->before[v] = *above;
        if (!merge(t, above, &t->now[v]))
            return -1;
    }
    mw_tick(t->land->run, (uint64_t)t->count);
    int32_t complete = t->piece->seats - 1;
    bool small = has(&t->now[0], t->small, complete);
    if (!small && !has(&t->now[0], t->large, complete))
        return 0;
    choose(t, small ? t->small : t->large);
    return 1;
}

/* ---- trees that span a piece ----------------------------------------------------------------- */

static void add(struct tree *t, int32_t place, int32_t parent)
{
    struct ground *g = &t->land->board->g;
    g->stamp[place >> 1] = g->stamps;
    t->place[t->count] = place;
    t->parent[t->count++] = parent;
}

static int32_t free_beside(struct tree *t, int32_t place)
{
    struct ground *g = &t->land->board->g;
    int32_t found = -1;
    uint32_t n = 0;
    for (int i = 0, p; (p = g->beside(g, place, i)) >= 0; i++)
        if (g->stamp[p >> 1] != g->stamps && mw_below(&t->land->rng, ++n) == 0)
            found = p;
    return found;
}

/* Spans a random tree; the more it winds, of 8, the more often it goes on from the cell last
   added. */
static void span(struct tree *t, int32_t root, uint32_t winding)
{
    struct mw_rng *rng = &t->land->rng;
    int32_t active = 0;
    t->land->board->g.stamps += 2;
    t->count = 0;
    add(t, root, -1);
    t->active[active++] = 0;
    while (active) {
        bool last = winding == 8 || mw_below(rng, 8) < winding;
        int32_t i = last ? active - 1 : (int32_t)mw_below(rng, (uint32_t)active);
        int32_t place = free_beside(t, t->place[t->active[i]]);
        if (place < 0) {
            t->active[i] = t->active[--active];
            continue;
        }
        int32_t rank = t->active[i];
        t->active[active++] = t->count;
        add(t, place, rank);
    }
    mw_tick(t->land->run, (uint64_t)t->count * 2);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Whether there are no more than two sizes, which it notes. */
static bool two_sizes(struct tree *t)
{
    const struct land *land = t->land;
    t->small = INT32_MAX;
    for (int32_t s = 0; s < t->piece->seats; s++) {
        int32_t k = land->order[t->piece->first + s];
        t->small = land->low[k] < t->small ? land->low[k] : t->small;
        t->large = land->high[k] > t->large ? land->high[k] : t->large;
    }
    for (int32_t s = 0; s < t->piece->seats; s++) {
        int32_t k = land->order[t->piece->first + s];
        if ((land->low[k] != t->small && land->low[k] != t->large) ||
            (land->high[k] != t->small && land->high[k] != t->large))
            return false;
    }
    return t->large > 0;
}

/* The country that is to have a part of that size, of those not given one yet. */
static int32_t taker(const struct tree *t, const bool *given, int32_t size)
{
    const struct land *land = t->land;
    for (int32_t s = 0; s < t->piece->seats; s++) {
        int32_t k = land->order[t->piece->first + s];
        if (!given[s] && land->low[k] <= size && size <= land->high[k])
            return s;
    }
    return -1;
}

static void give(struct ground *g, int32_t place, int32_t country)
{
    if (regions_holder(g, place) != country)
        g->move(g, place, (uint16_t)country);
}

/* Gives the parts of a tree that was cut to countries that want their sizes. A part's size is
   what was chosen for the cell on top of it. */
static void move_in(struct tree *t)
{
    struct ground *g = &t->land->board->g;
    bool *given = MW_NEW0(t->land->run, bool, t->piece->seats);
    int32_t *size = t->open, *country = t->complete; /* from here on of the parts, by their tops */
    for (int32_t v = t->count - 1; v >= 0; v--)
        size[v] = 1;
    for (int32_t v = t->count - 1; v > 0; v--)
        if (t->parent[v] >= 0)
            size[t->parent[v]] += size[v];
    for (int32_t v = 0; v < t->count; v++) {
        if (v > 0 && t->parent[v] >= 0) {
            country[v] = country[t->parent[v]];
        } else {
            int32_t s = taker(t, given, size[v]);
            given[s] = true;
            country[v] = t->land->order[t->piece->first + s];
        }
        give(g, t->place[v], country[v]);
    }
}

/* ---- corridors and rings --------------------------------------------------------------------- */

/* Gives stretches of a corridor or a ring, spanned from one end, to the countries. */
static void lay_stretches(struct tree *t)
{
    const struct land *land = t->land;
    struct ground *g = &t->land->board->g;
    int32_t v = 0, spare = t->count;
    for (int32_t s = 0; s < t->piece->seats; s++)
        spare -= land->low[land->order[t->piece->first + s]];
    for (int32_t s = 0; s < t->piece->seats; s++) {
        int32_t k = land->order[t->piece->first + s];
        int32_t more = land->high[k] - land->low[k];
        more = more < spare ? more : spare;
        spare -= more;
        for (int32_t end = v + land->low[k] + more; v < end; v++)
            give(g, t->place[v], k);
    }
}

struct form {
    int64_t sides;  /* between cells, each from both */
    int32_t degree; /* the most neighbours that a cell has */
    int32_t end;    /* a place with one neighbour, or any */
};

static struct form form_of(const struct tree *t)
{
    const struct ground *g = &t->land->board->g;
    struct form form = {.end = t->place[0]};
    for (int32_t v = 0; v < t->count; v++) {
        int32_t n = 0;
        for (int i = 0, p; (p = g->beside(g, t->place[v], i)) >= 0; i++)
            n += p != t->place[v];
        form.sides += n;
        form.degree = n > form.degree ? n : form.degree;
        form.end = n == 1 ? t->place[v] : form.end;
    }
    return form;
}

/* ---- tries ----------------------------------------------------------------------------------- */

static void new_tree(struct tree *t, struct land *land, const struct piece *piece)
{
    struct mw_run *run = land->run;
    *t = (struct tree){.land = land, .piece = piece, .one_cell = 1 << 1};
    t->place = MW_NEW(run, int32_t, piece->cells);
    t->parent = MW_NEW(run, int32_t, piece->cells);
    t->active = MW_NEW(run, int32_t, piece->cells);
}

/* Room for the sets of pairs; false for pieces too large to keep them. */
static bool make_room(struct tree *t)
{
    enum { MOST_CELLS = 1 << 16 };
    struct mw_run *run = t->land->run;
    int32_t cells = t->piece->cells;
    if (cells > MOST_CELLS || !two_sizes(t))
        return false;
    t->open = MW_NEW(run, int32_t, cells);
    t->complete = MW_NEW(run, int32_t, cells);
    t->now = MW_NEW(run, struct pairs, cells);
    t->before = MW_NEW(run, struct pairs, cells);
    t->room = (int64_t)cells * WORDS_PER_CELL + WORDS_AT_LEAST;
    t->bits = MW_NEW(run, uint64_t, t->room);
    return true;
}

int regions_try_tree(struct land *land, const struct piece *piece, int32_t root)
{
    char *mark = mw_mark(land->run);
    struct tree t;
    new_tree(&t, land, piece);
    span(&t, root, 8);
    struct form form = form_of(&t);
    int answer = -1;
    if (form.degree <= 2) {
        span(&t, form.end, 8);
        lay_stretches(&t);
        answer = 1;
    } else if (form.sides == 2 * ((int64_t)t.count - 1) && make_room(&t)) {
        answer = cut_tree(&t);
    }
    if (answer == 1 && form.degree > 2)
        move_in(&t);
    mw_rewind(land->run, mark);
    return answer;
}

bool regions_try_trees(struct land *land, const struct piece *piece, int32_t root)
{
    char *mark = mw_mark(land->run);
    uint64_t end = mw_steps(land->run) + TREE_STEPS;
    struct tree t;
    new_tree(&t, land, piece);
    bool done = false, fits = make_room(&t);
    for (int i = 0; i < TREES && fits && !done && mw_steps(land->run) < end; i++) {
        span(&t, root, (uint32_t)(8 - i % 5 * 2));
        done = cut_tree(&t) == 1;
        root = t.place[mw_below(&land->rng, (uint32_t)t.count)];
    }
    if (done)
        move_in(&t);
    mw_rewind(land->run, mark);
    return done;
}
