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
#include "kit/lattice.h"

enum { POCKET = 64 };

static void shut_doors_at_rim(struct ground *g, int32_t cell)
{
    for (int side = 0; side < g->sides; side++) {
        int32_t next = mw_neighbour(&g->lattice, cell, side);
        if (next >= 0)
            g->door[next] &= g->shut[side];
    }
}

/* The same on flat ground. */
static inline void shut_four(uint8_t *door, ptrdiff_t width)
{
    door[1] &= (uint8_t)~4;
    door[width] &= (uint8_t)~8;
    door[-1] &= (uint8_t)~1;
    door[-width] &= (uint8_t)~2;
}

/* Closes the doors to a cell. */
static inline void shut_doors(struct ground *g, int32_t cell)
{
    if (g->flat) {
        shut_four(g->door + cell, g->lattice.width);
        return;
    }
    if (g->door[cell] & AREAS_BRINK) {
        shut_doors_at_rim(g, cell);
        return;
    }
    uint8_t *door = g->door + cell;
    const int32_t *step = g->step[*door >> 6];
    door[step[0]] &= g->shut[0];
    door[step[1]] &= g->shut[1];
    door[step[2]] &= g->shut[2];
    door[step[3]] &= g->shut[3];
    if (g->sides == 4)
        return;
    door[step[4]] &= g->shut[4];
    door[step[5]] &= g->shut[5];
}

static void take(struct area *a, int32_t cell)
{
    a->ground->owner[cell] = a->id;
    if (a->ground->mine)
        a->ground->mine[cell] = 1;
    shut_doors(a->ground, cell);
    a->cells[a->size++] = cell;
    a->pool[a->pooled++] = cell;
}

/* The cell behind the door that a lot chooses, or the cell itself where none is open. */
static inline int32_t through_a_door(const struct ground *g, int32_t cell, uint32_t lot)
{
    uint8_t door = g->door[cell];
    unsigned ways = door & AREAS_DOORS;
    int side = g->way[ways * g->lots + lot];
    if (door & AREAS_BRINK)
        return ways ? mw_neighbour(&g->lattice, cell, side) : cell;
    return cell + (g->step[door >> 6][side] & -(int32_t)(ways != 0));
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

/* The ring's cells that the area holds, a bit each. */
static inline unsigned ring_of(const struct ground *g, int32_t cell)
{
    const uint8_t *mine = g->mine + cell;
    ptrdiff_t w = g->lattice.width;
    unsigned ring = 0;
    if (g->door[cell] & AREAS_BRINK) {
        for (int k = 0; k < g->around; k++) {
            int32_t at = areas_around(g, cell, k);
            ring |= (unsigned)(at >= 0 && g->mine[at]) << k;
        }
        return ring;
    }
    if (g->around == 8)
        return mine[1] + 2u * mine[w + 1] + 4u * mine[w] + 8u * mine[w - 1] + 16u * mine[-1] +
               32u * mine[-w - 1] + 64u * mine[-w] + 128u * mine[-w + 1];
    const int32_t *to = g->ring[g->door[cell] >> 6];
    for (int k = 0; k < 6; k++)
        ring |= (unsigned)mine[to[k]] << k;
    return ring;
}

static inline bool joins_once(const struct ground *g, int32_t cell)
{
    return g->once[ring_of(g, cell)];
}

/* Takes a cell for the time being, or gives it back. */
static void hold(struct area *a, int32_t cell, bool held)
{
    a->ground->owner[cell] = held ? a->id : a->ground->vacant;
    a->ground->mine[cell] = held;
}

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
    hold(a, cell, true);
    p->cells[p->size++] = cell;
    return true;
}

