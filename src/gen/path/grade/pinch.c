/*
 * pinch.c: links at bottlenecks of a board, where one cell joins two parts.
 *
 * Take the graph of all cells, with an edge wherever a link is not excluded. Where a part of it is
 * connected to the rest by one cell alone, two things determine how many links lead from that cell
 * into the part:
 *
 *     ends      a path with one end in the part has to pass the cell, once; there can be no more
 *               than one. All others pass twice or not at all
 *     parity    colour the cells like a checkerboard: each link joins black and white. So the links
 *               that the black cells of the part need, less those that its white cells need, are
 *               the links that leave it from black cells, less those from white ones. All lead to
 *               the one cell, whose neighbours have one colour: the difference is their number
 *               (not under classic, where a cell may need none)
 *
 * Pieces that are not connected at all are judged by the same: each has both ends of a path or
 * none, and difference 0. obstacle.c checks all of this before any search.
 *
 * Bottlenecks are cut vertices, found by one depth-first search (Hopcroft and Tarjan, 1973): what
 * comes after a cell in its order depends on the cell if no edge leads from there to before it. A
 * part is a range of that order, so that sums over it are differences of two prefix sums.
 *
 * COST. One search, and at each bottleneck a pass over all ends.
 */
#include "deduce.h"
#include "kit/integer.h"

static bool is_way(const struct deduce *d, int32_t cell, int side)
{
    return !(d->off[cell] >> side & 1);
}

/* A depth-first search from `root`, which gets the place `from`; returns the place after the last.
   `low` is the first place that a cell or its descendants reach by one edge. */
static int32_t walk(struct deduce *d, int32_t root, int32_t from)
{
    const struct board *b = d->board;
    int32_t count = from, at = root;
    d->up[root] = -1;
    d->place[root] = d->low[root] = count;
    d->size[root] = 0;
    d->order[count++] = root;
    while (at >= 0) {
        int side = d->size[at]++; /* the next side to look at, until all have been */
        assert(side <= SIDES);
        if (side == SIDES) {
            d->size[at] = count - d->place[at];
            int32_t up = d->up[at];
            if (up >= 0)
                d->low[up] = mw_min(d->low[up], d->low[at]);
            at = up;
            continue;
        }
        if (!is_way(d, at, side))
            continue;
        int32_t other = b->next[at][side];
        if (d->place[other] >= 0) {
            d->low[at] = mw_min(d->low[at], d->place[other]);
            continue;
        }
        d->up[other] = at;
        d->place[other] = d->low[other] = count;
        d->size[other] = 0;
        d->order[count++] = other;
        at = other;
    }
    return count;
}

static bool is_within(const struct deduce *d, int32_t cell, int32_t first, int32_t past)
{
    return d->place[cell] >= first && d->place[cell] < past;
}

/* ---- parts that hang on a cell --------------------------------------------------------------- */

/* A cell, and the parts into which its piece falls without it: those of its descendants, each a
   range of places, and one more with all others, unless the search began at the cell. */
struct bottleneck {
    int32_t cell, from, to; /* places of the piece */
    int after, parts;
    int32_t first[SIDES], past[SIDES]; /* places of those after it */
    unsigned sides[SIDES];             /* of the cell, that lead into each part */
    int32_t surplus[SIDES];
};

static int32_t surplus_of(const struct deduce *d, int32_t first, int32_t past)
{
    return d->surplus[past - 1] - (first ? d->surplus[first - 1] : 0);
}

/* The set of the part in which a cell lies; empty for another piece, and for the bottleneck. */
static unsigned part_of(const struct deduce *d, const struct bottleneck *f, int32_t cell)
{
    if (cell == f->cell || !is_within(d, cell, f->from, f->to))
        return 0;
    int i = 0;
    while (i < f->after && !is_within(d, cell, f->first[i], f->past[i]))
        i++;
    return 1u << i;
}

static void add_part_after(const struct deduce *d, struct bottleneck *f, int32_t child)
{
    int32_t first = d->place[child], past = first + d->size[child];
    assert(f->after < SIDES && past > first && past <= f->to);
    f->first[f->after] = first;
    f->past[f->after] = past;
    f->surplus[f->after++] = surplus_of(d, first, past);
}

