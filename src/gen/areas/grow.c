/*
 * grow.c: fat growth from a pool, thin growth by depth-first search, and their mixtures.
 *
 * The pool holds every cell taken; one without an exit is dropped when it is drawn. Drawing
 * again leaves the choice among the others even, each cell is dropped once, so a pick costs O(1)
 * and no cell needs to know its place in the pool.
 *
 * Without holes, a cell that would close a ring is refused, or what it encloses is taken along
 * where that is all vacant and little (AREAS_POCKET cells with the cell itself; more for a coast):
 * else fat growth would end as a labyrinth of cracks. The invariant holds after every step, so
 * nothing needs repair in the end. On land without lakes some cell can always be taken: two shapes
 * without holes, one in the other, lie on a chain of single simple cells.
 */
#include "areas.h"
#include "kit/lattice.h"

/* A random cell of the pool with an exit, or -1. */
static int32_t draw(struct area *a)
{
    const uint8_t *exits = a->grid->exits;
    while (a->pooled) {
        mw_tick(a->grid->run, 1);
        int32_t i = (int32_t)mw_below(&a->rng, (uint32_t)a->pooled), cell = a->pool[i];
        if (exits[cell] & AREAS_EXITS)
            return cell;
        a->pool[i] = a->pool[--a->pooled];
    }
    return -1;
}

/* ---- without holes --------------------------------------------------------------------------- */

/* The cells that would be enclosed, in one or more pieces; they are marked in mine[]. */
struct pocket {
    int32_t *cells; /* room for as many as the area wants */
    int32_t size, room;
    int64_t wasted; /* cells that were looked at in vain */
};

static void empty(const struct grid *g, struct pocket *p, int32_t size)
{
    while (p->size > size)
        g->mine[p->cells[--p->size]] = 0;
}

enum piece { ENCLOSED, TOO_LARGE, OPEN };

/* Adds a cell to the pocket, unless the pocket has `most` cells. */
static inline enum piece add_to_pocket(const struct grid *g, struct pocket *p, int32_t cell,
                                       int32_t most)
{
    if (g->owner[cell] != g->vacant || g->exits[cell] & AREAS_EDGE)
        return OPEN;
    if (p->size == most)
        return most < p->room ? TOO_LARGE : OPEN;
    assert(p->size < p->room);
    g->mine[cell] = 1;
    p->cells[p->size++] = cell;
    return ENCLOSED;
}

/* Adds the piece of the rest that `cell` lies in, if all of it can be taken along and it is no more
   than `most` cells. */
static enum piece enclose(const struct grid *g, struct pocket *p, int32_t cell, int32_t most)
{
    int32_t start = p->size;
    most = mw_min(start + most, p->room);
    enum piece piece = add_to_pocket(g, p, cell, most);
    for (int32_t i = start; piece == ENCLOSED && i < p->size; i++) {
        const int32_t inner = p->cells[i], *to = g->ring[(g->exits[inner] & AREAS_ODD) != 0];
        unsigned rest = ~areas_held_around(g, inner) & ((1u << g->around) - 1);
        for (; piece == ENCLOSED && rest; rest &= rest - 1)
            piece = add_to_pocket(g, p, inner + to[__builtin_ctz(rest)], most);
    }
    mw_tick(g->run, (uint64_t)(p->size - start));
    if (piece != ENCLOSED) {
        p->wasted += p->size - start;
        empty(g, p, start);
    }
    return piece;
}

/* The first cell of the rest behind each arc of the ring; how many arcs. */
static int find_rests(struct area *a, int32_t cell, int32_t rest[4])
{
    const struct grid *g = a->grid;
    int n = 0;
    for (unsigned arcs = areas_arcs(g, areas_held_around(g, cell)); arcs; arcs &= arcs - 1) {
        int k = (__builtin_ctz(arcs) + 1) % g->around;
        assert(n < 4);
        rest[n] = areas_around(g, cell, k);
        if (g->around == 8 && rest[n] >= 0 && g->mine[rest[n]])
            rest[n] = areas_around(g, cell, (k + 1) % 8);
        n++;
    }
    return n;
}

