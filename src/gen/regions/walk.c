/*
 * walk.c: where countries begin on land like a comb: as stretches of a walk round it.
 *
 * On thick teeth countries that grow from seats come out of any sizes, and stay so: they touch at
 * the ends of teeth alone, where no border has room to move. A path through all places would have
 * them at once, as any stretch of it hangs together. Land has such a path mostly, and it is found
 * at no cost (Gabriely and Rimon, «Spanning-tree based coverage of continuous areas by a mobile
 * robot», 2001): blocks of 2 x 2 places are the nodes of a graph, a tree spans it, and who walks
 * round that tree, always along its left side, comes by every place once, and back.
 *
 *      o-->o   o-->o      Alone, a block is walked round clockwise. A link to that at its right
 *      |   |   |   |      takes a side from both walks, and joins them to one: next
 *      o<--o   o<--o      of a place is that around the corner of its block, or,
 *                         where a link leads out there, that across.
 *      o-->o-->o-->o
 *      |           |
 *      o<--o<--o<--o
 *
 * The tree takes links within squares of 4 x 4 places first, then those within 8 x 8 and so on: so
 * a stretch of the walk is a patch, not a ribbon, as with Hilbert's curve.
 *
 * Places outside of blocks hang on the nearest that are met, as twigs; and what does not hang
 * together by then (rooms at the ends of a corridor) is joined by one side each. Now all is a tree
 * of walks and twigs, which is gone through by depth first, twigs before the walk goes on, the
 * heaviest last, and walks in the direction that has it at their end. In that order places are
 * dealt out by what countries want. A stretch that begins within a twig and goes on behind it may
 * hang together no more, by land either: then a country keeps its heaviest part, and the others go
 * to whom they hang on. So every country hangs together, and sizes are right but for that, which on
 * most land flows and chains even out (settle.c).
 *
 * What it costs: some tens of nanoseconds a place.
 */
#include "kit/dsf.h"
#include "kit/integer.h"
#include "regions.h"

enum { EAST, SOUTH, WEST, NORTH };
/* Of a place, above the bits of sides where something is joined to it: it is in a block; the walk
   leaves the block there. */
enum { BLOCK = 0x40, OUT = 0x80 };
/* Squares within which blocks are linked first: to 2^13 blocks wide. */
enum { SCALES = 14 };
/* Of so many eighths of the places a walk must come by in blocks: on the map; on levels above it,
   where it is one of several that may do. */
enum { SOME = 4, MOST = 6 };

struct step {
    int32_t place, parent; /* parent: its rank */
    int32_t end;           /* where a walk in that direction ends, before it */
    int32_t way;           /* 1: round blocks as they are walked, -1: against it, 0: to a twig */
};

struct walk {
    struct mw_run *run;
    const struct terrain *terrain;
    struct board *board;
    uint8_t *link; /* by index */
    int32_t *set;  /* by index: what is joined */
    struct step *order, *stack;
    int32_t count, open; /* of those in order, and on the stack */
    int32_t places;      /* that there are: one more has room on the stack */
    uint8_t *met, turn;  /* by index: the last turn in which it was put in order */
    int32_t *load;       /* by index: places that come after it and hang on it */
    int32_t *rank;       /* by index, once in order */
};

/* ---- blocks ---------------------------------------------------------------------------------- */

/* The side that leads to the next of a row or of a column: hexagons are squares that are shoved. */
static int side_to(const struct board *b, int way, int32_t odd)
{
    static const uint8_t hex[2][4] = {{0, 1, 3, 5}, {0, 2, 3, 4}};
    return b->hex ? hex[odd][way] : way;
}

static bool is_open(const struct board *b, int32_t at, int way, int32_t odd)
{
    return b->sides[at] >> side_to(b, way, odd) & 1;
}

