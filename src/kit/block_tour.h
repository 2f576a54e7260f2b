/*
 * block_tour.h: a tour of all cells of a rectangle, along a tree of its blocks.
 *
 *      o---o   o---o       Blocks of 2 x 2 cells are joined to a tree, and the tour walks round the
 *      | o-|---|-o |       tree with one hand on it (a Hamiltonian cycle, if there is no odd row or
 *      | | o---o | |       column). An odd row or column is taken in by detours from the sides of
 *      o-o       o-o       the last blocks; where both are odd, the last corner comes first.
 *
 * Input: the sides of a map, and a tree that spans its blocks, (width / 2) x (height / 2) of them,
 * numbered row by row, where blocks that share a side are neighbours. Output: all cells, numbered
 * row by row, each beside the one before. The tour is closed (the last cell lies beside the first)
 * unless width and height are both odd, or one of them is 1. Hexagons with odd rows shoved have all
 * the neighbours that squares have, so the tour serves both.
 *
 * Cost: some nanoseconds a cell; a byte for each block.
 */
#ifndef MAPWRIGHT_BLOCK_TOUR_H
#define MAPWRIGHT_BLOCK_TOUR_H

#include "spanning_tree.h"

/* From a cell of a block; where width and height are both odd, that is the last block's last, and
   where there are no blocks it is cell 0, whatever `start` is. */
void mw_block_tour(struct mw_run *, const struct mw_spanning_tree *blocks, int32_t width,
                   int32_t height, int32_t start, int32_t *cells);

#endif
