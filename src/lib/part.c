/* part.c: the parts of a result, filled in by generators. */
#include "run.h"

static const struct mw_part *part_of(const struct mw_map *map, int p)
{
    return &map->request->generator->parts[p];
}

union mw_value *mw_set_value(struct mw_map *map, int p)
{
    assert(part_of(map, p)->kind == MW_VALUE);
    map->slots[p].present = true;
    return &map->slots[p].as.value;
}

int32_t *mw_add_grid(struct mw_run *run, struct mw_map *map, int p,
                     const struct mw_lattice *lattice)
{
    assert(part_of(map, p)->kind == MW_GRID && lattice->width > 0 && lattice->height > 0);
    int32_t *cells = MW_NEW(run, int32_t, (int64_t)lattice->width * lattice->height);
    map->slots[p] = (struct mw_slot){.present = true, .as.grid = {*lattice, cells}};
    return cells;
}

size_t mw_width_of(enum mw_type type)
{
    static const size_t widths[] = {
        [MW_STRING] = sizeof(const char *),   [MW_INTEGERS] = sizeof(struct mw_ints),
        [MW_POINT] = sizeof(struct mw_point), [MW_POINTS] = sizeof(struct mw_points),
        [MW_BOX] = sizeof(struct mw_box),     [MW_ROWS] = sizeof(struct mw_rows),
    };
    return widths[type] ? widths[type] : sizeof(int32_t);
}

void mw_add_table(struct mw_run *run, struct mw_map *map, int p, int32_t rows)
{
    assert(part_of(map, p)->kind == MW_TABLE && rows >= 0);
    const struct mw_column *columns = part_of(map, p)->columns;
    size_t n = 0;
    while (columns[n].type != MW_END_OF_TABLE)
        n++;
    void **arrays = MW_NEW(run, void *, n);
    for (size_t c = 0; c < n; c++)
        arrays[c] = mw_calloc(run, (size_t)rows, mw_width_of(columns[c].type));
    map->slots[p] = (struct mw_slot){.present = true, .as.table = {rows, arrays}};
}

void *mw_column(struct mw_map *map, int p, int c, size_t width)
{
    assert(part_of(map, p)->kind == MW_TABLE && map->slots[p].present);
    assert(width == mw_width_of(part_of(map, p)->columns[c].type));
    (void)width;
    return map->slots[p].as.table.columns[c];
}

struct mw_edge *mw_add_edges(struct mw_run *run, struct mw_map *map, int p, int32_t count)
{
    assert(part_of(map, p)->kind == MW_EDGES && count >= 0);
    struct mw_edge *edges = MW_NEW(run, struct mw_edge, count);
    map->slots[p] = (struct mw_slot){.present = true, .as.edges = {edges, count}};
    return edges;
}