/* Whether land goes on all round four places. */
static bool is_block(const struct board *b, int32_t x, int32_t y)
{
    int32_t at = regions_at(b, x, y), across = at + b->stride + 1;
    return is_open(b, at, EAST, 0) && is_open(b, at, SOUTH, 0) && is_open(b, across, WEST, 1) &&
           is_open(b, across, NORTH, 1);
}

/* Flags places that are in blocks; how many they are. */
static int32_t flag_blocks(const struct board *b, uint8_t *link)
{
    int32_t count = 0;
    for (int32_t y = 0; y + 1 < b->height; y += 2)
        for (int32_t x = 0; x + 1 < b->width; x += 2) {
            if (!is_block(b, x, y))
                continue;
            int32_t at = regions_at(b, x, y);
            link[at] = link[at + 1] = link[at + b->stride] = link[at + b->stride + 1] = BLOCK;
            count += 4;
        }
    mw_tick(b->g.run, (uint64_t)b->width * (uint64_t)b->height / 4);
    return count;
}

static void join_block(struct walk *w, int32_t at)
{
    int32_t below = at + w->board->stride;
    mw_dsf_join(w->set, at, at + 1);
    mw_dsf_join(w->set, at, below);
    mw_dsf_join(w->set, at, below + 1);
}

/* Links the block at a place to that before it in its row, or in its column. */
static void link_block(struct walk *w, int32_t x, int32_t y, int way)
{
    const struct board *b = w->board;
    int32_t at = regions_at(b, x, y), in = way == WEST ? at + b->stride : at,
            out = way == WEST ? at - 1 : at - b->stride + 1, odd = way == WEST;
    if (!(w->link[at] & w->link[out] & BLOCK) || !is_open(b, in, way, odd) ||
        !is_open(b, out, (way + 2) % 4, !odd))
        return;
    if (mw_dsf_find(w->set, in) == mw_dsf_find(w->set, out))
        return;
    mw_dsf_join(w->set, in, out);
    w->link[in] |= OUT;
    w->link[out] |= OUT;
}

/* Links blocks on both sides of a line to each other, if it divides squares of a scale: bit i of
   its number is the lowest that is set. */
static bool divides(int32_t number, int scale)
{
    return !((number ^ 1 << scale) & ((2 << scale) - 1));
}

static void link_blocks(struct walk *w, struct mw_rng *rng)
{
    const struct board *b = w->board;
    int32_t right = (int32_t)mw_below(rng, 1 << (SCALES - 2)) + 1,
            down = (int32_t)mw_below(rng, 1 << (SCALES - 2)) + 1;
    for (int32_t y = 0; y < b->height; y += 2)
        for (int32_t x = 0; x < b->width; x += 2)
            if (w->link[regions_at(b, x, y)] & BLOCK)
                join_block(w, regions_at(b, x, y));
    for (int scale = 0; scale < SCALES; scale++)
        for (int32_t y = 0; y < b->height; y += 2) {
            bool rows = y && divides(down + y / 2, scale);
            int32_t x = 0, wide = 2 << scale;
            for (x = 0; rows && x < b->width; x += 2)
                link_block(w, x, y, NORTH);
            x = ((1 << scale) - right) & (wide - 1);
            for (; x < (b->width + 1) / 2; x += wide)
                if (x)
                    link_block(w, 2 * x, y, WEST);
        }
    mw_tick(w->run, (uint64_t)b->width * (uint64_t)b->height * 2);
}

/* The place after one in the walk round its blocks; or that before it. */
static int32_t next_of(const struct walk *w, int32_t place, int32_t way)
{
    /* by row and column in the block: the way round, and that out */
    static const uint8_t ways[2][2][2] = {{{EAST, NORTH}, {SOUTH, EAST}},
                                          {{NORTH, WEST}, {WEST, SOUTH}}},
                         back[2][2][2] = {{{SOUTH, WEST}, {WEST, NORTH}},
                                          {{EAST, SOUTH}, {NORTH, EAST}}};
    const struct board *b = w->board;
    int32_t odd = place & 1, column = ((place >> 1) % b->stride - 1) & 1;
    const uint8_t *turn = way > 0 ? ways[odd][column] : back[odd][column];
    int32_t around = regions_beside(&b->g, place, side_to(b, turn[0], odd));
    bool out = w->link[(way > 0 ? place : around) >> 1] & OUT;
    return out ? regions_beside(&b->g, place, side_to(b, turn[1], odd)) : around;
}

