/*
 * graph.c: blocks of land, for maps with water.
 *
 * On a map without water four cells make a coarse one, and all is as before. A coast spoils
 * that: a square may hold two shores of a strait. So the coarse ground is a graph. A node is a
 * connected part of the land within a square; squares of a level are made of four of the level
 * below, and nodes of whole nodes:
 *
 *     # # . .        two nodes, though one square: the strait parts them. They may go to
 *     # . . #        different countries, and a country that has both needs a way round.
 *     . . # #
 *     . . # #
 *
 * What hangs together in nodes does so in cells, on every level, whatever the mask: that is all
 * that is asked of a coarse ground.
 */
#include "kit/dsf.h"
#include "regions.h"

enum { NEAR = 40, MOST_FACES = 16 };

/* ---- moves ----------------------------------------------------------------------------------- */

static int32_t beside_node(const struct ground *g, int32_t u, int i)
{
    const struct graph *graph = (const struct graph *)g;
    int32_t at = graph->first[u] + i;
    return at < graph->first[u + 1] ? graph->link[at] : -1;
}

static void assign_node(struct ground *g, int32_t u, uint16_t country) { g->label[u] = country; }

static int faces_of_node(const struct ground *g, int32_t u, uint16_t *face)
{
    int n = 0;
    for (int i = 0, v; (v = beside_node(g, u, i)) >= 0 && n < MOST_FACES; i++) {
        face[n] = g->label[v];
        bool known = face[n] == g->label[u];
        for (int j = 0; j < n; j++)
            known |= face[j] == face[n];
        n += !known;
    }
    return n;
}

static int gain_of_node(struct ground *g, int32_t u, uint16_t to, int least)
{
    int won = 0, lost = 0;
    for (int i = 0, v; (v = beside_node(g, u, i)) >= 0; i++) {
        won += g->label[v] == to;
        lost += g->label[v] == g->label[u];
    }
    return !won || won - lost < least || regions_is_cut_vertex(g, u) ? REGIONS_NEVER : won - lost;
}

static void list_node(struct ground *g, int32_t u)
{
    if (g->flag[u] & REGIONS_LISTED)
        return;
    assert(g->boundary_count < g->count);
    g->flag[u] |= REGIONS_LISTED;
    g->boundary[g->boundary_count++] = u;
}

static void move_node(struct ground *g, int32_t u, uint16_t to)
{
    assert(to && g->label[u] != to && g->balance->size[g->label[u]] > g->weight[u]);
    regions_resize(g->balance, g->label[u], -g->weight[u]);
    regions_resize(g->balance, to, g->weight[u]);
    g->label[u] = to;
    list_node(g, u);
    for (int i = 0, v; (v = beside_node(g, u, i)) >= 0; i++)
        if (g->label[v] != to)
            list_node(g, v);
}

/* Some country beside a node that is not its own, each side as likely; 0 when there is none. */
static uint16_t someone_beside(const struct ground *g, int32_t u, uint32_t random)
{
    uint32_t others = 0;
    for (int i = 0, v; (v = beside_node(g, u, i)) >= 0; i++)
        others += g->label[v] != g->label[u];
    if (!others)
        return 0;
    uint32_t nth = (uint32_t)((uint64_t)random * others >> 32);
    for (int i = 0;; i++) {
        uint16_t other = g->label[beside_node(g, u, i)];
        if (other != g->label[u] && !nth--)
            return other;
    }
}

