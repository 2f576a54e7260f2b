/*
 * pinch.c: links at bottlenecks of a board, where one cell joins two parts.
 *
 * Take the cells of a board, and between neighbours all ways that are not known to have no link.
 * Where what lies behind one cell hangs on that cell alone, two things tell how many links lead
 * there from it:
 *
 *     ends      a path with one end there has to pass, once; more than one cannot. The others
 *               pass twice or not at all
 *     parity    colour the cells like a checkerboard. Each link joins black and white; so over
 *               the part, the links that black cells need, less those that white ones need, are
 *               the links that lead out of black cells, less those out of white ones. All lead to
 *               the one cell, whose neighbours are of one colour: the difference is their number
 *               (not under classic, where a cell may need none)
 *
 * Pieces without any way between them are judged by the same: each has both ends of a path, and
 * difference 0. obstacle.c asks for all of this before any search.
 *
 * Bottlenecks are found by one walk into the depth (Hopcroft and Tarjan, 1973): what comes after a
 * cell on the walk hangs on it if no way leads from there to before it. A part is a run of places
 * on the walk, so that sums over it are differences of two.
 *
 * COST. One walk, and at each bottleneck a look at all ends.
 */
#include "deduce.h"
#include "kit/integer.h"

static bool is_way(const struct deduce *d, int32_t cell, int side)
{
    return !(d->off[cell] >> side & 1);
}

/* A walk into the depth from `root`, from the place `from` on; the place after the last. `low` is
   the first place that a cell or those after it on the walk can reach by one way back. */
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

/* A cell, and the parts into which its piece falls without it: those that come after it on the
   walk, each a run of places, and one more with all others, unless the walk began at the cell. */
struct bottleneck {
    int32_t cell, from, to; /* places of the piece */
    int after, parts;
    int32_t first[SIDES], past[SIDES]; /* of those after it */
    unsigned sides[SIDES];             /* of the cell, that lead to each part */
    int32_t surplus[SIDES];
};

static int32_t surplus_of(const struct deduce *d, int32_t first, int32_t past)
{
    return d->surplus[past - 1] - (first ? d->surplus[first - 1] : 0);
}

/* In which part a cell lies, as a set; none where it lies in another piece, or is that cell. */
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

/* Exactly so many links lead from the cell across these sides. */
static bool put_links(struct deduce *d, int32_t cell, unsigned sides, int links)
{
    int have = count_sides(sides & d->on[cell]), ways = count_sides(sides);
    if (have > links || ways < links)
        return false;
    unsigned left = have == links || ways == links ? sides & ~(unsigned)d->on[cell] : 0;
    int32_t finds = d->finds;
    for (; left; left &= left - 1)
        if (!deduce_put(d, cell, __builtin_ctz(left), ways == links, BOTTLENECK))
            return false;
    d->deductions += d->finds > finds;
    d->depth += d->finds > finds;
    return true;
}

/* What a set of parts tells, of which so many paths have one end there. */
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

/* All sets of parts but that of all: what several together tell, each by itself may not. */
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
