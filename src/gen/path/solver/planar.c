/*
 * planar.c: whether paths can go on below a line between two rows without crossing.
 *
 * Most states of a frontier are dead: of 231,310 on a board of 24 x 14, 3 lead to a solution. Many
 * die some rows later of what can be known at once: the order in which paths come down does not
 * agree with the order in which their ends lie below.
 *
 * A GRAPH, drawn in the plane. Its nodes are what no path passes: ends, walls, and what is above
 * the line together with the rim (the root). Where pieces span above the line, ( ), what is beneath
 * one is a node of its own, as a path may pass over it that way. Edges are of two kinds: barriers
 * join nodes between which no path passes, as they are neighbours, corner to corner suffices; and
 * each path is an edge from one of its ends, or the plug by which it comes down, to the other.
 *
 *      ( a . ) . b .      the line: a under a bracket, b beside it
 *      . . . . . . c      c at the rim: a barrier joins it with the root
 *      . b a . . . .      b and a side by side: a barrier
 *
 * Where the edges of each node are known in their order around it, clockwise, the drawing is known,
 * and so are its faces: along an edge, then the next at its far node, and so on until one is back
 * (Heffter 1891, Edmonds 1960). An edge between two corners of one face cuts that in two, one
 * between two parts of the graph makes them one: the drawing stays plane. Between different faces
 * of one part there is no way. It does not matter how the paths wind, nor in which order their
 * edges are drawn; and a graph that holds only some of the barriers and paths is plane if the whole
 * is. So a state for which no drawing is plane is dead.
 *
 * How many drawings? An end may lie between two barriers, its path may then leave on this side or
 * the other. These are tried, one after the other, a few dozen times: beyond that nothing is said.
 *
 * HOW. Each edge is two darts, one at each node, `next` around the node, `twin` across the edge. A
 * dart that leads nowhere yet is its own twin, and lies in a face as a corner does.
 *
 * COST. What is at the line matters only by its order, so that thousands of states ask the same;
 * answers are kept. A new one takes some microseconds. A twentieth of the time or less where it
 * brings nothing; the hardest of the boards in tests/boards, of 15 x 18, is counted in a seventh.
 */
#include "planar.h"

enum { KEPT = 1 << 13, TRIES = 60, AROUND = 8 };

/* Where an end's dart may be put: after which other at its node; -1 where it is alone there. */
struct corners {
    int32_t node, count, after[SIDES];
};

/* A cell that no path passes: its node, and its darts by their direction, or -1. */
struct spot {
    int32_t node, around[AROUND];
};

/* One end of a path that is to be drawn. */
struct tip {
    int32_t dart;
    const struct corners *corners; /* NULL: it has its place */
};

struct edge {
    struct tip tip[2];
    int32_t tips;
};

struct planar {
    struct mw_run *run;
    const struct board *board;
    int32_t row, darts, nodes, most; /* room for darts, and for nodes */
    int32_t root;                    /* dart at the root */
    int32_t *next, *twin, *node;     /* of a dart */
    int32_t *part;                   /* of a node: another of the same part, or itself */
    struct corners (*corners)[2];    /* of the ends of each path */
    int32_t tries;
    struct planar_word *kept; /* by its hash, if there is an answer */
    uint8_t *answer;
};
enum answered { NEVER, NO, YES };

/* ---- darts ----------------------------------------------------------------------------------- */

static int32_t add_node(struct planar *p)
{
    assert(p->nodes < p->most);
    p->part[p->nodes] = p->nodes;
    return p->nodes++;
}

static int32_t add_dart(struct planar *p, int32_t node)
{
    assert(p->darts < p->most);
    p->node[p->darts] = node;
    p->next[p->darts] = p->twin[p->darts] = p->darts;
    return p->darts++;
}

static void put_after(struct planar *p, int32_t dart, int32_t after)
{
    p->next[dart] = after < 0 ? dart : p->next[after];
    if (after >= 0)
        p->next[after] = dart;
}

static int32_t part_of(const struct planar *p, int32_t dart)
{
    int32_t node = p->node[dart], left = p->nodes;
    while (p->part[node] != node && left-- > 0)
        node = p->part[node];
    assert(p->part[node] == node);
    return node;
}