static void sweep_nodes(struct ground *g, struct mw_rng *rng, int32_t tension, int64_t steps)
{
    uint32_t chances[REGIONS_CHANCES];
    regions_fill_chances(chances);
    int32_t i = 0;
    for (int64_t step = 0; step < steps && g->boundary_count; step++) {
        mw_tick(g->run, 1);
        uint64_t random = mw_next(rng);
        i = i < g->boundary_count ? i : 0;
        int32_t u = g->boundary[i];
        uint16_t to = someone_beside(g, u, (uint32_t)random);
        if (!to) {
            g->flag[u] &= (uint8_t)~REGIONS_LISTED;
            g->boundary[i] = g->boundary[--g->boundary_count];
            continue;
        }
        i++;
        int64_t pressure = g->balance->pressure[to] - g->balance->pressure[g->label[u]];
        int least = -6; /* the least gain that chance lets pass, to spare searches */
        while (least < 6 && !regions_accept(chances, (int64_t)tension * -least, pressure,
                                            (uint32_t)(random >> 32)))
            least++;
        if (gain_of_node(g, u, to, least) != REGIONS_NEVER)
            move_node(g, u, to);
    }
}

void regions_find_graph_boundary(struct graph *graph)
{
    struct ground *g = &graph->g;
    g->boundary_count = 0;
    for (int32_t u = 0; u < g->count; u++) {
        g->flag[u] = 0;
        for (int i = 0, v; (v = beside_node(g, u, i)) >= 0 && !g->flag[u]; i++)
            if (g->label[v] != g->label[u])
                list_node(g, u);
    }
    mw_tick(g->run, (uint64_t)g->count);
}

void regions_project(const struct graph *graph, struct ground *below)
{
    for (int32_t i = 0; i < below->count; i++) {
        int32_t place = below->place[i];
        assert(graph->g.label[graph->up[place >> below->shift]]); /* no land is nobody's */
        below->assign(below, place, graph->g.label[graph->up[place >> below->shift]]);
    }
    mw_tick(below->run, (uint64_t)below->count);
}

/* ---- making one ------------------------------------------------------------------------------ */

/*
 * The square above that of a place: y << 16 | x. On hexagons squares of odd rows are shoved by
 * one cell, which makes them hexagons of a coarser grid of the same kind; else directions would
 * be skewed.
 */
static uint32_t square_above(const struct ground *g, int32_t place, bool hex)
{
    uint32_t x, y;
    if (g->shift) {
        const struct board *b = (const struct board *)g;
        uint32_t at = (uint32_t)place >> 1, row = at / (uint32_t)b->stride;
        x = at - row * (uint32_t)b->stride - 1;
        y = row - 1;
    } else {
        x = ((const struct graph *)g)->spot[place] & 0xffff;
        y = ((const struct graph *)g)->spot[place] >> 16;
    }
    if (hex)
        x += 2 - (y >> 1 & 1);
    return y >> 1 << 16 | x >> 1;
}

/* Joins neighbours in one square; how many sides lead from square to square. */
static int32_t join_squares(const struct ground *below, const uint32_t *square, int32_t *up)
{
    int32_t crossings = 0;
    int32_t half =
        below->shift ? below->most_faces / 2 : INT32_MAX; /* of cells, half the sides do */
    for (int32_t i = 0; i < below->count; i++) {
        int32_t place = below->place[i], here = place >> below->shift;
        for (int s = 0, p; s < half && (p = below->beside(below, place, s)) >= 0; s++) {
            int32_t there = p >> below->shift;
            if (square[here] != square[there])
                crossings += 2;
            else
                mw_dsf_join(up, here, there);
        }
    }
    mw_tick(below->run, (uint64_t)below->count);
    return below->shift ? crossings : crossings / 2;
}

/* Numbers the sets in order of their first member; from then on up[] says the number. A parent
   is never greater than its child, so one pass will do. */
static int32_t number_sets(const struct ground *below, int32_t *up)
{
    int32_t n = 0;
    for (int32_t i = 0; i < below->count; i++) {
        int32_t here = below->place[i] >> below->shift;
        up[here] = up[here] == here ? n++ : up[up[here]];
    }
    return n;
}

