/*
 * areas_grow.c: fat growth from a pool, thin growth by depth-first search, and their mixtures.
 *
 * The pool holds every cell taken; one without an open door is dropped when it is drawn. Drawing
 * again leaves the choice among the others even, each cell is dropped once, so a pick costs O(1)
 * and no cell needs to know its place in the pool.
 *
 * Without holes, a cell that would close a ring is refused, or what it encloses is taken along
 * where that is little (POCKET cells) and all vacant: else fat growth would end as a labyrinth of
 * cracks. The invariant holds after every step, so there is nothing to mend in the end. On land
 * without lakes some cell can always be taken: two shapes without holes, one in the other, lie on a
 * chain of single simple cells.
 */
#include "areas.h"

enum { POCKET = 64 };

static void shut_doors_at_rim(struct ground *g, int32_t cell)
{
    for (int side = 0; side < g->sides; side++) {
        int32_t next = mw_neighbour(&g->lattice, cell, side);
        if (next >= 0)
            g->door[next] &= g->shut[side];
    }
}

/* Closes the doors to a cell. */
static inline void shut_doors(struct ground *g, int32_t cell)
{
    uint8_t *door = g->door + cell;
    const int32_t *step = g->step[*door >> 6 & 1];
    if (*door & g->slow) {
        shut_doors_at_rim(g, cell);
        return;
    }
    door[step[0]] &= g->shut[0];
    door[step[1]] &= g->shut[1];
    door[step[2]] &= g->shut[2];
    door[step[3]] &= g->shut[3];
    if (g->sides == 6) {
        door[step[4]] &= g->shut[4];
        door[step[5]] &= g->shut[5];
    }
}

static void take(struct area *a, int32_t cell)
{
    a->ground->owner[cell] = a->id;
    shut_doors(a->ground, cell);
    a->cells[a->size++] = cell;
    a->pool[a->pooled++] = cell;
}

/* The cell behind a random door, or the cell itself where none is open. */
static inline int32_t through_a_door(const struct ground *g, struct mw_rng *rng, uint32_t bits,
                                     int32_t cell)
{
    uint8_t door = g->door[cell];
    unsigned ways = door & AREAS_DOORS;
    int side = areas_pick_way(g, rng, bits, ways);
    if (door & g->slow)
        return ways ? mw_neighbour(&g->lattice, cell, side) : cell;
    return cell + (-(int32_t)(ways != 0) & g->step[door >> 6 & 1][side]);
}

/* A random cell of the pool with an open door, or -1. */
static int32_t draw(struct area *a)
{
    const uint8_t *door = a->ground->door;
    while (a->pooled) {
        mw_tick(a->ground->run, 1);
        int32_t i = (int32_t)mw_below(&a->rng, (uint32_t)a->pooled), cell = a->pool[i];
        if (door[cell] & AREAS_DOORS)
            return cell;
        a->pool[i] = a->pool[--a->pooled];
    }
    return -1;
}

/* ---- without holes --------------------------------------------------------------------------- */

/* What would be enclosed, in one or more pieces. */
struct pocket {
    int32_t cells[POCKET];
    int32_t size, limit, room;
};

/* Whether a cell belongs to a pocket; it is put there. False: the pocket is none, or too large. */
static bool pocketed(struct area *a, struct pocket *p, int32_t cell)
{
    struct ground *g = a->ground;
    if (cell < 0 || (g->owner[cell] != a->id && g->owner[cell] != g->vacant))
        return false;
    if (g->owner[cell] == a->id)
        return true;
    if (p->size == p->limit || g->door[cell] & AREAS_BRINK)
        return false;
    g->owner[cell] = a->id;
    p->cells[p->size++] = cell;
    return true;
}

static void empty(struct area *a, struct pocket *p, int32_t size)
{
    while (p->size > size)
        a->ground->owner[p->cells[--p->size]] = a->ground->vacant;
}

/* Adds the piece of the rest that `cell` lies in, if all of it can be taken along and it is no more
   than `most` cells. */
static bool enclose(struct area *a, struct pocket *p, int32_t cell, int32_t most)
{
    const struct ground *g = a->ground;
    int32_t start = p->size;
    p->limit = most < p->room - start ? start + most : p->room;
    bool good = pocketed(a, p, cell);
    for (int32_t i = start; good && i < p->size; i++)
        for (int k = 0; good && k < g->around; k++)
            good = pocketed(a, p, areas_around(g, p->cells[i], k));
    if (!good)
        empty(a, p, start);
    return good;
}

