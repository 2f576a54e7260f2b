/*
 * deduce.c: links that follow from the ends of a board, without a guess.
 *
 * Between two neighbours there is a link or there is none. What is known is a list of findings in
 * the order in which they were made; each is followed once, and may lead to others:
 *
 *     degree     a cell has two links, an end one (classic: two or none). A cell with as many links
 *                as it needs has none on its other sides; one with as many open ways as it needs is
 *                linked across all of them
 *     chains     linked cells form a chain, and have the colour of the end in it. Within a chain no
 *                further link holds, as it would close a loop; none between chains of different
 *                colours. Strict: neighbours of one colour are linked
 *     squares    strict: no three of the four links around a square, as a path would touch itself
 *     bends      strict: none whose diagonal reaches the rim (bend.c)
 *
 * TURNS. Findings are followed in turns. Rules see all findings of earlier turns and none of this
 * one. So what a turn finds depends on what was known before it and on nothing else: not on the
 * order in which cells are visited, nor on how the board is turned. Knowing more never means
 * finding less, as each rule needs certain findings and none forbids any. So what can be deduced in
 * so many turns, and in the end, is the same for a board and its mirror images.
 *
 * A chain keeps its cells in a ring. Two rings become one by exchanging two successors, and the
 * same exchange separates them again. So findings can be taken back in reverse order, and anything
 * may be assumed for a while.
 *
 * WHY IT IS RIGHT. Each rule states what holds in every solution that agrees with what is known. So
 * a contradiction means that there is no such solution.
 *
 * COST. Each link is found once. When chains are joined, the cells of the shorter one look at their
 * neighbours, and so do those that get a colour: some n log n in all.
 */
#include "deduce.h"

/* What depends on the position of a cell. */
static void set_places(struct deduce *d)
{
    const struct board *b = d->board;
    for (int32_t cell = 0, y = 0; y < b->height; y++)
        for (int32_t x = 0; x < b->width; x++, cell++) {
            int links = board_is_end(d->board, cell) ? 1 : 2;
            d->weight[cell] = (int8_t)((x + y) % 2 ? links : -links);
            d->tile[cell] = UINT64_C(1) << (8 * x / b->width + 8 * (8 * y / b->height));
        }
    for (int32_t cell = 0; cell < b->cells; cell++) {
        d->around[cell] = d->tile[cell];
        for (int side = 0; side < SIDES; side++)
            if (b->next[cell][side] >= 0)
                d->around[cell] |= d->tile[b->next[cell][side]];
    }
}

bool deduce_put(struct deduce *d, int32_t cell, int side, bool link, enum reason reason)
{
    unsigned bit = 1u << side;
    unsigned on = d->on[cell] | d->soon_on[cell], off = d->off[cell] | d->soon_off[cell];
    if ((on | off) & bit)
        return !(on & bit) == !link;
    uint8_t *sides = link ? d->soon_on : d->soon_off;
    int32_t other = d->board->next[cell][side];
    assert(other >= 0 && d->finds < 2 * d->board->cells && reason < REASONS);
    sides[cell] |= (uint8_t)bit;
    sides[other] |= (uint8_t)(1u << opposite(side));
    d->found[d->finds++] = (struct finding){cell, -1, (int8_t)side, OPEN, link, (uint8_t)reason};
    return true;
}

bool deduce_put_all(struct deduce *d, int32_t cell, unsigned sides, bool link, enum reason reason)
{
    int32_t finds = d->finds;
    for (; sides; sides &= sides - 1)
        if (!deduce_put(d, cell, __builtin_ctz(sides), link, reason))
            return false;
    d->deductions += d->finds > finds;
    return true;
}

static void see(struct deduce *d, int32_t cell) { d->seen |= d->marks[cell]; }

/* A cell has two links, an end one; where cells may stay empty, two or none. */
static bool follow_degree(struct deduce *d, int32_t cell)
{
    int have = count_sides(d->on[cell]), need = board_is_end(d->board, cell) ? 1 : 2;
    unsigned open = ~(d->on[cell] | d->off[cell]) & 15u;
    int left = count_sides(open);
    assert(!(d->on[cell] & d->off[cell]));
    bool idle = d->rule == CLASSIC && need == 2 && !have;
    if (have > need || (have + left < need && !idle))
        return false;
    if (!left)
        return true;
    if (have == need)
        return deduce_put_all(d, cell, open, false, FULL);
    if (idle)
        return left > 1 || deduce_put_all(d, cell, open, false, DEAD_END);
    return have + left > need || deduce_put_all(d, cell, open, true, ONE_WAY);
}