/* ---- twigs ----------------------------------------------------------------------------------- */

/* Joins two places by a side of the first. */
static void join_side(struct walk *w, int32_t place, int side, int32_t beside)
{
    int sides = w->board->hex ? 6 : 4;
    w->link[place >> 1] |= (uint8_t)(1 << side);
    w->link[beside >> 1] |= (uint8_t)(1 << (side + sides / 2) % sides);
    mw_dsf_join(w->set, place >> 1, beside >> 1);
}

/* Hangs what is not joined to anything on those of the queue, and on what hangs on them. */
static int32_t hang_twigs(struct walk *w, int32_t *queue, int32_t head, int32_t tail)
{
    const struct ground *g = &w->board->g;
    for (; head < tail; head++)
        for (int i = 0, p; (p = regions_beside(g, queue[head], i)) >= 0; i++)
            if (p != queue[head] && !w->link[p >> 1]) {
                join_side(w, queue[head], i, p);
                queue[tail++] = p;
            }
    return tail;
}

static void join_all(struct walk *w, const int32_t *at, int32_t places)
{
    const struct board *b = w->board;
    char *mark = mw_mark(w->run);
    int32_t *queue = MW_NEW(w->run, int32_t, places + 1), tail = 0;
    for (int32_t i = 0; i < places; i++) {
        queue[tail] = at[i] * 2 + ((at[i] / b->stride - 1) & 1);
        tail += w->link[at[i]] != 0;
    }
    tail = hang_twigs(w, queue, 0, tail);
    for (int32_t i = 0; i < places; i++) {
        queue[tail] = at[i] * 2 + ((at[i] / b->stride - 1) & 1);
        if (!w->link[at[i]])
            tail = hang_twigs(w, queue, tail, tail + 1);
    }
    for (int32_t i = 0; i < tail; i++)
        for (int s = 0; s < (b->hex ? 3 : 2); s++) {
            int32_t p = regions_beside(&b->g, queue[i], s);
            if (mw_dsf_find(w->set, queue[i] >> 1) != mw_dsf_find(w->set, p >> 1))
                join_side(w, queue[i], s, p);
        }
    mw_tick(w->run, (uint64_t)places * 4);
    mw_rewind(w->run, mark);
}

/* ---- the walk -------------------------------------------------------------------------------- */

static void push(struct walk *w, struct step step)
{
    if (w->met[step.place >> 1] == w->turn)
        return;
    assert(w->open <= w->places);
    w->stack[w->open++] = step;
}

/* How many places the heaviest twig of one has. */
static int32_t heaviest_of(const struct walk *w, int32_t place)
{
    int32_t most = 0;
    for (int i = 0, p;
         w->link[place >> 1] & ~(BLOCK | OUT) && (p = regions_beside(&w->board->g, place, i)) >= 0;
         i++)
        if (w->link[place >> 1] >> i & 1 && w->met[p >> 1] != w->turn)
            most = mw_max(most, w->load[p >> 1]);
    return most;
}

/* Pushes the twigs of a place, the heaviest to come last. */
static void push_twigs(struct walk *w, int32_t place, int32_t rank)
{
    int32_t first = w->open;
    for (int i = 0, p; (p = regions_beside(&w->board->g, place, i)) >= 0; i++) {
        if (!(w->link[place >> 1] >> i & 1) || w->met[p >> 1] == w->turn)
            continue;
        push(w, (struct step){p, rank, -1, 0});
        struct step *last = &w->stack[w->open - 1], heavy = *last;
        if (w->open - 1 > first && w->load[p >> 1] > w->load[w->stack[first].place >> 1]) {
            *last = w->stack[first];
            w->stack[first] = heavy;
        }
    }
}

