/* spanning_tree.c: random trees that span a connected graph. */
#include "spanning_tree.h"

void mw_new_spanning_tree(struct mw_run *run, struct mw_spanning_tree *t, int32_t room)
{
    assert(room >= 0);
    *t = (struct mw_spanning_tree){.room = room};
    t->node = MW_NEW(run, int32_t, room);
    t->parent = MW_NEW(run, int32_t, room);
    t->open = MW_NEW(run, int32_t, room);
}

static int32_t add_node(struct mw_spanning_tree *t, int32_t node, int32_t parent)
{
    assert(t->count < t->room && parent < t->count);
    t->node[t->count] = node;
    t->parent[t->count] = parent;
    return t->count++;
}

/* Which of the nodes open[first] to open[end - 1] the tree grows from. */
static int32_t choose(struct mw_rng *rng, int growth, int32_t first, int32_t end)
{
    if (growth == MW_TREE_BREADTH)
        return first;
    bool last = growth == MW_TREE_WALK ||
                (growth > MW_TREE_ANY && mw_below(rng, MW_TREE_WALK) < (uint32_t)growth);
    return last ? end - 1 : (int32_t)mw_below(rng, (uint32_t)end);
}

void mw_span(struct mw_run *run, struct mw_spanning_tree *t, struct mw_rng *rng, int32_t root,
             int growth, mw_draw_neighbour *draw, void *graph)
{
    assert(MW_TREE_BREADTH <= growth && growth <= MW_TREE_WALK);
    int32_t first = 0, end = 0, before = t->count;
    t->open[end++] = add_node(t, root, -1);
    while (first < end) {
        int32_t i = choose(rng, growth, first, end), rank = t->open[i];
        int32_t node = draw(graph, t->node[rank], t->count);
        if (node >= 0)
            t->open[end++] = add_node(t, node, rank);
        else if (growth == MW_TREE_BREADTH)
            first++;
        else
            t->open[i] = t->open[--end];
    }
    mw_tick(run, (uint64_t)(t->count - before) * 2);
}
