/*
 * walk.c: walks of a given length that never meet themselves.
 *
 * To search for one by depth-first search with backtracking is hopeless on a crowded map: a wrong
 * turn early on is taken back only after all that can follow it was tried. But a search that never
 * tries a place twice needs no luck: at any time its stack is such a walk, it visits everything in
 * reach in linear time, and a long stretch of the way down it is deep. So
 *
 *   1. Go down until the stack is long enough: the walk wanted, thin and winding.
 *   2. Or else take the deepest stack there was, forget the rest, and lengthen it: steps of the
 *      walk are led round through two vacant cells beside it (on hexagons through one), and an
 *      end goes on. Passes along the walk do that, in stretches each of which gets its share, so
 *      that memory is read in order and it gets thicker everywhere alike; each pass finds room for
 *      a good part of what is missing, or is the last: linear.
 *
 *                             a-b
 *            -u-v-    ->      | |
 *                            -u v-
 *
 *   3. One cell too many is cut off from the end.
 *   4. Or where lakes and inlets keep it short, it is rotated: a step from the end to a cell of the
 *      walk itself, and the one that led on from there is left out. So the walk has another end,
 *      which goes on when it comes beside a vacant cell (rotation and extension: Pósa 1976).
 *
 *            1-2-3         1 6-5
 *                |   ->    |   |
 *            6-5-4         2-3-4
 *
 * Where that is not enough on a full map, a stretch of the tour of share.c is a walk of any length.
 * On other land several starts are tried; then the walk is "not found", which proves nothing.
 */
#include "areas.h"

static bool vacant(const struct area *a, int32_t cell)
{
    return cell >= 0 && a->grid->owner[cell] == a->grid->vacant;
}

/* Whether a vacant cell would close no ring, where that matters. */
static inline bool joins(const struct area *a, int32_t cell)
{
    const struct grid *g = a->grid;
    return a->wanted->holes || g->once[areas_ring(g, cell, a->id)];
}

static void hold(struct area *a, int32_t cell)
{
    assert(vacant(a, cell));
    a->grid->owner[cell] = a->id;
    areas_shut_exits(a->grid, cell, a->grid->flat);
}

/* The sides of the walk's end on which it may go on. */
static inline unsigned ways_on(const struct area *a, int32_t cell, bool whole)
{
    const struct grid *g = a->grid;
    unsigned ways = g->exits[cell] & AREAS_EXITS, good = ways;
    for (int side = 0; whole && side < g->sides; side++)
        if (ways >> side & 1 && !joins(a, areas_across(g, cell, side)))
            good &= ~(1u << side);
    return good;
}

/* ---- 1. going down --------------------------------------------------------------------------- */

/*
 * The current path is in next[], the cells left again in seen[]. When a path ends that is longer
 * than any before, its new part is copied to pool[].
 */
struct descent {
    int32_t depth, left; /* cells of the current path; cells left again */
    int32_t best, kept;  /* cells of the longest path; how many of them the current one may share */
};

static void note_longest(struct area *a, struct descent *d)
{
    if (d->depth <= d->best)
        return;
    memcpy(a->pool + d->kept, a->next + d->kept, (size_t)(d->depth - d->kept) * sizeof *a->pool);
    d->best = d->kept = d->depth;
}

/* Steps back to a cell with exits, which are returned, or to none. */
static unsigned step_back(struct area *a, struct descent *d, bool whole)
{
    struct grid *g = a->grid;
    unsigned ways = 0;
    int32_t before = d->left;
    note_longest(a, d);
    while (!ways && d->depth) {
        assert(d->left < g->cells);
        int32_t cell = a->seen[d->left++] = a->next[--d->depth];
        if (whole)
            g->owner[cell] = g->vacant;
        if (d->depth)
            ways = ways_on(a, a->next[d->depth - 1], whole);
    }
    d->kept = mw_min(d->kept, d->depth);
    mw_tick(g->run, (uint64_t)(d->left - before));
    return ways;
}

enum { TICKS = 64 };

/*
 * Goes down from a cell until the path is long enough, or `most` cells were visited, or all.
 * Visited cells have no exits to them any more; with `whole` the path itself is owned, as rings are
 * tested. Compiled for each of the constants.
 */
