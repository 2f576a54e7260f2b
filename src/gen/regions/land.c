/*
 * land.c: countries on the land of a mask, which may lie in several pieces, with lakes,
 * straits and isthmuses.
 *
 *   1. The land becomes a graph of blocks, 2 x 2 cells, then 4 x 4, and so on, as long as
 *      every country still has some forty (graph.c). The pieces of land come with it,
 *      and who is to live on each (quota.c).
 *   2. On the coarsest graph countries grow from seeds.
 *   3. Level by level down to the cells: sweeps roughen the borders and even out the sizes,
 *      chains of moves put right what is left, within the grain of the level (settle.c).
 *      Countries that came out slender are cut anew (compact.c), so also at the end.
 *   4. On the cells sizes are made exact: by chains; by chains that may close a ring round a
 *      neighbour; by trees that span a piece (tree.c). Where sizes vary anyhow, those that came
 *      out will do, so that such a request never fails here.
 *
 * To divide land exactly is hard in the strict sense (it is NP-complete, even for two countries
 * on a grid with holes), so the last step is bounded, and gives up with a reason. It takes land
 * that is mostly corridors one cell wide to see that.
 */
#include "kit/heap.h"
#include "kit/integer.h"
#include "regions.h"

enum { MOST_LEVELS = 12, ROOMY = 40, SNUG = 4, LLOYD = 5, ROUNDS = 60 };
/* Of the last resort, on all pieces and on one. */
enum { TREE_STEPS = 1 << 26, PIECE_STEPS = 1 << 24 };

struct land {
    struct mw_run *run;
    struct board *board;
    struct quota *quota;
    int32_t tension;
    struct mw_rng rng;
};

/* ---- pieces ---------------------------------------------------------------------------------- */

/* The parameter to blame. */
static const char *pointer(const struct land *land)
{
    return land->quota->sizes.count ? "/sizes" : "/count";
}

/* Numbers the pieces that the nodes of a graph hang together in, in graph->piece, and notes their
   cells. */
static void find_pieces(struct land *land, struct graph *graph)
{
    struct ground *g = &graph->g;
    struct quota *q = land->quota;
    int32_t *piece_of = graph->piece = MW_NEW(land->run, int32_t, g->count);
    q->pieces = 0;
    for (int32_t u = 0; u < g->count; u++)
        piece_of[u] = -1;
    for (int32_t u = 0; u < g->count; u++) {
        if (piece_of[u] >= 0)
            continue;
        int32_t head = 0, tail = 0, cells = 0;
        piece_of[u] = q->pieces;
        g->queue[tail++] = u;
        while (head < tail) {
            int32_t v = g->queue[head++];
            cells += g->weight[v];
            for (int i = 0, w; (w = g->beside(g, v, i)) >= 0; i++)
                if (piece_of[w] < 0) {
                    piece_of[w] = q->pieces;
                    g->queue[tail++] = w;
                }
        }
        g->boundary[q->pieces++] = cells; /* no boundary yet: room for them */
    }
    mw_tick(land->run, (uint64_t)g->count * 2);
    if (q->pieces > q->count)
        mw_fail(
            land->run, MW_NO_RESULT, pointer(land),
            "%d countries are too few for land in %d separate pieces: each needs one of its own",
            q->count, q->pieces);
    for (int32_t i = 0; i < q->pieces; i++)
        q->piece[i] = (struct piece){.cells = g->boundary[i]};
}

/* ---- growth ---------------------------------------------------------------------------------- */

/*
 * The country that is least full, by its own measure, takes the next free place beside its own,
 * the longest known first: so all fill up at the same pace, in rounds. Then every seed moves to
 * the innermost place of its country, and they grow again (as in Lloyd's method for even cells):
 * a few such rounds pull seeds apart that began too close. A country that is walled in stays
 * small, and its neighbours get more than their share: what is left to even out is the matter of
 * sweeps and chains.
 */
