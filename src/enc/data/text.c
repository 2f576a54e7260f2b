/*
 * text.c: a map as text: its values first, and the picture last, so that it stays visible at the
 * bottom of a terminal. Tables, heights and further boards come before the picture, if requested.
 *
 * Lines are at most as long as the look's columns: as many values or edges as fit, and what is too
 * long for a line is cut off with an ellipsis. To find the widths of a table, each value is written
 * to the output once and removed again.
 */
#include "text.h"

#include "enc/find.h"
#include "kit/integer.h"
#include "lib/span.h"

enum { WIDEST = 24 }; /* of the columns of a table but the last */
static const char dots[] = "…";

/* Cuts the output since `start`, which may not be valid UTF-8, to `columns` characters, with an
   ellipsis, and replaces control characters by spaces. Returns the number of characters. */
static int32_t fit(struct mw_run *run, char *start, int32_t columns)
{
    char *last = start; /* the last character that fits */
    int32_t n = 0;
    assert(columns > 0 && start <= run->bottom);
    for (char *at = start; at < run->bottom; at++) {
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = ' ';
        if (((unsigned char)*at & 0xc0) != 0x80 && ++n == columns)
            last = at;
    }
    if (n <= columns)
        return n;
    mw_end_output(run, last);
    mw_put(run, dots);
    return columns;
}

/* ---- items one after another, as many on a line as fit --------------------------------------- */

struct text_lines {
    struct mw_run *run;
    int32_t columns, used;
};

/* The output since `start` is an item after a space, which becomes a newline if it does not fit. */
static void end_item(struct text_lines *lines, char *start)
{
    assert(*start == ' ' && start < lines->run->bottom);
    int32_t wide = fit(lines->run, start + 1, lines->columns);
    bool breaks = lines->used + 1 + wide > lines->columns;
    if (breaks)
        *start = '\n';
    lines->used = breaks ? wide : lines->used + 1 + wide;
}

static void put_values(struct mw_run *run, const struct mw_map *map)
{
    const struct mw_part *part = map->request->generator->parts;
    struct text_lines lines = {run, text_columns(map->request), -1};
    char *first = run->bottom;
    for (const struct mw_slot *slot = map->slots; part->kind != MW_NO_PART; part++, slot++) {
        char *start = run->bottom;
        if (part->kind != MW_VALUE || part->type == MW_ROWS || !slot->present)
            continue;
        mw_print(run, " %s: ", part->name);
        mw_put_value(run, &mw_as_text, part->type, part->choices, &slot->as.value, 0);
        end_item(&lines, start);
    }
    if (run->bottom == first)
        return;
    memmove(first, first + 1, (size_t)(run->bottom - first - 1)); /* the space before the first */
    run->bottom[-1] = '\n';
}

/* Lines that begin with the name of part p. */
static struct text_lines begin_lines(struct mw_run *run, const struct mw_map *map, int p)
{
    const char *name = map->request->generator->parts[p].name;
    mw_print(run, "%s:", name);
    return (struct text_lines){run, text_columns(map->request), (int32_t)strlen(name) + 1};
}

static void put_edges(struct mw_run *run, const struct mw_map *map, int p)
{
    struct mw_edges edges = map->slots[p].as.edges;
    struct text_lines lines = begin_lines(run, map, p);
    for (int32_t i = 0; i < edges.count; i++) {
        char *start = run->bottom;
        mw_print(run, " %d-%d", edges.at[i].a, edges.at[i].b);
        end_item(&lines, start);
        mw_tick(run, 1);
    }
    mw_put_char(run, '\n');
}

/* Makes each word of the output since `start` an item. */
static void break_up(struct text_lines *lines, char *start)
{
    struct mw_run *run = lines->run;
    size_t length = (size_t)(run->bottom - start);
    struct span rest = {mw_copy_text(run, start, length), length}, word;
    mw_end_output(run, start);
    while (span_cut(&rest, ' ', &word)) {
        start = run->bottom;
        mw_print(run, " %.*s", (int)word.length, word.at);
        end_item(lines, start);
        mw_tick(run, 1);
    }
}

