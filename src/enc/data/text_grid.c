/*
 * text_grid.c: a grid in characters.
 *
 * A cell is a character and a space, as a character is about twice as high as it is wide; odd rows
 * of hexagons are shifted by one. `.` is nothing, `+` a bridge, other characters are labels. With
 * colors the characters are the same, on a background in the color of the cell.
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
#include "enc/labels.h"
#include "text.h"

static const char alphabet[] = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
enum { LETTERS = sizeof alphabet - 1, BLOCK = 3 /* bytes of a block character */ };

struct grid_text {
    struct mw_run *run;
    const struct mw_cells *cells;
    const int32_t *letters;           /* of labels; NULL: heights, 1 to 9, then letters */
    const struct text_paints *paints; /* NULL: without colors */
    int32_t side;                     /* cells along a dot */
};

static char letter_of(const struct grid_text *d, int32_t value)
{
    if (value <= 0)
        return value ? '+' : '.';
    assert(!d->letters || value <= d->letters[0]);
    return alphabet[d->letters ? d->letters[value] : (value - 1) % LETTERS];
}

/* ---- a cell is a character and a space ------------------------------------------------------- */

/* All rows have the same width: in a shifted one the first cell is a column wider, the last one
   narrower. */
static char *write_row(const struct grid_text *d, char *to, int32_t first, bool is_shifted)
{
    int32_t width = d->cells->lattice.width;
    struct paint paint = {0, 0};
    for (int32_t x = 0; x < width; x++) {
        if (d->paints)
            to = ansi_paint(to, &paint, text_paint(d->paints, first + x));
        if (is_shifted && !x)
            *to++ = ' ';
        *to++ = letter_of(d, d->cells->at[first + x]);
        if (!is_shifted || x < width - 1)
            *to++ = ' ';
    }
    return ansi_paint(to, &paint, (struct paint){0, 0});
}

static void draw_cells(const struct grid_text *d)
{
    const struct mw_lattice *l = &d->cells->lattice;
    size_t room = (size_t)l->width * (d->paints ? 2 + ANSI_ROOM : 2) + ANSI_ROOM + 2;
    for (int32_t y = 0; y < l->height; y++) {
        bool is_shifted = d->letters && l->tiling == MW_HEX && y & 1;
        char *to = mw_reserve_output(d->run, room);
        to = write_row(d, to, y * l->width, is_shifted);
        text_end_line(d->run, d->run->bottom, to);
        mw_tick(d->run, (uint64_t)l->width);
    }
}

/* ---- reduced --------------------------------------------------------------------------------- */

/* The cells of a dot, or of two, clipped to the map. */
static struct mw_box box_of(const struct grid_text *d, int32_t column, int32_t y, int32_t height)
{
    const struct mw_lattice *l = &d->cells->lattice;
    int32_t x = column * d->side, right = x + d->side, bottom = y + height;
    return (struct mw_box){x, y, (right < l->width ? right : l->width) - 1,
                           (bottom < l->height ? bottom : l->height) - 1};
}

/* The cell that represents all in the box; -1: the box is empty. */
static int32_t cell_for(const struct grid_text *d, struct mw_box box)
{
    const int32_t *cells = d->cells->at, width = d->cells->lattice.width;
    const uint8_t *marked = d->paints ? d->paints->marked : NULL;
    int32_t chosen = -1, way = -1, votes = 0;
    for (int32_t y = box.y0; y <= box.y1; y++)
        for (int32_t c = y * width + box.x0; c <= y * width + box.x1; c++) {
            if (marked && marked[c])
                return c;
            way = cells[c] < 0 ? c : way;
            chosen = votes ? chosen : c;
            votes += cells[c] == cells[chosen] ? 1 : -1;
        }
    return way < 0 ? chosen : way;
}

static char *write_block(char *to, const char *block)
{
    memcpy(to, block, BLOCK);
    return to + BLOCK;
}

static char *write_blocks(char *to, bool upper, bool lower)
{
    if (!upper && !lower)
        return *to = ' ', to + 1;
    return write_block(to, !lower ? "▀" : upper ? "█" : "▄");
}

static uint8_t color_at(const struct grid_text *d, int32_t cell)
{
    return cell < 0 ? 0 : text_paint(d->paints, cell).back;
}

/* Color 0 is the background of the terminal. */
static char *paint_blocks(char *to, struct paint *now, uint8_t upper, uint8_t lower)
{
    struct paint next = {upper ? lower : 0, upper ? upper : lower};
    to = ansi_paint(to, now, next);
    return write_blocks(to, upper, upper ? upper == lower : lower);
}

static bool is_something(const struct grid_text *d, int32_t cell)
{
    return cell >= 0 && d->cells->at[cell] != 0;
}

/* Whether all cells would have the same letter. */
static bool is_black_and_white(const struct grid_text *d)
{
    return d->letters && d->letters[0] <= 1;
}

static char *write_two(const struct grid_text *d, char *to, struct paint *paint, int32_t column,
                       int32_t y)
{
    if (!d->paints && !is_black_and_white(d)) {
        *to++ = letter_of(d, d->cells->at[cell_for(d, box_of(d, column, y, 2 * d->side))]);
        return to;
    }
    int32_t upper = cell_for(d, box_of(d, column, y, d->side)),
            lower = cell_for(d, box_of(d, column, y + d->side, d->side));
    if (!d->paints)
        return write_blocks(to, is_something(d, upper), is_something(d, lower));
    return paint_blocks(to, paint, color_at(d, upper), color_at(d, lower));
}

static void draw_dots(const struct grid_text *d)
{
    const struct mw_lattice *l = &d->cells->lattice;
    int32_t columns = (l->width - 1) / d->side + 1;
    for (int32_t y = 0; y < l->height; y += 2 * d->side) {
        struct paint paint = {0, 0};
        char *to = mw_reserve_output(d->run, (size_t)columns * (BLOCK + ANSI_ROOM) + ANSI_ROOM + 1);
        for (int32_t column = 0; column < columns; column++)
            to = write_two(d, to, &paint, column, y);
        to = ansi_paint(to, &paint, (struct paint){0, 0});
        text_end_line(d->run, d->run->bottom, to);
        mw_tick(d->run, 2 * (uint64_t)l->width * (uint64_t)d->side);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

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
    struct text_paints paints;
    struct grid_text d = {.run = run, .cells = &map->slots[p].as.grid};
    const uint8_t *borders = NULL;
    if (map->request->generator->parts[p].role != MW_HEIGHT_GRID) {
        borders = label_borders(run, d.cells);
        d.letters = label_colors(run, d.cells, borders, LETTERS);
    }
    if (map->request->look.color) {
        paints = text_paints_of(run, map, p, borders);
        d.paints = &paints;
    }
    d.side = text_side(&d.cells->lattice, text_columns(map->request));
    (d.side ? draw_dots : draw_cells)(&d);
}