struct growth {
    struct ground *g;
    int32_t *head, *tail; /* by country: the line of places with free ones beside them */
    int32_t *side;        /* of its first place: the next to look across */
    int32_t *next;        /* by index: the place after it in its country's line; -1 */
    struct mw_heap heap;  /* countries that can grow, the least full on top */
};

/* Whether country a is less full than b. */
static bool is_emptier(const void *balance, int32_t a, int32_t b)
{
    const struct balance *c = balance;
    int64_t p = (int64_t)c->size[a] * c->low[b], q = (int64_t)c->size[b] * c->low[a];
    return p < q || (p == q && a < b);
}

static void take(struct growth *w, int32_t country, int32_t place)
{
    struct ground *g = w->g;
    assert(regions_country(g, place) == 0);
    g->assign(g, place, (uint16_t)country);
    regions_resize(g->balance, country, regions_weight(g, place));
    w->next[place >> g->shift] = -1;
    if (w->head[country] < 0)
        w->head[country] = place;
    else
        w->next[w->tail[country] >> g->shift] = place;
    w->tail[country] = place;
}

/* Takes one more place; false when there is none. */
static bool grow_one(struct growth *w, int32_t country)
{
    const struct ground *g = w->g;
    for (int32_t place; (place = w->head[country]) >= 0;
         w->head[country] = w->next[place >> g->shift]) {
        for (int32_t p; (p = g->beside(g, place, w->side[country])) >= 0; w->side[country]++)
            if (regions_country(g, p) == 0) {
                take(w, country, p);
                return true;
            }
        w->side[country] = 0;
    }
    return false;
}

/* Grows n countries from their seeds over all free land that they can reach. Sets sizes. */
static void grow(struct ground *g, const int32_t *countries, int32_t n, const int32_t *seed)
{
    char *mark = mw_mark(g->run);
    struct growth w = {.g = g};
    w.head = MW_NEW(g->run, int32_t, g->balance->count + 1);
    w.tail = MW_NEW(g->run, int32_t, g->balance->count + 1);
    w.side = MW_NEW(g->run, int32_t, g->balance->count + 1);
    w.next = MW_NEW(g->run, int32_t, g->indices);
    w.heap = (struct mw_heap){.at = MW_NEW(g->run, int32_t, n)};
    for (int32_t i = 0; i < n; i++) {
        int32_t k = countries[i];
        g->balance->size[k] = w.side[k] = 0;
        w.head[k] = -1;
        take(&w, k, seed[k]);
        w.heap.at[w.heap.count++] = k;
    }
    mw_heap_build(&w.heap, is_emptier, g->balance);
    while (w.heap.count) {
        mw_tick(g->run, 8);
        if (grow_one(&w, w.heap.at[0]))
            mw_heap_sift_down(&w.heap, 0, is_emptier, g->balance);
        else
            mw_heap_pop(&w.heap, is_emptier, g->balance);
    }
    mw_rewind(g->run, mark);
}

/* Whether a place lies at the border of its country, or at a coast. */
static bool at_border(const struct ground *g, int32_t place, int full)
{
    int sides = 0;
    for (int32_t p; (p = g->beside(g, place, sides)) >= 0; sides++)
        if (p == place || regions_country(g, p) != regions_country(g, place))
            return true;
    return sides < full;
}

/* Moves every seed to the innermost place of its country; `full`: the sides of a place inland. */
static void centre(struct ground *g, int full, int32_t *seed)
{
    int32_t seen = regions_fresh_stamp(g), head = 0, tail = 0;
    for (int32_t i = 0; i < g->count; i++)
        if (at_border(g, g->place[i], full)) {
            g->stamp[g->place[i] >> g->shift] = seen;
            g->queue[tail++] = g->place[i];
        }
    while (head < tail) { /* inwards; who comes last lies deepest */
        int32_t place = g->queue[head++];
        seed[regions_country(g, place)] = place;
        for (int32_t i = 0, p; (p = g->beside(g, place, i)) >= 0; i++)
            if (g->stamp[p >> g->shift] != seen) {
                g->stamp[p >> g->shift] = seen;
                g->queue[tail++] = p;
            }
    }
    assert(tail <= g->count);
    mw_tick(g->run, (uint64_t)g->count * 2);
}

