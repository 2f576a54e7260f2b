/*
 * sweep.c: path puzzles depth first, cell by cell along the diagonals.
 *
 *     1 2 4 7      Cells are taken in this order, each diagonal from its upper right. The cells to
 *     3 5 8 .      the left and above are decided before, and with them whether a path enters from
 *     6 9 . .      there. What remains is by which of two sides it goes on:
 *
 *     enters twice: nowhere; once: down or to the right; not at all: both, as in a bend. An end has
 *     one link in all.
 *
 * So a cell is a fork of two ways at most, and under the strict rule seldom even that: few cells
 * can bend (bend.c).
 *
 * CHECKED AT ONCE. Each piece of path knows, at its two ends, where the other one is (Simpath's
 * mates). A link that joins a piece with itself is a loop, one that joins ends of two paths is
 * wrong. Four cells of a square never have four links, under the strict rule not even three.
 *
 * LOOKING AHEAD. Once a cell is decided, all links into the cell to the right of it are known,
 * which lies on the next diagonal (and at the left rim, into the one below): this determines the
 * set of its ways out. Two neighbours on that diagonal lead, or do not, into a third cell on the
 * one after that, which takes only what it can go on with, and no two pieces that must not meet;
 * strict: nor one that would then touch the other. So the set keeps the ways that fit some way of
 * the neighbour before; where none is left, the present cell was decided wrongly. From the first
 * cell of a diagonal to the last this is exact, and costs a few operations on small sets of bits.
 *
 * WHY IT IS RIGHT. Every solution is a leaf of the tree, as only what breaks a rule is refused. A
 * leaf has no loop and joins each end with its partner: a solution, except for neighbours of one
 * path without a link, which strict forbids; these are looked for in each leaf. The leaves differ
 * in a link. So when the tree is exhausted, all solutions were seen; and the search ends as soon as
 * there are as many as wanted.
 *
 * COST. Some 25 ns a cell, as nothing is learnt. Printed boards take less than ten cells' work for
 * each cell to 10x10, and fifty at 40x20, far less than making clauses. But a mistake may be found
 * a diagonal or two late, and the work grows faster than the square of the cells. So the search
 * gives up after a third of that square, or 10 ms, and leaves the board to the search that learns.
 */
#include "solver.h"

#include "kit/integer.h"

/* What a cell has of its four links: those out are RIGHT and DOWN, those in the same seen from the
   neighbours to the left and above. Both together are the cell's links, bit by bit. */
enum { TO_RIGHT = 1 << RIGHT, TO_DOWN = 1 << DOWN, IN = 2, WAYS = 4 };
/* A set of ways has bit w for the way w. */
enum {
    NOWHERE = 1,
    NOT_DOWN = 3,
    NOT_RIGHT = 5,
    NOT_BOTH = 7,
    BOTH_OR_NONE = 9,
    RIGHT_TOO = 10,
    DOWN_TOO = 12,
    ANY = 15
};
enum { STEPS_A_CELL = 5, SETUP_STEPS = 8, MOST_NODES = 200000 };

struct undo {
    int32_t place, mate;
};

/* A cell with two ways, the other of which is to be tried. */
struct fork {
    int32_t depth, logged;
    unsigned way;
};

struct diagonal_sweep {
    struct mw_run *run;
    const struct board *board;
    enum rule rule;

    /* by place; cells have a rim of places around them that nothing enters */
    int32_t stride;
    int8_t *path;          /* which path ends there */
    uint16_t *ways;        /* sets of ways out, one for each way in */
    uint8_t *entries;      /* the set of ways in for which there is a way out */
    uint8_t *out;          /* the way out of a cell that is decided */
    uint8_t *ahead;        /* the set of ways of a cell on the next diagonal */
    uint8_t *fits;         /* the set of ways into the cell to the right of that */
    int32_t *mate;         /* the far end of the piece that ends there, itself if none does; where
                              a piece passes through, still a cell of it */
    uint8_t by_nook[WAYS]; /* entries to a cell, by the way out of that up to the left of it */

    int32_t *order, depth; /* places; how many are decided */
    struct undo *log;      /* of mates */
    struct fork *forks;
    int32_t logged, forked;
};

/* ---- places ---------------------------------------------------------------------------------- */

static int32_t place_of(const struct diagonal_sweep *s, int32_t cell)
{
    return (cell / s->board->width + 1) * s->stride + cell % s->board->width + 1;
}