static void put_record(struct mw_run *run, const struct mw_map *map, int p)
{
    const struct mw_column *columns = map->request->generator->parts[p].columns;
    char *mark = mw_mark(run);
    struct text_lines lines = begin_lines(run, map, p);
    for (int c = 0; columns[c].type != MW_END_OF_TABLE; c++) {
        char *start = run->bottom;
        mw_print(run, "%s: ", columns[c].name);
        mw_put_value(run, &mw_as_text, columns[c].type, NULL, map->slots[p].as.table.columns[c], 0);
        break_up(&lines, start);
    }
    mw_put_char(run, '\n');
    mw_rewind(run, mark);
}

/* ---- tables ---------------------------------------------------------------------------------- */

struct table {
    struct mw_run *run;
    const struct mw_column *columns;
    const struct mw_rowset *rows;
    int32_t *wide; /* by column; 0: no row has a value, so it is left out */
    int last;      /* column that is shown */
};

/* Row -1 is the names of the columns. */
static int32_t put_cell(const struct table *t, int c, int32_t row, int32_t most)
{
    char *start = t->run->bottom;
    if (row < 0)
        mw_put(t->run, t->columns[c].name);
    else
        mw_put_value(t->run, &mw_as_text, t->columns[c].type, NULL, t->rows->columns[c], row);
    return fit(t->run, start, most);
}

static void measure_column(const struct table *t, int c)
{
    bool has_values = !t->rows->rows;
    t->wide[c] = 0;
    for (int32_t row = -1; row < t->rows->rows; row++) {
        char *start = t->run->bottom;
        t->wide[c] = mw_max(t->wide[c], put_cell(t, c, row, WIDEST));
        mw_end_output(t->run, start);
        has_values |= row >= 0 && !find_absent(&t->columns[c], t->rows->columns[c], row);
    }
    t->wide[c] = has_values ? t->wide[c] : 0;
    mw_tick(t->run, (uint64_t)t->rows->rows);
}

static void put_table_row(const struct table *t, int32_t row, int32_t columns)
{
    char *start = t->run->bottom;
    for (int c = 0; c <= t->last; c++) {
        if (!t->wide[c])
            continue;
        int32_t wide = put_cell(t, c, row, c == t->last ? columns : WIDEST);
        for (; c < t->last && wide < t->wide[c] + 2; wide++)
            mw_put_char(t->run, ' ');
    }
    fit(t->run, start, columns);
    text_end_line(t->run, start);
    mw_tick(t->run, 1);
}

static void put_table(struct mw_run *run, const struct mw_map *map, int p)
{
    const struct mw_part *part = &map->request->generator->parts[p];
    struct table t = {.run = run, .columns = part->columns, .rows = &map->slots[p].as.table};
    int count = 0;
    while (t.columns[count].type != MW_END_OF_TABLE)
        count++;
    char *mark = mw_mark(run);
    t.wide = MW_NEW(run, int32_t, count);
    for (int c = 0; c < count; c++) {
        measure_column(&t, c);
        t.last = t.wide[c] ? c : t.last;
    }
    for (int32_t row = -1; row < t.rows->rows; row++)
        put_table_row(&t, row, text_columns(map->request));
    mw_rewind(run, mark);
}

/* ---- sections -------------------------------------------------------------------------------- */

enum section { RECORDS, TABLES, PICTURES, SECTIONS };

/* Whether a section has part p. Records are tables of a single row. Tracks, and rows other than the
   board, would reveal a hidden solution. */