ALWAYS_INLINE struct descent go_down(struct area *a, int32_t origin, int32_t most, bool whole)
{
    struct grid *g = a->grid;
    struct mw_rng rng = a->rng;
    uint8_t *exits = g->exits;
    int32_t *way = a->next, area = a->wanted->area;
    struct descent d = {0, 0, 0, 0};
    int32_t deepest = mw_min(most, area);
    uint64_t bits = 0;
    for (int32_t cell = origin;;) {
        if (d.depth % TICKS == 0)
            mw_tick(g->run, TICKS);
        assert(cell >= 0 && cell < g->cells && d.depth < area);
        way[d.depth++] = cell;
        areas_shut_exits(g, cell, g->flat);
        if (whole)
            g->owner[cell] = a->id;
        if (d.depth == deepest)
            break;
        unsigned ways = whole ? ways_on(a, cell, true) : exits[cell] & AREAS_EXITS;
        if (!ways) {
            ways = step_back(a, &d, whole);
            deepest = mw_min(most - d.left, area);
            if (!ways)
                break;
            cell = way[d.depth - 1];
        }
        bits = d.depth & 1 ? mw_next(&rng) : bits >> 32;
        cell = areas_across(g, cell, areas_pick_way(g, &rng, (uint32_t)bits, ways));
    }
    a->rng = rng;
    note_longest(a, &d);
    return d;
}

/* Opens exits again to those of the cells that are not held. */
static void reopen(struct area *a, const int32_t *cells, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (a->grid->owner[cells[i]] != a->id)
            areas_reopen_exits_to(a->grid, cells[i], a->id);
    mw_tick(a->grid->run, (uint64_t)count);
}

/* Owns the longest path, and releases the other cells visited. */
static void keep_way(struct area *a, const struct descent *d)
{
    struct grid *g = a->grid;
    a->size = d->best;
    for (int32_t i = d->kept; !a->wanted->holes && i < d->depth; i++)
        g->owner[a->next[i]] = g->vacant;
    for (int32_t i = 0; i < d->best; i++)
        g->owner[a->pool[i]] = a->id;
    reopen(a, a->seen, d->left);
    reopen(a, a->next + d->kept, d->depth - d->kept);
}

/* ---- 2. lengthening -------------------------------------------------------------------------- */

/* Whether the step from u to v may be led round across `side`; by the cells first and second. */
static bool may_lead(struct area *a, int32_t u, int32_t v, int side, int32_t *first,
                     int32_t *second)
{
    struct grid *g = a->grid;
    *first = areas_across(g, u, side);
    *second = -1;
    if (!vacant(a, *first) || !joins(a, *first))
        return false;
    if (g->sides == 6)
        return true;
    *second = areas_across(g, v, side);
    g->owner[*first] = a->id;
    bool good = vacant(a, *second) && joins(a, *second);
    g->owner[*first] = g->vacant;
    return good;
}

/* Finds how the step from u to v may be led round; `turn` says which side is looked at first. */
static bool may_lead_round(struct area *a, int32_t u, int32_t v, bool turn, int32_t *first,
                           int32_t *second)
{
    const struct grid *g = a->grid;
    int ahead = 0, by = turn ? 1 : g->sides - 1;
    if (!(g->exits[u] & AREAS_EXITS))
        return false;
    while (ahead < g->sides - 1 && areas_across(g, u, ahead) != v)
        ahead++;
    assert(areas_across(g, u, ahead) == v);
    return may_lead(a, u, v, (ahead + by) % g->sides, first, second) ||
           may_lead(a, u, v, (ahead + g->sides - by) % g->sides, first, second);
}

/* What lengthening uses: copies, as a write through a byte pointer may alias the originals. */
struct hand {
    struct area *area;
    uint8_t *exits;
    int32_t *owner, width, id, size;
};

/* The same on a flat grid where rings do not matter: both ends of the step have the exit. */
static inline bool may_lead_round_flat(const struct hand *h, int32_t u, int32_t v, bool turn,
                                       int32_t *first, int32_t *second)
{
    bool upright = (v - u == h->width) | (u - v == h->width);
    unsigned east = upright ? 1 : 2, both = h->exits[u] & h->exits[v] & 5 * east;
    bool turned = (both > east) & (turn | (both == 4 * east));
    int32_t over = upright ? 1 : h->width;
    over = turned ? -over : over;
    *first = u + over;
    *second = v + over;
    return both != 0;
}