/* The links that a cell may have: bit l for the links l. */
static unsigned possible_links(const struct diagonal_sweep *s, int32_t cell, unsigned bends)
{
    enum { NONE = 0x1, ONE = 0x116, TWO = 0x1668 };
    static const unsigned across[SIDES] = {0xaaaa, 0xcccc, 0xf0f0, 0xff00};
    int path = s->board->path[cell];
    unsigned set = path == WALL ? NONE : path >= 0 ? ONE : s->rule == CLASSIC ? TWO | NONE : TWO;
    for (int side = 0; side < SIDES; side++) {
        unsigned bend = 1u << side | 1u << (side + 1) % SIDES;
        if (s->board->next[cell][side] < 0)
            set &= ~across[side];
        if (path == OPEN && s->rule == STRICT && !(bends >> side & 1))
            set &= ~(1u << bend);
    }
    return set;
}

static void set_place(struct diagonal_sweep *s, int32_t place, int path, unsigned links)
{
    s->path[place] = (int8_t)path;
    s->ways[place] = (uint16_t)links;
    s->entries[place] = 0;
    for (unsigned in = 0; in < WAYS; in++)
        if (links >> WAYS * in & ANY)
            s->entries[place] |= (uint8_t)(1 << in);
    s->ahead[place] = s->fits[place] = NOWHERE;
    s->out[place] = 0;
    s->mate[place] = place;
}

static void set_places(struct diagonal_sweep *s, int32_t places)
{
    const struct board *b = s->board;
    const uint8_t *bends = path_bends(s->run, b);
    for (int32_t place = 0; place < places; place++)
        set_place(s, place, WALL, NOWHERE);
    for (int32_t cell = 0; cell < b->cells; cell++)
        set_place(s, place_of(s, cell), b->path[cell], possible_links(s, cell, bends[cell]));
    int32_t count = 0;
    for (int32_t diagonal = 0; diagonal < b->width + b->height - 1; diagonal++)
        for (int32_t x = mw_min(diagonal, b->width - 1); x >= 0 && diagonal - x < b->height; x--)
            s->order[count++] = place_of(s, (diagonal - x) * b->width + x);
    assert(count == b->cells);
    s->order[count] = 0; /* no cell follows the last */
}

/* The ways with so many links or fewer. */
static uint8_t at_most(int links) { return links > 1 ? ANY : links ? NOT_BOTH : NOWHERE; }

