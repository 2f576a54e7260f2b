/* check_spanning_tree.c: trees have all that can be reached, each beside its parent. */
#include "kit/spanning_tree.h"
#include "unit/unit.h"

enum { GRAPH_NODES = 24 };

struct drawing {
    bool joined[GRAPH_NODES][GRAPH_NODES];
    struct mw_rng rng;
    int32_t rank[GRAPH_NODES]; /* -1: in no tree */
};

/* About one pair in `rare` is joined. */
static struct drawing random_graph(uint64_t seed, uint32_t rare)
{
    struct drawing d = {.rng = unit_rng(seed)};
    memset(d.rank, -1, sizeof d.rank);
    for (int a = 0; a < GRAPH_NODES; a++)
        for (int b = 0; b < a; b++)
            d.joined[a][b] = d.joined[b][a] = mw_below(&d.rng, rare) == 0;
    return d;
}

/* By how many steps nodes can be reached from one, -1: they cannot be; how many can. */
static int count_reached(const struct drawing *d, int from, int steps[GRAPH_NODES])
{
    int queue[GRAPH_NODES], tail = 0;
    memset(steps, -1, GRAPH_NODES * sizeof *steps);
    steps[from] = 0;
    queue[tail++] = from;
    for (int head = 0; head < tail; head++)
        for (int i = 0; i < GRAPH_NODES; i++)
            if (d->joined[queue[head]][i] && steps[i] < 0) {
                steps[i] = steps[queue[head]] + 1;
                queue[tail++] = i;
            }
    return tail;
}

static int32_t draw_neighbour(void *drawing, int32_t node, int32_t rank)
{
    struct drawing *d = drawing;
    int32_t found = -1;
    uint32_t n = 0;
    for (int i = 0; i < GRAPH_NODES; i++)
        if (d->joined[node][i] && d->rank[i] < 0 && mw_below(&d->rng, ++n) == 0)
            found = i;
    if (found >= 0)
        d->rank[found] = rank;
    return found;
}

TEST(trees_span_what_can_be_reached, .end = 80)
{
    static const int growths[] = {MW_TREE_BREADTH, MW_TREE_ANY, MW_TREE_WALK / 2, MW_TREE_WALK};
    struct mw_run *run = unit_open();
    struct drawing d = random_graph((uint64_t)_i, 4 + (uint32_t)_i / 4);
    int growth = growths[_i % 4], steps[GRAPH_NODES];
    struct mw_spanning_tree t;
    mw_new_spanning_tree(run, &t, GRAPH_NODES);
    for (int root = 0; root < GRAPH_NODES; root++) { /* a tree for each piece */
        if (d.rank[root] >= 0)
            continue;
        int32_t first = d.rank[root] = t.count;
        mw_span(run, &t, &d.rng, root, growth, draw_neighbour, &d);
        ck_assert_int_eq(t.count - first, count_reached(&d, root, steps));
        ck_assert_int_eq(t.parent[first], -1);
        for (int32_t v = first + 1; v < t.count; v++) {
            int32_t up = t.node[t.parent[v]];
            ck_assert(first <= t.parent[v] && t.parent[v] < v);
            ck_assert(d.joined[t.node[v]][up] && d.rank[t.node[v]] == v);
            ck_assert(growth != MW_TREE_BREADTH || steps[t.node[v]] == steps[up] + 1);
        }
    }
    ck_assert_int_eq(t.count, GRAPH_NODES);
}

/* Where all are joined, a walk never goes back, and other growth does. */
TEST(walks_go_on_from_the_last)
{
    for (int growth = MW_TREE_ANY; growth <= MW_TREE_WALK; growth += MW_TREE_WALK) {
        struct mw_run *run = unit_open();
        struct drawing d = random_graph(3, 1);
        struct mw_spanning_tree t;
        int on = 0;
        d.rank[5] = 0;
        mw_new_spanning_tree(run, &t, GRAPH_NODES);
        mw_span(run, &t, &d.rng, 5, growth, draw_neighbour, &d);
        for (int32_t v = 1; v < t.count; v++)
            on += t.parent[v] == v - 1;
        ck_assert_int_eq(t.node[0], 5);
        ck_assert(growth ? on == GRAPH_NODES - 1 : on < GRAPH_NODES / 2);
    }
}