static inline void hold_in(struct hand *h, int32_t cell, bool flat)
{
    h->size++;
    h->owner[cell] = h->id;
    areas_shut_exits(h->area->grid, cell, flat);
}

enum { NESTED = 7 }; /* steps at once: more, and detours grow as straight fingers */

/*
 * Writes the step to v that follows the cell at `to`: led round where there is room, and so are the
 * steps of the detour, while the walk has less than `most` cells. What stands behind it.
 */
ALWAYS_INLINE int32_t *write_step(struct hand *h, int32_t *to, int32_t v, int32_t most,
                                  uint64_t turns, bool flat)
{
    int32_t todo[NESTED], depth = 0, first, second = -1;
    for (todo[depth++] = v; depth; turns >>= 1) {
        v = todo[depth - 1];
        if (h->size >= most || depth + 2 > NESTED ||
            !(flat ? may_lead_round_flat(h, *to, v, turns & 1, &first, &second)
                   : may_lead_round(h->area, *to, v, turns & 1, &first, &second))) {
            *++to = v;
            depth--;
            continue;
        }
        if (flat || second >= 0) {
            hold_in(h, second, flat);
            todo[depth++] = second;
        }
        hold_in(h, first, flat);
        todo[depth++] = first;
    }
    return to;
}

/* How long the walk may be when `done` of its steps are written: as long as is wanted before the
   end, so that what finds no room has some left. */
static int32_t quota(int32_t size, int32_t area, int32_t done, int32_t steps)
{
    return (int32_t)mw_min64(area, size + (int64_t)(area - size) * done / (steps - steps / 8 + 1));
}

/*
 * Writes the walk anew with detours, from step `start` on. They are spread over all of it: a
 * stretch has them until its share is used up, and goes on without. Compiled for each constant.
 */
ALWAYS_INLINE void lengthen_from(struct area *a, int32_t start, bool flat)
{
    struct hand h = {a, a->grid->exits, a->grid->owner, a->grid->lattice.width, a->id, a->size};
    int32_t *from = a->pool, *to = a->next, area = a->wanted->area, size = a->size, i = start;
    memcpy(to, from, (size_t)i * sizeof *to);
    to += i - 1;
    while (i < size && h.size < area) {
        uint64_t bits = mw_next(&a->rng);
        int32_t end = mw_min(i + 16 + (int32_t)(bits >> 59), size);
        int32_t most = start > 1 ? area : quota(size, area, end, size);
        for (; i < end && h.size < most; i++, bits = mw_rotl(bits, 7))
            to = write_step(&h, to, from[i], most, bits, flat);
        memcpy(to + 1, from + i, (size_t)(end - i) * sizeof *to);
        to += end - i;
        i = end;
        mw_tick(a->grid->run, 64);
    }
    memcpy(to + 1, from + i, (size_t)(size - i) * sizeof *to);
    a->size = h.size;
    a->pool = a->next;
    a->next = from;
    assert(to + 1 + size - i == a->pool + a->size && a->size <= area + 1);
}

/* Reverses the walk from its i-th cell on. */
static void reverse(struct area *a, int32_t i)
{
    for (int32_t j = a->size - 1; i < j; i++, j--) {
        int32_t cell = a->pool[i];
        a->pool[i] = a->pool[j];
        a->pool[j] = cell;
    }
}

/* Goes on from the last cell as far as it can. */
static void go_on(struct area *a)
{
    while (a->size < a->wanted->area) {
        int32_t last = a->pool[a->size - 1];
        unsigned ways = ways_on(a, last, !a->wanted->holes);
        if (!ways)
            return;
        uint32_t bits = (uint32_t)mw_next(&a->rng);
        int side = areas_pick_way(a->grid, &a->rng, bits, ways);
        int32_t next = areas_across(a->grid, last, side);
        hold(a, next);
        a->pool[a->size++] = next;
        mw_tick(a->grid->run, 1);
    }
}

/* First evenly, then wherever there is room, until none is left. */
static void lengthen(struct area *a)
{
    int32_t start = 1;
    for (int idle = 0; a->size < a->wanted->area && idle < 2;) {
        int32_t before = a->size;
        if (a->grid->flat && a->wanted->holes)
            lengthen_from(a, start, true);
        else
            lengthen_from(a, start, false);
        go_on(a);
        if (a->size < a->wanted->area && ways_on(a, a->pool[0], !a->wanted->holes)) {
            reverse(a, 0);
            go_on(a);
        }
        idle = a->size > before ? 0 : idle + 1;
        start = idle ? 1 : mw_between(&a->rng, 1, a->size);
    }
}

