/* random_graph.h: small random graphs, by a table of who lies beside whom. */
#ifndef MAPWRIGHT_UNIT_RANDOM_GRAPH_H
#define MAPWRIGHT_UNIT_RANDOM_GRAPH_H

#include "unit/unit.h"

enum { GRAPH_NODES = 24 };

struct random_graph {
    bool joined[GRAPH_NODES][GRAPH_NODES];
};

/* About one pair in `rare` is joined. */
static inline struct random_graph random_graph(struct mw_rng *rng, uint32_t rare)
{
    struct random_graph g = {.joined = {{false}}};
    for (int a = 0; a < GRAPH_NODES; a++)
        for (int b = 0; b < a; b++)
            g.joined[a][b] = g.joined[b][a] = mw_below(rng, rare) == 0;
    return g;
}

/* Marks what can be reached from a node without another (-1: with all), and by how many steps; how
   many nodes. */
static inline int random_graph_reach(const struct random_graph *g, int from, int without,
                                     int steps[GRAPH_NODES])
{
    int queue[GRAPH_NODES], tail = 0;
    for (int i = 0; i < GRAPH_NODES; i++)
        steps[i] = -1;
    steps[from] = 0;
    queue[tail++] = from;
    for (int head = 0; head < tail; head++)
        for (int i = 0; i < GRAPH_NODES; i++)
            if (g->joined[queue[head]][i] && i != without && steps[i] < 0) {
                steps[i] = steps[queue[head]] + 1;
                queue[tail++] = i;
            }
    return tail;
}

#endif