/*
 * Takes a cell with all that it encloses, at most `room` cells in all. Of the pieces into which it
 * parts the rest, all but the world outside must be pockets. The search of each is bounded, and the
 * bounds grow in turns, so it costs no more than a few times the smaller pieces.
 */
bool areas_take_whole(struct area *a, int32_t cell, int32_t room)
{
    struct grid *g = a->grid;
    int32_t rest[4];
    enum piece piece[4] = {TOO_LARGE, TOO_LARGE, TOO_LARGE, TOO_LARGE};
    int pieces = find_rests(a, cell, rest), left = pieces, open = 0;
    struct pocket p = {.cells = a->stack, .room = room - 1};
    const int32_t growth = room > AREAS_POCKET ? 4 : 32; /* most small pockets are tiny */
    g->mine[cell] = 1;
    for (int32_t most = 2; left > 1 && open < 2 && most / growth < room; most *= growth)
        for (int i = 0; left > 1 && open < 2 && i < pieces; i++) {
            if (piece[i] != TOO_LARGE)
                continue;
            piece[i] = rest[i] < 0 ? OPEN : enclose(g, &p, rest[i], most);
            left -= piece[i] == ENCLOSED;
            open += piece[i] == OPEN;
        }
    assert(p.size < room);
    mw_tick(g->run, 8);
    if (left > 1) {
        empty(g, &p, 0);
        g->mine[cell] = 0;
        a->wasted += p.wasted;
        return false;
    }
    areas_take(a, cell);
    for (int32_t i = 0; i < p.size; i++)
        areas_take(a, p.cells[i]);
    return true;
}

/* Takes something beside any cell of the pool; false: nothing can be taken. */
static bool take_anywhere(struct area *a, int32_t room)
{
    for (int32_t i = 0; i < a->pooled; i++) {
        const struct grid *g = a->grid;
        unsigned ways = g->exits[a->pool[i]] & AREAS_EXITS;
        mw_tick(g->run, 1);
        while (ways) {
            int side = areas_pick_way(g, &a->rng, (uint32_t)mw_next(&a->rng), ways);
            ways &= ~(1u << side);
            if (areas_take_whole(a, areas_across(g, a->pool[i], side), mw_min(room, AREAS_POCKET)))
                return true;
        }
    }
    return false;
}

/* ---- the two ways to grow -------------------------------------------------------------------- */

/* One of two without a branch. */
static inline int32_t choose(bool first, int32_t a, int32_t b)
{
    return b ^ ((a ^ b) & -(int32_t)first);
}

/*
 * A place below `range` and a number below `draws` from 32 random bits: their product with range *
 * draws, in two steps; bits that would make it uneven are drawn again (Lemire).
 */
struct pick {
    uint32_t place, drawn;
};
static inline struct pick pick(struct mw_rng *rng, uint32_t bits, uint32_t range, uint32_t draws)
{
    for (uint32_t all = range * draws;; bits = (uint32_t)mw_next(rng)) {
        uint64_t place = (uint64_t)bits * range, drawn = (uint64_t)(uint32_t)place * draws;
        if ((uint32_t)drawn >= all || (uint32_t)drawn >= -all % all)
            return (struct pick){(uint32_t)(place >> 32), (uint32_t)(drawn >> 32)};
    }
}

enum { BATCH = 8 };

/* Draws for a batch; how many it has: a small pool changes too soon for many. */
static inline int32_t draw_batch(struct area *a, int32_t target, uint32_t *bits)
{
    for (int i = 0; i < BATCH; i += 2) {
        uint64_t two = mw_next(&a->rng);
        bits[i] = (uint32_t)two;
        bits[i + 1] = (uint32_t)(two >> 32);
    }
    return mw_min(mw_min(a->pooled / 16 + 1, BATCH), target - a->size);
}

