/*
 * svg_board.c: a board of squares with thick tracks over it, their ends named.
 *
 * Colours repeat after some tracks; the names at the ends, and a second colour at their rims, tell apart
 * what colour alone does not.
 */
#include "svg.h"

enum { CELL = 30 };

/* A column of the table that has it, or NULL. */
static const void *column_of(const struct mw_map *map, enum mw_role role, int32_t *rows)
{
    const struct mw_part *parts = map->request->generator->parts;
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        for (int c = 0; parts[p].kind == MW_TABLE && parts[p].columns[c].type != MW_END_OF_TABLE; c++)
            if (parts[p].columns[c].role == role && map->slots[p].present) {
                *rows = map->slots[p].as.table.rows;
                return map->slots[p].as.table.columns[c];
            }
    *rows = 0;
    return NULL;
}

static void put_walls(struct mw_run *run, const struct mw_rows *board)
{
    mw_put(run, "<path fill=\"#445566\" d=\"");
    for (int32_t y = 0; y < board->count; y++)
        for (int32_t x = 0; x < board->width; x++) {
            if (board->at[(int64_t)y * (board->width + 1) + x] != '#')
                continue;
            mw_put_char(run, 'M');
            mw_put_int(run, x * CELL);
            mw_put_char(run, ' ');
            mw_put_int(run, y * CELL);
            mw_put(run, "h30v30h-30z");
        }
    mw_put(run, "\"/>\n");
}

static void put_lines(struct mw_run *run, const struct mw_rows *board)
{
    mw_put(run, "<path stroke=\"#c4ccd4\" d=\"");
    for (int32_t x = 0; x <= board->width; x++) {
        mw_put_char(run, 'M');
        mw_put_int(run, x * CELL);
        mw_put(run, " 0v");
        mw_put_int(run, board->count * CELL);
    }
    for (int32_t y = 0; y <= board->count; y++) {
        mw_put(run, "M0 ");
        mw_put_int(run, y * CELL);
        mw_put_char(run, 'h');
        mw_put_int(run, board->width * CELL);
    }
    mw_put(run, "\"/>\n");
}

static void put_place(struct mw_run *run, struct mw_point cell)
{
    mw_put_int(run, cell.x * CELL + CELL / 2);
    mw_put_char(run, ' ');
    mw_put_int(run, cell.y * CELL + CELL / 2);
}

static void put_track(struct mw_run *run, struct mw_points track, int32_t row)
{
    mw_put(run, "<polyline stroke=\"");
    mw_put(run, svg_palette[row % SVG_COLOURS]);
    mw_put(run, "\" points=\"");
    for (int32_t i = 0; i < track.count; i++) {
        if (i)
            mw_put_char(run, ' ');
        put_place(run, track.at[i]);
    }
    mw_put(run, "\"/>\n");
}

static void put_end(struct mw_run *run, struct mw_point cell, const char *name, int32_t row)
{
    mw_put(run, "<circle r=\"11\" fill=\"");
    mw_put(run, svg_palette[row % SVG_COLOURS]);
    mw_put(run, "\" stroke=\"");
    mw_put(run, row / SVG_COLOURS % 2 ? "#ffffff" : "#223344");
    mw_put_char(run, '"');
    svg_attribute(run, "cx", cell.x * CELL + CELL / 2);
    svg_attribute(run, "cy", cell.y * CELL + CELL / 2);
    mw_put(run, "/><text");
    svg_attribute(run, "x", cell.x * CELL + CELL / 2);
    svg_attribute(run, "y", cell.y * CELL + CELL / 2 + 5);
    mw_put_char(run, '>');
    mw_put_xml(run, name);
    mw_put(run, "</text>\n");
}

/* Whether the map has rows beside the board: then that is the question, and the tracks are the answer. */
static bool has_question(const struct mw_generator *generator, int board)
{
    for (int p = 0; generator->parts[p].kind != MW_NO_PART; p++)
        if (p != board && generator->parts[p].kind == MW_VALUE && generator->parts[p].type == MW_ROWS)
            return true;
    return false;
}

static void put_tracks(struct mw_run *run, const struct mw_points *tracks, int32_t rows)
{
    mw_put(run, "<g fill=\"none\" stroke-width=\"13\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n");
    for (int32_t row = 0; row < rows; row++)
        put_track(run, tracks[row], row);
    mw_put(run, "</g>\n");
}

static void put_ends(struct mw_run *run, const struct mw_points *tracks, const char *const *names, int32_t rows)
{
    mw_put(run, "<g font-family=\"sans-serif\" font-size=\"14\" text-anchor=\"middle\" fill=\"#111111\" "
                "stroke-width=\"1.5\">\n");
    for (int32_t row = 0; row < rows; row++) {
        put_end(run, tracks[row].at[0], names[row], row);
        put_end(run, tracks[row].at[tracks[row].count - 1], names[row], row);
    }
    mw_put(run, "</g>\n");
}

/* The board at the left, where it is a question; with the tracks at the right. */
void svg_board(struct mw_run *run, const struct mw_map *map, int p)
{
    const struct mw_rows *board = &map->slots[p].as.value.rows;
    int32_t rows, named;
    const struct mw_points *tracks = column_of(map, MW_TRACK, &rows);
    const char *const *names = column_of(map, MW_NAME, &named);
    bool both = has_question(map->request->generator, p);
    int32_t width = board->width * CELL;
    svg_begin(run, map, both ? 2 * width + CELL : width, board->count * CELL, "#f7f9fb");
    for (int panel = 0; panel <= both; panel++) {
        mw_put(run, "<g transform=\"translate(");
        mw_put_int(run, panel * (width + CELL));
        mw_put(run, ")\">\n");
        put_walls(run, board);
        put_lines(run, board);
        if (panel == both)
            put_tracks(run, tracks, rows);
        put_ends(run, tracks, names, rows);
        mw_put(run, "</g>\n");
    }
}
