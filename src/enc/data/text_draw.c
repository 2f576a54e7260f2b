/*
 * text_draw.c: graphs, grids and boards in characters, in the colors of a terminal.
 *
 * A drawing is a function that tells what character and colors are at a place. An escape sequence
 * is written where the colors change.
 *
 * GRAPHS. `*` is a node, `@` an emphasized one, and edges are lines of dots, eight to a character
 * as in Braille, in two columns of four. Those of the backbone have all their dots, others every
 * third. A full page would be unreadable, so larger graphs are drawn with less detail. With many
 * nodes only the backbone is drawn. With more still, nodes are dots without edges, and of too many
 * for that only every n-th is drawn, so that it is still visible where they are dense.
 *
 * GRIDS. A cell is a character and a space, as a character is about twice as high as it is wide;
 * odd rows of hexagons are shifted by one. `.` is nothing, `+` a bridge, other characters are
 * labels. With colors the characters are the same, on a background in the color of the cell: land
 * with heights is lighter the higher it is, other labels differ from their neighbors.
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
#include "enc/graph.h"
#include "enc/ink.h"
#include "enc/labels.h"
#include "kit/integer.h"
#include "text.h"

/* ---- colors ---------------------------------------------------------------------------------- */

/* Colors of a terminal: of the 256 that all have had for long those from 16 on, or 0: as the
   terminal has it. */
struct paint {
    uint8_t back, fore;
};

/* 16 .. 231 are a cube of six levels a side and 232 .. 255 a ramp of grays; users may have changed
   the first sixteen, so these are not used. The nearest color is the better of the nearest in
   either. */
enum { CUBE = 16, GRAYS = 232, GRAY_COUNT = 24 };

/* The levels are 0, 95, 135, 175, 215 and 255. */
static int32_t nearest_level(int32_t value)
{
    return value < 48 ? 0 : mw_max((value - 35) / 40, 1);
}
static int32_t light_of(int32_t level) { return level ? 55 + 40 * level : 0; }

static int32_t square(int32_t n) { return n * n; }

uint8_t text_color(uint32_t rgb)
{
    assert(rgb <= 0xffffff);
    int32_t red = rgb >> 16 & 255, green = rgb >> 8 & 255, blue = rgb & 255;
    int32_t r = nearest_level(red), g = nearest_level(green), b = nearest_level(blue);
    int32_t gray = (red + green + blue) / 3 - 3; /* the ramp: 8, 18, .. 238 */
    gray = mw_clamp(gray / 10, 0, GRAY_COUNT - 1);
    int32_t ramp = 8 + 10 * gray;
    int32_t off_cube =
        square(red - light_of(r)) + square(green - light_of(g)) + square(blue - light_of(b));
    int32_t off_ramp = square(red - ramp) + square(green - ramp) + square(blue - ramp);
    return (uint8_t)(off_ramp < off_cube ? GRAYS + gray : CUBE + 36 * r + 6 * g + b);
}

static uint8_t color_of(enum ink ink) { return text_color(ink_rgb[ink]); }

/* A background of that color, and a letter in a darker shade of it. */
static struct paint tile_of(enum ink ink)
{
    enum { SHADE = 90 };
    return (struct paint){color_of(ink),
                          text_color(ink_mix(ink_rgb[ink], ink_rgb[INK_MARK], SHADE))};
}

/* ---- characters ------------------------------------------------------------------------------ */

/* A character in UTF-8, and its colors. */
struct text_cell {
    char text[4];
    struct paint paint;
};
enum { CELL_ROOM = 3 + TEXT_PAINT_ROOM }; /* bytes of one in the output, at most */
typedef struct text_cell drawing(const void *of, int32_t x, int32_t y);

void text_end_line(struct mw_run *run, const char *start)
{
    while (run->bottom > start && run->bottom[-1] == ' ')
        mw_end_output(run, run->bottom - 1);
    mw_put_char(run, '\n');
}

static char *write_color(char *to, const char *which, uint8_t color)
{
    if (!color)
        return to;
    memcpy(to, which, 6);
    return mw_write_int(to + 6, color);
}

/* Where the paint changes. */
static char *write_paint(char *to, struct paint *now, struct paint next)
{
    assert((!next.back || next.back >= CUBE) && (!next.fore || next.fore >= CUBE));
    if (now->back == next.back && now->fore == next.fore)
        return to;
    *now = next;
    memcpy(to, "\033[0", 3);
    to = write_color(to + 3, ";48;5;", next.back);
    to = write_color(to, ";38;5;", next.fore);
    *to++ = 'm';
    return to;
}

static void draw(struct mw_run *run, int32_t columns, int32_t rows, drawing *drawn, const void *of)
{
    const struct paint plain = {0, 0};
    assert(columns > 0);
    for (int32_t y = 0; y < rows; y++) {
        struct paint paint = plain;
        char *start = run->bottom, *to = mw_reserve_output(run, (size_t)(columns + 1) * CELL_ROOM);
        for (int32_t x = 0; x < columns; x++) {
            struct text_cell cell = drawn(of, x, y);
            to = write_paint(to, &paint, cell.paint);
            for (const char *text = cell.text; *text; text++)
                *to++ = *text;
        }
        mw_end_output(run, write_paint(to, &paint, plain));
        text_end_line(run, start);
        mw_tick(run, (uint64_t)columns);
    }
}

