/*
 * text_grid.c: a grid in characters, and boards.
 *
 * A cell is a character and a space, as a character is about twice as high as it is wide; odd rows
 * of hexagons are shifted by one. `.` is nothing, `+` a bridge, other characters are labels. With
 * colors the characters are the same, on a background in the color of the cell: land with heights
 * is lighter the higher it is, other labels differ from their neighbors.
 *
 * If that is too wide, the map is drawn smaller: a character is two dots, one above the other, and
 * each dot a square of 1, 2, 4 .. cells a side. With colors a dot has the color of one of its
 * cells. Without colors dots are black and white if there is only one label; else a character is
 * the label of both dots.
 *
 * The cell that represents a square is a marked one, else a bridge, as these are thin and would get
 * lost, else the candidate of the Boyer-Moore majority vote (1981), which has the label of more
 * than half of the cells, if there is one.
 */
#include "enc/find.h"
#include "enc/ink.h"
#include "enc/labels.h"
#include "kit/integer.h"
#include "text.h"

static const char alphabet[] = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
enum { LETTERS = sizeof alphabet - 1 };

struct grid_text {
    struct mw_run *run;
    const struct mw_cells *cells;
    const int32_t *letters; /* of labels; NULL: heights, 1 to 9, then letters */
    int32_t side;           /* cells along a dot */
    /* If it has colors: */
    bool has_colors;
    const struct mw_cells *heights; /* NULL: labels have colors of their own */
    const int32_t *colors;
    const uint8_t *marked; /* cells; NULL: none */
    int32_t highest;
};

static char letter_of(const struct grid_text *d, int32_t value)
{
    if (value <= 0)
        return value ? '+' : '.';
    assert(!d->letters || value <= d->letters[0]);
    return alphabet[d->letters ? d->letters[value] : (value - 1) % LETTERS];
}

/* ---- colors ---------------------------------------------------------------------------------- */

static uint8_t color_of(enum ink ink) { return text_color(ink_rgb[ink]); }

static uint8_t *mark_cells(struct mw_run *run, const struct mw_map *map, const struct mw_lattice *l)
{
    uint8_t *marked = MW_NEW0(run, uint8_t, (int64_t)l->width * l->height);
    struct found found = {0, -1, NULL, 0};
    while (find_next(map, MW_MARK, &found)) {
        mw_tick(run, (uint64_t)found.rows);
        for (int32_t row = 0; row < found.rows; row++) {
            struct mw_point at = ((const struct mw_point *)found.array)[row];
            assert(at.x >= 0 && at.x < l->width && at.y >= 0 && at.y < l->height);
            marked[at.y * l->width + at.x] = 1;
        }
    }
    return marked;
}

static struct paint paint_of(const struct grid_text *d, int32_t cell)
{
    int32_t value = d->cells->at[cell];
    if (!d->has_colors)
        return (struct paint){0, 0};
    if (!value)
        return (struct paint){0, color_of(INK_BORDER)};
    if (d->marked && d->marked[cell])
        return (struct paint){color_of(INK_MARK), color_of(INK_WHITE)};
    if (value < 0)
        return text_tile(ink_rgb[INK_DECK + 1]);
    if (d->heights)
        return text_tile(ink_rgb[ink_of_layer(mw_max(d->heights->at[cell], 1), d->highest)]);
    assert(value <= d->colors[0]);
    return text_tile(ink_rgb[INK_LABEL + d->colors[value]]);
}

/* ---- a cell is a character and a space ------------------------------------------------------- */

/* All rows have the same width: a shifted one begins with a space, and its last cell has none. */
static struct text_cell draw_cell(const void *of, int32_t x, int32_t y)
{
    const struct grid_text *d = of;
    const struct mw_lattice *l = &d->cells->lattice;
    int32_t shift = l->tiling == MW_HEX && y & 1, cell = y * l->width + (x - shift) / 2;
    char c = x % 2 == shift ? letter_of(d, d->cells->at[cell]) : ' ';
    return (struct text_cell){{c}, paint_of(d, cell)};
}

/* ---- reduced --------------------------------------------------------------------------------- */

/* The cell that represents the square of a dot, or those of two, `rows` cells high; -1: it lies
   beyond the map. */
static int32_t cell_for(const struct grid_text *d, int32_t column, int32_t top, int32_t rows)
{
    const struct mw_lattice *l = &d->cells->lattice;
    const int32_t *cells = d->cells->at, left = column * d->side,
                  right = mw_min(left + d->side, l->width), foot = mw_min(top + rows, l->height);
    int32_t chosen = -1, way = -1, votes = 0;
    for (int32_t y = top; y < foot; y++)
        for (int32_t c = y * l->width + left; c < y * l->width + right; c++) {
            if (d->marked && d->marked[c])
                return c;
            way = cells[c] < 0 ? c : way;
            chosen = votes ? chosen : c;
            votes += cells[c] == cells[chosen] ? 1 : -1;
        }
    return way < 0 ? chosen : way;
}

