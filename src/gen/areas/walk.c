/*
 * walk.c: walks of a given length that never meet themselves.
 *
 * To search for one by depth-first search with backtracking is hopeless on a crowded map: a wrong
 * turn early on is taken back only after all that can follow it was tried. But a search that never
 * tries a place twice needs no luck: at any time its stack is such a walk, it visits everything in
 * reach in linear time, and a long stretch of the way down it is deep. So
 *
 *   1. Go down until the stack is long enough: the walk wanted, thin and winding.
 *   2. Or else take the deepest stack there was, forget the rest, and lengthen it: a random step of
 *      the walk is led round through two vacant cells beside it (on hexagons through one), or an
 *      end goes on. Each cell is dropped for good when it has no such place: linear.
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
 * On other land several starts are tried, and small land is searched in full, so that «there is
 * none» is said where it is true.
 */
#include "areas.h"

#define DEAD_END INT32_MIN /* visited and left again */

static bool vacant(const struct area *a, int32_t cell)
{
    return cell >= 0 && a->grid->owner[cell] == a->grid->vacant;
}

static bool may_take(const struct area *a, int32_t cell)
{
    const struct grid *g = a->grid;
    return vacant(a, cell) && (a->wanted->holes || !a->size || g->once[areas_ring(g, cell, a->id)]);
}

/* A random neighbour where the walk may go, or -1. */
static int32_t random_exit(struct area *a, int32_t cell)
{
    unsigned ways = 0;
    for (int side = 0; side < a->grid->sides; side++)
        ways |= (unsigned)may_take(a, areas_across(a->grid, cell, side)) << side;
    if (!ways)
        return -1;
    uint32_t bits = (uint32_t)(mw_next(&a->rng) >> 32);
    return areas_across(a->grid, cell, areas_pick_way(a->grid, &a->rng, bits, ways));
}

/* ---- 1. going down --------------------------------------------------------------------------- */

/* The deepest cell reached; a->size is its depth. Everything visited is in seen[]. */
static int32_t go_down(struct area *a, int32_t origin, int32_t *visited)
{
    int32_t cell = origin, deepest = origin, best = 1;
    int32_t *owner = a->grid->owner;
    a->size = *visited = 0;
    a->back[origin] = -1;
    owner[origin] = a->id;
    a->seen[(*visited)++] = origin;
    for (int32_t depth = 1; depth && depth < a->wanted->area;) {
        mw_tick(a->grid->run, 1);
        a->size = depth;
        int32_t next = random_exit(a, cell);
        if (next < 0) {
            owner[cell] = DEAD_END;
            cell = a->back[cell];
            depth--;
            continue;
        }
        a->back[next] = cell;
        owner[next] = a->id;
        a->seen[(*visited)++] = next;
        cell = next;
        if (++depth > best) {
            best = depth;
            deepest = cell;
        }
    }
    a->size = best;
    return deepest;
}

/* Forgets what was visited but for the way to `end`, and links that both ways. */
static void keep_way_to(struct area *a, int32_t end, int32_t visited)
{
    for (int32_t i = 0; i < visited; i++)
        a->grid->owner[a->seen[i]] = a->grid->vacant;
    a->on[end] = -1;
    a->pooled = 0;
    for (int32_t cell = end; cell >= 0; cell = a->back[cell]) {
        a->grid->owner[cell] = a->id;
        a->pool[a->pooled++] = cell;
        if (a->back[cell] >= 0)
            a->on[a->back[cell]] = cell;
    }
}

/* ---- 2. lengthening -------------------------------------------------------------------------- */

static void put_between(struct area *a, int32_t u, int32_t cell, int32_t v)
{
    assert(vacant(a, cell) && (u < 0 || a->on[u] == v) && (v < 0 || a->back[v] == u));
    a->back[cell] = u;
    a->on[cell] = v;
    if (u >= 0)
        a->on[u] = cell;
    if (v >= 0)
        a->back[v] = cell;
    a->grid->owner[cell] = a->id;
    a->pool[a->pooled++] = cell;
    a->size++;
}

static bool go_on(struct area *a, int32_t end)
{
    int32_t next = random_exit(a, end);
    if (next < 0)
        return false;
    if (a->on[end] < 0)
        put_between(a, end, next, -1);
    else
        put_between(a, -1, next, end);
    return true;
}

