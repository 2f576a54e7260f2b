/*
 * text_color.c: the colors of drawings in text.
 *
 * Land with heights is lighter the higher it is; other labels differ from their neighbors. A
 * letter is a darker shade of its cell, so that areas stand out. Boards have the colors of their
 * tracks.
 */
#include "enc/find.h"
#include "enc/ink.h"
#include "enc/labels.h"
#include "kit/integer.h"
#include "text.h"

enum { SHADE = 90 };

/* ---- the 256 colors of a terminal ----------------------------------------------------------- */

/* 16 .. 231 are a cube of six levels a side and 232 .. 255 a ramp of grays; users may have changed
   the first sixteen, so these are not used. The nearest color is the better of the nearest in
   either. */
static const int32_t levels[] = {0, 95, 135, 175, 215, 255};
enum { LEVELS = 6, CUBE = 16, GRAYS = 232, GRAY_COUNT = 24 };

static int32_t nearest_level(int32_t value)
{
    int32_t best = 0;
    for (int32_t i = 1; i < LEVELS; i++)
        if (2 * value >= levels[i - 1] + levels[i])
            best = i;
    return best;
}

static int32_t square(int32_t n) { return n * n; }

uint8_t ansi_color(uint32_t rgb)
{
    assert(rgb <= 0xffffff);
    int32_t red = rgb >> 16 & 255, green = rgb >> 8 & 255, blue = rgb & 255;
    int32_t r = nearest_level(red), g = nearest_level(green), b = nearest_level(blue);
    int32_t gray = (red + green + blue) / 3 - 3; /* the ramp: 8, 18, .. 238 */
    gray = mw_clamp(gray / 10, 0, GRAY_COUNT - 1);
    int32_t ramp = 8 + 10 * gray;
    int32_t off_cube =
        square(red - levels[r]) + square(green - levels[g]) + square(blue - levels[b]);
    int32_t off_ramp = square(red - ramp) + square(green - ramp) + square(blue - ramp);
    return (uint8_t)(off_ramp < off_cube ? GRAYS + gray : CUBE + 36 * r + 6 * g + b);
}

static char *write_color(char *to, const char *which, uint8_t color)
{
    if (!color)
        return to;
    memcpy(to, which, 6);
    return mw_write_int(to + 6, color);
}

char *ansi_paint(char *to, struct paint *now, struct paint next)
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

/* ---- tiles ----------------------------------------------------------------------------------- */

static uint8_t color_of(enum ink ink) { return ansi_color(ink_rgb[ink]); }

/* A cell of that color, with its letter. */
static struct paint tile(uint32_t rgb)
{
    return (struct paint){ansi_color(rgb), ansi_color(ink_mix(rgb, ink_rgb[INK_MARK], SHADE))};
}

/* ---- grids ----------------------------------------------------------------------------------- */

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

struct text_paints text_paints_of(struct mw_run *run, const struct mw_map *map, int p,
                                  const uint8_t *borders)
{
    const struct mw_cells *cells = &map->slots[p].as.grid;
    struct text_paints paints = {
        .cells = cells, .heights = find_grid(map, MW_HEIGHT_GRID), .highest = 1};
    paints.marked = cells == paints.heights ? NULL : mark_cells(run, map, &cells->lattice);
    if (!paints.heights)
        paints.colors = label_colors(run, cells, borders, INK_LABELS);
    else
        paints.highest = find_highest(run, paints.heights);
    return paints;
}

static enum ink layer_at(const struct text_paints *paints, int32_t cell)
{
    int32_t height = paints->heights->at[cell];
    return ink_of_layer(height > 1 ? height : 1, paints->highest);
}

struct paint text_paint(const struct text_paints *paints, int32_t cell)
{
    int32_t value = paints->cells->at[cell];
    if (!value)
        return (struct paint){0, color_of(INK_BORDER)};
    if (paints->marked && paints->marked[cell])
        return (struct paint){color_of(INK_MARK), color_of(INK_WHITE)};
    if (value < 0)
        return tile(ink_rgb[INK_DECK + 1]);
    if (paints->heights)
        return tile(ink_rgb[layer_at(paints, cell)]);
    assert(value <= paints->colors[0]);
    return tile(ink_rgb[INK_LABEL + paints->colors[value]]);
}

/* ---- boards ---------------------------------------------------------------------------------- */

/* The colors of tracks by the letters that name them. */
static void name_tracks(const struct mw_map *map, struct paint paints[256])
{
    int32_t rows;
    const char *const *names = find_array(map, MW_NAME, &rows);
    for (int32_t row = 0; row < rows; row++)
        paints[(unsigned char)names[row][0]] = (struct paint){
            color_of((enum ink)(INK_LABEL + row % INK_LABELS)), color_of(INK_LETTER)};
}

struct board_text {
    struct mw_run *run;
    const struct mw_rows *rows;
    const struct paint *paints; /* of characters; NULL: without colors */
    bool wide;
};

/* The columns of the board from `first` to `past`. */
static void draw_columns(const struct board_text *b, int32_t first, int32_t past)
{
    for (int32_t y = 0; y < b->rows->count; y++) {
        struct paint paint = {0, 0};
        char *to =
            mw_reserve_output(b->run, (size_t)(past - first) * (2 + ANSI_ROOM) + ANSI_ROOM + 1);
        for (int32_t x = first; x < past; x++) {
            char c = b->rows->at[(int64_t)y * (b->rows->width + 1) + x];
            if (b->paints)
                to = ansi_paint(to, &paint, b->paints[(unsigned char)c]);
            *to++ = c;
            if (b->wide && (b->paints || x < past - 1))
                *to++ = ' ';
        }
        to = ansi_paint(to, &paint, (struct paint){0, 0});
        *to++ = '\n';
        mw_end_output(b->run, to);
    }
}

/* Cells are square if that fits. A cell takes at least a character: a board that is wider is split
   into blocks of columns, one below the other. */
void text_board(struct mw_run *run, const struct mw_map *map, const struct mw_rows *rows)
{
    struct paint paints[256] = {
        ['#'] = tile(ink_rgb[INK_BORDER]), ['.'] = {0, color_of(INK_BORDER)}};
    int32_t width = rows->width, columns = text_columns(map->request);
    struct board_text board = {run, rows, map->request->look.color ? paints : NULL,
                               2 * width <= columns};
    name_tracks(map, paints);
    for (int32_t first = 0, past; first < width; first = past) {
        past = width - first > columns ? first + columns : width;
        if (width > columns)
            mw_print(run, "%scolumns %d to %d:\n", first ? "\n" : "", first, past - 1);
        draw_columns(&board, first, past);
    }
}