/* ---- seeds ----------------------------------------------------------------------------------- */

/* Where a place lies: y << 16 | x. */
static uint32_t spot_of(const struct ground *g, int32_t place)
{
    if (!g->shift)
        return ((const struct graph *)g)->spot[place];
    const struct board *b = (const struct board *)g;
    int32_t at = place >> 1;
    return (uint32_t)(at / b->stride - 1) << 16 | (uint32_t)(at % b->stride - 1);
}

/* Gives every country of a piece a seed in the middle of its share of n places, each another. */
static void seed_piece(const struct land *land, const struct piece *p, const int32_t *place,
                       int32_t n, int32_t *seed)
{
    int64_t before = 0;
    int32_t last = -1;
    for (int32_t s = 0; s < p->seats; s++) {
        int32_t k = land->quota->order[p->first + s], least = last + 1, most = n - (p->seats - s);
        int64_t middle = (2 * before + land->quota->low[k]) * n / (2 * (int64_t)p->cells);
        last = mw_clamp((int32_t)middle, least, most);
        assert(last < n);
        seed[k] = place[last];
        before += land->quota->low[k];
    }
}

/* Goes through each piece in bands as high as a country is wide, to and fro, and deals out
   seeds by the way. */
static void lay_seeds(struct land *land, struct ground *g, const int32_t *piece_of, int32_t *seed)
{
    char *mark = mw_mark(land->run);
    uint64_t *key = MW_NEW(land->run, uint64_t, g->count);
    int32_t *place = MW_NEW(land->run, int32_t, g->count), n = 0, band = 1;
    while ((int64_t)band * band * g->balance->count < g->count)
        band++;
    uint32_t shift = mw_below(&land->rng, (uint32_t)band);
    for (int32_t i = 0; i < g->count; i++) {
        int32_t piece = piece_of[g->place[i] >> g->shift];
        uint32_t spot = spot_of(g, g->place[i]), x = spot & 0xffff, y = (spot >> 16) + shift;
        uint64_t row = y / (uint32_t)band;
        key[n] = (uint64_t)piece << 40 | row << 26 | (uint64_t)(row & 1 ? 0x1fff - x : x) << 13 |
                 (y & 0x1fff);
        place[n++] = g->place[i];
    }
    mw_sort(land->run, key, place, n);
    for (int32_t from = 0, to = 0; from < n; from = to) {
        int32_t number = (int32_t)(key[from] >> 40);
        while (to < n && (int32_t)(key[to] >> 40) == number)
            to++;
        seed_piece(land, &land->quota->piece[number], place + from, to - from, seed);
    }
    mw_rewind(land->run, mark);
}

/* ---- levels ---------------------------------------------------------------------------------- */

/* Whether a graph has room for the countries of every piece. */
static bool roomy(const struct land *land, const struct graph *graph)
{
    const struct ground *g = &graph->g;
    if (g->count < (int64_t)ROOMY * g->balance->count)
        return false;
    char *mark = mw_mark(land->run);
    int32_t *nodes = MW_NEW0(land->run, int32_t, land->quota->pieces);
    for (int32_t u = 0; u < g->count; u++)
        nodes[graph->piece[u]]++;
    bool room = true;
    for (int32_t i = 0; i < land->quota->pieces; i++) {
        const struct piece *p = &land->quota->piece[i];
        for (int32_t s = 0; s < p->seats && p->seats > 1; s++)
            room &= (int64_t)land->quota->low[land->quota->order[p->first + s]] * nodes[i] >=
                    SNUG * (int64_t)p->cells;
        room &= p->seats == 1 || nodes[i] >= SNUG * p->seats;
    }
    mw_rewind(land->run, mark);
    return room;
}