static struct bottleneck find_parts(const struct deduce *d, int32_t cell, int32_t from, int32_t to)
{
    const int32_t *next = d->board->next[cell];
    struct bottleneck f = {.cell = cell, .from = from, .to = to};
    for (int side = 0; side < SIDES; side++)
        if (is_way(d, cell, side) && d->up[next[side]] == cell &&
            d->low[next[side]] >= d->place[cell])
            add_part_after(d, &f, next[side]);
    f.parts = f.after + (d->up[cell] >= 0);
    assert(f.parts <= SIDES);
    int32_t rest = surplus_of(d, from, to) - d->weight[cell];
    for (int i = 0; i < f.after; i++)
        rest -= f.surplus[i];
    if (f.parts > f.after)
        f.surplus[f.after] = rest;
    for (int side = 0; side < SIDES; side++)
        if (is_way(d, cell, side))
            f.sides[__builtin_ctz(part_of(d, &f, next[side]))] |= 1u << side;
    return f;
}

/* Exactly `links` links lead from the cell across these sides. */
static bool put_links(struct deduce *d, int32_t cell, unsigned sides, int links)
{
    int have = count_sides(sides & d->on[cell]), ways = count_sides(sides);
    if (have > links || ways < links)
        return false;
    unsigned left = have == links || ways == links ? sides & ~(unsigned)d->on[cell] : 0;
    int32_t deductions = d->deductions;
    bool good = deduce_put_all(d, cell, left, ways == links, BOTTLENECK);
    d->depth += d->deductions - deductions;
    return good;
}

/* Finds links into a set of parts; `split` paths have one end there. */
static bool judge_parts(struct deduce *d, const struct bottleneck *f, unsigned set, int split)
{
    int need = d->board->path[f->cell] >= 0 ? 1 : 2;
    unsigned sides = 0;
    int32_t surplus = 0;
    for (int i = 0; i < f->parts; i++)
        if (set >> i & 1) {
            sides |= f->sides[i];
            surplus += f->surplus[i];
        }
    if (d->rule == CLASSIC)
        return split > 0 || need == 1 ? split < 2 && put_links(d, f->cell, sides, split) : true;
    int32_t links =
        d->weight[f->cell] < 0 ? surplus : -surplus; /* its neighbours have the other sign */
    return links >= 0 && links <= need && links % 2 == split && put_links(d, f->cell, sides, links);
}

/* All sets of parts except the full one: several together may show what no single one does. */
static bool pinch_at(struct deduce *d, const struct bottleneck *f)
{
    const struct board *b = d->board;
    int split[1 << SIDES] = {0};
    unsigned all = (1u << f->parts) - 1;
    mw_tick(d->run, (uint64_t)b->paths);
    for (int32_t p = 0; p < b->paths; p++) {
        unsigned one = part_of(d, f, b->ends[p][0]), other = part_of(d, f, b->ends[p][1]);
        for (unsigned set = 1; one != other && set < all; set++)
            split[set] += !(set & one) != !(set & other);
    }
    bool good = true;
    for (unsigned set = 1; set < all && good; set++)
        good = judge_parts(d, f, set, split[set]);
    return good;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* All cells of a piece whose links are not all known. */
static bool pinch_piece(struct deduce *d, int32_t from, int32_t to)
{
    for (int32_t i = from; i < to; i++) {
        int32_t cell = d->order[i];
        if ((d->on[cell] | d->off[cell]) == 15)
            continue;
        struct bottleneck f = find_parts(d, cell, from, to);
        if (f.parts > 1 && !pinch_at(d, &f))
            return false;
    }
    return true;
}

/* Whether a connected piece of the board may have a solution: each path has both ends in it or
   none; unless cells may stay empty, some path has, and the checkerboard is balanced. */
static bool is_sound(const struct deduce *d, int32_t first, int32_t past)
{
    const struct board *b = d->board;
    bool any = false;
    mw_tick(d->run, (uint64_t)b->paths);
    for (int32_t p = 0; p < b->paths; p++) {
        bool within = is_within(d, b->ends[p][0], first, past);
        if (within != is_within(d, b->ends[p][1], first, past))
            return false;
        any |= within;
    }
    return d->rule == CLASSIC || (any && !surplus_of(d, first, past));
}

bool deduce_pinch(struct deduce *d)
{
    const struct board *b = d->board;
    int32_t count = 0, finds = d->finds;
    if (finds == d->pinched)
        return true;
    mw_tick(d->run, (uint64_t)b->cells);
    memset(d->place, 0xff, (size_t)b->cells * sizeof *d->place);
    for (int32_t cell = 0; cell < b->cells; cell++) {
        if (b->path[cell] == WALL || d->place[cell] >= 0)
            continue;
        int32_t first = count;
        count = walk(d, cell, first);
        for (int32_t i = first; i < count; i++)
            d->surplus[i] = (i ? d->surplus[i - 1] : 0) + d->weight[d->order[i]];
        if (!is_sound(d, first, count) || !pinch_piece(d, first, count))
            return false;
    }
    if (d->finds == finds)
        d->pinched = finds;
    return true;
}
