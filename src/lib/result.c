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

static bool holds_integers(enum mw_type type)
{
    return type == MW_INTEGER || type == MW_DECIMAL || type == MW_BOOLEAN || type == MW_ONE_OF;
}

/* Elements of one type: a column, or a value by itself. */
struct elements {
    const void *at;
    enum mw_type type;
    int32_t count;
};

static struct elements find_column(const struct mw_map *map, const char *name, const char *column)
{
    const struct mw_part *part;
    const struct mw_slot *slot = find_slot(map, name, MW_TABLE, &part);
    for (int c = 0; slot && part->columns[c].type != MW_END_OF_TABLE; c++)
        if (!strcmp(part->columns[c].name, column))
            return (struct elements){slot->as.table.columns[c], part->columns[c].type,
                                     slot->as.table.rows};
    return (struct elements){NULL, MW_END_OF_TABLE, 0};
}

static struct elements find_elements(const struct mw_map *map, const char *name, const char *column)
{
    const struct mw_part *part;
    if (column)
        return find_column(map, name, column);
    const struct mw_slot *slot = find_slot(map, name, MW_VALUE, &part);
    return slot ? (struct elements){&slot->as.value, part->type, 1}
                : (struct elements){NULL, MW_END_OF_TABLE, 0};
}

/* The element of that type in a row; NULL: there is none. */
static const void *find_element(const struct mw_map *map, const char *name, const char *column,
                                int32_t row, enum mw_type type)
{
    struct elements all = find_elements(map, name, column);
    if (all.type != type || row < 0 || row >= all.count)
        return NULL;
    assert(all.at && all.count > 0);
    return (const char *)all.at + (size_t)row * mw_width_of(type);
}

struct mw_ints mw_ints_of(const struct mw_map *map, const char *part, const char *column)
{
    struct elements all = find_elements(map, part, column);
    if (!holds_integers(all.type))
        return (struct mw_ints){NULL, 0};
    return (struct mw_ints){all.at, all.count};
}

struct mw_ints mw_list_of(const struct mw_map *map, const char *part, const char *column,
                          int32_t row)
{
    const struct mw_ints *list = find_element(map, part, column, row, MW_INTEGERS);
    return list ? *list : (struct mw_ints){NULL, 0};
}

struct mw_points mw_points_of(const struct mw_map *map, const char *part, const char *column)
{
    struct elements all = find_elements(map, part, column);
    if (all.type != MW_POINT)
        return (struct mw_points){NULL, 0};
    return (struct mw_points){all.at, all.count};
}

struct mw_points mw_track_of(const struct mw_map *map, const char *part, const char *column,
                             int32_t row)
{
    const struct mw_points *track = find_element(map, part, column, row, MW_POINTS);
    return track ? *track : (struct mw_points){NULL, 0};
}

const char *mw_string_of(const struct mw_map *map, const char *part, const char *column,
                         int32_t row)
{
    const char *const *text = find_element(map, part, column, row, MW_STRING);
    return text ? *text : NULL;
}

struct mw_rows mw_board_of(const struct mw_map *map, const char *part)
{
    const struct mw_rows *rows = find_element(map, part, NULL, 0, MW_ROWS);
    return rows ? *rows : (struct mw_rows){NULL, 0, 0};
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