/* Deals the places below out to their nodes: member[start[u]] .. member[start[u + 1] - 1]. */
static void deal_members(const struct ground *below, const int32_t *up, int32_t nodes,
                         int32_t *start, int32_t *member)
{
    memset(start, 0, ((size_t)nodes + 2) * sizeof *start);
    for (int32_t i = 0; i < below->count; i++)
        start[up[below->place[i] >> below->shift] + 2]++;
    for (int32_t u = 1; u <= nodes; u++)
        start[u + 1] += start[u];
    for (int32_t i = 0; i < below->count; i++)
        member[start[up[below->place[i] >> below->shift] + 1]++] = below->place[i];
}

static void link_nodes(const struct ground *below, struct graph *graph, const int32_t *start,
                       const int32_t *member)
{
    int32_t n = 0, nodes = graph->g.count, *seen = graph->g.stamp;
    for (int32_t u = 0; u < nodes; u++) {
        graph->first[u] = n;
        for (int32_t m = start[u]; m < start[u + 1]; m++)
            for (int s = 0, p; (p = below->beside(below, member[m], s)) >= 0; s++) {
                int32_t v = graph->up[p >> below->shift];
                if (v == u || seen[v] == u + 1)
                    continue;
                seen[v] = u + 1;
                graph->link[n++] = v;
            }
    }
    graph->first[nodes] = n;
    memset(seen, 0, (size_t)nodes * sizeof *seen);
    mw_tick(below->run, (uint64_t)below->count);
}

static void new_ground(struct graph *graph, struct mw_run *run, const struct ground *below,
                       int32_t nodes)
{
    graph->g = (struct ground){.run = run,
                               .balance = below->balance,
                               .indices = nodes,
                               .count = nodes,
                               .reach = NEAR,
                               .beside = beside_node,
                               .most_faces = MOST_FACES,
                               .faces = faces_of_node,
                               .assign = assign_node,
                               .gain = gain_of_node,
                               .move = move_node,
                               .sweep = sweep_nodes};
    graph->g.label = MW_NEW(run, uint16_t, nodes);
    graph->g.flag = MW_NEW(run, uint8_t, nodes);
    graph->g.boundary = MW_NEW(run, int32_t, nodes);
    graph->g.place = MW_NEW(run, int32_t, nodes);
    graph->g.stamp = MW_NEW0(run, int32_t, nodes);
    graph->g.queue = MW_NEW(run, int32_t, nodes + 8);
    graph->g.weight = MW_NEW0(run, int32_t, nodes);
    for (int32_t u = 0; u < nodes; u++)
        graph->g.place[u] = u;
    graph->spot = MW_NEW(run, uint32_t, nodes);
    graph->first = MW_NEW(run, int32_t, nodes + 1);
}

void regions_coarsen(struct mw_run *run, struct ground *below, bool hex, struct graph *graph)
{
    int32_t *up = MW_NEW(run, int32_t, below->indices);
    char *mark = mw_mark(run);
    uint32_t *square = MW_NEW(run, uint32_t, below->indices);
    for (int32_t i = 0; i < below->count; i++) {
        int32_t place = below->place[i];
        square[place >> below->shift] = square_above(below, place, hex);
        up[place >> below->shift] = place >> below->shift;
    }
    int32_t crossings = join_squares(below, square, up), nodes = number_sets(below, up);
    mw_rewind(run, mark);
    new_ground(graph, run, below, nodes);
    graph->up = up;
    graph->link = MW_NEW(run, int32_t, crossings);
    for (int32_t i = 0; i < below->count; i++) {
        int32_t place = below->place[i], u = up[place >> below->shift];
        if (!graph->g.weight[u])
            graph->spot[u] = square_above(below, place, hex);
        graph->g.weight[u] += regions_weight(below, place);
    }
    mark = mw_mark(run);
    int32_t *start = MW_NEW(run, int32_t, nodes + 2), *member = MW_NEW(run, int32_t, below->count);
    deal_members(below, up, nodes, start, member);
    link_nodes(below, graph, start, member);
    assert(graph->first[nodes] <= crossings);
    mw_rewind(run, mark);
}
