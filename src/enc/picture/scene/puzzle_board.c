/*
 * puzzle_board.c: a board of squares with thick paths over it and letters at their ends.
 *
 * Cells on a path are tinted in its color. There are as many colors as a board may have paths,
 * the most different ones first; letters distinguish similar ones.
 */
#include "kit/integer.h"
#include "scene.h"

enum { CELL = 30, MARGIN = 3 };

struct panel {
    struct canvas *canvas;
    const struct mw_rows *board;
    int32_t left;
    const char *kind; /* of a track, in the singular: "path" */
};

/* The rectangle from one cell to another in the same row or column. */
static void draw_stretch(const struct panel *panel, struct mw_point from, struct mw_point to)
{
    const struct mw_point at = {panel->left + mw_min(from.x, to.x) * CELL,
                                mw_min(from.y, to.y) * CELL};
    canvas_parallelogram(panel->canvas, at,
                         (struct mw_point){(mw_abs(from.x - to.x) + 1) * CELL, 0},
                         (struct mw_point){0, (mw_abs(from.y - to.y) + 1) * CELL});
}

static void draw_walls(const struct panel *panel)
{
    const struct mw_rows *board = panel->board;
    canvas_begin(panel->canvas, (struct pen){.fill = INK_WALL});
    for (int32_t y = 0; y < board->count; y++)
        for (int32_t x = 0; x < board->width; x++)
            if (board->at[(int64_t)y * (board->width + 1) + x] == '#')
                draw_stretch(panel, (struct mw_point){x, y}, (struct mw_point){x, y});
}

static void draw_rules(const struct panel *panel)
{
    int32_t width = panel->board->width * CELL, height = panel->board->count * CELL;
    canvas_begin(panel->canvas, (struct pen){.line = INK_RULE, .tenths = 10});
    for (int32_t x = 0; x <= width; x += CELL) {
        canvas_move(panel->canvas, (struct mw_point){panel->left + x, 0});
        canvas_step(panel->canvas, 0, height);
    }
    for (int32_t y = 0; y <= height; y += CELL) {
        canvas_move(panel->canvas, (struct mw_point){panel->left, y});
        canvas_step(panel->canvas, width, 0);
    }
}

static enum ink ink_of(int32_t row) { return (enum ink)(INK_TRACK + row % INK_TRACKS); }

static struct mw_point middle(const struct panel *panel, struct mw_point cell)
{
    return (struct mw_point){panel->left + cell.x * CELL + CELL / 2, cell.y * CELL + CELL / 2};
}

/* The cells of a track, a rectangle from bend to bend. */
static void draw_tint(const struct panel *panel, struct mw_points track, int32_t row)
{
    const enum ink ink = (enum ink)(INK_TINT + row % INK_TRACKS);
    canvas_begin(panel->canvas, (struct pen){.fill = ink});
    for (int32_t i = 0, last; i < track.count; i = last + 1) {
        last = i;
        while (last + 1 < track.count &&
               (track.at[last + 1].x == track.at[i].x || track.at[last + 1].y == track.at[i].y))
            last++;
        draw_stretch(panel, track.at[i], track.at[last]);
    }
}

static void draw_track(const struct panel *panel, struct mw_points track, int32_t row,
                       const char *name)
{
    assert(track.count > 0);
    canvas_name_figure(panel->canvas, panel->kind, name, NULL);
    canvas_begin(panel->canvas, (struct pen){.line = ink_of(row), .tenths = 130});
    canvas_move(panel->canvas, middle(panel, track.at[0]));
    for (int32_t i = 1; i < track.count; i++)
        canvas_step_to(panel->canvas, middle(panel, track.at[i]));
}

static void draw_end(const struct panel *panel, struct mw_point cell, int32_t row)
{
    canvas_disc(panel->canvas, (struct pen){.fill = ink_of(row)}, middle(panel, cell), 120);
}