/* ---- 3. the walk, found ---------------------------------------------------------------------- */

/* Whether a cell can be left without becoming a hole itself. */
static bool may_leave(const struct area *a, int32_t cell)
{
    return a->wanted->holes || ~areas_ring(a->grid, cell, a->id) & ((1u << a->grid->around) - 1);
}

/* A walk that is a cell too long loses one at either end, if that is no hole then. */
static void cut_to_length(struct area *a)
{
    assert(a->size <= a->wanted->area + 1);
    if (a->size <= a->wanted->area)
        return;
    if (!may_leave(a, a->pool[a->size - 1]))
        reverse(a, 0);
    if (!may_leave(a, a->pool[a->size - 1]))
        return;
    int32_t cell = a->pool[--a->size];
    a->grid->owner[cell] = a->grid->vacant;
    areas_reopen_exits_to(a->grid, cell, a->id);
}

/* ---- 4. rotations ---------------------------------------------------------------------------- */

enum { TURNS = 1 << 14, MOVES = 1 << 22 }; /* times the walk is moved, and cells, at most */

/* Notes the places of the walk's cells from the i-th on. */
static void note_places(struct area *a, int32_t i)
{
    for (; i < a->size; i++)
        a->back[a->pool[i]] = i;
}

/* Takes one step from the last cell: to a vacant one, or to one of the walk. */
static void step(struct area *a)
{
    const struct grid *g = a->grid;
    int32_t last = a->pool[a->size - 1];
    int32_t next = areas_across(g, last, (int)mw_below(&a->rng, (uint32_t)g->sides));
    if (next >= 0 && g->owner[next] == a->id) {
        int32_t i = a->back[next] + 1;
        reverse(a, i);
        note_places(a, i);
    }
    if (!vacant(a, next) || !joins(a, next))
        return;
    assert(a->size < a->wanted->area);
    hold(a, next);
    a->back[next] = a->size;
    a->pool[a->size++] = next;
}

/* From either end alternately. */
static void rotate_and_extend(struct area *a)
{
    int32_t left = a->size < MOVES / TURNS ? a->size * TURNS : MOVES;
    note_places(a, 0);
    for (int32_t i = 0; left > 0 && a->size < a->wanted->area; i++) {
        if (i % 64 == 0) {
            reverse(a, 0);
            note_places(a, 0);
        }
        step(a);
        left -= a->size / 2 + 8;
        mw_tick(a->grid->run, (uint64_t)a->size / 2 + 8);
    }
}

/* ---- all together ---------------------------------------------------------------------------- */

/* A thin walk is looked for farther down than one that will fill the map by detours anyway: there
   most of what is visited would be left again. */
static struct descent descend(struct area *a, int32_t origin)
{
    int32_t cells = a->grid->cells, most = mw_max(cells - a->wanted->area, cells / 8 * 3 + 1);
    if (!a->wanted->holes || a->wanted->mask.count)
        most = cells;
    return a->wanted->holes ? go_down(a, origin, most, false) : go_down(a, origin, most, true);
}

bool areas_walk(struct area *a, int32_t origin)
{
    int32_t area = a->wanted->area;
    struct descent d = descend(a, origin);
    bool cramped = !d.depth && d.left < area; /* it stepped back from all that is within reach */
    keep_way(a, &d);
    lengthen(a);
    cut_to_length(a);
    if (a->size < area && !cramped && a->wanted->mask.count)
        rotate_and_extend(a);
    if (a->size == area) {
        memcpy(a->cells, a->pool, (size_t)area * sizeof *a->cells);
        return true;
    }
    for (int32_t i = 0; i < a->size; i++)
        a->grid->owner[a->pool[i]] = a->grid->vacant;
    reopen(a, a->pool, a->size);
    for (int32_t i = 0; cramped && i < d.left; i++) {
        a->grid->owner[a->seen[i]] = AREAS_BARRED;
        areas_shut_exits(a->grid, a->seen[i], a->grid->flat);
    }
    return false;
}