static struct diagonal_sweep sweep_new(struct mw_run *run, const struct board *b, enum rule rule)
{
    struct diagonal_sweep s = {.run = run, .board = b, .rule = rule, .stride = b->width + 2};
    int32_t places = (b->height + 2) * s.stride + 2;
    mw_tick(run, (uint64_t)places * SETUP_STEPS);
    s.path = MW_NEW(run, int8_t, places);
    s.ways = MW_NEW(run, uint16_t, places);
    s.entries = MW_NEW(run, uint8_t, places);
    s.out = MW_NEW(run, uint8_t, places);
    s.ahead = MW_NEW(run, uint8_t, places);
    s.fits = MW_NEW(run, uint8_t, places);
    s.mate = MW_NEW(run, int32_t, places);
    s.order = MW_NEW(run, int32_t, b->cells + 1);
    s.log = MW_NEW(run, struct undo, 4 * b->cells); /* two links a cell, two mates a link */
    s.forks = MW_NEW(run, struct fork, b->cells);
    for (unsigned way = 0; way < WAYS; way++)
        s.by_nook[way] = at_most((rule == STRICT ? 2 : 3) - count_sides(way));
    set_places(&s, places);
    return s;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static void set_mate(struct diagonal_sweep *s, int32_t place, int32_t mate)
{
    assert(s->logged < 4 * s->board->cells);
    s->log[s->logged++] = (struct undo){place, s->mate[place]};
    s->mate[place] = mate;
}

/* Links a cell with the next; false where they must not be. */
static bool join(struct diagonal_sweep *s, int32_t from, int32_t to)
{
    int32_t a = s->mate[from], b = s->mate[to];
    if (a == to || (s->path[a] >= 0 && s->path[b] >= 0 && s->path[a] != s->path[b]))
        return false;
    set_mate(s, a, b);
    set_mate(s, b, a);
    return true;
}

/* How two pieces may enter the cell that lies between their ends: to the left of it and above. */
static unsigned meetings(const struct diagonal_sweep *s, int32_t left, int32_t above)
{
    int32_t a = s->mate[left], b = s->mate[above];
    bool loop = a == above, alike = s->path[a] == s->path[b];
    if (!loop && (s->path[a] < 0 || s->path[b] < 0))
        return ANY;
    unsigned set = loop || !alike ? NOT_BOTH : ANY;
    if (s->rule == STRICT && (loop || alike))
        set &= BOTH_OR_NONE; /* one alone would touch the other */
    return set;
}

/* ---- ways ------------------------------------------------------------------------------------ */

static unsigned way_in(const struct diagonal_sweep *s, int32_t p)
{
    return (s->out[p - 1] & TO_RIGHT) | (s->out[p - s->stride] & TO_DOWN);
}

/* The ways out that make one of these entries to the cell to the right, which is entered from above
   or not: set by set, NOT_RIGHT and RIGHT_TOO. */
static unsigned ways_into(unsigned entries) { return NOT_RIGHT * (entries & 3); }

/* Whether a cell has a way left, now that all links into it are known: one that fits some way of
   the cell up to the right of it, as both lead into the cell between the two. */
static bool look_ahead(struct diagonal_sweep *s, int32_t p)
{
    int32_t above = p - s->stride + 1, before = s->ahead[above];
    unsigned fits = s->entries[p + 1] & s->by_nook[s->out[p - s->stride]] & meetings(s, p, above);
    unsigned into = (before & NOT_DOWN ? fits : 0) | (before & DOWN_TOO ? fits >> TO_DOWN : 0);
    s->fits[p] = (uint8_t)fits;
    s->ahead[p] = (uint8_t)((unsigned)s->ways[p] >> WAYS * way_in(s, p) & ways_into(into));
    return s->ahead[p] != 0;
}

/* ---- the tree -------------------------------------------------------------------------------- */

/* Decides the next cell; false where that is found to be wrong. */
static bool decide(struct diagonal_sweep *s, unsigned way)
{
    int32_t p = s->order[s->depth++];
    s->out[p] = (uint8_t)way;
    if (way & TO_RIGHT && !join(s, p, p + 1))
        return false;
    if (way & TO_DOWN && !join(s, p, p + s->stride))
        return false;
    bool last = s->order[s->depth] != p + s->stride - 1;
    return look_ahead(s, p + 1) && (!last || look_ahead(s, p + s->stride));
}

/* Takes the next cell; a bend comes before the straight way. */
static bool advance(struct diagonal_sweep *s)
{
    int32_t p = s->order[s->depth];
    unsigned fits = s->fits[p], seen = s->out[p - s->stride + 1] & TO_DOWN;
    unsigned ways = s->ahead[p] & ways_into(fits >> seen);
    if (!ways)
        return false;
    unsigned way = (unsigned)__builtin_ctz(ways), other = ways & (ways - 1);
    if (other) {
        unsigned last = (unsigned)__builtin_ctz(other);
        bool turn = way_in(s, p) == TO_RIGHT;
        assert(s->forked < s->board->cells);
        s->forks[s->forked++] = (struct fork){s->depth, s->logged, turn ? way : last};
        way = turn ? last : way;
    }
    return decide(s, way);
}

/* Goes back to the last fork whose other way is not wrong at once; false where there is none. */
static bool retreat(struct diagonal_sweep *s)
{
    while (s->forked) {
        struct fork fork = s->forks[--s->forked];
        while (s->logged > fork.logged) {
            struct undo undo = s->log[--s->logged];
            s->mate[undo.place] = undo.mate;
        }
        s->depth = fork.depth;
        if (decide(s, fork.way))
            return true;
    }
    return false;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

/* Reads the links of a leaf; whether it is a solution. */
static bool take_leaf(const struct diagonal_sweep *s, uint8_t *links)
{
    char *mark = mw_mark(s->run);
    int32_t *owner = MW_NEW(s->run, int32_t, s->board->cells);
    for (int32_t cell = 0; cell < s->board->cells; cell++) {
        int32_t p = place_of(s, cell);
        links[cell] = (uint8_t)(s->out[p] | way_in(s, p) << IN);
    }
    if (s->rule == STRICT)
        path_owners(s->run, s->board, links, owner);
    bool solved = s->rule != STRICT || !path_touches_itself(s->board, links, owner);
    mw_rewind(s->run, mark);
    return solved;
}

struct swept path_sweep(struct mw_run *run, const struct board *b, enum rule rule, int wanted,
                        uint64_t steps, uint8_t *links)
{
    char *mark = mw_mark(run);
    struct diagonal_sweep s = sweep_new(run, b, rule);
    uint8_t *other = MW_NEW(run, uint8_t, b->cells);
    struct swept swept = {0, !look_ahead(&s, s.order[0])};
    int32_t nodes = mw_min(MOST_NODES, b->cells * b->cells * 3 / 10);
    nodes = (int32_t)mw_min64(nodes, (int64_t)(steps / (2 * STEPS_A_CELL)));
    while (nodes-- > 0 && !swept.over && swept.found < wanted) {
        mw_tick(run, STEPS_A_CELL);
        bool good = advance(&s);
        if (good && s.depth == b->cells) {
            swept.found += take_leaf(&s, swept.found ? other : links);
            good = false;
        }
        swept.over = !good && !retreat(&s);
    }
    mw_rewind(run, mark);
    return swept;
}