static void draw_name(const struct panel *panel, struct mw_point cell, int32_t row,
                      const char *name)
{
    enum ink ink = ink_for_text_on(&panel->canvas->map->request->look, ink_of(row));
    canvas_word(panel->canvas, (struct text_style){ink, INK_NONE, 12}, middle(panel, cell), name);
}

/* All discs, then all letters. */
static void draw_ends(const struct panel *panel, const struct mw_points *tracks,
                      const char *const *names, int32_t rows)
{
    for (int32_t i = 0; i < 4 * rows; i++) {
        const int32_t row = i / 2 % rows;
        const struct mw_point end = tracks[row].at[i % 2 ? tracks[row].count - 1 : 0];
        if (i < 2 * rows)
            draw_end(panel, end, row);
        else
            draw_name(panel, end, row, names[row]);
    }
}

/* The letters of a board without an answer, colored in order of first appearance. */
static void draw_letters(const struct panel *panel)
{
    int8_t rank[128] = {0}, ranks = 0;
    for (int32_t y = 0; y < panel->board->count; y++)
        for (int32_t x = 0; x < panel->board->width; x++) {
            char c = panel->board->at[(int64_t)y * (panel->board->width + 1) + x],
                 name[] = {c, '\0'};
            if (c == '.' || c == '#')
                continue;
            assert(c > 0);
            if (!rank[c & 127])
                rank[c & 127] = ++ranks;
            draw_end(panel, (struct mw_point){x, y}, rank[c & 127] - 1);
            draw_name(panel, (struct mw_point){x, y}, rank[c & 127] - 1, name);
        }
}

static struct sheet sheet_for(int32_t across, int32_t down)
{
    return (struct sheet){.width = across * CELL,
                          .height = down * CELL,
                          .margin = MARGIN,
                          .pitch = CELL,
                          .ground = INK_PAPER};
}

/* The puzzle, the puzzle and its solution side by side, or the solution alone, as the look and the
   canvas ask. */
static void draw(struct canvas *canvas, int p)
{
    const struct mw_map *map = canvas->map;
    const struct mw_rows *board = find_board(map, p);
    struct found found = {.column = -1};
    const bool solved = find_next(map, MW_TRACK, &found);
    const struct mw_points *tracks = found.array;
    int32_t rows = found.rows, named;
    const char *const *names = find_array(map, MW_NAME, &named);
    bool wanted = canvas->answer_only || find_solution_wanted(map, p),
         both = wanted && !canvas->answer_only && find_answer(map->request->generator, p) >= 0;
    const char *kind = solved ? find_kind(canvas->run, found.of) : NULL;
    int32_t width = board->width * CELL;
    struct sheet sheet = sheet_for(both ? 2 * board->width + 1 : board->width, board->count);
    canvas_open(canvas, &sheet);
    for (int i = 0; i <= both; i++) {
        struct panel panel = {canvas, board, i * (width + CELL), kind};
        int32_t shown = wanted && i == both ? rows : 0;
        draw_walls(&panel);
        for (int32_t row = 0; row < shown; row++)
            draw_tint(&panel, tracks[row], row);
        draw_rules(&panel);
        for (int32_t row = 0; row < shown; row++)
            draw_track(&panel, tracks[row], row, names[row]);
        draw_ends(&panel, tracks, names, rows);
        if (!rows)
            draw_letters(&panel);
    }
}

/* ---- cost ------------------------------------------------------------------------------------ */

/* The larger picture, of one board or, where there may be two and they are tall, of both. */
static struct sheet sheet_of(const struct mw_forecast *f)
{
    int32_t width = f->plan.width, height = f->plan.height;
    bool both = f->cells > (uint64_t)width * (uint64_t)height && 2 * width <= height;
    return sheet_for(both ? 2 * width + 1 : width, height);
}

const struct scene scene_board = {
    .kind = MW_VALUE,
    .role = MW_BOARD,
    .draw = draw,
    .sheet = sheet_of,
    .bytes = {8192, .cell = 60, .row = 700, .item = 24},
    .vector = {5000, .cell = 60, .row = 500, .item = 20},
    .raster = {.cell = 800, .row = 40000, .item = 4000},
};