/* Leads the step from u to v round by the cells across `side`. */
static bool lead_round(struct area *a, int32_t u, int32_t v, int side)
{
    const struct grid *g = a->grid;
    int32_t first = areas_across(g, u, side), second = areas_across(g, v, side);
    if (!may_take(a, first))
        return false;
    if (g->sides == 6) {
        put_between(a, u, first, v);
        return true;
    }
    g->owner[first] = a->id;
    bool good = may_take(a, second);
    g->owner[first] = g->vacant;
    if (!good)
        return false;
    put_between(a, u, first, v);
    put_between(a, first, second, v);
    return true;
}

static bool detour(struct area *a, int32_t u)
{
    const struct grid *g = a->grid;
    int32_t v = a->on[u];
    if (v < 0)
        return false;
    int ahead = 0, turn = (int)mw_below(&a->rng, 2) ? 1 : g->sides - 1;
    while (areas_across(g, u, ahead) != v)
        ahead++;
    return lead_round(a, u, v, (ahead + turn) % g->sides) ||
           lead_round(a, u, v, (ahead + g->sides - turn) % g->sides);
}

static void lengthen(struct area *a)
{
    while (a->size < a->wanted->area && a->pooled) {
        mw_tick(a->grid->run, 1);
        int32_t i = (int32_t)mw_below(&a->rng, (uint32_t)a->pooled), cell = a->pool[i];
        bool end = a->on[cell] < 0 || a->back[cell] < 0;
        if (!(end && go_on(a, cell)) && !detour(a, cell))
            a->pool[i] = a->pool[--a->pooled];
    }
}

/* ---- 3. the walk, found ---------------------------------------------------------------------- */

/* Whether a cell can be left without becoming a hole itself. */
static bool may_leave(const struct area *a, int32_t cell)
{
    const struct grid *g = a->grid;
    if (a->wanted->holes)
        return true;
    for (int k = 0; k < g->around; k++) {
        int32_t at = areas_around(g, cell, k);
        if (at < 0 || g->owner[at] != a->id)
            return true;
    }
    return false;
}

/* A walk that is a cell too long loses one at either end, if that is no hole then. */
static void cut_to_length(struct area *a, int32_t *first, int32_t *last)
{
    assert(a->size <= a->wanted->area + 1);
    int32_t *end = may_leave(a, *last) ? last : first;
    if (a->size <= a->wanted->area || !may_leave(a, *end))
        return;
    int32_t cell = *end, inward = end == last ? a->back[cell] : a->on[cell];
    a->grid->owner[cell] = a->grid->vacant;
    *(end == first ? &a->back[inward] : &a->on[inward]) = -1;
    *end = inward;
    a->size--;
}

static int32_t end_of(const int32_t *link, int32_t cell)
{
    while (link[cell] >= 0)
        cell = link[cell];
    return cell;
}

/* ---- 4. rotations ---------------------------------------------------------------------------- */

enum { TURNS = 1 << 14, MOVES = 1 << 22 }; /* times the walk is moved, and cells, at most */

/* Reverses the walk from its i-th cell on; it stands in pool[], the places in back[]. */
static void reverse(struct area *a, int32_t i)
{
    for (int32_t j = a->size - 1; i < j; i++, j--) {
        int32_t cell = a->pool[i];
        a->pool[i] = a->pool[j];
        a->pool[j] = cell;
        a->back[a->pool[i]] = i;
        a->back[a->pool[j]] = j;
    }
}

/* Takes one step from the last cell: to a vacant one, or to one of the walk. */
static void step(struct area *a)
{
    const struct grid *g = a->grid;
    int32_t last = a->pool[a->size - 1];
    int32_t next = areas_across(g, last, (int)mw_below(&a->rng, (uint32_t)g->sides));
    if (next >= 0 && g->owner[next] == a->id)
        reverse(a, a->back[next] + 1);
    if (!may_take(a, next))
        return;
    assert(a->size < a->wanted->area);
    a->back[next] = a->size;
    a->pool[a->size++] = next;
    g->owner[next] = a->id;
}

