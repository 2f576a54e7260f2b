/*
 * regions_exact.c: small pieces of land, divided by trying everything.
 *
 * Up to 64 cells fit the bits of a word. The part of the cell with the fewest free neighbours is
 * grown: a cell beside it is taken in, or barred for good; so every connected part with that
 * cell comes up once. When a part has its size, what is left must consist of pieces whose cells
 * can be made of the sizes left, else it is given up. A stack holds the alternatives; the parts
 * below one on the stack stay as they are until it is its turn, so one list of parts serves all.
 */
#include "land.h"

struct state {
    uint64_t free, part, barred;
    int32_t done, size; /* parts complete; cells that this one is to have */
};

struct puzzle {
    int32_t cells, seats;
    uint64_t beside[64]; /* by cell: the cells beside it */
    int32_t place[64], want[64], part_of[64];
    uint64_t parts[64];
    struct state *stack;
};

static int bits_in(uint64_t x)
{
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

static int lowest(uint64_t x)
{
    int n = 0;
    while (!(x >> n & 1))
        n++;
    return n;
}

static uint64_t around(const struct puzzle *p, uint64_t part)
{
    uint64_t cells = 0;
    for (; part; part &= part - 1)
        cells |= p->beside[lowest(part)];
    return cells;
}

/* Marks the sizes that the complete parts have used up. */
static void mark_used(const struct puzzle *p, int32_t done, bool *used)
{
    memset(used, 0, 64 * sizeof *used);
    for (int32_t i = 0; i < done; i++) {
        int32_t k = 0, size = bits_in(p->parts[i]);
        while (used[k] || p->want[k] != size)
            k++;
        used[k] = true;
    }
}

/* Whether each piece of the free cells is a sum of sizes not used. */
static bool can_be_filled(const struct puzzle *p, uint64_t free, const bool *used)
{
    uint64_t sums = 1, full = 0; /* bit s: sum s can be made; 64 can, if all do */
    for (int32_t k = 0; k < p->seats; k++)
        if (!used[k]) {
            full |= p->want[k] == 64;
            sums |= p->want[k] < 64 ? sums << p->want[k] : 0;
        }
    while (free) {
        uint64_t piece = free & -free, before = 0;
        while (piece != before) {
            before = piece;
            piece |= around(p, piece) & free;
        }
        int size = bits_in(piece);
        if (size < 64 ? !(sums >> size & 1) : !full && p->seats < 2)
            return false;
        free &= ~piece;
    }
    return true;
}

static int32_t hardest(const struct puzzle *p, uint64_t free)
{
    int32_t best = -1, fewest = 99;
    for (uint64_t rest = free; rest; rest &= rest - 1) {
        int32_t cell = lowest(rest), n = bits_in(p->beside[cell] & free);
        if (n < fewest) {
            fewest = n;
            best = cell;
        }
    }
    return best;
}

/* Puts a part of every size left on the stack; the largest comes off first. */
static int32_t begin_parts(struct puzzle *p, int32_t top, uint64_t free, int32_t done)
{
    bool used[64];
    mark_used(p, done, used);
    if (!can_be_filled(p, free, used))
        return top;
    uint64_t root = UINT64_C(1) << hardest(p, free);
    for (int32_t k = 0; k < p->seats; k++) /* sizes are in order, so equal ones stand together */
        if (!used[k] && (k == 0 || used[k - 1] || p->want[k] != p->want[k - 1]))
            p->stack[top++] = (struct state){free, root, 0, done, p->want[k]};
    return top;
}

/* 1: divided, in parts[]; 0: there is no way; -1: not done after so many steps. */
static int solve(struct mw_run *run, struct puzzle *p, int64_t steps)
{
    uint64_t all = p->cells < 64 ? (UINT64_C(1) << p->cells) - 1 : UINT64_MAX;
    int32_t top = begin_parts(p, 0, all, 0);
    while (top) {
        if (!steps--)
            return -1;
        mw_tick(run, 16);
        struct state s = p->stack[--top];
        if (bits_in(s.part) == s.size) {
            p->parts[s.done++] = s.part;
            s.free &= ~s.part;
            if (!s.free)
                return 1;
            top = begin_parts(p, top, s.free, s.done);
            continue;
        }
        uint64_t next = around(p, s.part) & s.free & ~s.part & ~s.barred;
        if (!next)
            continue;
        next &= -next;
        p->stack[top] = s;
        p->stack[top++].barred |= next;
        p->stack[top] = s;
        p->stack[top++].part |= next;
    }
    return 0;
}

/* The sizes wanted on a piece, in order. */
static void list_sizes(const struct land *land, const struct piece *piece, struct puzzle *p)
{
    int32_t spare = piece->cells;
    for (int32_t s = 0; s < piece->seats; s++)
        spare -= land->low[land->order[piece->first + s]];
    for (int32_t s = 0; s < piece->seats; s++) {
        int32_t k = land->order[piece->first + s], size = land->low[k], at = s;
        size += spare > 0 && land->high[k] > size;
        spare -= size - land->low[k];
        for (; at > 0 && p->want[at - 1] > size; at--)
            p->want[at] = p->want[at - 1];
        p->want[at] = size;
    }
}

/* Gives the parts to countries that want their sizes. */
static void move_in(struct land *land, const struct piece *piece, struct puzzle *p)
{
    struct ground *g = &land->board->g;
    bool given[64] = {false};
    for (int32_t s = 0; s < piece->seats; s++) {
        int32_t k = land->order[piece->first + s], i = 0, size;
        while (size = bits_in(p->parts[i]), given[i] || size < land->low[k] || size > land->high[k])
            i++;
        given[i] = true;
        for (uint64_t part = p->parts[i]; part; part &= part - 1)
            p->part_of[lowest(part)] = k;
    }
    for (int32_t i = 0; i < p->cells; i++)
        if (regions_holder(g, p->place[i]) != p->part_of[i])
            g->move(g, p->place[i], (uint16_t)p->part_of[i]);
}

int regions_try_all(struct land *land, const struct piece *piece, int32_t root, int64_t steps)
{
    struct ground *g = &land->board->g;
    if (piece->cells > 64)
        return -1;
    char *mark = mw_mark(land->run);
    struct puzzle *p = MW_NEW0(land->run, struct puzzle, 1);
    p->stack = MW_NEW(land->run, struct state, 64 * 66 + 64 * 64);
    p->seats = piece->seats;
    int32_t *rank = MW_NEW(land->run, int32_t, g->indices);
    g->stamps += 2;
    p->place[p->cells++] = root;
    g->stamp[root >> 1] = g->stamps;
    for (int32_t i = 0; i < p->cells; i++) {
        rank[p->place[i] >> 1] = i;
        for (int s = 0, q; (q = g->beside(g, p->place[i], s)) >= 0; s++)
            if (g->stamp[q >> 1] != g->stamps) {
                g->stamp[q >> 1] = g->stamps;
                p->place[p->cells++] = q;
            }
    }
    for (int32_t i = 0; i < p->cells; i++)
        for (int s = 0, q; (q = g->beside(g, p->place[i], s)) >= 0; s++)
            if (q != p->place[i])
                p->beside[i] |= UINT64_C(1) << rank[q >> 1];
    list_sizes(land, piece, p);
    int answer = solve(land->run, p, steps);
    if (answer == 1)
        move_in(land, piece, p);
    mw_rewind(land->run, mark);
    return answer;
}