/* Builds graph[1], and more as long as they are roomy; the coarsest that is, or 0. */
static int build_graphs(struct land *land, struct graph *graph)
{
    struct board *b = land->board;
    regions_coarsen(land->run, &b->g, b->hex, &graph[1]);
    find_pieces(land, &graph[1]);
    regions_deal_seats(land->run, land->quota, &land->rng);
    regions_set_quotas(land->run, land->quota);
    int top = 0;
    while (roomy(land, &graph[top + 1]) && ++top < MOST_LEVELS - 1) {
        struct graph *below = &graph[top], *above = &graph[top + 1];
        regions_coarsen(land->run, &below->g, b->hex, above);
        above->piece = MW_NEW(land->run, int32_t, above->g.count);
        for (int32_t u = 0; u < below->g.count; u++)
            above->piece[above->up[u]] = below->piece[u];
    }
    return top;
}

static void grow_countries(struct land *land, struct ground *g, const int32_t *piece_of)
{
    char *mark = mw_mark(land->run);
    struct balance *c = g->balance;
    int32_t *seed = MW_NEW(land->run, int32_t, c->count + 1);
    memcpy(c->low, land->quota->low, ((size_t)c->count + 1) * sizeof *c->low);
    lay_seeds(land, g, piece_of, seed);
    for (int round = 0; round < LLOYD; round++) {
        if (round)
            centre(g, land->board->hex ? 6 : 4, seed);
        for (int32_t i = 0; i < g->count; i++)
            g->assign(g, g->place[i], 0);
        grow(g, land->quota->order, c->count, seed);
    }
    mw_rewind(land->run, mark);
}

/* Sweeps, with pressures that see what countries are to have in the end. */
static void sweep(struct land *land, struct ground *g, int32_t factor, int64_t sweeps)
{
    struct balance *c = g->balance;
    memcpy(c->low, land->quota->low, ((size_t)c->count + 1) * sizeof *c->low);
    regions_weigh(c, factor);
    g->sweep(g, &land->rng, land->tension, sweeps * g->boundary_count);
}

/* What will do on a level: on coarse ones, half a block too many or too few. */
static void set_slack(const struct land *land, struct balance *c, int level)
{
    int32_t slack = level ? (1 << 2 * level) / 2 : 0;
    for (int32_t k = 1; k <= c->count; k++) {
        c->low[k] = mw_max(land->quota->low[k] - slack, 1);
        c->high[k] = land->quota->high[k] + slack;
    }
}

/* Works a level, and hands it down. */
static void work_graph(struct land *land, struct graph *graph, int level, bool top,
                       struct ground *below)
{
    enum { FINE = 512, FIRST_SWEEPS = 10, SWEEPS = 2, FIRST_ROUNDS = 10, ROUNDS_BELOW = 4 };
    struct ground *g = &graph->g;
    regions_find_graph_boundary(graph);
    sweep(land, g, 65536 >> level, top ? FIRST_SWEEPS : SWEEPS);
    if (g->count < FINE * (int64_t)g->balance->count)
        regions_compact(g, land->board->hex ? 6 : 4);
    set_slack(land, g->balance, level);
    regions_settle(g, &land->rng, land->tension, top ? FIRST_ROUNDS : ROUNDS_BELOW);
    regions_project(graph, below);
}

/* Room for searches on the board, which comes after the graphs are gone. */
static void prepare_search(struct ground *g)
{
    g->stamp = MW_NEW0(g->run, int32_t, g->indices);
    g->queue = MW_NEW(g->run, int32_t, g->count + 8);
    g->stamps = 0;
}