/* A block character. */
static struct text_cell block(bool upper, bool lower, struct paint paint)
{
    struct text_cell cell = {.paint = paint};
    memcpy(cell.text, !upper && !lower ? " \0\0" : !lower ? "▀" : upper ? "█" : "▄", 3);
    return cell;
}

/* Color 0 is the background of the terminal. */
static struct text_cell draw_dots(const void *of, int32_t x, int32_t y)
{
    const struct grid_text *d = of;
    int32_t side = d->side, first = 2 * y * side;
    mw_tick(d->run, 2 * (uint64_t)side * (uint64_t)side);
    if (!d->has_colors && !(d->letters && d->letters[0] <= 1)) /* different letters */
        return (struct text_cell){{letter_of(d, d->cells->at[cell_for(d, x, first, 2 * side)])},
                                  {0, 0}};
    int32_t upper = cell_for(d, x, first, side), lower = cell_for(d, x, first + side, side);
    if (!d->has_colors)
        return block(d->cells->at[upper], lower >= 0 && d->cells->at[lower], (struct paint){0, 0});
    uint8_t top = paint_of(d, upper).back, foot = lower < 0 ? 0 : paint_of(d, lower).back;
    return block(top, top ? top == foot : foot, (struct paint){top ? foot : 0, top ? top : foot});
}

int32_t text_side(const struct mw_lattice *lattice, int32_t columns)
{
    int32_t side = 1;
    if (2 * (int64_t)lattice->width <= columns)
        return 0;
    while ((lattice->width - 1) / side + 1 > columns)
        side *= 2;
    return side;
}

void text_grid(struct mw_run *run, const struct mw_map *map, int p)
{
    const struct mw_cells *cells = &map->slots[p].as.grid;
    const struct mw_lattice *l = &cells->lattice;
    struct grid_text d = {.run = run,
                          .cells = cells,
                          .side = text_side(l, text_columns(map->request)),
                          .has_colors = map->request->look.color,
                          .heights = find_grid(map, MW_HEIGHT_GRID)};
    if (cells != d.heights) {
        const uint8_t *borders = label_borders(run, cells);
        d.letters = label_colors(run, cells, borders, LETTERS);
        d.colors = d.has_colors ? label_colors(run, cells, borders, INK_LABELS) : NULL;
        d.marked = d.has_colors ? mark_cells(run, map, l) : NULL;
    }
    d.highest = d.heights ? find_highest(run, d.heights) : 1;
    if (!d.side)
        text_draw(run, 2 * l->width, l->height, draw_cell, &d);
    else
        text_draw(run, (l->width - 1) / d.side + 1, (l->height - 1) / (2 * d.side) + 1, draw_dots,
                  &d);
}

/* ---- boards ---------------------------------------------------------------------------------- */

struct board_text {
    const struct mw_rows *rows;
    const struct paint *paints; /* of characters; NULL: without colors */
    int32_t first, wide;        /* column; characters of a cell */
};

static struct text_cell draw_board(const void *of, int32_t x, int32_t y)
{
    const struct board_text *b = of;
    char c = b->rows->at[(int64_t)y * (b->rows->width + 1) + b->first + x / b->wide];
    struct paint paint = b->paints ? b->paints[(unsigned char)c] : (struct paint){0, 0};
    return (struct text_cell){{x % b->wide ? ' ' : c}, paint};
}

/* Cells are square if that fits, in the colors of their tracks. A cell takes at least a character:
   a board that is wider is split into blocks of columns, one below the other. */
void text_board(struct mw_run *run, const struct mw_map *map, const struct mw_rows *rows)
{
    struct paint paints[256] = {
        ['#'] = text_tile(ink_rgb[INK_BORDER]), ['.'] = {0, color_of(INK_BORDER)}};
    int32_t width = rows->width, columns = text_columns(map->request);
    struct board_text board = {rows, map->request->look.color ? paints : NULL, 0,
                               2 * width <= columns ? 2 : 1};
    int32_t tracks;
    const char *const *names = find_array(map, MW_NAME, &tracks);
    for (int32_t row = 0; row < tracks; row++)
        paints[(unsigned char)names[row][0]] = (struct paint){
            color_of((enum ink)(INK_LABEL + row % INK_LABELS)), color_of(INK_LETTER)};
    for (int32_t past; board.first < width; board.first = past) {
        past = mw_min(board.first + columns, width);
        if (width > columns)
            mw_print(run, "%scolumns %d to %d:\n", board.first ? "\n" : "", board.first, past - 1);
        text_draw(run, (past - board.first) * board.wide, rows->count, draw_board, &board);
    }
}
