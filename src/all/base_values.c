/*
 * base_values.c: the value of a parameter, read from a map.
 *
 * The field's type decides what it becomes, its role which part it is read from:
 *
 *     rows      of a grid of labels: # where there is one, . elsewhere; or a board as it is
 *     points    where the rows of a table are
 *     integers  the numbers of the rows that stand out
 *
 * `of` picks labels by their number, and rows by their `id` or, in a table without, their number.
 */
#include "bases.h"

#include "enc/find.h"
#include "kit/integer.h"

/* ---- the part that a field is read from ------------------------------------------------------ */

/* The field's place in that part; its `part` is -1 where there is none. */
static struct source look_into(const struct mw_field *field, const struct mw_part *part, int p)
{
    const struct source none = {-1, -1, -1};
    if (field->type == MW_ROWS) {
        bool rows = part->kind == MW_VALUE && part->type == MW_ROWS;
        bool here = part->role == field->role && (part->kind == MW_GRID || rows);
        return here ? (struct source){p, -1, -1} : none;
    }
    if (part->kind != MW_TABLE)
        return none;
    int column = find_column(part->columns, field->role), down = -1;
    if (field->type == MW_POINTS && column < 0) {
        column = find_column(part->columns, MW_ACROSS);
        down = find_column(part->columns, MW_DOWN);
    }
    return column >= 0 ? (struct source){p, column, down} : none;
}

struct source source_of(const struct mw_field *field, const struct mw_generator *generator)
{
    struct source source = {-1, -1, -1};
    for (int p = 0; source.part < 0 && generator->parts[p].kind != MW_NO_PART; p++)
        source = look_into(field, &generator->parts[p], p);
    return source;
}

const char *source_kind(const struct mw_field *field)
{
    if (field->type == MW_POINTS)
        return "places";
    if (field->type == MW_INTEGERS)
        return "rows that stand out";
    return field->role == MW_BOARD ? "a board" : "cells";
}

/* ---- which rows and labels are taken --------------------------------------------------------- */

static bool is_listed(struct mw_ints of, int32_t id)
{
    int32_t i = 0;
    while (i < of.count && of.at[i] != id)
        i++;
    return i < of.count;
}

static bool takes_label(struct mw_ints of, int32_t label)
{
    return of.count ? is_listed(of, label) : label != 0;
}