/* From one end and the other by turns. */
static void rotate_and_extend(struct area *a)
{
    int32_t left = a->size < MOVES / TURNS ? a->size * TURNS : MOVES;
    for (int32_t i = 0; left > 0 && a->size < a->wanted->area; i++) {
        if (i % 64 == 0)
            reverse(a, 0);
        step(a);
        left -= a->size / 2 + 8;
        mw_tick(a->grid->run, (uint64_t)a->size / 2 + 8);
    }
}

/* ---- all together ---------------------------------------------------------------------------- */

/* Writes the walk to pool[], its places to back[]. */
static void list_walk(struct area *a, int32_t first)
{
    int32_t n = 0;
    for (int32_t cell = first; cell >= 0; cell = a->on[cell]) {
        a->back[cell] = n;
        a->pool[n++] = cell;
    }
    assert(n == a->size);
    mw_tick(a->grid->run, (uint64_t)n * 2);
}

bool areas_walk(struct area *a, int32_t origin, int32_t *reached)
{
    int32_t end = go_down(a, origin, reached), area = a->wanted->area;
    keep_way_to(a, end, *reached);
    lengthen(a);
    int32_t first = end_of(a->back, end), last = end_of(a->on, end);
    cut_to_length(a, &first, &last);
    list_walk(a, first);
    if (a->size < area && *reached >= area && a->wanted->mask.count)
        rotate_and_extend(a);
    if (a->size == area) {
        memcpy(a->cells, a->pool, (size_t)area * sizeof *a->cells);
        return true;
    }
    for (int32_t i = 0; i < a->size; i++)
        a->grid->owner[a->pool[i]] = a->grid->vacant;
    return false;
}

/* ---- the search in full ---------------------------------------------------------------------- */

enum { TRIALS = 1 << 22 };

/* Whether the walk encloses nothing: cells - contacts + blocks of them is 1 (Euler). */
static bool is_whole(const struct area *a)
{
    const struct grid *g = a->grid;
    int32_t sum = a->size;
    for (int32_t i = 0; i < a->size; i++) {
        bool taken[4];
        for (int k = 0; k < 4; k++) {
            int32_t at = areas_around(g, a->cells[i], k);
            taken[k] = at >= 0 && g->owner[at] == a->id;
        }
        if (g->around == 8) /* east, south-east, south */
            sum += (taken[0] && taken[1] && taken[2]) - taken[0] - taken[2];
        else /* east, south-east, south-west */
            sum += (taken[0] && taken[1]) + (taken[1] && taken[2]) - taken[0] - taken[1] - taken[2];
    }
    return sum == 1;
}

/* Steps from the end of the walk across the next untried side; false: none is left. */
static bool try_next(struct area *a, uint8_t *tried)
{
    const struct grid *g = a->grid;
    while (tried[a->size - 1] < g->sides) {
        int32_t next = areas_across(g, a->cells[a->size - 1], tried[a->size - 1]++);
        if (!vacant(a, next))
            continue;
        tried[a->size] = 0;
        g->owner[next] = a->id;
        a->cells[a->size++] = next;
        return true;
    }
    return false;
}

/* The source's own search, from one cell. */
static bool search_from(struct area *a, int32_t start, uint8_t *tried, int64_t *trials)
{
    struct grid *g = a->grid;
    g->owner[start] = a->id;
    a->cells[0] = start;
    a->size = 1;
    tried[0] = 0;
    while (a->size && --*trials > 0) {
        bool full = a->size == a->wanted->area;
        *trials -= full && !a->wanted->holes ? a->size : 0;
        if (full && (a->wanted->holes || is_whole(a)))
            return true;
        if (full || !try_next(a, tried))
            g->owner[a->cells[--a->size]] = g->vacant;
    }
    return false;
}

int areas_walk_all(struct area *a)
{
    uint8_t *tried = MW_NEW(a->grid->run, uint8_t, a->wanted->area);
    int64_t trials = TRIALS;
    for (int32_t start = 0; start < a->grid->cells && trials > 0; start++)
        if (vacant(a, start) && search_from(a, start, tried, &trials))
            return 1;
    mw_tick(a->grid->run, (uint64_t)(TRIALS - trials));
    return trials > 0 ? 0 : -1;
}

