/*
 * picture.c: the land as the automaton left it, each of its pieces an island.
 *
 * Half land and many rounds make large islands in winding sounds, which no demand of sizes asks
 * for. A piece hangs together by sides. So two pieces may touch at a corner, which islands in order
 * never do, and cells of air may lie beside three or four of them: bridges.c has an answer to that.
 *
 * Runs stand row by row, and the root of a component is its first: roots met in order number
 * the islands as their first cells are read.
 */
#include "islands.h"

void islands_leave(struct world *s, const struct plane *land)
{
    struct components c;
    life_label(s->run, land, &c);
    int32_t *id = MW_NEW(s->run, int32_t, c.count + 1); /* of the runs that are roots */
    for (int32_t i = 0; i < s->cells; i++)
        s->at[i] = CELL_RIM;
    for (int32_t y = 0; y < s->height; y++) {
        int32_t *row = s->at + world_cell(s, 0, y);
        memset(row, 0, (size_t)s->width * sizeof *row);
        for (int32_t r = c.first[y]; r < c.first[y + 1]; r++) {
            if (c.root[r] == r)
                s->size[id[r] = ++s->count] = c.size[r];
            for (int32_t x = c.runs[r].from; x < c.runs[r].to; x++)
                row[x] = id[c.root[r]];
        }
    }
    assert(s->count <= s->room);
    mw_tick(s->run, (uint64_t)s->cells);
}