static void tie(struct planar *p, int32_t a, int32_t b)
{
    p->twin[a] = b;
    p->twin[b] = a;
    p->part[part_of(p, b)] = part_of(p, a);
}

static bool share_face(const struct planar *p, int32_t a, int32_t b)
{
    int32_t dart = a, left = p->darts;
    do {
        if (dart == b)
            return true;
        dart = p->next[p->twin[dart]];
    } while (dart != a && --left > 0);
    assert(dart == a); /* a face is a ring of darts */
    return false;
}

/* ---- barriers -------------------------------------------------------------------------------- */

/* Clockwise from the right; every other is a side. */
static const int8_t dx[AROUND] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int8_t dy[AROUND] = {0, 1, 1, 1, 0, -1, -1, -1};

static bool is_off(const struct board *b, int32_t x, int32_t y)
{
    return x < 0 || x >= b->width || y >= b->height;
}

static bool is_barrier(const struct planar *p, int32_t x, int32_t y)
{
    const struct board *b = p->board;
    return !is_off(b, x, y) && y >= p->row && b->path[y * b->width + x] != OPEN;
}

/* Whether a barrier leads from the cell that way; corner to corner where there is none around. */
static bool leads(const struct planar *p, int32_t x, int32_t y, int way)
{
    if (!is_barrier(p, x + dx[way], y + dy[way]))
        return false;
    return way % 2 == 0 || (!is_barrier(p, x + dx[way], y) && !is_barrier(p, x, y + dy[way]));
}

/* By which side a cell lies at the rim, -1: by none. */
static int rim_of(const struct board *b, int32_t x, int32_t y)
{
    return x == 0 ? 4 : x == b->width - 1 ? 0 : y == b->height - 1 ? 2 : -1;
}

/* Where the path of an end may leave, among the darts around it. */
static struct corners find_corners(const struct planar *p, int32_t cell, const struct spot *spot)
{
    struct corners corners = {.node = spot->node};
    int32_t x = cell % p->board->width, y = cell / p->board->width;
    for (int way = 0; way < AROUND; way += 2) {
        int32_t x2 = x + dx[way], y2 = y + dy[way], after = -1;
        if (is_off(p->board, x2, y2) || y2 < p->row)
            continue;
        int there = p->board->path[y2 * p->board->width + x2];
        if (there >= 0 && there == p->board->path[cell])
            return (struct corners){.count = 0}; /* beside its other end: the edge tells nothing */
        if (there != OPEN)
            continue;
        for (int back = 1; back < AROUND && after < 0; back++)
            after = spot->around[(way + AROUND - back) % AROUND];
        assert(corners.count < SIDES);
        if (!corners.count || corners.after[corners.count - 1] != after)
            corners.after[corners.count++] = after;
    }
    return corners;
}

/* The darts of a cell, in their order. */
static struct spot add_spot(struct planar *p, int32_t cell)
{
    int32_t x = cell % p->board->width, y = cell / p->board->width, last = -1;
    struct spot spot = {.node = add_node(p)};
    for (int way = 0; way < AROUND; way++) {
        spot.around[way] = -1;
        if (!leads(p, x, y, way) && way != rim_of(p->board, x, y))
            continue;
        spot.around[way] = add_dart(p, spot.node);
        put_after(p, spot.around[way], last);
        last = spot.around[way];
    }
    return spot;
}

static void tie_rim(struct planar *p, int32_t x, int32_t y, const struct spot *spots)
{
    int side = rim_of(p->board, x, y);
    if (!is_barrier(p, x, y) || side < 0)
        return;
    int32_t dart = add_dart(p, p->node[p->root]);
    put_after(p, dart, p->root);
    tie(p, spots[y * p->board->width + x].around[side], dart);
}

/* Along the rim as seen from outside: clockwise from the upper left. Each dart comes before those
   that were there. */
static void tie_rims(struct planar *p, const struct spot *spots)
{
    const struct board *b = p->board;
    for (int32_t y = p->row; y < b->height - 1; y++)
        tie_rim(p, b->width - 1, y, spots);
    for (int32_t x = b->width - 1; x >= 0; x--)
        tie_rim(p, x, b->height - 1, spots);
    for (int32_t y = b->height - 2; b->width > 1 && y >= p->row; y--)
        tie_rim(p, 0, y, spots);
}