/*
 * The loop has no branch that would mispredict, and no draw that depends on the one before.
 *
 * Taking a cell twice changes nothing, so a cell without an exit «takes» itself. A cell that goes
 * through its last exit gives its place in the pool to the new one, if that has an exit, or else to
 * the pool's last; all that is arithmetic. And places are drawn from a range that holds for a whole
 * batch, those beyond the pool's end being drawn again.
 *
 * Compiled for each pair of the constants: `flat` as in the grid, `whole` for no holes.
 */
ALWAYS_INLINE int32_t grow_frontier(struct area *a, int32_t target, bool flat, bool whole)
{
    struct grid *g = a->grid;
    uint8_t *exits = g->exits, *mine = g->mine;
    int32_t *pool = a->pool, *taken = a->cells + a->size, *owner = g->owner;
    int32_t pooled = a->pooled, id = a->id, closing = -1;
    uint32_t bits[BATCH], draws = flat ? AREAS_FLAT_DRAWS : g->draws;
    int32_t n = draw_batch(a, target, bits);
    uint32_t range = (uint32_t)(pooled + n - 1);
    for (int32_t i = 0; i < n; i++) {
        struct pick p = pick(&a->rng, bits[i], range, draws);
        if (p.place >= (uint32_t)pooled)
            continue;
        int32_t cell = pool[p.place];
        unsigned ways = exits[cell] & AREAS_EXITS;
        int32_t next = flat ? cell + g->offset[ways * AREAS_FLAT_DRAWS + p.drawn]
                            : areas_through_an_exit(g, cell, p.drawn);
        if (whole && areas_joins_once(g, next) + (ways == 0) == 0) {
            closing = next;
            break;
        }
        bool stays = ways & (ways - 1), lives = exits[next] & AREAS_EXITS;
        assert(next >= 0 && next < g->cells && taken < a->cells + a->wanted->area);
        owner[next] = id;
        if (whole)
            mine[next] = 1;
        areas_shut_exits(g, next, flat);
        *taken = next;
        taken += ways != 0;
        int32_t heir = choose(lives, next, pool[pooled - 1]);
        pool[choose(stays, pooled, (int32_t)p.place)] = heir;
        pooled += lives - !stays;
    }
    a->size = (int32_t)(taken - a->cells);
    a->pooled = pooled;
    assert(a->size <= target && pooled >= 0 && pooled <= a->size);
    mw_tick(g->run, BATCH);
    return closing;
}

static void grow_fat_whole(struct area *a, int32_t target)
{
    int64_t refused = 0;
    while (a->size < target && a->pooled) {
        int32_t before = a->size;
        int32_t closing = a->grid->flat ? grow_frontier(a, target, true, true)
                                        : grow_frontier(a, target, false, true);
        refused = a->size > before ? 0 : refused + 1;
        if (closing >= 0 && areas_take_whole(a, closing, mw_min(target - a->size, AREAS_POCKET)))
            refused = 0;
        if (refused > 4 * (int64_t)a->pooled && !take_anywhere(a, target - a->size))
            return;
    }
}

static void grow_fat(struct area *a, int32_t target)
{
    if (!a->wanted->holes)
        grow_fat_whole(a, target);
    while (a->wanted->holes && a->size < target && a->pooled)
        (void)(a->grid->flat ? grow_frontier(a, target, true, false)
                             : grow_frontier(a, target, false, false));
}

/* A random vacant neighbour that may be taken, with `whole` by itself; -1: there is none. */
ALWAYS_INLINE int32_t random_exit(const struct grid *g, struct mw_rng *rng, int32_t cell,
                                  bool whole)
{
    for (unsigned ways = g->exits[cell] & AREAS_EXITS; ways;) {
        int side = areas_pick_way(g, rng, (uint32_t)mw_next(rng), ways);
        int32_t next = areas_across(g, cell, side);
        if (!whole || areas_joins_once(g, next))
            return next;
        ways &= ~(1u << side);
    }
    return -1;
}