/* For countries so small that no graph has room for them. */
static void grow_on_cells(struct land *land, const struct graph *graph)
{
    struct ground *g = &land->board->g;
    int32_t *piece_of = MW_NEW(land->run, int32_t, g->indices);
    for (int32_t i = 0; i < g->count; i++)
        piece_of[g->place[i] >> 1] = graph->piece[graph->up[g->place[i] >> 1]];
    prepare_search(g);
    grow_countries(land, g, piece_of);
}

/* ---- exact sizes ----------------------------------------------------------------------------- */

static bool is_in_range(const struct balance *c, int32_t k)
{
    return c->low[k] <= c->size[k] && c->size[k] <= c->high[k];
}

/* Divides pieces anew that are not as they should be; false when one cannot be, or `all` of them
   have been tried. */
static bool divide_anew(struct land *land, bool all)
{
    const struct ground *g = &land->board->g;
    const struct balance *c = g->balance;
    char *mark = mw_mark(land->run);
    uint64_t end = mw_steps(land->run) + TREE_STEPS;
    int32_t *root = MW_NEW(land->run, int32_t, c->count + 1); /* a place of every country */
    for (int32_t i = 0; i < g->count; i++)
        root[regions_country(g, g->place[i])] = g->place[i];
    bool good = true;
    for (int32_t i = 0; i < land->quota->pieces && (good || all) && mw_steps(land->run) < end;
         i++) {
        const struct piece *p = &land->quota->piece[i];
        const int32_t *country = land->quota->order + p->first;
        int32_t s = 0;
        while (s < p->seats && is_in_range(c, country[s]))
            s++;
        if (s < p->seats)
            good &= regions_cut_trees(land->board, land->quota, p, &land->rng, root[country[s]],
                                      PIECE_STEPS);
    }
    mw_rewind(land->run, mark);
    return good && !regions_excess(c);
}

static void make_exact(struct land *land)
{
    struct ground *g = &land->board->g;
    if (regions_settle(g, &land->rng, land->tension, ROUNDS))
        return;
    land->board->rings = true;
    if (regions_settle(g, &land->rng, land->tension, ROUNDS))
        return;
    bool any_sizes = land->quota->variation && !land->quota->sizes.count;
    if (divide_anew(land, any_sizes) || any_sizes)
        return;
    mw_fail(land->run, MW_NO_RESULT, pointer(land),
            "found no way to divide this land among %d connected countries of these exact sizes: "
            "the nearest is %lld cells off; %s",
            g->balance->count, (long long)regions_excess(g->balance),
            land->quota->sizes.count ? "other sizes may do, and a count of countries does where "
                                       "they may differ, by a variation above 0"
                                     : "a variation above 0 leaves more room");
}

void regions_divide_land(struct board *b, struct quota *quota, int32_t tension)
{
    enum { SWEEPS = 3 };
    struct mw_run *run = b->g.run;
    struct land land = {run, b, quota, tension, mw_stream(run, "borders")};
    quota->order = MW_NEW(run, int32_t, quota->count);
    quota->piece = MW_NEW(run, struct piece, quota->count);
    char *mark = mw_mark(run);
    struct graph graph[MOST_LEVELS];
    int top = build_graphs(&land, graph);
    assert(0 <= top && top < MOST_LEVELS);
    if (top)
        grow_countries(&land, &graph[top].g, graph[top].piece);
    else
        grow_on_cells(&land, &graph[1]);
    for (int level = top; level > 0; level--)
        work_graph(&land, &graph[level], level, level == top,
                   level > 1 ? &graph[level - 1].g : &b->g);
    mw_rewind(run, mark);
    prepare_search(&b->g);
    regions_find_boundary(b);
    sweep(&land, &b->g, 65536, SWEEPS);
    sweep(&land, &b->g, 4 * 65536, 1);
    set_slack(&land, b->g.balance, 0);
    make_exact(&land);
    regions_compact(&b->g, b->hex ? 6 : 4);
}