/* Where blocks are entered: if more hangs on one of them than is on the shorter way there, that
   comes first, then the longer, and last, at its end, what hangs there. */
static void enter(struct walk *w, int32_t place, int32_t rank)
{
    int32_t goal = place, most = heaviest_of(w, place), at = 0, n = 1;
    for (int32_t p = next_of(w, place, 1); p != place && n <= w->places;
         p = next_of(w, p, 1), n++) {
        int32_t load = heaviest_of(w, p);
        if (load <= most)
            continue;
        most = load;
        goal = p;
        at = n;
    }
    assert(n <= w->places); /* the way round blocks is a ring of places */
    if (most <= mw_min(at, n - at))
        goal = place;
    int32_t way = 2 * at < n && goal != place ? -1 : 1;
    if (goal == place)
        push_twigs(w, place, rank);
    push(w, (struct step){next_of(w, place, way), rank, -1, way});
    if (goal == place)
        return;
    int32_t other = next_of(w, place, -way);
    if (other != goal)
        push(w, (struct step){other, rank, goal, -way});
    push_twigs(w, place, rank);
}

/* Puts all that is joined to a place in order. */
static void walk_from(struct walk *w, int32_t start)
{
    w->stack[w->open++] = (struct step){start, -1, -1, 0};
    while (w->open) {
        struct step now = w->stack[--w->open];
        int32_t at = now.place >> 1, rank = w->count;
        if (w->met[at] == w->turn)
            continue;
        w->met[at] = w->turn;
        assert(w->count < w->places);
        w->order[w->count++] = now;
        if (w->link[at] & BLOCK && !now.way) {
            enter(w, now.place, rank);
            continue;
        }
        int32_t next = now.way ? next_of(w, now.place, now.way) : now.end;
        if (next != now.end)
            push(w, (struct step){next, rank, now.end, now.way});
        push_twigs(w, now.place, rank);
    }
}

/* Counts what comes after each place. */
static void count_loads(struct walk *w)
{
    for (int32_t i = w->count - 1; i >= 0; i--) {
        struct step s = w->order[i];
        w->load[s.place >> 1]++;
        if (s.parent >= 0)
            w->load[w->order[s.parent].place >> 1] += w->load[s.place >> 1];
    }
}

/* Puts a piece in order: once to see what hangs on what, and once more by that. */
static void walk_piece(struct walk *w, const int32_t *at, int32_t places)
{
    for (w->turn = 1; w->turn <= 2; w->turn++) {
        w->count = w->open = 0;
        for (int32_t i = 0; i < places; i++)
            if (w->met[at[i]] != w->turn)
                walk_from(w, at[i] * 2 + ((at[i] / w->board->stride - 1) & 1));
        if (w->turn == 1)
            count_loads(w);
    }
    mw_tick(w->run, (uint64_t)w->count * 8);
}

static int32_t weight_of(const struct terrain *t, int32_t place)
{
    return t->weight ? t->weight[place >> 1] : 1;
}

/* Finds the parts of a stretch that hang together: by what hangs on what, and where these are
   several, by land. */
static void find_parts(struct walk *w, int32_t first, int32_t end, int32_t *part)
{
    const struct ground *g = &w->board->g;
    int32_t parts = 0;
    for (int32_t i = first; i < end; i++) {
        int32_t parent = w->order[i].parent;
        part[i] = parent >= first ? part[parent] : i;
        parts += part[i] == i;
    }
    for (int32_t i = first; i < end && parts > 1; i++)
        for (int s = 0, p; (p = regions_beside(g, w->order[i].place, s)) >= 0; s++) {
            int32_t rank = w->rank[p >> 1];
            if (first <= rank && rank < i)
                mw_dsf_join(part, i, rank);
        }
}

