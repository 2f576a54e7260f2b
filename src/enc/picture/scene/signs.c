/*
 * signs.c: walks, marks and names on a grid of labels.
 *
 * A label is the name of its row, or its number. It is written below the label's mark or, if it
 * would be much smaller there, above the mark, or at its pole, the cell that is farthest from all
 * other labels (labels.c). It is as large as fits: all cells that it meets must have its label, so
 * it crosses no border. Labels are left out where there are walks, and where they would be
 * illegible: on a raster by their pixels, in a vector drawing by the pixels that they would have if
 * a reader zoomed in.
 *
 * On a sheet to be tiled, what crosses a seam is drawn on both sides.
 */
#include "atlas.h"
#include "enc/picture/glyphs.h"
#include "kit/integer.h"
#include "kit/lattice.h"

/* The positions to draw something at: its own, and its copies across seams that are visible. */
struct copies {
    struct mw_point at[9];
    int count;
};

/* The position itself comes first; `reach`: what is drawn there extends as far. */
static struct copies copies_of(const struct atlas *atlas, struct mw_point at, int32_t reach)
{
    static const int8_t across[] = {0, -1, 1}; /* periods */
    struct copies copies = {.count = 0};
    for (int i = 0; i < (!atlas->period.x ? 1 : atlas->period.y ? 9 : 3); i++) {
        struct mw_point other = {at.x + across[i % 3] * atlas->period.x,
                                 at.y + across[i / 3] * atlas->period.y};
        const bool is_on_sheet = other.x > -reach && other.x < atlas->sheet.width + reach &&
                                 other.y > -reach && other.y < atlas->sheet.height + reach;
        assert(copies.count < 9);
        if (!i || is_on_sheet)
            copies.at[copies.count++] = other;
    }
    return copies;
}

/* The distance on a map that wraps with that period, the shorter way round. */
static int32_t shorter(int32_t way, int32_t period)
{
    return !period              ? way
           : 2 * way > period   ? way - period
           : 2 * way <= -period ? way + period
                                : way;
}

/* ---- walks ----------------------------------------------------------------------------------- */

/* From cell to cell. On a sheet to be tiled, steps near a seam are drawn on its other side, too;
   on another no step leads across one. Lighter than a border, to differ from one. */
static void draw_walk(const struct atlas *atlas, struct mw_points walk)
{
    const int32_t reach = 2 * atlas->shape->pitch_x, tenths = atlas->shape->pitch_x * 8 / 5;
    bool goes_on = false; /* the last step ends where this one begins */
    canvas_begin(atlas->canvas, (struct pen){.line = INK_WALK, .tenths = tenths});
    for (int32_t i = 0; i < mw_max(walk.count - 1, 1); i++) {
        const struct mw_point first = walk.at[i], last = walk.at[mw_min(i + 1, walk.count - 1)],
                              from = outline_middle_of(atlas->shape, first),
                              to = outline_middle_of(atlas->shape, last);
        const bool beside = outline_beside(first, last);
        const struct copies copies = copies_of(atlas, from, reach);
        for (int s = 0; s < copies.count && (beside || atlas->period.x); s++) {
            if (s || !goes_on)
                canvas_move(atlas->canvas, copies.at[s]);
            canvas_step(atlas->canvas, shorter(to.x - from.x, atlas->period.x),
                        shorter(to.y - from.y, atlas->period.y));
        }
        goes_on = beside && copies.count == 1;
    }
}

/* Draws the lists of cells in the table of the labels; whether there are any. */
static bool draw_walks(const struct atlas *atlas)
{
    bool any = false;
    const struct mw_column *columns = atlas->marks.part->columns;
    for (int c = 0; columns[c].type != MW_END_OF_TABLE; c++) {
        const struct mw_points *walks = atlas->marks.table->columns[c];
        for (int32_t row = 0; columns[c].type == MW_POINTS && row < atlas->marks.table->rows; row++)
            if (walks[row].count > 0) {
                draw_walk(atlas, walks[row]);
                any = true;
            }
    }
    return any;
}

