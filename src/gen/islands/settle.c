/*
 * settle.c: makes each piece of the land an island, numbered by its first cell, row by row.
 *
 * The land comes from order.c or pack.c, whose islands never touch, or straight from the automaton,
 * with pieces of any size, which may touch at a corner.
 *
 * Runs are listed row by row, and the root of a component is its first run: numbering the roots in
 * order numbers the islands by their first cells.
 */
#include "islands.h"

void islands_settle(struct island_map *s, const struct plane *land)
{
    char *mark = mw_mark(s->run);
    struct components c;
    life_label(s->run, land, &c);
    int32_t *id = MW_NEW(s->run, int32_t, c.count + 1); /* of the runs that are roots */
    s->count = 0;
    for (int32_t i = 0; i < s->stride; i++)
        s->at[i] = s->at[s->cells - 1 - i] = CELL_RIM;
    for (int32_t y = 0; y < s->height; y++) {
        int32_t *row = s->at + world_cell(s, 0, y);
        row[-1] = row[s->width] = CELL_RIM;
        memset(row, CELL_AIR, (size_t)s->width * sizeof *row);
        for (int32_t r = c.first[y]; r < c.first[y + 1]; r++) {
            assert(c.root[r] != r || s->count < s->room);
            if (c.root[r] == r)
                s->size[id[r] = ++s->count] = c.size[r];
            for (int32_t x = c.runs[r].from; x < c.runs[r].to; x++)
                row[x] = id[c.root[r]];
        }
    }
    assert(s->count <= s->room);
    mw_tick(s->run, (uint64_t)s->cells);
    mw_rewind(s->run, mark);
}