/* ---- the longest there can be ---------------------------------------------------------------- */

/* Whether every step leads from a cell where x + y is even to one where it is odd, or back. */
static bool is_chequered(const struct mw_lattice *l)
{
    return l->tiling == MW_SQUARE && (l->wrap == MW_WRAP_NONE || l->width % 2 == 0) &&
           (l->wrap != MW_WRAP_XY || l->height % 2 == 0);
}

int32_t areas_walk_most(const struct mw_lattice *l, int32_t cells, int32_t light)
{
    assert(light >= 0 && light <= cells);
    int32_t fewer = mw_min(light, cells - light);
    return is_chequered(l) ? mw_min(2 * fewer + 1, cells) : cells;
}

/*
 * Cut land at every cell by which alone two parts hang together: what is left are blocks, and they
 * make a tree. A walk that leaves a block cannot come back, so that it goes along one way in that
 * tree; each block gives it at most what light and dark allow, one cell of which it shares with the
 * block before. Blocks are found as a depth-first search leaves them (Hopcroft, Tarjan 1973), and
 * with each the longest way down from it.
 */
struct blocks {
    int32_t *order, *low; /* by cell: when it was found; the first cell that its branch touches */
    int32_t *best;        /* by cell: steps of the longest way down from it */
    int32_t *path, *open; /* cells on the way down; cells of blocks not yet left */
    uint8_t *side;        /* by cell: sides looked at */
    int32_t found, depth, opened, longest;
};

static int32_t is_light(const struct grid *g, int32_t cell)
{
    return (cell % g->lattice.width + cell / g->lattice.width) % 2;
}

static void enter(struct blocks *b, int32_t cell)
{
    b->order[cell] = b->low[cell] = ++b->found;
    b->best[cell] = b->side[cell] = 0;
    b->path[b->depth++] = b->open[b->opened++] = cell;
}

/* Leaves the block that hangs by `top` and was entered by `first`. */
static void leave_block(const struct grid *g, struct blocks *b, int32_t top, int32_t first)
{
    int32_t cells = 1, light = is_light(g, top), down = 0, second = 0;
    for (int32_t cell = -1; cell != first; cells++) {
        assert(b->opened > 0);
        cell = b->open[--b->opened];
        light += is_light(g, cell);
        second = mw_max(second, mw_min(b->best[cell], down));
        down = mw_max(down, b->best[cell]);
    }
    int32_t inside = areas_walk_most(&g->lattice, cells, light) - 1;
    b->longest = mw_max(b->longest, inside + down + mw_max(second, b->best[top]));
    b->best[top] = mw_max(b->best[top], inside + down);
}

static void look_down(struct grid *g, struct blocks *b, int32_t start)
{
    enter(b, start);
    while (b->depth) {
        int32_t cell = b->path[b->depth - 1];
        if (b->side[cell] < g->sides) {
            int32_t next = areas_across(g, cell, b->side[cell]++);
            if (next < 0 || g->owner[next] != g->vacant)
                continue;
            if (!b->order[next])
                enter(b, next);
            else
                b->low[cell] = mw_min(b->low[cell], b->order[next]);
            continue;
        }
        int32_t up = --b->depth ? b->path[b->depth - 1] : -1;
        if (up >= 0 && b->low[cell] >= b->order[up])
            leave_block(g, b, up, cell);
        else if (up >= 0)
            b->low[up] = mw_min(b->low[up], b->low[cell]);
    }
    b->opened = 0;
}

int32_t areas_walk_longest(struct area *a)
{
    struct grid *g = a->grid;
    struct blocks b = {.order = a->back,
                       .low = a->on,
                       .best = a->seen,
                       .path = MW_NEW(g->run, int32_t, g->cells),
                       .open = MW_NEW(g->run, int32_t, g->cells),
                       .side = MW_NEW(g->run, uint8_t, g->cells)};
    memset(b.order, 0, (size_t)g->cells * sizeof *b.order);
    for (int32_t cell = 0; cell < g->cells; cell++)
        if (vacant(a, cell) && !b.order[cell])
            look_down(g, &b, cell);
    mw_tick(g->run, (uint64_t)g->cells * 16);
    assert(b.longest < g->cells);
    return b.longest + 1;
}