static void tie_spots(struct planar *p, const struct spot *spots, int32_t cell)
{
    const struct board *b = p->board;
    for (int way = 0; way < AROUND / 2; way++)
        if (leads(p, cell % b->width, cell / b->width, way)) {
            const struct spot *other = &spots[cell + dy[way] * b->width + dx[way]];
            tie(p, spots[cell].around[way], other->around[way + AROUND / 2]);
        }
}

static void add_barriers(struct planar *p, struct spot *spots)
{
    const struct board *b = p->board;
    int32_t first = p->row * b->width;
    p->root = add_dart(p, add_node(p));
    for (int32_t cell = first; cell < b->cells; cell++)
        if (b->path[cell] != OPEN)
            spots[cell] = add_spot(p, cell);
    for (int32_t cell = first; cell < b->cells; cell++)
        if (b->path[cell] != OPEN)
            tie_spots(p, spots, cell);
    tie_rims(p, spots);
    for (int32_t path = 0; path < b->paths; path++)
        for (int e = 0; e < 2; e++)
            if (b->ends[path][e] >= first)
                p->corners[path][e] = find_corners(p, b->ends[path][e], &spots[b->ends[path][e]]);
}

struct planar *planar_new(struct mw_run *run, const struct board *b, int32_t row)
{
    struct planar *p = MW_NEW0(run, struct planar, 1);
    size_t most = (size_t)b->cells * (AROUND + 1) + 2 * MAX_SIDE + 2 * MAX_PATHS + 1;
    assert(row > 0 && row < b->height);
    p->run = run;
    p->board = b;
    p->row = row;
    p->most = (int32_t)most;
    p->next = MW_NEW(run, int32_t, most);
    p->twin = MW_NEW(run, int32_t, most);
    p->node = MW_NEW(run, int32_t, most);
    p->part = MW_NEW(run, int32_t, most);
    p->corners = mw_alloc(run, MAX_PATHS, sizeof *p->corners);
    mw_tick(run, (uint64_t)b->cells * 4 + KEPT / 8);
    add_barriers(p, MW_NEW(run, struct spot, b->cells));
    p->kept = MW_NEW(run, struct planar_word, KEPT);
    p->answer = MW_NEW0(run, uint8_t, KEPT);
    return p;
}

/* ---- paths ----------------------------------------------------------------------------------- */

static bool draw_all(struct planar *, const struct edge *, int32_t count);

/* With the edge between its two darts, both in their place: whether the others can be drawn too. */
static bool draw_between(struct planar *p, const struct edge *e, int32_t count)
{
    int32_t a = e->tip[0].dart, b = e->tip[1].dart, one = part_of(p, a), two = part_of(p, b);
    if (one == two && !share_face(p, a, b))
        return false;
    tie(p, a, b);
    bool good = draw_all(p, e + 1, count - 1);
    p->part[two] = two;
    p->twin[a] = a;
    p->twin[b] = b;
    return good;
}

/* Tip t of the edge, at each corner that it may have; then the next, then the edge. */
static bool draw_from(struct planar *p, const struct edge *e, int32_t count, int t)
{
    if (t == 2)
        return draw_between(p, e, count);
    const struct corners *corners = e->tip[t].corners;
    if (!corners)
        return draw_from(p, e, count, t + 1);
    bool good = false;
    for (int32_t i = 0; i < corners->count && !good; i++) {
        int32_t dart = e->tip[t].dart, after = corners->after[i];
        put_after(p, dart, after);
        good = draw_from(p, e, count, t + 1);
        if (after >= 0)
            p->next[after] = p->next[dart];
    }
    return good;
}

/* Whether these edges can be drawn as well; after some tries, yes. */
static bool draw_all(struct planar *p, const struct edge *edges, int32_t count)
{
    return !count || p->tries++ >= TRIES || draw_from(p, edges, count, 0);
}

