/* marks.c: the rows that the labels of a grid stand for, and what is marked on the map. */
#include "marks.h"

static bool has_ids(const struct mw_part *part)
{
    const struct mw_column *first = part->columns;
    return part->kind == MW_TABLE && first->type == MW_INTEGER && !strcmp(first->name, "id");
}

struct marks marks_of(const struct mw_map *map)
{
    const struct mw_part *parts = map->request->generator->parts;
    struct marks marks = {0};
    int p = 0;
    while (parts[p].kind != MW_NO_PART && !(has_ids(&parts[p]) && map->slots[p].present))
        p++;
    if (parts[p].kind == MW_NO_PART)
        return marks;
    marks.part = &parts[p];
    marks.table = &map->slots[p].as.table;
    marks.id = marks.table->columns[0];
    for (int c = 0; parts[p].columns[c].type != MW_END_OF_TABLE && !marks.at; c++)
        if (parts[p].columns[c].role == MW_MARK)
            marks.at = marks.table->columns[c];
    return marks;
}

int32_t marks_row(const struct marks *marks, int32_t label)
{
    bool known =
        marks->part && label > 0 && label <= marks->table->rows && marks->id[label - 1] == label;
    return known ? label - 1 : -1;
}

bool marks_place(const struct marks *marks, const struct mw_map *map, int p, struct mw_point *place)
{
    const struct mw_part *part = &map->request->generator->parts[p];
    if (part->kind != MW_VALUE || part->type != MW_INTEGER || part->role != MW_MARK ||
        !map->slots[p].present)
        return false;
    int32_t row = marks_row(marks, map->slots[p].as.value.integer);
    if (row < 0 || !marks->at)
        return false;
    *place = marks->at[row];
    return true;
}