/* Gives a stretch to a country, but for what does not hang together with its heaviest part: that
   goes to whom it hangs on. */
static void give_stretch(struct walk *w, int32_t first, int32_t end, uint16_t country,
                         int32_t *part, int32_t *weight)
{
    int32_t best = first;
    find_parts(w, first, end, part);
    for (int32_t i = first; i < end; i++) {
        int32_t own = mw_dsf_find(part, i);
        weight[i] = 0;
        weight[own] += weight_of(w->terrain, w->order[i].place);
        best = weight[own] > weight[best] ? own : best;
    }
    for (int32_t i = first; i < end; i++) {
        int32_t own = mw_dsf_find(part, i), on = w->order[own].parent;
        uint16_t host = on < 0 ? 0 : regions_country(&w->board->g, w->order[on].place);
        regions_assign(&w->board->g, w->order[i].place, own == best ? country : host);
    }
}

/* Deals the places in order out to the countries of a piece. */
static void deal(struct walk *w, const struct quota *q, const int32_t *country, int32_t seats)
{
    char *mark = mw_mark(w->run);
    int32_t *part = MW_NEW(w->run, int32_t, w->count), *weight = MW_NEW(w->run, int32_t, w->count);
    int64_t cells = 0, total = 0, wanted = 0, sum = 0;
    for (int32_t i = 0; i < w->count; i++) {
        cells += weight_of(w->terrain, w->order[i].place);
        w->rank[w->order[i].place >> 1] = i;
    }
    for (int32_t s = 0; s < seats; s++)
        total += q->low[country[s]];
    for (int32_t s = 0, first = 0, end = 0; s < seats; s++, first = end) {
        int32_t most = w->count - (seats - 1 - s);
        wanted += q->low[country[s]];
        for (; end < most && (end == first || sum * total < cells * wanted); end++)
            sum += weight_of(w->terrain, w->order[end].place);
        if (s == seats - 1)
            end = w->count;
        give_stretch(w, first, end, (uint16_t)country[s], part, weight);
    }
    mw_tick(w->run, (uint64_t)w->count * 2);
    mw_rewind(w->run, mark);
}

bool regions_is_walkable(const struct terrain *t)
{
    struct mw_run *run = t->board->g.run;
    char *mark = mw_mark(run);
    int32_t blocks = flag_blocks(t->board, MW_NEW0(run, uint8_t, t->board->g.indices));
    mw_rewind(run, mark);
    return blocks * INT64_C(8) >= t->places * (int64_t)(t->weight ? MOST : SOME);
}

void regions_walk(const struct terrain *t, const struct quota *q, struct mw_rng *rng,
                  const int32_t *places, const int32_t *end)
{
    struct board *b = t->board;
    struct mw_run *run = b->g.run;
    char *mark = mw_mark(run);
    struct walk w = {.run = run, .terrain = t, .board = b, .places = t->places};
    w.link = MW_NEW0(run, uint8_t, b->g.indices);
    w.set = MW_NEW(run, int32_t, b->g.indices);
    w.met = MW_NEW0(run, uint8_t, b->g.indices);
    w.load = MW_NEW0(run, int32_t, b->g.indices);
    w.rank = MW_NEW(run, int32_t, b->g.indices);
    w.order = MW_NEW(run, struct step, t->places);
    w.stack = MW_NEW(run, struct step, t->places + 1);
    mw_dsf_init(w.set, b->g.indices);
    flag_blocks(b, w.link);
    link_blocks(&w, rng);
    join_all(&w, places, t->places);
    for (int32_t i = 0, first = 0; i < q->pieces; first = end[i++]) {
        const struct piece *p = &q->piece[i];
        if (p->seats == 1)
            continue;
        walk_piece(&w, places + first, end[i] - first);
        deal(&w, q, q->order + p->first, p->seats);
    }
    mw_rewind(run, mark);
}
