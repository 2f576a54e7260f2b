/*
 * text.c: a map as text: its values first, and the picture last, so that it stays visible at the
 * bottom of a terminal. Tables, heights and further boards come before the picture, if requested.
 */
#include "text.h"

#include "enc/find.h"

/* ---- the parts ------------------------------------------------------------------------------- */

/* Whether the part is drawn rather than listed. */
static bool is_picture(const struct mw_map *map, int p)
{
    const struct mw_part *part = &map->request->generator->parts[p];
    switch (part->kind) {
    case MW_EDGES: return part->role == MW_PLAIN && !part->optional;
    case MW_GRID: return part->role != MW_HEIGHT_GRID;
    case MW_VALUE:
        return part->type == MW_ROWS &&
               (part->role == MW_BOARD || map->request->look.solution == MW_SOLUTION_SHOWN);
    case MW_TABLE:
    case MW_NO_PART: break;
    }
    return false;
}

/* Whether the part would reveal a hidden solution: tracks, and rows other than the board. */
static bool is_hidden(const struct mw_map *map, const struct mw_part *part)
{
    bool reveals = part->kind == MW_TABLE ? find_column(part->columns, MW_TRACK) >= 0
                                          : part->type == MW_ROWS && part->role != MW_BOARD;
    return reveals && map->request->look.solution == MW_SOLUTION_HIDDEN;
}

/* Whether the part is a single row, which is written like a value. */
static bool is_record(const struct mw_map *map, int p)
{
    return map->request->generator->parts[p].single;
}

static bool is_table(const struct mw_map *map, int p)
{
    const struct mw_part *part = &map->request->generator->parts[p];
    if (is_hidden(map, part) || part->single)
        return false;
    return part->kind == MW_TABLE || part->kind == MW_EDGES ||
           (!is_picture(map, p) && (part->kind == MW_GRID || part->type == MW_ROWS));
}

/* The board, with or without its solution, or the rows of a solution. */
static void put_rows(struct mw_run *run, const struct mw_map *map, int p)
{
    bool board = map->request->generator->parts[p].role == MW_BOARD;
    text_board(run, map, board ? find_board(map, p) : &map->slots[p].as.value.rows);
}

static void put_listed(struct mw_run *run, const struct mw_map *map, int p)
{
    const struct mw_part *part = &map->request->generator->parts[p];
    switch (part->kind) {
    case MW_TABLE: text_table(run, map, p); break;
    case MW_EDGES: text_edges(run, map, p); break;
    case MW_GRID: text_grid(run, map, p); break;
    case MW_VALUE:
        mw_print(run, "%s:\n", part->name);
        text_board(run, map, &map->slots[p].as.value.rows);
        break;
    case MW_NO_PART: break;
    }
}

static void put_drawn(struct mw_run *run, const struct mw_map *map, int p)
{
    const enum mw_kind kind = map->request->generator->parts[p].kind;
    (kind == MW_EDGES ? text_graph : kind == MW_GRID ? text_grid : put_rows)(run, map, p);
}

typedef bool choice(const struct mw_map *, int);
typedef void putter(struct mw_run *, const struct mw_map *, int);

/* Separated by empty lines; `start`: where the text begins. */
static void put_all(struct mw_run *run, const struct mw_map *map, const char *start, choice *chosen,
                    putter *put)
{
    const struct mw_part *parts = map->request->generator->parts;
    for (int p = 0; parts[p].kind != MW_NO_PART; p++) {
        if (!map->slots[p].present || !chosen(map, p))
            continue;
        if (run->bottom > start)
            mw_put_char(run, '\n');
        put(run, map, p);
    }
}

static void encode(struct mw_run *run, const struct mw_map *map)
{
    const char *start = run->bottom;
    text_values(run, map);
    put_all(run, map, start, is_record, text_record);
    if (map->request->look.tables)
        put_all(run, map, start, is_table, put_listed);
    put_all(run, map, start, is_picture, put_drawn);
}

/* ---- cost ------------------------------------------------------------------------------------ */

/* Characters of the drawing: two for a cell, or one for two dots; of a graph, the whole plot. */
static uint64_t characters_of(const struct mw_request *request, const struct mw_forecast *f)
{
    int32_t columns = text_columns(request);
    uint64_t side = (uint64_t)text_side(&f->plan, columns);
    if (f->edges)
        return text_graph_cells(&f->plan, columns);
    if (!side)
        return 2 * f->cells;
    return f->cells / (2 * side * side) + f->cells / ((uint64_t)f->plan.width + 2) + 1;
}

/* A colored character needs room for its escape sequence, a plot two more bytes. */
static struct mw_cost forecast(const struct mw_request *request, const struct mw_forecast *f)
{
    uint64_t characters = characters_of(request, f), listed = request->look.tables;
    uint64_t paint = request->look.color ? TEXT_CELL_ROOM - 3 : 0, plot = f->edges ? 2 : 0;
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
