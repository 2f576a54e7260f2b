/* find.c: finds parts and columns of a map by their kinds and roles. */
#include "find.h"
#include "kit/integer.h"

int find_part(const struct mw_generator *generator, enum mw_kind kind, enum mw_role role)
{
    for (int p = 0; generator->parts[p].kind != MW_NO_PART; p++)
        if (generator->parts[p].kind == kind && generator->parts[p].role == role)
            return p;
    return -1;
}

int find_column(const struct mw_column *columns, enum mw_role role)
{
    for (int c = 0; columns[c].type != MW_END_OF_TABLE; c++)
        if (columns[c].role == role)
            return c;
    return -1;
}

bool find_any(const struct mw_generator *generator)
{
    return generator->parts[0].kind != MW_NO_PART;
}

/* The first table whose rows have ids; -1: none. */
static int find_ids(const struct mw_generator *generator)
{
    const struct mw_part *parts = generator->parts;
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        if (parts[p].kind == MW_TABLE && parts[p].columns->type == MW_INTEGER &&
            !strcmp(parts[p].columns->name, "id"))
            return p;
    return -1;
}

bool find_world(const struct mw_generator *generator)
{
    int p = find_ids(generator);
    return p >= 0 && find_column(generator->parts[p].columns, MW_MARK) >= 0 &&
           find_part(generator, MW_GRID, MW_LABEL_GRID) >= 0 &&
           find_part(generator, MW_GRID, MW_HEIGHT_GRID) >= 0;
}

const struct mw_cells *find_grid(const struct mw_map *map, enum mw_role role)
{
    int p = find_part(map->request->generator, MW_GRID, role);
    return p >= 0 && map->slots[p].present ? &map->slots[p].as.grid : NULL;
}

int32_t find_highest(struct mw_run *run, const struct mw_cells *cells)
{
    const int32_t count = cells->lattice.width * cells->lattice.height;
    int32_t highest = 1;
    for (int32_t i = 0; i < count; i++)
        highest = mw_max(highest, cells->at[i]);
    mw_tick(run, (uint64_t)count / 4);
    return highest;
}

static bool same_cells(const struct mw_cells *a, const struct mw_cells *b)
{
    const struct mw_lattice *l = &a->lattice, *m = &b->lattice;
    return l->width == m->width && l->height == m->height && l->tiling == m->tiling;
}

const struct mw_map *find_under(const struct mw_map *map)
{
    const struct mw_request *request = map->request;
    const struct mw_cells *own = find_grid(map, MW_LABEL_GRID);
    for (const struct mw_base *g = request->bases; g && request->look.under; g = g->next) {
        const struct mw_cells *cells = g->map ? find_grid(g->map, MW_LABEL_GRID) : NULL;
        if (cells && (own ? same_cells(own, cells) : g->field->type == MW_POINTS))
            return g->map;
    }
    return NULL;
}

const struct mw_rows *find_rows(const struct mw_request *request, enum mw_role role)
{
    const struct mw_field *field = request->generator->fields;
    while (field->type != MW_END_OF_TABLE && !(field->type == MW_ROWS && field->role == role))
        field++;
    return field->type == MW_END_OF_TABLE
               ? NULL
               : (const void *)((const char *)request->params + field->offset);
}

const char *find_kind(struct mw_run *run, const struct mw_part *table)
{
    size_t length = strlen(table->name);
    assert(table->kind == MW_TABLE && length > 1 && table->name[length - 1] == 's');
    return mw_copy_text(run, table->name, length - 1);
}

int32_t find_number(const struct mw_map *map, const char *name)
{
    const struct mw_ints found = mw_ints_of(map, name, NULL);
    return found.count ? found.at[0] : MW_NULL;
}

int find_answer(const struct mw_generator *generator, int board)
{
    for (int p = 0; generator->parts[p].kind != MW_NO_PART; p++)
        if (p != board && generator->parts[p].kind == MW_VALUE &&
            generator->parts[p].type == MW_ROWS)
            return p;
    return -1;
}