/* The numbers of the rows that are taken. */
static struct mw_ints rows_taken(struct mw_run *run, const struct mw_base *base, int p)
{
    const struct mw_part *part = &base->request.generator->parts[p];
    const struct mw_rowset *table = &base->map->slots[p].as.table;
    bool named = part->columns->type == MW_INTEGER && !strcmp(part->columns->name, "id");
    const int32_t *ids = named ? table->columns[0] : NULL;
    int32_t *taken = MW_NEW(run, int32_t, table->rows), n = 0;
    mw_tick(run, (uint64_t)table->rows * (uint64_t)(1 + base->of.count));
    for (int32_t row = 0; row < table->rows; row++)
        if (!base->of.count || is_listed(base->of, ids ? ids[row] : row))
            taken[n++] = row;
    assert(n <= table->rows);
    return (struct mw_ints){taken, n};
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Labels come in runs: each run is looked up once. */
static char *write_row(char *to, const int32_t *cells, int32_t width, struct mw_ints of)
{
    assert(width > 0);
    char land = takes_label(of, cells[0]) ? '#' : '.';
    for (int32_t x = 0; x < width; x++) {
        if (x && cells[x] != cells[x - 1])
            land = takes_label(of, cells[x]) ? '#' : '.';
        *to++ = land;
    }
    return to;
}

static struct mw_rows rows_of_cells(struct mw_run *run, const struct mw_cells *cells,
                                    struct mw_ints of)
{
    int32_t width = cells->lattice.width, height = cells->lattice.height;
    char *rows = MW_NEW(run, char, ((int64_t)width + 1) * height), *to = rows;
    for (int32_t y = 0; y < height; y++) {
        mw_tick(run, (uint64_t)width * (uint64_t)(1 + of.count) / 4);
        to = write_row(to, cells->at + (int64_t)y * width, width, of);
        *to++ = '/';
    }
    assert(to == rows + ((int64_t)width + 1) * height);
    to[-1] = '\0';
    return (struct mw_rows){rows, width, height};
}

static void read_rows(struct mw_run *run, const struct mw_base *base, struct source source,
                      struct mw_rows *to)
{
    const struct mw_field *field = base->field;
    const struct mw_slot *slot = &base->map->slots[source.part];
    bool grid = base->request.generator->parts[source.part].kind == MW_GRID;
    *to = grid ? rows_of_cells(run, &slot->as.grid, base->of) : slot->as.value.rows;
    if (!to->count || to->count > field->most_count || to->width > field->most)
        mw_add_problem(run, MW_NO_RESULT, "", "is %d by %d cells: must be up to %d by %d",
                       to->width, to->count, field->most, field->most_count);
}

/* ---- points, indices ------------------------------------------------------------------------- */

static void judge_count(struct mw_run *run, const struct mw_field *field, int32_t n,
                        const char *what)
{
    if (n < field->least_count || n > field->most_count)
        mw_add_problem(run, MW_NO_RESULT, "", "has %d %s%s: must have %d to %d", n, what,
                       n == 1 ? "" : "s", field->least_count, field->most_count);
}

static struct mw_point point_at(const struct mw_rowset *table, struct source source, int32_t row)
{
    assert(row >= 0 && row < table->rows && source.column >= 0);
    if (source.down < 0)
        return ((const struct mw_point *)table->columns[source.column])[row];
    return (struct mw_point){((const int32_t *)table->columns[source.column])[row],
                             ((const int32_t *)table->columns[source.down])[row]};
}

static void read_points(struct mw_run *run, const struct mw_base *base, struct source source,
                        struct mw_points *to)
{
    const struct mw_field *field = base->field;
    const struct mw_rowset *table = &base->map->slots[source.part].as.table;
    struct mw_ints taken = rows_taken(run, base, source.part);
    struct mw_point *points = MW_NEW(run, struct mw_point, taken.count);
    int32_t most = 0;
    for (int32_t i = 0; i < taken.count; i++) {
        points[i] = point_at(table, source, taken.at[i]);
        most = mw_max(most, mw_max(points[i].x, points[i].y));
    }
    *to = (struct mw_points){points, taken.count};
    judge_count(run, field, taken.count, "place");
    if (most > field->most)
        mw_add_problem(run, MW_NO_RESULT, "", "has a place at %d: must have none beyond %d", most,
                       field->most);
}

static void read_indices(struct mw_run *run, const struct mw_base *base, struct source source,
                         struct mw_ints *to)
{
    const int32_t *stands_out = base->map->slots[source.part].as.table.columns[source.column];
    struct mw_ints taken = rows_taken(run, base, source.part);
    assert(source.column >= 0);
    int32_t *indices = MW_NEW(run, int32_t, taken.count), n = 0;
    for (int32_t i = 0; i < taken.count; i++)
        if (stands_out[taken.at[i]])
            indices[n++] = taken.at[i];
    *to = (struct mw_ints){indices, n};
    judge_count(run, base->field, n, "row");
}

void read_base(struct mw_run *run, const struct mw_base *base, void *params)
{
    void *to = (char *)params + base->field->offset;
    struct source source = source_of(base->field, base->request.generator);
    assert(source.part >= 0 && base->map->slots[source.part].present);
    if (base->field->type == MW_ROWS)
        read_rows(run, base, source, to);
    else if (base->field->type == MW_POINTS)
        read_points(run, base, source, to);
    else
        read_indices(run, base, source, to);
}
