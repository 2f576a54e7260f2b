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
 * difference 0 (obstacle.c looks at that before anything is known).
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

/* Paths with one end among the places from `first` to `past`. */
static int count_split(const struct deduce *d, int32_t first, int32_t past)
{
    const struct board *b = d->board;
    int split = 0;
    mw_tick(d->run, (uint64_t)b->paths);
    for (int32_t p = 0; p < b->paths; p++)
        split +=
            is_within(d, b->ends[p][0], first, past) != is_within(d, b->ends[p][1], first, past);
    return split;
}

/* Exactly so many links lead from the cell to places from `first` to `past`. */
static bool put_links(struct deduce *d, int32_t cell, int32_t first, int32_t past, int links)
{
    unsigned there = 0;
    for (int side = 0; side < SIDES; side++)
        if (is_way(d, cell, side) && is_within(d, d->board->next[cell][side], first, past))
            there |= 1u << side;
    int have = count_sides(there & d->on[cell]), ways = count_sides(there);
    if (have > links || ways < links)
        return false;
    unsigned left = have == links || ways == links ? there & ~(unsigned)d->on[cell] : 0;
    d->deductions += left != 0;
    for (; left; left &= left - 1)
        if (!deduce_put(d, cell, __builtin_ctz(left), ways == links, BOTTLENECK))
            return false;
    return true;
}

/* What lies behind `cell`, from the cell `child` on. */
static bool pinch_at(struct deduce *d, int32_t cell, int32_t child)
{
    int32_t first = d->place[child], past = first + d->size[child];
    int split = count_split(d, first, past);
    int need = d->board->path[cell] >= 0 ? 1 : 2;
    if (d->rule == CLASSIC)
        return split > 0 || need == 1 ? split < 2 && put_links(d, cell, first, past, split) : true;
    int32_t surplus = d->surplus[past - 1] - (first ? d->surplus[first - 1] : 0);
    int32_t links = d->weight[child] > 0 ? surplus : -surplus;
    return links >= 0 && links <= need && links % 2 == split &&
           put_links(d, cell, first, past, links);
}

/* A piece of the board that hangs together. */
static bool is_sound(const struct deduce *d, int32_t first, int32_t past)
{
    bool any = d->rule == CLASSIC;
    for (int32_t p = 0; p < d->board->paths && !any; p++)
        any = is_within(d, d->board->ends[p][0], first, past);
    int32_t surplus = d->surplus[past - 1] - (first ? d->surplus[first - 1] : 0);
    return any && (d->rule == CLASSIC || !surplus) && !count_split(d, first, past);
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
        if (!is_sound(d, first, count))
            return false;
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t child = d->order[i], cell = d->up[child];
        bool open = cell >= 0 && (d->on[cell] | d->off[cell]) != 15;
        if (open && d->low[child] >= d->place[cell] && !pinch_at(d, cell, child))
            return false;
    }
    if (d->finds == finds)
        d->pinched = finds;
    return true;
}