/* ---- graphs ---------------------------------------------------------------------------------- */

enum { MOST_ROWS = 200, ACROSS = 2, DOWN = 4 };
/* Characters to a node, where there are many; dots to one that is drawn as a dot, at least. */
enum { MANY = 16, CROWD = 5, SPARSE = 4 };

/* What a character shows; later ones take precedence. */
enum shown { NOTHING, LANE, TRUNK, STAR, NODE, HOME };

struct cell {
    uint8_t dots, shown;
};

struct plot {
    struct mw_run *run;
    struct graph graph;
    int64_t across, down; /* the extent of all places, at least 1 */
    int32_t columns, rows;
    bool has_colors;
    struct cell *at; /* row by row */
};

/* ---- graphs: positions ----------------------------------------------------------------------- */

static int32_t rows_for(int64_t across, int64_t down, int32_t columns)
{
    return (int32_t)mw_min64(down * columns * ACROSS / (DOWN * across) + 1, MOST_ROWS);
}

/* The dot that a node is. */
static struct mw_point dot_of(const struct plot *plot, int32_t row)
{
    struct mw_point at = graph_place(&plot->graph, row);
    return (struct mw_point){
        (int32_t)(((int64_t)at.x - plot->graph.box.x0) * (plot->columns * ACROSS - 1) /
                  plot->across),
        (int32_t)(((int64_t)at.y - plot->graph.box.y0) * (plot->rows * DOWN - 1) / plot->down)};
}

static struct cell *cell_of(const struct plot *plot, struct mw_point dot)
{
    assert(dot.x >= 0 && dot.x < plot->columns * ACROSS);
    assert(dot.y >= 0 && dot.y < plot->rows * DOWN);
    return &plot->at[dot.y / DOWN * plot->columns + dot.x / ACROSS];
}

static void set_dot(const struct plot *plot, struct mw_point dot, enum shown shown)
{
    static const uint8_t bits[DOWN][ACROSS] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
    struct cell *cell = cell_of(plot, dot);
    cell->dots |= bits[dot.y % DOWN][dot.x % ACROSS];
    cell->shown = (uint8_t)mw_max(cell->shown, (int32_t)shown);
}

/* ---- graphs: lines --------------------------------------------------------------------------- */

/* `share` / `whole` of a length, to the nearest. */
static int32_t share_of(int32_t length, int64_t share, int64_t whole)
{
    assert(whole > 0);
    return (int32_t)((2 * length * share + (length < 0 ? -whole : whole)) / (2 * whole));
}

/* The dots of a trunk, or every third of other lines. */
static void draw_line(const struct plot *plot, struct mw_point a, struct mw_point b,
                      enum shown shown)
{
    const int32_t x = b.x - a.x, y = b.y - a.y, steps = mw_max(mw_max(mw_abs(x), mw_abs(y)), 1),
                  pace = shown == TRUNK ? 1 : 3;
    for (int32_t i = 0; i < steps + (pace == 1); i += pace)
        set_dot(plot, (struct mw_point){a.x + share_of(x, i, steps), a.y + share_of(y, i, steps)},
                shown);
}

static void draw_edges(const struct plot *plot, struct mw_edges edges, enum shown shown)
{
    for (int32_t i = 0; i < edges.count; i++) {
        draw_line(plot, dot_of(plot, edges.at[i].a), dot_of(plot, edges.at[i].b), shown);
        mw_tick(plot->run, (uint64_t)plot->columns);
    }
}

/* ---- graphs: nodes --------------------------------------------------------------------------- */

/* Emphasized nodes, and the others where there is room. */
static void draw_nodes(const struct plot *plot, bool has_room)
{
    const int32_t *emphasis = plot->graph.emphasis;
    for (int32_t row = 0; row < plot->graph.table->rows; row++) {
        struct cell *cell = cell_of(plot, dot_of(plot, row));
        const enum shown shown = emphasis && emphasis[row] ? HOME : has_room ? NODE : NOTHING;
        cell->shown = (uint8_t)mw_max(cell->shown, (int32_t)shown);
    }
}

/* As dots; of many not all. */
static void draw_crowd(const struct plot *plot)
{
    const int32_t nodes = plot->graph.table->rows,
                  most = plot->columns * plot->rows * ACROSS * DOWN / SPARSE,
                  step = nodes / mw_max(most, 1) + 1;
    for (int32_t row = 0; row < nodes; row += step)
        set_dot(plot, dot_of(plot, row), STAR);
}

/* Whether there is less than this number of characters for each node. */
static bool is_crowded(const struct plot *plot, int32_t characters)
{
    return (int64_t)plot->graph.table->rows * characters > (int64_t)plot->columns * plot->rows;
}

