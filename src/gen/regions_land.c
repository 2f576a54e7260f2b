/*
 * regions_land.c: countries on the land of a mask, which may lie in several pieces, with lakes, straits
 * and isthmuses.
 */
#include "regions_land.h"

enum { MOST_LEVELS = 12, ROOMY = 40, SNUG = 4, LLOYD = 5, ROUNDS = 60, TRIES = 1 << 18 };

/* ---- seeds ----------------------------------------------------------------------------------------------- */

/* Where a place lies: y << 16 | x. */
static uint32_t spot_of(const struct ground *g, int32_t place)
{
    if (!g->shift)
        return ((const struct graph *)g)->spot[place];
    const struct board *b = (const struct board *)g;
    int32_t at = place >> 1;
    return (uint32_t)(at / b->stride - 1) << 16 | (uint32_t)(at % b->stride - 1);
}

/*
 * Goes through each piece in bands as high as a country is wide, and gives every country a seed in the middle
 * of its stretch. Only for the pieces whose number is chosen, or all.
 */
static void lay_seeds(struct land *land, struct ground *g, const int32_t *piece_of, const bool *chosen,
                      int32_t *seed)
{
    char *mark = mw_mark(land->run);
    uint64_t *key = MW_NEW(land->run, uint64_t, g->count);
    int32_t *place = MW_NEW(land->run, int32_t, g->count), n = 0, band = 1;
    while ((int64_t)band * band * g->census->count < g->count)
        band++;
    uint32_t shift = mw_below(&land->rng, (uint32_t)band);
    for (int32_t i = 0; i < g->count; i++) {
        int32_t piece = piece_of[g->place[i] >> g->shift];
        if (chosen && !chosen[piece])
            continue;
        uint32_t spot = spot_of(g, g->place[i]), x = spot & 0xffff, y = (spot >> 16) + shift;
        uint64_t row = y / (uint32_t)band;
        key[n] = (uint64_t)piece << 40 | row << 26 | (uint64_t)(row & 1 ? 0x1fff - x : x) << 13 | (y & 0x1fff);
        place[n++] = g->place[i];
    }
    mw_sort(land->run, key, place, n);
    for (int32_t from = 0, to; from < n; from = to) {
        int32_t number = (int32_t)(key[from] >> 40);
        const struct piece *p = &land->piece[number];
        for (to = from; to < n && (int32_t)(key[to] >> 40) == number; to++)
            continue;
        int64_t before = 0;
        int32_t last = from - 1;
        for (int32_t s = 0; s < p->seats; s++) {
            int32_t k = land->order[p->first + s], least = last + 1, most = to - (p->seats - s);
            int64_t middle = from + (2 * before + land->low[k]) * (to - from) / (2 * (int64_t)p->cells);
            last = middle < least ? least : middle > most ? most : (int32_t)middle;
            seed[k] = place[last];
            before += land->low[k];
        }
    }
    mw_rewind(land->run, mark);
}

/* ---- levels ---------------------------------------------------------------------------------------------- */

/* Whether a graph has room for the countries of every piece. */
static bool roomy(const struct land *land, const struct graph *graph, const int32_t *piece_of)
{
    const struct ground *g = &graph->g;
    int64_t cells = 0;
    if (g->count < (int64_t)ROOMY * g->census->count)
        return false;
    char *mark = mw_mark(land->run);
    int32_t *nodes = MW_NEW0(land->run, int32_t, land->pieces);
    for (int32_t u = 0; u < g->count; u++)
        nodes[piece_of[u]]++;
    bool room = true;
    for (int32_t i = 0; i < land->pieces; i++) {
        const struct piece *p = &land->piece[i];
        cells = p->cells;
        room &= p->seats == 1 || nodes[i] >= SNUG * p->seats;
        for (int32_t s = 0; s < p->seats && p->seats > 1; s++)
            room &= (int64_t)land->low[land->order[p->first + s]] * nodes[i] >= SNUG * cells;
    }
    mw_rewind(land->run, mark);
    return room;
}

/* Quotas of a level: on coarse ones, with the slack of half a node each way. */
static void set_level(const struct land *land, struct ground *g, int level)
{
    struct census *c = g->census;
    int32_t slack = level ? (1 << 2 * level) / 2 : 0;
    for (int32_t k = 1; k <= c->count; k++) {
        c->low[k] = land->low[k] - slack > 1 ? land->low[k] - slack : 1;
        c->high[k] = land->high[k] + slack;
    }
}

static void weigh(const struct land *land, struct ground *g, int32_t factor)
{
    struct census *c = g->census;
    memcpy(c->low, land->low, ((size_t)c->count + 1) * sizeof *c->low);
    regions_weigh(c, factor);
}

static void all_countries(const struct land *land, struct ground *g, const int32_t *piece_of)
{
    char *mark = mw_mark(land->run);
    int32_t count = g->census->count, *seed = MW_NEW(land->run, int32_t, count + 1);
    int full = land->board->hex ? 6 : 4;
    lay_seeds((struct land *)land, g, piece_of, NULL, seed);
    for (int round = 0; round < LLOYD; round++) {
        if (round)
            regions_centre(g, full, seed);
        for (int32_t i = 0; i < g->count; i++)
            g->claim(g, g->place[i], 0);
        regions_grow(g, land->order, count, seed);
    }
    mw_rewind(land->run, mark);
}

