/*
 * text.c: a map in characters, then what is known of it, a line each.
 *
 * A cell is a character and a space, as a character is about twice as high as it is wide; odd rows
 * of hexagons are shoved by one. `.` is nothing, `+` a way between; the others are labels. With
 * colours the characters are the same, and stand on the colour of what they mean.
 */
#include "text.h"
#include "enc/find.h"
#include "enc/labels.h"

static const char letters[] = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
enum { LETTERS = sizeof letters - 1 };

/* A grid that is to be drawn, of labels or of heights. */
struct tiles {
    const struct mw_cells *cells;
    const int32_t *letters;           /* of labels; NULL: heights, 1 to 9, then letters */
    const struct text_paints *paints; /* NULL: without colours */
};

static char letter_of(const struct tiles *tiles, int32_t value)
{
    if (value <= 0)
        return value ? '+' : '.';
    assert(!tiles->letters || value <= tiles->letters[0]);
    return letters[tiles->letters ? tiles->letters[value] : (value - 1) % LETTERS];
}

static char *draw_plain(const struct tiles *tiles, char *to, const int32_t *cells, int32_t width)
{
    for (int32_t x = 0; x < width; x++) {
        *to++ = letter_of(tiles, cells[x]);
        *to++ = ' ';
    }
    return to - 1;
}

/* The same in colours, and the last cell as wide as the others. */
static char *draw_painted(const struct tiles *tiles, char *to, int32_t first, int32_t width)
{
    struct paint paint = {0, 0};
    for (int32_t c = first; c < first + width; c++) {
        to = ansi_paint(to, &paint, text_paint(tiles->paints, c));
        *to++ = letter_of(tiles, tiles->cells->at[c]);
        *to++ = ' ';
    }
    return ansi_paint(to, &paint, (struct paint){0, 0});
}

static void draw_tiles(struct mw_run *run, const struct tiles *tiles)
{
    const struct mw_lattice *lattice = &tiles->cells->lattice;
    int32_t width = lattice->width;
    size_t room = (size_t)width * (tiles->paints ? 2 + ANSI_ROOM : 2) + ANSI_ROOM;
    for (int32_t y = 0; y < lattice->height; y++) {
        char *to = mw_room(run, room);
        if (tiles->letters && lattice->tiling == MW_HEX && y & 1)
            *to++ = ' ';
        to = tiles->paints ? draw_painted(tiles, to, y * width, width)
                           : draw_plain(tiles, to, tiles->cells->at + (int64_t)y * width, width);
        *to++ = '\n';
        mw_wrote(run, to);
        mw_tick(run, (uint64_t)width);
    }
}

static void draw_grid(struct mw_run *run, const struct mw_map *map, int p)
{
    const struct mw_cells *cells = &map->slots[p].as.grid;
    struct text_paints paints;
    struct tiles tiles = {.cells = cells};
    if (map->request->generator->parts[p].role != MW_HEIGHT_GRID)
        tiles.letters = label_colours(run, cells, LETTERS);
    if (map->request->look.color) {
        paints = text_paints_of(run, map, p);
        tiles.paints = &paints;
    }
    draw_tiles(run, &tiles);
}

static void put_table(struct mw_run *run, const struct mw_column *columns,
                      const struct mw_rowset *table)
{
    for (int c = 0; columns[c].type != MW_END_OF_TABLE; c++)
        mw_print(run, c ? " %s" : "%s", columns[c].name);
    mw_put_char(run, '\n');
    for (int32_t row = 0; row < table->rows; row++) {
        for (int c = 0; columns[c].type != MW_END_OF_TABLE; c++) {
            if (c)
                mw_put_char(run, ' ');
            mw_put_value(run, MW_AS_TEXT, columns[c].type, NULL, table->columns[c], row);
        }
        mw_put_char(run, '\n');
    }
}

static void put_edges(struct mw_run *run, const struct mw_part *part, struct mw_edges edges)
{
    mw_print(run, "%s:", part->name);
    for (int32_t i = 0; i < edges.count; i++)
        mw_print(run, " %d-%d", edges.at[i].a, edges.at[i].b);
    mw_put_char(run, '\n');
}

static void put_part(struct mw_run *run, const struct mw_map *map, int p)
{
    const struct mw_part *part = &map->request->generator->parts[p];
    const struct mw_slot *slot = &map->slots[p];
    switch (part->kind) {
    case MW_VALUE:
        mw_put(run, part->name);
        mw_put(run, part->type == MW_ROWS ? ":" : ": ");
        if (part->type == MW_ROWS && map->request->look.color)
            text_board(run, map, &slot->as.value.rows);
        else
            mw_put_value(run, MW_AS_TEXT, part->type, part->choices, &slot->as.value, 0);
        mw_put_char(run, '\n');
        break;
    case MW_TABLE: put_table(run, part->columns, &slot->as.table); break;
    case MW_EDGES: put_edges(run, part, slot->as.edges); break;
    case MW_GRID:
    case MW_NO_PART: break;
    }
}

/* A part that is drawn rather than listed. */
static bool draw_part_in_text(struct mw_run *run, const struct mw_map *map, int p)
{
    const struct mw_part *part = &map->request->generator->parts[p];
    if (part->kind == MW_EDGES && part->role == MW_PLAIN && !part->optional)
        text_graph(run, map, p);
    else if (part->kind == MW_GRID)
        draw_grid(run, map, p);
    else
        return false;
    return true;
}

static void encode(struct mw_run *run, const struct mw_map *map)
{
    const struct mw_part *parts = map->request->generator->parts;
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        if (map->slots[p].present && draw_part_in_text(run, map, p))
            mw_put_char(run, '\n');
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        if (map->slots[p].present)
            put_part(run, map, p);
}

static bool fits(const struct mw_generator *generator)
{
    (void)generator;
    return true;
}

/* ---- what it will take ----------------------------------------------------------------------- */

/* A cell is two characters, and in colours as much again for where they change; a graph is plotted,
   an edge over up to a line of characters. */
static struct mw_cost forecast(const struct mw_request *request, const struct mw_forecast *f)
{
    uint64_t paint = request->look.color ? ANSI_ROOM : 0;
    const struct mw_rates bytes = {49152, 3 + paint, 4, 0, 190, 14, 16},
                          steps = {200, 3, 1, 0, 90, 1, 20},
                          nanoseconds = {20000, 9 + 2 * paint, 0, 0, 110, 15, 45};
    return (struct mw_cost){.bytes = mw_rated(f, &bytes),
                            .steps = mw_rated(f, &steps),
                            .nanoseconds = mw_rated(f, &nanoseconds)};
}

const struct mw_encoder mw_text = {.name = "text",
                                   .suffix = "txt",
                                   .media = "text/plain; charset=utf-8",
                                   .help = "drawn in characters, for terminals",
                                   .heeds = MW_HEEDS(COLOR),
                                   .fits = fits,
                                   .forecast = forecast,
                                   .encode = encode};
