/*
 * spanning_tree.h: random trees that span a connected graph.
 *
 * Input: a root, and a function that draws one of the neighbours of a node that are not in the tree
 * yet. Output: all nodes that can be reached, in the order in which the tree grew, each with the
 * rank of its parent in that order. A tree grows from one of its nodes at a time: from the last, as
 * a walk that goes back where it cannot go on; from any of them; or from the first, by breadth.
 *
 * Cost: two calls of that function for each node, and 12 bytes.
 */
#ifndef MAPWRIGHT_SPANNING_TREE_H
#define MAPWRIGHT_SPANNING_TREE_H

#include "lib/gen.h"

struct mw_spanning_tree {
    int32_t *node, *parent; /* by rank: a node, and its parent's rank, which is lower; -1: a root */
    int32_t count, room;    /* nodes in the tree, and most that there may be */
    int32_t *open;          /* ranks of nodes that may have neighbours outside the tree */
};

/* A neighbour of the node that is in no tree; from now on it is, by that rank; or -1. */
typedef int32_t mw_draw_neighbour(void *graph, int32_t node, int32_t rank);

/* How a tree grows: in so many of MW_TREE_WALK cases from the last node, else from any; or by
   breadth first. */
enum { MW_TREE_BREADTH = -1, MW_TREE_ANY = 0, MW_TREE_WALK = 8 };

/* No nodes yet. */
void mw_new_spanning_tree(struct mw_run *, struct mw_spanning_tree *, int32_t room);
/* Adds a tree to those that are there; the caller has noted the root as the node of rank count. */
void mw_span(struct mw_run *, struct mw_spanning_tree *, struct mw_rng *, int32_t root, int growth,
             mw_draw_neighbour *, void *graph);

#endif