/* Strict: of the links around a square two hold at most, as three would touch. */
static bool follow_square(struct deduce *d, int32_t cell, int side, int turn)
{
    const struct board *b = d->board;
    int32_t x = b->next[cell][side], y = b->next[cell][turn];
    if (y < 0 || b->next[x][turn] < 0 || b->next[y][side] < 0)
        return true;
    bool near = d->on[cell] >> turn & 1, far = d->on[x] >> turn & 1, facing = d->on[y] >> side & 1;
    if (near + far + facing > 1)
        return false;
    if (!near && !far && !facing)
        return true;
    return (near || deduce_put_all(d, cell, 1u << turn, false, TOUCH)) &&
           (far || deduce_put_all(d, x, 1u << turn, false, TOUCH)) &&
           (facing || deduce_put_all(d, y, 1u << side, false, TOUCH));
}

/* Strict: no bend where it would have to go on to where none can be. */
static bool follow_bends(struct deduce *d, int32_t cell, int side)
{
    int before = (side + 3) & 3, after = (side + 1) & 3;
    return (d->bends[cell] >> side & 1 || deduce_put_all(d, cell, 1u << after, false, BEND)) &&
           (d->bends[cell] >> before & 1 || deduce_put_all(d, cell, 1u << before, false, BEND));
}

/* Neighbours of one chain, or of chains of which both have a colour. */
static bool follow_meeting(struct deduce *d, int32_t cell, int side)
{
    int32_t other = d->board->next[cell][side], a = d->chain[cell], z = d->chain[other];
    if (d->on[cell] >> side & 1)
        return true;
    if (a == z)
        return d->rule != STRICT && deduce_put_all(d, cell, 1u << side, false, LOOP);
    if (d->colour[a] == OPEN || d->colour[z] == OPEN)
        return true;
    if (d->colour[a] != d->colour[z])
        return deduce_put_all(d, cell, 1u << side, false, FOREIGN);
    return d->rule != STRICT || deduce_put_all(d, cell, 1u << side, true, SAME_PATH);
}

/* The same for all cells of one chain, from `first` on. */
static bool follow_meetings(struct deduce *d, int32_t first, int32_t count)
{
    mw_tick(d->run, (uint64_t)count);
    for (int32_t cell = first; count--; cell = d->after[cell]) {
        see(d, cell);
        for (int side = 0; side < SIDES; side++)
            if (d->board->next[cell][side] >= 0 && !follow_meeting(d, cell, side))
                return false;
    }
    return true;
}

static void swap_after(struct deduce *d, int32_t a, int32_t b)
{
    int32_t after = d->after[a];
    d->after[a] = d->after[b];
    d->after[b] = after;
}

static void name_chain(struct deduce *d, int32_t from, int32_t name)
{
    for (int32_t cell = from, i = d->count[from]; i--; cell = d->after[cell])
        d->chain[cell] = name;
}

/* The shorter of two chains becomes part of the other. */
static bool follow_join(struct deduce *d, struct finding *f)
{
    int32_t big = d->chain[f->cell], small = d->chain[d->board->next[f->cell][f->side]];
    if (big == small)
        return false;
    if (d->count[big] < d->count[small]) {
        int32_t swap = big;
        big = small;
        small = swap;
    }
    int8_t old = d->colour[big], other = d->colour[small];
    if (old != OPEN && other != OPEN && old != other)
        return false;
    assert(d->chain[big] == big && d->chain[small] == small);
    name_chain(d, small, big);
    swap_after(d, big, small);
    d->count[big] += d->count[small];
    f->joined = small;
    f->colour = old;
    if (old != OPEN || other == OPEN)
        return follow_meetings(d, d->after[big], d->count[small]);
    d->colour[big] = other;
    return follow_meetings(d, big, d->count[big]);
}

static bool follow_one(struct deduce *d, struct finding *f)
{
    int32_t cell = f->cell, other = d->board->next[cell][f->side];
    see(d, cell);
    see(d, other);
    if (!follow_degree(d, cell) || !follow_degree(d, other))
        return false;
    if (!f->link)
        return d->rule != STRICT || follow_meeting(d, cell, f->side);
    if (d->rule == STRICT &&
        !(follow_square(d, cell, f->side, (f->side + 1) & 3) &&
          follow_square(d, cell, f->side, (f->side + 3) & 3) && follow_bends(d, cell, f->side) &&
          follow_bends(d, other, opposite(f->side))))
        return false;
    return follow_join(d, f);
}

/* From now on the rules see the findings at the cell. */
static void reveal(struct deduce *d, int32_t cell)
{
    d->on[cell] |= d->soon_on[cell];
    d->off[cell] |= d->soon_off[cell];
    d->soon_on[cell] = d->soon_off[cell] = 0;
}