/* ---- marks ----------------------------------------------------------------------------------- */

static void draw_marks(const struct atlas *atlas)
{
    const struct mw_map *map = atlas->canvas->map;
    const struct pen pen = {.fill = INK_MARK, .line = INK_WHITE, .tenths = 3 * atlas->weights.mark};
    struct found found = {.column = -1};
    while (find_next(map, MW_MARK, &found))
        for (int32_t row = 0; row < found.rows; row++) {
            struct mw_point cell = ((const struct mw_point *)found.array)[row];
            struct mw_point at = outline_middle_of(atlas->shape, cell);
            struct copies copies = copies_of(atlas, at, 2 * atlas->weights.mark);
            for (int i = 0; i < copies.count; i++)
                canvas_disc(atlas->canvas, pen, copies.at[i], 10 * atlas->weights.mark);
        }
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* A label that looks for its place. */
struct placing {
    const struct atlas *atlas;
    const char *word;
    int32_t label, width; /* of the word, in half steps */
    struct mw_point mark; /* the label's mark; far away if it has none */
};

/* Where a word may be placed: below or above a point, or centered on it. */
enum side_of_point { BELOW, ABOVE, CENTERED };

static struct mw_point middle_of_word(const struct placing *p, struct mw_point at,
                                      enum side_of_point side, int32_t height)
{
    int32_t away = p->atlas->weights.mark * 7 / 4 + (height + 1) / 2;
    return (struct mw_point){at.x, at.y + (side == BELOW ? away : side == ABOVE ? -away : 0)};
}

static int32_t half_width(const struct placing *p, int32_t height)
{
    return p->width * height / (2 * GLYPH_CAPITAL) + height / 10 + 1;
}

/* Whether all cells that meet a row of a box have the label; left, right: relative to the middle of
   the first cell of an even row. */
static bool is_row_clear(const struct placing *p, int32_t y, int32_t left, int32_t right)
{
    const struct cell_shape *f = p->atlas->shape;
    const struct mw_lattice *l = &p->atlas->flat.cells.lattice;
    const int32_t row_shift = y & 1 ? f->row_shift : 0, half = f->pitch_x / 2;
    int32_t first = (int32_t)mw_floor_div(left - row_shift - half, f->pitch_x) + 1,
            last = (int32_t)mw_ceil_div(right - row_shift + half, f->pitch_x) - 1;
    if (y < 0 || y >= l->height || first < 0 || last >= l->width)
        return false;
    mw_tick(p->atlas->canvas->run, 1 + (uint64_t)mw_max(last - first, 0) / 4);
    for (int32_t x = first; x <= last; x++)
        if (p->atlas->flat.cells.at[y * l->width + x] != p->label)
            return false;
    return true;
}

/* Whether a word of that height fits inside its label, clear of borders and of the mark. */
static bool fits(const struct placing *p, struct mw_point center, int32_t height)
{
    const struct atlas *atlas = p->atlas;
    const struct cell_shape *f = atlas->shape;
    const int32_t line = atlas->weights.border / 20 + 1, across = half_width(p, height),
                  up = height / 2 + height / 10 + 1, mark = atlas->weights.mark * 5 / 4,
                  x = center.x + atlas->flat.left * f->pitch_x - f->middle_x,
                  y = center.y + atlas->flat.above * f->pitch_y - f->middle_y,
                  reach = up + line + (f->row_shift ? f->pitch_y * 2 / 3 : f->pitch_y / 2);
    if (mw_abs(p->mark.x - center.x) < across + mark && mw_abs(p->mark.y - center.y) < up + mark)
        return false;
    int32_t first = (int32_t)mw_floor_div(y - reach, f->pitch_y) + 1,
            last = (int32_t)mw_ceil_div(y + reach, f->pitch_y) - 1;
    for (int32_t row = first; row <= last; row++)
        if (!is_row_clear(p, row, x - across - line, x + across + line))
            return false;
    return true;
}

/* The greatest height that fits, by bisection; 0: none. */
static int32_t height_at(const struct placing *p, struct mw_point at, enum side_of_point side)
{
    int32_t good = 0, bad = p->atlas->weights.number + 1;
    while (bad - good > 1) {
        int32_t height = (good + bad) / 2;
        if (fits(p, middle_of_word(p, at, side, height), height))
            good = height;
        else
            bad = height;
    }
    return good;
}

/* The label's mark as near to a place as the map's period allows; far away if it has none. */
static struct mw_point mark_near(const struct atlas *atlas, int32_t label, struct mw_point at)
{
    int32_t row = marks_row(&atlas->marks, label);
    if (row < 0 || !atlas->marks.at)
        return (struct mw_point){INT32_MAX / 2, INT32_MAX / 2};
    const struct mw_point mark = outline_middle_of(atlas->shape, atlas->marks.at[row]);
    return (struct mw_point){at.x + shorter(mark.x - at.x, atlas->period.x),
                             at.y + shorter(mark.y - at.y, atlas->period.y)};
}

/* Below the mark, or else above it, or at the pole: the first place that is about as good as the
   best. */
static void draw_label(const struct placing *p, struct mw_point pole, int32_t least)
{
    enum { PLACES = 3 };
    const struct mw_point at[PLACES] = {p->mark, p->mark, pole};
    const enum side_of_point side[PLACES] = {BELOW, ABOVE, CENTERED};
    int32_t height[PLACES], best = 0, chosen = 0;
    assert(least > 0);
    for (int i = 0; i < PLACES; i++) {
        height[i] = height_at(p, at[i], side[i]);
        best = mw_max(best, height[i]);
    }
    while (3 * height[chosen] < 2 * best)
        chosen++;
    const struct mw_point middle = middle_of_word(p, at[chosen], side[chosen], height[chosen]);
    struct copies copies = copies_of(p->atlas, middle, 2 * half_width(p, height[chosen]));
    for (int i = 0; best >= least && i < copies.count; i++)
        canvas_word(p->atlas->canvas, (struct text_style){INK_TEXT, INK_HALO, height[chosen]},
                    copies.at[i], p->word);
}

/* Names, or numbers where there are none. */
static void draw_names(struct atlas *atlas)
{
    enum { NEARBY = 24 }; /* pixels across a cell: letters are to be legible then */
    const int32_t labels = atlas->colors[0],
                  scale = canvas_scale(&atlas->canvas->map->request->look, &atlas->sheet),
                  least = (int32_t)mw_ceil_div(CANVAS_LEGIBLE * atlas->sheet.pitch,
                                               mw_max(scale, NEARBY));
    const struct mw_lattice *l = &atlas->cells->lattice;
    if (atlas->sheet.tiles)
        atlas_take(atlas, atlas->cells, l->width / 2 + 1, l->height / 2 + 1);
    const struct pole *poles =
        label_poles(atlas->canvas->run, &atlas->flat.cells, atlas->outline.borders, labels);
    for (int32_t label = 1; label <= labels; label++) {
        char number[16];
        *mw_write_int(number, label) = '\0';
        const char *name = marks_name(&atlas->marks, label);
        if (!poles[label].depth)
            continue;
        struct placing p = {atlas, name ? name : number, .label = label};
        const struct mw_point pole = middle_in(atlas, poles[label].cell);
        p.width = glyph_text_width(p.word);
        p.mark = mark_near(atlas, label, pole);
        draw_label(&p, pole, least);
    }
}

void draw_signs(struct atlas *atlas)
{
    bool walked = atlas->marks.part && draw_walks(atlas);
    draw_marks(atlas);
    if (atlas->canvas->map->request->look.labels && atlas->marks.part && !walked)
        draw_names(atlas);
}
