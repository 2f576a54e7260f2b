/* check_maze.c: whether a map of what tests/newgen adds has as many marks as asked. */
#include "asked.h"
#include "mapwright_host.h"

enum { MARKS = 2, CELLS = 3 };

const char *check_maze(const struct mw_map *map, char *why, size_t room);
const char *check_maze(const struct mw_map *map, char *why, size_t room)
{
    const struct mw_cells *cells = &map->slots[CELLS].as.grid;
    long asked = asked_number(map->request->address, "marks", 0), met = 0;
    for (int32_t c = 0; c < cells->lattice.width * cells->lattice.height; c++)
        met += cells->at[c] > 0;
    if (met == asked && map->slots[MARKS].as.table.rows == asked)
        return NULL;
    snprintf(why, room, "%ld cells are marked, not %ld", met, asked);
    return why;
}
