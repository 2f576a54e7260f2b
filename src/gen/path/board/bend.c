/*
 * bend.c: where a path can bend if no path touches itself.
 *
 *     + - - -      If a cell bends, its two neighbours on the path both touch the cell inside. That
 *     | + - -      cell cannot be linked with them (that would be three links of a square), so its
 *     | | + - A    own links lead away from them: it bends as well, unless it is an end or a wall.
 *
 * So every bend lies on a diagonal of bends that leads to an end of a path, or to a wall. Where the
 * diagonal reaches the rim without meeting either, none of its cells can bend that way. This is
 * known before any search. The observation is T. Ahle's.
 *
 * COST. One look at each cell, inner cells first.
 */
#include "board.h"

static bool can_bend(const struct board *b, const uint8_t *bends, int32_t cell, int side)
{
    int turn = (side + 1) % SIDES;
    int32_t x = b->next[cell][side], y = b->next[cell][turn];
    if (b->path[cell] != OPEN || x < 0 || y < 0)
        return false;
    int32_t inside = b->next[x][turn];
    return inside < 0 || b->path[inside] >= 0 || bends[inside] >> side & 1;
}

uint8_t *path_bends(struct mw_run *run, const struct board *b)
{
    uint8_t *bends = MW_NEW0(run, uint8_t, b->cells);
    mw_tick(run, (uint64_t)b->cells * SIDES);
    for (int32_t cell = b->cells; cell-- > 0;) /* the cell inside comes after it */
        for (int side = RIGHT; side <= DOWN; side++)
            bends[cell] |= (uint8_t)(can_bend(b, bends, cell, side) << side);
    for (int32_t cell = 0; cell < b->cells; cell++) /* the cell inside comes before it */
        for (int side = LEFT; side <= UP; side++)
            bends[cell] |= (uint8_t)(can_bend(b, bends, cell, side) << side);
    return bends;
}