/* The first cell of the rest behind each arc of the ring; how many arcs. */
static int find_rests(struct area *a, int32_t cell, int32_t rest[4])
{
    const struct ground *g = a->ground;
    int n = 0;
    for (unsigned arcs = areas_arcs(g, cell, a->id); arcs; arcs &= arcs - 1) {
        int k = (__builtin_ctz(arcs) + 1) % g->around;
        rest[n] = areas_around(g, cell, k);
        if (g->around == 8 && rest[n] >= 0 && g->owner[rest[n]] == a->id)
            rest[n] = areas_around(g, cell, (k + 1) % 8);
        n++;
    }
    return n;
}

/*
 * Takes a cell with all that it encloses, at most `room` cells in all. Of the pieces into which it
 * parts the rest, all but the world outside must be pockets; they are mostly tiny, so tiny ones are
 * looked for first.
 */
static bool take_whole(struct area *a, int32_t cell, int32_t room)
{
    struct ground *g = a->ground;
    int32_t rest[4];
    int pieces = find_rests(a, cell, rest), open = pieces;
    struct pocket p;
    p.size = 0;
    p.room = room - 1 < POCKET ? room - 1 : POCKET;
    g->owner[cell] = a->id;
    for (int32_t most = 2; open > 1 && most <= POCKET; most *= 32)
        for (int i = 0; open > 1 && i < pieces; i++) {
            bool good = rest[i] >= 0 && g->owner[rest[i]] != a->id && enclose(a, &p, rest[i], most);
            open -= good;
        }
    mw_tick(g->run, (uint64_t)p.size + 8);
    if (open > 1) {
        empty(a, &p, 0);
        g->owner[cell] = g->vacant;
        return false;
    }
    take(a, cell);
    for (int32_t i = 0; i < p.size; i++)
        take(a, p.cells[i]);
    return true;
}

/* A random vacant neighbour that may be taken by itself, or -1. */
static int32_t way_on(struct area *a, int32_t cell)
{
    const struct ground *g = a->ground;
    for (unsigned ways = g->door[cell] & AREAS_DOORS; ways;) {
        int side = areas_pick_way(g, &a->rng, (uint32_t)mw_next(&a->rng), ways);
        int32_t next = areas_across(g, cell, side);
        if (areas_joins_once(g, next, a->id))
            return next;
        ways &= ~(1u << side);
    }
    return -1;
}

/* Takes something beside a cell. */
static bool take_beside(struct area *a, int32_t cell, int32_t room)
{
    const struct ground *g = a->ground;
    for (unsigned ways = g->door[cell] & AREAS_DOORS; ways;) {
        int side = areas_pick_way(g, &a->rng, (uint32_t)mw_next(&a->rng), ways);
        if (take_whole(a, areas_across(g, cell, side), room))
            return true;
        ways &= ~(1u << side);
    }
    return false;
}

/* Takes something beside any cell of the pool; false: nothing can be taken. */
static bool take_anywhere(struct area *a, int32_t room)
{
    for (int32_t i = 0; i < a->pooled; i++) {
        mw_tick(a->ground->run, 1);
        if (take_beside(a, a->pool[i], room))
            return true;
    }
    return false;
}

static void grow_thin_whole(struct area *a, int32_t from, int32_t target)
{
    int32_t depth = 0;
    a->stack[depth++] = from;
    while (depth && a->size < target) {
        mw_tick(a->ground->run, 1);
        int32_t next = way_on(a, a->stack[depth - 1]);
        if (next < 0) {
            depth--;
            continue;
        }
        take(a, next);
        a->stack[depth++] = next;
    }
}

/* ---- the two ways to grow, and their mixtures ------------------------------------------------ */

/* One of two without a branch. */
static inline int32_t choose(bool first, int32_t a, int32_t b)
{
    return b ^ ((a ^ b) & -(int32_t)first);
}

enum { BATCH = 16 };

/*
 * What keeps the processor from waiting: no branch that it would guess wrong, and no draw that must
 * wait for the one before.
 *
 * Taking a cell twice changes nothing, so a cell without a door «takes» itself. A cell that goes
 * through its last door gives its place in the pool to the new one, if that has a door, or else to
 * the pool's last; all that is arithmetic. And places are drawn from a range that holds for a whole
 * batch, those beyond the pool's end being drawn again.
 */