bool find_solution_wanted(const struct mw_map *map, int board)
{
    int32_t solution = map->request->look.solution;
    if (solution == MW_SOLUTION_AUTO)
        return find_answer(map->request->generator, board) < 0;
    return solution == MW_SOLUTION_SHOWN;
}

const struct mw_rows *find_board(const struct mw_map *map, int p)
{
    const struct mw_rows *board = &map->slots[p].as.value.rows;
    bool is_answer = find_answer(map->request->generator, p) < 0;
    bool hidden = is_answer && !find_solution_wanted(map, p);
    return board->count && !hidden ? board : find_rows(map->request, MW_BOARD);
}

bool find_next(const struct mw_map *map, enum mw_role role, struct found *found)
{
    const struct mw_part *parts = map->request->generator->parts;
    assert(found->part >= 0 && found->column >= -1);
    for (; parts[found->part].kind != MW_NO_PART; found->part++, found->column = -1) {
        const struct mw_part *part = &parts[found->part];
        const struct mw_slot *slot = &map->slots[found->part];
        if (part->kind != MW_TABLE || !slot->present)
            continue;
        const int further = found->column + 1, c = find_column(part->columns + further, role);
        if (c < 0)
            continue;
        found->column = further + c;
        found->of = part;
        found->table = &slot->as.table;
        found->array = found->table->columns[found->column];
        found->rows = found->table->rows;
        return true;
    }
    return false;
}

const void *find_array(const struct mw_map *map, enum mw_role role, int32_t *rows)
{
    struct found found = {.column = -1};
    bool is_there = find_next(map, role, &found);
    *rows = is_there ? found.rows : 0;
    return is_there ? found.array : NULL;
}

const char *const *find_names(const struct mw_column *columns, const struct mw_rowset *table)
{
    int c = find_column(columns, MW_NAME);
    const char *const *names = c < 0 || !table->rows ? NULL : table->columns[c];
    return names && names[0] ? names : NULL;
}

bool find_absent(const struct mw_column *column, const void *array, int32_t row)
{
    if (!column->nullable)
        return false;
    if (column->type == MW_POINTS)
        return !((const struct mw_points *)array)[row].at;
    if (column->type == MW_STRING)
        return !((const char *const *)array)[row];
    return column->type == MW_INTEGERS && !((const struct mw_ints *)array)[row].at;
}

/* ---- rows by their ids ----------------------------------------------------------------------- */

struct marks find_marks(const struct mw_map *map)
{
    const struct mw_part *parts = map->request->generator->parts;
    const int p = find_ids(map->request->generator);
    if (p < 0 || !map->slots[p].present)
        return (struct marks){0};
    const struct mw_rowset *table = &map->slots[p].as.table;
    int c = find_column(parts[p].columns, MW_MARK);
    return (struct marks){.part = &parts[p],
                          .table = table,
                          .id = table->columns[0],
                          .at = c < 0 ? NULL : table->columns[c],
                          .names = find_names(parts[p].columns, table)};
}

int32_t marks_row(const struct marks *marks, int32_t label)
{
    bool known =
        marks->part && label > 0 && label <= marks->table->rows && marks->id[label - 1] == label;
    return known ? label - 1 : -1;
}

const char *marks_name(const struct marks *marks, int32_t label)
{
    int32_t row = marks_row(marks, label);
    return row < 0 || !marks->names ? NULL : marks->names[row];
}

int marks_next(const struct marks *marks, const struct mw_map *map, int p, struct mw_point *place)
{
    const struct mw_part *parts = map->request->generator->parts;
    assert(p >= -1);
    for (p++; marks->at && parts[p].kind != MW_NO_PART; p++) {
        bool is_id = parts[p].kind == MW_VALUE && parts[p].type == MW_INTEGER &&
                     parts[p].role == MW_MARK && map->slots[p].present;
        int32_t row = is_id ? marks_row(marks, map->slots[p].as.value.integer) : -1;
        if (row < 0)
            continue;
        *place = marks->at[row];
        assert(place->x >= 0 && place->y >= 0);
        return p;
    }
    return -1;
}
