/* result.c: what a map holds, by the names of its JSON. */
#include "run.h"

/* The slot of a part of one of some kinds, with the part's row; NULL: the map has none. */
static const struct mw_slot *find_slot(const struct mw_map *map, const char *name,
                                       enum mw_kind kind, const struct mw_part **part)
{
    assert(map != NULL && name != NULL);
    const struct mw_part *parts = map->request->generator->parts;
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        if (parts[p].kind == kind && map->slots[p].present && !strcmp(parts[p].name, name)) {
            *part = &parts[p];
            return &map->slots[p];
        }
    return NULL;
}

/* Elements of one type: a column, or (column NULL) a value by itself; none where there are none of
   that name. */
struct elements_found {
    const void *at;
    enum mw_type type;
    int32_t count;
};

static struct elements_found find_elements(const struct mw_map *map, const char *name,
                                           const char *column)
{
    const struct mw_part *part;
    const struct mw_slot *slot = find_slot(map, name, column ? MW_TABLE : MW_VALUE, &part);
    if (slot && !column)
        return (struct elements_found){&slot->as.value, part->type, 1};
    for (int c = 0; slot && part->columns[c].type != MW_END_OF_TABLE; c++)
        if (!strcmp(part->columns[c].name, column))
            return (struct elements_found){slot->as.table.columns[c], part->columns[c].type,
                                           slot->as.table.rows};
    return (struct elements_found){NULL, MW_END_OF_TABLE, 0};
}

struct mw_ints mw_ints_of(const struct mw_map *map, const char *part, const char *column)
{
    struct elements_found all = find_elements(map, part, column);
    bool integers = all.type == MW_INTEGER || all.type == MW_DECIMAL || all.type == MW_BOOLEAN ||
                    all.type == MW_ONE_OF;
    return integers ? (struct mw_ints){all.at, all.count} : (struct mw_ints){NULL, 0};
}

struct mw_points mw_points_of(const struct mw_map *map, const char *part, const char *column)
{
    struct elements_found all = find_elements(map, part, column);
    return all.type == MW_POINT ? (struct mw_points){all.at, all.count}
                                : (struct mw_points){NULL, 0};
}

/* The element of that type in a row; all zeros where there is none. */
static const void *find_element(const struct mw_map *map, const char *name, const char *column,
                                int32_t row, enum mw_type type)
{
    static const union mw_value none;
    struct elements_found all = find_elements(map, name, column);
    if (all.type != type || row < 0 || row >= all.count)
        return &none;
    return (const char *)all.at + (size_t)row * mw_width_of(type);
}

#define ELEMENT_GETTER(name, T, type) \
    T name(const struct mw_map *map, const char *part, const char *column, int32_t row) \
    { \
        return *(T const *)find_element(map, part, column, row, type); \
    }
ELEMENT_GETTER(mw_list_of, struct mw_ints, MW_INTEGERS)
ELEMENT_GETTER(mw_track_of, struct mw_points, MW_POINTS)
ELEMENT_GETTER(mw_string_of, const char *, MW_STRING)

struct mw_rows mw_board_of(const struct mw_map *map, const char *part)
{
    return *(const struct mw_rows *)find_element(map, part, NULL, 0, MW_ROWS);
}

struct mw_edges mw_edges_of(const struct mw_map *map, const char *name)
{
    const struct mw_part *part;
    const struct mw_slot *slot = find_slot(map, name, MW_EDGES, &part);
    return slot ? slot->as.edges : (struct mw_edges){NULL, 0};
}

const struct mw_cells *mw_grid(const struct mw_map *map, const char *name)
{
    const struct mw_part *part;
    const struct mw_slot *slot = find_slot(map, name, MW_GRID, &part);
    return slot ? &slot->as.grid : NULL;
}