static void draw_graph(const struct plot *plot, const struct mw_map *map, int p)
{
    int backbone = find_part(map->request->generator, MW_EDGES, MW_BACKBONE);
    struct mw_edges trunk = {NULL, 0};
    if (backbone >= 0 && map->slots[backbone].as.edges.at)
        trunk = map->slots[backbone].as.edges;
    if (is_crowded(plot, CROWD)) {
        draw_crowd(plot);
    } else {
        if (!trunk.count || !is_crowded(plot, MANY))
            draw_edges(plot, map->slots[p].as.edges, LANE);
        draw_edges(plot, trunk, TRUNK);
    }
    draw_nodes(plot, !is_crowded(plot, CROWD));
}

/* In colors, on a night sky. */
static struct text_cell draw_plot(const void *of, int32_t x, int32_t y)
{
    static const enum ink inks[] = {INK_LANE,     INK_LANE,     INK_TRUNK,
                                    INK_STAR + 2, INK_STAR + 2, INK_HOME};
    const struct plot *plot = of;
    const struct cell cell = plot->at[y * plot->columns + x];
    struct text_cell drawn = {.text = " "};
    if (plot->has_colors)
        drawn.paint = (struct paint){color_of(INK_NIGHT), color_of(inks[cell.shown])};
    if (cell.shown >= NODE)
        drawn.text[0] = cell.shown == HOME ? '@' : '*';
    else if (cell.dots) /* U+2800 and the dots, in UTF-8 */
        memcpy(drawn.text,
               (char[]){'\xe2', (char)(0xa0 + (cell.dots >> 6)), (char)(0x80 + (cell.dots & 63))},
               3);
    return drawn;
}

void text_graph(struct mw_run *run, const struct mw_map *map, int p)
{
    struct plot plot = {.run = run,
                        .graph = graph_of(run, map),
                        .columns = text_columns(map->request),
                        .has_colors = map->request->look.color};
    const struct mw_box box = plot.graph.box;
    plot.across = mw_max64((int64_t)box.x1 - box.x0, 1);
    plot.down = mw_max64((int64_t)box.y1 - box.y0, 1);
    plot.rows = rows_for(plot.across, plot.down, plot.columns);
    plot.at = MW_NEW0(run, struct cell, plot.rows * plot.columns);
    draw_graph(&plot, map, p);
    draw(run, plot.columns, plot.rows, draw_plot, &plot);
}

/* ---- grids ----------------------------------------------------------------------------------- */

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

/* ---- grids: colors --------------------------------------------------------------------------- */

static uint8_t *mark_cells(struct mw_run *run, const struct mw_map *map, const struct mw_lattice *l)
{
    uint8_t *marked = MW_NEW0(run, uint8_t, (int64_t)l->width * l->height);
    for (struct found found = {.column = -1}; find_next(map, MW_MARK, &found);) {
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
        return tile_of(INK_DECK + 1);
    if (d->heights)
        return tile_of(ink_of_layer(mw_max(d->heights->at[cell], 1), d->highest));
    assert(value <= d->colors[0]);
    return tile_of((enum ink)(INK_LABEL + d->colors[value]));
}

/* ---- grids: a cell is a character and a space ------------------------------------------------ */

/* All rows have the same width: a shifted one begins with a space, and its last cell has none. */
static struct text_cell draw_cell(const void *of, int32_t x, int32_t y)
{
    const struct grid_text *d = of;
    const struct mw_lattice *l = &d->cells->lattice;
    int32_t shift = l->tiling == MW_HEX && y & 1, cell = y * l->width + (x - shift) / 2;
    char c = x % 2 == shift ? letter_of(d, d->cells->at[cell]) : ' ';
    return (struct text_cell){{c}, paint_of(d, cell)};
}

/* ---- grids: reduced -------------------------------------------------------------------------- */

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

/* Cells along a dot, where a grid is drawn smaller to fit; 0: it is not. */
static int32_t side_of(const struct mw_lattice *lattice, int32_t columns)
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
                          .side = side_of(l, text_columns(map->request)),
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
        draw(run, 2 * l->width, l->height, draw_cell, &d);
    else
        draw(run, (l->width - 1) / d.side + 1, (l->height - 1) / (2 * d.side) + 1, draw_dots, &d);
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
    struct paint paints[256] = {['#'] = tile_of(INK_BORDER), ['.'] = {0, color_of(INK_BORDER)}};
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
        draw(run, (past - board.first) * board.wide, rows->count, draw_board, &board);
    }
}

/* ---- cost ------------------------------------------------------------------------------------ */

/* Two for a cell, or one for two dots; of a graph, the whole plot. */
uint64_t text_characters(const struct mw_request *request, const struct mw_forecast *f)
{
    int32_t columns = text_columns(request);
    uint64_t side = (uint64_t)side_of(&f->plan, columns);
    if (f->edges)
        return (uint64_t)columns * (uint64_t)rows_for(f->plan.width, f->plan.height, columns);
    if (!side)
        return 2 * f->cells;
    return f->cells / (2 * side * side) + f->cells / ((uint64_t)f->plan.width + 2) + 1;
}