static void empty(struct area *a, struct pocket *p, int32_t size)
{
    while (p->size > size)
        hold(a, p->cells[--p->size], false);
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
    for (unsigned arcs = areas_arcs(g, ring_of(g, cell)); arcs; arcs &= arcs - 1) {
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
    hold(a, cell, true);
    for (int32_t most = 2; open > 1 && most <= POCKET; most *= 32)
        for (int i = 0; open > 1 && i < pieces; i++) {
            bool good = rest[i] >= 0 && g->owner[rest[i]] != a->id && enclose(a, &p, rest[i], most);
            open -= good;
        }
    mw_tick(g->run, (uint64_t)p.size + 8);
    if (open > 1) {
        empty(a, &p, 0);
        hold(a, cell, false);
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
        if (joins_once(g, next))
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

/* ---- the two ways to grow -------------------------------------------------------------------- */

/* One of two without a branch. */
static inline int32_t choose(bool first, int32_t a, int32_t b)
{
    return b ^ ((a ^ b) & -(int32_t)first);
}

/*
 * A place below `range` and a lot below `lots` from 32 random bits: their product with range *
 * lots, in two steps; bits that would make it uneven are drawn again (Lemire).
 */
struct pick {
    uint32_t place, lot;
};
static inline struct pick pick(struct mw_rng *rng, uint32_t bits, uint32_t range, uint32_t lots)
{
    for (uint32_t all = range * lots;; bits = (uint32_t)mw_next(rng)) {
        uint64_t place = (uint64_t)bits * range, lot = (uint64_t)(uint32_t)place * lots;
        if ((uint32_t)lot >= all || (uint32_t)lot >= -all % all)
            return (struct pick){(uint32_t)(place >> 32), (uint32_t)(lot >> 32)};
    }
}

enum { BATCH = 8 };

/* Draws for a batch; how many it has: a small pool changes too soon for many. */
static inline int32_t draw_batch(struct area *a, int32_t target, uint32_t *bits)
{
    int32_t n = a->pooled / 16 + 1;
    n = n < BATCH ? n : BATCH;
    for (int i = 0; i < BATCH; i += 2) {
        uint64_t two = mw_next(&a->rng);
        bits[i] = (uint32_t)two;
        bits[i + 1] = (uint32_t)(two >> 32);
    }
    return n < target - a->size ? n : target - a->size;
}

/*
 * What keeps the processor from waiting: no branch that it would guess wrong, and no draw that must
 * wait for the one before.
 *
 * Taking a cell twice changes nothing, so a cell without a door «takes» itself. A cell that goes
 * through its last door gives its place in the pool to the new one, if that has a door, or else to
 * the pool's last; all that is arithmetic. And places are drawn from a range that holds for a whole
 * batch, those beyond the pool's end being drawn again.
 *
 * Compiled for each pair of what is constant: `flat` as in the ground, `whole` for no holes.
 */
static inline __attribute__((always_inline)) int32_t fatten(struct area *a, int32_t target,
                                                            bool flat, bool whole)
{
    struct ground *g = a->ground;
    uint8_t *door = g->door, *mine = g->mine;
    int32_t *pool = a->pool, *taken = a->cells + a->size, *owner = g->owner;
    int32_t pooled = a->pooled, id = a->id, closing = -1;
    ptrdiff_t width = g->lattice.width;
    uint32_t bits[BATCH], lots = flat ? AREAS_FLAT_LOTS : g->lots;
    int32_t n = draw_batch(a, target, bits);
    uint32_t range = (uint32_t)(pooled + n - 1);
    for (int32_t i = 0; i < n; i++) {
        struct pick p = pick(&a->rng, bits[i], range, lots);
        if (p.place >= (uint32_t)pooled)
            continue;
        int32_t cell = pool[p.place];
        unsigned ways = door[cell] & AREAS_DOORS;
        int32_t next =
            flat ? cell + g->leap[ways * AREAS_FLAT_LOTS + p.lot] : through_a_door(g, cell, p.lot);
        if (whole && joins_once(g, next) + (ways == 0) == 0) {
            closing = next;
            break;
        }
        bool stays = ways & (ways - 1), lives = door[next] & AREAS_DOORS;
        owner[next] = id;
        if (whole)
            mine[next] = 1;
        if (flat)
            shut_four(door + next, width);
        else
            shut_doors(g, next);
        *taken = next;
        taken += ways != 0;
        int32_t heir = choose(lives, next, pool[pooled - 1]);
        pool[choose(stays, pooled, (int32_t)p.place)] = heir;
        pooled += lives - !stays;
    }
    a->size = (int32_t)(taken - a->cells);
    a->pooled = pooled;
    mw_tick(g->run, BATCH);
    return closing;
}

static void grow_fat_whole(struct area *a, int32_t target)
{
    int64_t refused = 0;
    while (a->size < target && a->pooled) {
        int32_t before = a->size;
        int32_t closing =
            a->ground->flat ? fatten(a, target, true, true) : fatten(a, target, false, true);
        refused = a->size > before ? 0 : refused + 1;
        if (closing >= 0 && take_whole(a, closing, target - a->size))
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
        (void)(a->ground->flat ? fatten(a, target, true, false) : fatten(a, target, false, false));
}

/*
 * Goes on from a cell as far as it can, steps back where it is stuck, keeps all it touched. A cell
 * that goes through its last door leaves the stack at once.
 */
static inline __attribute__((always_inline)) void wind(struct area *a, int32_t from, int32_t target,
                                                       bool flat)
{
    struct ground *g = a->ground;
    struct mw_rng rng = a->rng;
    uint8_t *door = g->door;
    int32_t *stack = a->stack, *owner = g->owner, *pool = a->pool + a->pooled, id = a->id;
    int32_t *cells = a->cells, size = a->size, depth = 1, next;
    ptrdiff_t width = g->lattice.width;
    for (int32_t cell = stack[0] = from; size < target; cell = next) {
        unsigned ways = door[cell] & AREAS_DOORS;
        while (!ways && --depth) {
            cell = stack[depth - 1];
            ways = door[cell] & AREAS_DOORS;
        }
        if (!ways)
            break;
        uint32_t bits = (uint32_t)mw_next(&rng),
                 lot = areas_below(&rng, bits, flat ? AREAS_FLAT_LOTS : g->lots);
        next = flat ? cell + g->leap[ways * AREAS_FLAT_LOTS + lot] : through_a_door(g, cell, lot);
        depth += (ways & (ways - 1)) != 0;
        owner[next] = id;
        if (flat)
            shut_four(door + next, width);
        else
            shut_doors(g, next);
        stack[depth - 1] = cells[size++] = *pool++ = next;
        mw_tick(g->run, 1);
    }
    a->rng = rng;
    a->pooled += size - a->size;
    a->size = size;
}

static void grow_thin(struct area *a, int32_t from, int32_t target)
{
    if (!a->wanted->holes)
        grow_thin_whole(a, from, target);
    else if (a->ground->flat)
        wind(a, from, target, true);
    else
        wind(a, from, target, false);
}

/* ---- their mixtures -------------------------------------------------------------------------- */

static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }

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
    for (int32_t i = 0; a->ground->mine && i < a->size; i++)
        a->ground->mine[a->cells[i]] = 0;
    return a->size == all;
}