static bool is_in(const struct mw_map *map, int p, enum section section)
{
    const struct mw_part *part = &map->request->generator->parts[p];
    const struct mw_look *look = &map->request->look;
    const bool is_board = part->role == MW_BOARD, is_edges = part->kind == MW_EDGES,
               is_grid = part->kind == MW_GRID, is_table = part->kind == MW_TABLE,
               is_rows = part->kind == MW_VALUE && part->type == MW_ROWS,
               is_drawn = is_edges  ? part->role == MW_PLAIN && !part->optional
                          : is_grid ? part->role != MW_HEIGHT_GRID
                                    : is_rows && (is_board || look->solution == MW_SOLUTION_SHOWN),
               reveals = is_table ? find_column(part->columns, MW_TRACK) >= 0 : !is_board;
    if (section == RECORDS)
        return part->single;
    if (section == PICTURES)
        return is_drawn;
    if (!look->tables || part->single ||
        ((is_table || is_rows) && reveals && look->solution == MW_SOLUTION_HIDDEN))
        return false;
    return is_table || is_edges || ((is_grid || is_rows) && !is_drawn);
}

static void put_rows(struct mw_run *run, const struct mw_map *map, int p, enum section section)
{
    const struct mw_part *part = &map->request->generator->parts[p];
    const bool is_board = section == PICTURES && part->role == MW_BOARD;
    if (section == TABLES)
        mw_print(run, "%s:\n", part->name);
    text_board(run, map, is_board ? find_board(map, p) : &map->slots[p].as.value.rows);
}

static void put_part(struct mw_run *run, const struct mw_map *map, int p, enum section section)
{
    switch (map->request->generator->parts[p].kind) {
    case MW_TABLE: (section == RECORDS ? put_record : put_table)(run, map, p); break;
    case MW_EDGES: (section == PICTURES ? text_graph : put_edges)(run, map, p); break;
    case MW_GRID: text_grid(run, map, p); break;
    case MW_VALUE: put_rows(run, map, p, section); break;
    case MW_NO_PART: break;
    }
}

/* Separated by empty lines. */
static void encode(struct mw_run *run, const struct mw_map *map)
{
    const char *start = run->bottom;
    const struct mw_part *parts = map->request->generator->parts;
    put_values(run, map);
    for (int section = RECORDS; section < SECTIONS; section++)
        for (int p = 0; parts[p].kind != MW_NO_PART; p++) {
            if (!map->slots[p].present || !is_in(map, p, (enum section)section))
                continue;
            if (run->bottom > start)
                mw_put_char(run, '\n');
            put_part(run, map, p, (enum section)section);
        }
}

/* ---- cost ------------------------------------------------------------------------------------ */

/* A colored character needs room for its escape sequence, a plot two more bytes. */
static struct mw_cost forecast(const struct mw_request *request, const struct mw_forecast *f)
{
    uint64_t characters = text_characters(request, f), listed = request->look.tables;
    uint64_t paint = request->look.color ? TEXT_PAINT_ROOM : 0, plot = f->edges ? 2 : 0;
    const struct mw_unit_costs bytes = {49152, 2, 4, 0, listed * 190, listed * 14, 16},
                               steps = {200, 3, 1, 0, 90, 1, 20},
                               nanoseconds = {20000, 9, 0, 0, 20 + listed * 190, listed * 15, 45};
    return (struct mw_cost){.bytes = mw_sum_unit_costs(f, &bytes) + characters * (3 + plot + paint),
                            .steps = mw_sum_unit_costs(f, &steps),
                            .nanoseconds =
                                mw_sum_unit_costs(f, &nanoseconds) + characters * (2 + paint)};
}

const struct mw_encoder mw_text = {.name = "text",
                                   .suffix = "txt",
                                   .media = "text/plain; charset=utf-8",
                                   .help = MW_PROSE("drawn in characters, for terminals"),
                                   .look_mask = MW_LOOK_BIT(COLOR) | MW_LOOK_BIT(COLUMNS) |
                                                MW_LOOK_BIT(TABLES) | MW_LOOK_BIT(SOLUTION),
                                   .fits = find_any,
                                   .forecast = forecast,
                                   .encode = encode};
