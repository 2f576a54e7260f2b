/*
 * text.c: a map as text: its values first, and the picture last, so that it stays visible at the
 * bottom of a terminal. Tables, heights and further boards come before the picture, if requested.
 */
#include "text.h"

#include "enc/find.h"

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
    case MW_TABLE: (section == RECORDS ? text_record : text_table)(run, map, p); break;
    case MW_EDGES: (section == PICTURES ? text_graph : text_edges)(run, map, p); break;
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
    text_values(run, map);
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