static void add_tip(struct edge *edge, int32_t dart, const struct corners *corners)
{
    assert(edge->tips < 2);
    edge->tip[edge->tips++] = (struct tip){dart, corners};
}

/* The plugs of a word, each at the node that it comes from: after the first dart there. */
static void add_plugs(struct planar *p, const struct planar_word *word, struct edge *edges)
{
    int32_t under[MAX_SIDE + 1] = {p->root}, depth = 0;
    for (int32_t i = 0; i < word->length; i++) {
        int code = word->codes[i];
        assert(depth >= 0 && depth < MAX_SIDE);
        if (code == PLANAR_OPENS) {
            under[++depth] = add_dart(p, add_node(p));
        } else if (code == PLANAR_CLOSES) {
            depth--;
        } else if (code < PLANAR_ENDED) {
            int32_t dart = add_dart(p, p->node[under[depth]]);
            put_after(p, dart, under[depth]);
            add_tip(&edges[code - PLANAR_PLUG], dart, NULL);
        }
    }
}

/* The ends below the line, but for those that a plug comes onto. */
static void add_ends(struct planar *p, const struct planar_word *word, struct edge *edges)
{
    const struct board *b = p->board;
    uint64_t ended = 0;
    for (int32_t i = 0; i < word->length; i++)
        if (word->codes[i] >= PLANAR_ENDED)
            ended |= UINT64_C(1) << (word->codes[i] - PLANAR_ENDED);
    for (int32_t path = 0; path < b->paths; path++)
        for (int e = 0; e < 2; e++) {
            int32_t row = b->ends[path][e] / b->width;
            const struct corners *corners = &p->corners[path][e];
            if (row > p->row || (row == p->row && !(ended >> path & 1)))
                add_tip(&edges[path], add_dart(p, corners->node), corners);
        }
}

/* How many places an edge may have; 0: it is not drawn, as it is done, or tells nothing. */
static int32_t places_of(const struct edge *e)
{
    int32_t places = e->tips == 2;
    for (int t = 0; t < e->tips; t++)
        places *= e->tip[t].corners ? e->tip[t].corners->count : 1;
    return places;
}

/* Whether there is a plane drawing. Edges with few places come first. */
static bool judge(struct planar *p, const struct planar_word *word)
{
    struct edge edges[MEET_COLOURS], sorted[MEET_COLOURS];
    int32_t darts = p->darts, nodes = p->nodes, first = p->next[p->root], count = 0;
    int32_t colours = p->board->paths;
    for (int32_t i = 0; i < word->length; i++)
        if (word->codes[i] < PLANAR_ENDED)
            colours = mw_max(colours, word->codes[i] - PLANAR_PLUG + 1);
    assert(colours <= MEET_COLOURS);
    memset(edges, 0, (size_t)colours * sizeof *edges);
    add_plugs(p, word, edges);
    add_ends(p, word, edges);
    for (int32_t places = 1; places <= SIDES * SIDES; places++)
        for (int32_t path = 0; path < colours; path++)
            if (places_of(&edges[path]) == places)
                sorted[count++] = edges[path];
    p->tries = 0;
    bool good = draw_all(p, sorted, count);
    mw_tick(p->run, 200 + (uint64_t)p->tries * (20 + (uint64_t)p->darts / 8));
    p->darts = darts;
    p->nodes = nodes;
    p->next[p->root] = first;
    return good;
}

/* ---- words ----------------------------------------------------------------------------------- */

static uint32_t hash_word(const struct planar_word *word)
{
    uint32_t h = word->length;
    for (int i = 0; i < word->length; i++)
        h = (h ^ word->codes[i]) * UINT32_C(0x01000193);
    return (h ^ h >> 15) & (KEPT - 1);
}

bool planar_can_end(struct planar *p, const struct planar_word *word)
{
    uint32_t at = hash_word(word);
    struct planar_word *kept = &p->kept[at];
    mw_tick(p->run, 2);
    bool known = p->answer[at] != NEVER && kept->length == word->length &&
                 !memcmp(kept->codes, word->codes, word->length);
    if (!known) {
        *kept = *word;
        p->answer[at] = judge(p, word) ? YES : NO;
    }
    return p->answer[at] == YES;
}