static bool follow_turn(struct deduce *d)
{
    int32_t end = d->finds;
    for (int32_t i = d->followed; i < end; i++) {
        reveal(d, d->found[i].cell);
        reveal(d, d->board->next[d->found[i].cell][d->found[i].side]);
    }
    bool good = true;
    while (good && d->followed < end)
        good = follow_one(d, &d->found[d->followed++]);
    return good;
}

bool deduce_follow(struct deduce *d)
{
    int32_t followed = d->followed;
    bool good = true;
    for (d->turn = 0; good && d->followed < d->finds && d->turn < d->turns; d->turn++)
        good = follow_turn(d);
    mw_tick(d->run, (uint64_t)(d->followed - followed));
    return good;
}

static void forget(struct deduce *d, int32_t cell, int side)
{
    uint8_t others = (uint8_t) ~(1u << side);
    d->on[cell] &= others;
    d->off[cell] &= others;
    d->soon_on[cell] &= others;
    d->soon_off[cell] &= others;
}

void deduce_undo(struct deduce *d, int32_t finds)
{
    assert(finds >= 0 && finds <= d->finds);
    while (d->finds > finds) {
        struct finding *f = &d->found[--d->finds];
        if (f->joined >= 0) {
            int32_t big = d->chain[f->joined];
            assert(d->count[big] > d->count[f->joined]);
            d->count[big] -= d->count[f->joined];
            d->colour[big] = f->colour;
            swap_after(d, big, f->joined);
            name_chain(d, f->joined, f->joined);
        }
        forget(d, f->cell, f->side);
        forget(d, d->board->next[f->cell][f->side], opposite(f->side));
    }
    d->followed = finds;
}

/* ---- the beginning --------------------------------------------------------------------------- */

static void allocate(struct deduce *d)
{
    struct mw_run *run = d->run;
    int32_t cells = d->board->cells;
    d->on = MW_NEW(run, uint8_t, cells);
    d->off = MW_NEW(run, uint8_t, cells);
    d->soon_on = MW_NEW0(run, uint8_t, cells);
    d->soon_off = MW_NEW0(run, uint8_t, cells);
    d->chain = MW_NEW(run, int32_t, cells);
    d->after = MW_NEW(run, int32_t, cells);
    d->count = MW_NEW(run, int32_t, cells);
    d->colour = MW_NEW(run, int8_t, cells);
    d->found = MW_NEW(run, struct finding, 2 * cells);
    d->tile = MW_NEW(run, uint64_t, cells);
    d->around = MW_NEW(run, uint64_t, cells);
    d->weight = MW_NEW(run, int8_t, cells);
    d->order = MW_NEW(run, int32_t, cells);
    d->place = MW_NEW(run, int32_t, cells);
    d->low = MW_NEW(run, int32_t, cells);
    d->size = MW_NEW(run, int32_t, cells);
    d->up = MW_NEW(run, int32_t, cells);
    d->surplus = MW_NEW(run, int32_t, cells);
}

/* Each cell is a chain of its own, without links; sides that lead nowhere have none. */
static void set_cells(struct deduce *d)
{
    const struct board *b = d->board;
    mw_tick(d->run, (uint64_t)b->cells);
    for (int32_t cell = 0; cell < b->cells; cell++) {
        d->on[cell] = d->off[cell] = 0;
        d->chain[cell] = d->after[cell] = cell;
        d->count[cell] = 1;
        d->colour[cell] = board_is_end(b, cell) ? b->path[cell] : OPEN;
        for (int side = 0; side < SIDES; side++)
            if (b->next[cell][side] < 0)
                d->off[cell] |= (uint8_t)(1 << side);
            else
                d->links += side == RIGHT || side == DOWN;
    }
}

/* Follows what the walls and ends of the board show. */
static bool follow_board(struct deduce *d)
{
    const struct board *b = d->board;
    for (int32_t cell = 0; cell < b->cells; cell++) {
        if (b->path[cell] == WALL)
            continue;
        if (!follow_degree(d, cell))
            return false;
        for (int side = 0; board_is_end(d->board, cell) && side < SIDES; side++)
            if (b->next[cell][side] >= 0 && !follow_meeting(d, cell, side))
                return false;
    }
    return deduce_follow(d);
}

bool deduce_begin(struct deduce *d, struct mw_run *run, const struct board *b, enum rule rule,
                  const uint8_t *solution)
{
    *d = (struct deduce){.run = run, .board = b, .rule = rule, .solution = solution, .pinched = -1};
    d->turns = INT32_MAX;
    d->bends = rule == STRICT ? path_bends(run, b) : NULL;
    allocate(d);
    set_places(d);
    set_cells(d);
    d->marks = d->tile;
    bool good = follow_board(d);
    d->until = mw_steps(run) + grade_steps(b);
    return good;
}