static int32_t fatten(struct area *a, int32_t target)
{
    struct ground *g = a->ground;
    struct mw_rng rng = a->rng;
    uint8_t *door = g->door;
    int32_t *pool = a->pool, *cells = a->cells, *owner = g->owner, closing = -1;
    int32_t size = a->size, pooled = a->pooled, id = a->id;
    uint32_t range = (uint32_t)pooled + BATCH - 1;
    bool whole = !a->wanted->holes;
    for (int i = 0; i < BATCH && size < target && pooled; i++) {
        uint64_t bits = mw_next(&rng);
        uint32_t place = areas_below(&rng, (uint32_t)(bits >> 32), range);
        if (place >= (uint32_t)pooled)
            continue;
        int32_t cell = pool[place], next = through_a_door(g, &rng, (uint32_t)bits, cell);
        if (whole && next != cell && !areas_joins_once(g, next, id)) {
            closing = next;
            break;
        }
        bool stays = door[cell] & (door[cell] - 1) & AREAS_DOORS, lives = door[next] & AREAS_DOORS;
        owner[next] = id;
        shut_doors(g, next);
        cells[size] = next;
        size += next != cell;
        int32_t heir = choose(lives, next, pool[pooled - 1]);
        pool[choose(stays, pooled, (int32_t)place)] = heir;
        pooled += lives - !stays;
    }
    a->rng = rng;
    a->size = size;
    a->pooled = pooled;
    mw_tick(g->run, BATCH);
    return closing;
}

static void grow_fat(struct area *a, int32_t target)
{
    int64_t refused = 0;
    while (a->size < target && a->pooled) {
        int32_t before = a->size, closing = fatten(a, target);
        refused = a->size > before ? 0 : refused + 1;
        if (closing >= 0 && take_whole(a, closing, target - a->size))
            refused = 0;
        if (refused > 4 * (int64_t)a->pooled && !take_anywhere(a, target - a->size))
            return;
    }
}

/*
 * Goes on from a cell as far as it can, steps back where it is stuck, keeps all it touched. A cell
 * that goes through its last door leaves the stack at once.
 */
static void grow_thin(struct area *a, int32_t from, int32_t target)
{
    if (!a->wanted->holes) {
        grow_thin_whole(a, from, target);
        return;
    }
    struct ground *g = a->ground;
    struct mw_rng rng = a->rng;
    int32_t *stack = a->stack, *pool = a->pool, *cells = a->cells, *owner = g->owner, id = a->id;
    int32_t size = a->size, pooled = a->pooled, depth = 1;
    for (stack[0] = from; depth && size < target;) {
        mw_tick(g->run, 1);
        int32_t cell = stack[depth - 1];
        int32_t next = through_a_door(g, &rng, (uint32_t)(mw_next(&rng) >> 32), cell);
        if (next == cell) {
            depth--;
            continue;
        }
        depth -= !(g->door[cell] & (g->door[cell] - 1) & AREAS_DOORS);
        owner[next] = id;
        shut_doors(g, next);
        stack[depth++] = cells[size++] = pool[pooled++] = next;
    }
    a->rng = rng;
    a->size = size;
    a->pooled = pooled;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Thin growth from a random cell; what that cannot reach without a hole, fat growth may. */
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

static void grow_frenzied(struct area *a)
{
    int32_t all = a->wanted->area, fat = all / 4 + 1, thin = all / 10 + 1;
    for (bool moved = true; moved && a->size < all;) {
        int32_t before = a->size;
        grow_fat(a, before + mw_between(&a->rng, 1, least(fat, all - before)));
        if (a->size < all)
            burst(a, mw_between(&a->rng, 1, least(thin, all - a->size)));
        moved = a->size > before;
    }
}

bool areas_grow(struct area *a, int32_t origin)
{
    int32_t all = a->wanted->area;
    a->size = a->pooled = 0;
    take(a, origin);
    switch ((enum areas_algorithm)a->wanted->algorithm) {
    case AREAS_DFS: grow_thin(a, origin, all); break;
    case AREAS_MIXED: grow_mixed(a); break;
    case AREAS_FRENZIED: grow_frenzied(a); break;
    case AREAS_WALK:
    case AREAS_FRONTIER: break;
    }
    grow_fat(a, all); /* all of it, or what the others were too strict to take */
    return a->size == all;
}