/*
 * Goes on from a cell as far as it can, steps back where it is stuck, keeps all it touched. A cell
 * that goes through its last exit leaves the stack at once. Compiled for each of the constants.
 */
ALWAYS_INLINE void grow_dfs(struct area *a, int32_t from, int32_t target, bool whole)
{
    const struct grid *g = a->grid;
    struct mw_rng rng = a->rng;
    int32_t *stack = a->stack, depth = 1, next;
    for (int32_t cell = stack[0] = from; a->size < target; cell = next) {
        while ((next = random_exit(g, &rng, cell, whole)) < 0 && --depth)
            cell = stack[depth - 1];
        if (next < 0)
            break;
        unsigned ways = g->exits[cell] & AREAS_EXITS;
        depth += (ways & (ways - 1)) != 0;
        assert(depth > 0 && depth <= a->wanted->area + 1);
        areas_take(a, next);
        stack[depth - 1] = next;
        mw_tick(g->run, 1);
    }
    a->rng = rng;
    assert(a->size <= a->wanted->area && a->pooled <= a->size);
}

static void grow_thin(struct area *a, int32_t from, int32_t target)
{
    if (a->wanted->holes)
        grow_dfs(a, from, target, false);
    else
        grow_dfs(a, from, target, true);
}

/* ---- their mixtures -------------------------------------------------------------------------- */

/* Thin growth from a random cell; fat growth may reach cells that it cannot reach without a hole.
   */
static bool burst(struct area *a, int32_t cells)
{
    int32_t from = draw(a), before = a->size;
    if (from < 0)
        return false;
    grow_thin(a, from, before + cells);
    if (a->size == before)
        grow_fat(a, before + 1);
    return a->size > before;
}

static void grow_mixed(struct area *a)
{
    int32_t all = a->wanted->area;
    int32_t fat = (int32_t)((int64_t)all * a->wanted->ratio / 1000);
    grow_fat(a, fat);
    while (a->size < all && burst(a, mw_between(&a->rng, 1, all - a->size)))
        ;
}

/* A random number of cells, up to a share of the area or the rest of it. */
static int32_t part_of(struct area *a, int32_t thousandths)
{
    int32_t all = a->wanted->area, most = (int32_t)((int64_t)all * thousandths / 1000) + 1;
    return mw_between(&a->rng, 1, mw_min(most, all - a->size));
}

static void grow_frenzied(struct area *a)
{
    const struct areas *p = a->wanted;
    for (bool moved = true; moved && a->size < p->area;) {
        int32_t before = a->size;
        if (p->first)
            grow_fat(a, before + part_of(a, p->first));
        if (p->burst && a->size < p->area)
            burst(a, part_of(a, p->burst));
        moved = a->size > before;
    }
}

void areas_begin(struct area *a, int32_t origin)
{
    a->size = a->pooled = 0;
    a->wasted = 0;
    areas_take(a, origin);
}

bool areas_finish(struct area *a)
{
    int32_t all = a->wanted->area;
    grow_fat(a, all);
    for (int32_t i = 0; a->grid->mine && i < a->size; i++)
        a->grid->mine[a->cells[i]] = 0;
    assert(a->size > 0 && a->size <= all);
    for (int32_t i = 0; a->size < all && i < a->size; i++)
        a->grid->owner[a->cells[i]] = AREAS_BARRED;
    return a->size == all;
}

bool areas_grow(struct area *a, int32_t origin)
{
    areas_begin(a, origin);
    if (a->wanted->algorithm == AREAS_DFS)
        grow_thin(a, origin, a->wanted->area);
    else if (a->wanted->algorithm == AREAS_MIXED)
        grow_mixed(a);
    else if (a->wanted->algorithm == AREAS_FRENZIED)
        grow_frenzied(a);
    return areas_finish(a); /* all of it, or the cells that the others refused */
}