static void work_graph(struct land *land, struct graph *graph, int level, int32_t sweeps)
{
    struct ground *g = &graph->g;
    regions_find_graph_rim(graph);
    weigh(land, g, 65536 >> level);
    g->sweep(g, &land->rng, land->wish->tension, (int64_t)sweeps * g->rims);
    set_level(land, g, level);
    regions_settle(g, &land->rng, land->wish->tension, 4);
}

/* Room for searches on the board, which comes after the graphs are gone. */
static void prepare_search(struct board *b)
{
    struct ground *g = &b->g;
    g->stamp = MW_NEW0(g->run, int32_t, g->indices);
    g->queue = MW_NEW(g->run, int32_t, g->count + 8);
    g->stamps = 0;
}

/* ---- exact sizes ------------------------------------------------------------------------------------------ */

static bool content(const struct census *c, int32_t k)
{
    return c->low[k] <= c->size[k] && c->size[k] <= c->high[k];
}

/* Tries everything on small pieces that are not as they should be; says so where there is no way. */
static void try_all(struct land *land)
{
    const struct ground *g = &land->board->g;
    const struct census *c = g->census;
    char *mark = mw_mark(land->run);
    int32_t *root = MW_NEW(land->run, int32_t, c->count + 1); /* a place of every country */
    for (int32_t i = 0; i < g->count; i++)
        root[regions_holder(g, g->place[i])] = g->place[i];
    for (int32_t i = 0; i < land->pieces; i++) {
        const struct piece *p = &land->piece[i];
        int32_t bad = 0;
        for (int32_t s = 0; s < p->seats && !bad; s++)
            bad = content(c, land->order[p->first + s]) ? 0 : land->order[p->first + s];
        if (bad && regions_try_all(land, p, root[bad], TRIES) == 0)
            mw_fail(land->run, MW_NO_RESULT, land->wish->sizes->count ? "/sizes" : "/count",
                    "a piece of land of %d cells cannot be divided among %d connected countries of %d to %d cells",
                    p->cells, p->seats, c->low[bad], c->high[bad]);
    }
    mw_rewind(land->run, mark);
}

static void make_exact(struct land *land)
{
    struct ground *g = &land->board->g;
    if (regions_settle(g, &land->rng, land->wish->tension, ROUNDS))
        return;
    land->board->rings = true;
    if (regions_settle(g, &land->rng, land->wish->tension, ROUNDS))
        return;
    bool free = land->wish->variation && !land->wish->sizes->count; /* any sizes will do */
    if (!free)
        try_all(land);
    if (regions_force(g, &land->rng) || free)
        return;
    mw_fail(land->run, MW_NO_RESULT, land->wish->sizes->count ? "/sizes" : "/count",
            "no division found: %lld cells off", (long long)regions_excess(g->census));
}

void regions_settle_land(struct board *b, const struct regions_wish *wish)
{
    struct mw_run *run = b->g.run;
    int32_t count = b->g.census->count;
    struct land land = {.run = run, .board = b, .wish = wish, .rng = mw_stream(run, "borders")};
    land.order = MW_NEW(run, int32_t, count);
    land.piece = MW_NEW(run, struct piece, count);
    land.low = MW_NEW0(run, int32_t, count + 1);
    land.high = MW_NEW0(run, int32_t, count + 1);
    struct graph graph[MOST_LEVELS];
    int32_t *piece_of[MOST_LEVELS];
    char *mark = mw_mark(run);
    regions_coarsen(run, &b->g, b->hex, &graph[1]);
    piece_of[1] = regions_find_pieces(&land, &graph[1]);
    regions_deal_seats(&land);
    memcpy(b->g.census->low, land.low, ((size_t)count + 1) * sizeof *land.low);
    int top = 1;
    if (!roomy(&land, &graph[1], piece_of[1]))
        top = 0;
    while (top && top + 1 < MOST_LEVELS) {
        regions_coarsen(run, &graph[top].g, b->hex, &graph[top + 1]);
        piece_of[top + 1] = MW_NEW(run, int32_t, graph[top + 1].g.count);
        for (int32_t u = 0; u < graph[top].g.count; u++)
            piece_of[top + 1][graph[top + 1].up[u]] = piece_of[top][u];
        if (!roomy(&land, &graph[top + 1], piece_of[top + 1]))
            break;
        top++;
    }
    if (!top) {
        int32_t *piece_of_cell = MW_NEW(run, int32_t, b->g.indices);
        for (int32_t i = 0; i < b->g.count; i++)
            piece_of_cell[b->g.place[i] >> 1] = piece_of[1][graph[1].up[b->g.place[i] >> 1]];
        prepare_search(b);
        all_countries(&land, &b->g, piece_of_cell);
    }
    for (int level = top; level > 0; level--) {
        if (level == top)
            all_countries(&land, &graph[level].g, piece_of[level]);
        work_graph(&land, &graph[level], level, level == top ? 10 : 2);
        regions_project(&graph[level], level > 1 ? &graph[level - 1].g : &b->g);
    }
    mw_rewind(run, mark);
    prepare_search(b);
    regions_find_rim(b);
    weigh(&land, &b->g, 65536);
    b->g.sweep(&b->g, &land.rng, wish->tension, 3 * (int64_t)b->g.rims);
    weigh(&land, &b->g, 4 * 65536);
    b->g.sweep(&b->g, &land.rng, wish->tension, b->g.rims);
    set_level(&land, &b->g, 0);
    make_exact(&land);
}
