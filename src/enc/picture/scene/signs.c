/*
 * signs.c: walks, marks and numbers on a grid of labels.
 *
 * A number stands at the pole of its label, the cell that is farthest from all others (poles.c), as
 * large as fits there; if the label's mark is there too, above or below the mark. Numbers are left
 * out where there are walks, and where they would be illegible: on a raster by their pixels, in a
 * vector drawing by the pixels that they would have if a reader zoomed in.
 *
 * On a sheet to be tiled, what lies across a seam is drawn on both sides.
 */
#include "atlas.h"
#include "enc/poles.h"
#include "kit/integer.h"
#include "kit/lattice.h"

static struct mw_point middle(const struct atlas *atlas, int32_t cell)
{
    int32_t margin = atlas->canvas->margin;
    struct mw_point at = outline_middle(atlas->shape, atlas->cells->lattice.width, cell);
    return (struct mw_point){at.x + margin, at.y + margin};
}

/* The positions where a thing is visible: one, or one on each side of a seam. */
struct sights {
    struct mw_point at[9];
    int count;
};

static bool is_seen(const struct atlas *atlas, struct mw_point at, int32_t reach)
{
    return at.x > -reach && at.x < atlas->sheet.width + reach && at.y > -reach &&
           at.y < atlas->sheet.height + reach;
}

/* The position itself comes first. */
static struct sights sights_of(const struct atlas *atlas, struct mw_point at, int32_t reach)
{
    static const int8_t across[] = {0, -1, 1}; /* periods */
    struct sights sights = {.count = 0};
    for (int i = 0; i < (!atlas->tiles ? 1 : atlas->period.y ? 9 : 3); i++) {
        struct mw_point other = {at.x + across[i % 3] * atlas->period.x,
                                 at.y + across[i / 3] * atlas->period.y};
        assert(sights.count < 9);
        if (!atlas->tiles || is_seen(atlas, other, reach))
            sights.at[sights.count++] = other;
    }
    return sights;
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

static bool is_beside(struct mw_point a, struct mw_point b)
{
    return mw_abs(a.x - b.x) <= 1 && mw_abs(a.y - b.y) <= 1;
}

static struct mw_point middle_of(const struct atlas *atlas, struct mw_point cell)
{
    return middle(atlas, cell.y * atlas->cells->lattice.width + cell.x);
}

/* From cell to cell; a new path begins across a seam. */
static void draw_on(const struct atlas *atlas, struct mw_points walk)
{
    for (int32_t i = 0; i < walk.count; i++) {
        struct mw_point to = middle_of(atlas, walk.at[i]);
        if (i && is_beside(walk.at[i - 1], walk.at[i])) {
            struct mw_point from = middle_of(atlas, walk.at[i - 1]);
            canvas_step(atlas->canvas, to.x - from.x, to.y - from.y);
        } else {
            canvas_move(atlas->canvas, to.x, to.y);
        }
    }
    if (walk.count == 1)
        canvas_step(atlas->canvas, 0, 0);
}

/* Draws what lies near a rim again on the other side, with the steps across the seam. */
static void draw_beyond(const struct atlas *atlas, struct mw_points walk)
{
    int32_t reach = 2 * atlas->shape->pitch_x;
    for (int32_t i = 0; i < walk.count; i++) {
        struct mw_point from = middle_of(atlas, walk.at[i]),
                        to = middle_of(atlas, walk.at[mw_min(i + 1, walk.count - 1)]);
        struct sights sights = sights_of(atlas, from, reach);
        bool across = i + 1 < walk.count && !is_beside(walk.at[i], walk.at[i + 1]);
        for (int s = across ? 0 : 1; s < sights.count; s++) {
            canvas_move(atlas->canvas, sights.at[s].x, sights.at[s].y);
            canvas_step(atlas->canvas, shorter(to.x - from.x, atlas->period.x),
                        shorter(to.y - from.y, atlas->period.y));
        }
    }
}

/* Lighter than a border, to differ from one. */
static void draw_walk(const struct atlas *atlas, struct mw_points walk)
{
    int32_t tenths = atlas->shape->pitch_x * 8 / 5;
    canvas_begin(atlas->canvas, (struct pen){.line = INK_WALK, .tenths = tenths});
    draw_on(atlas, walk);
    if (atlas->tiles)
        draw_beyond(atlas, walk);
    canvas_end(atlas->canvas);
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
    struct found found = {0, -1, NULL, 0};
    while (find_next(map, MW_MARK, &found))
        for (int32_t row = 0; row < found.rows; row++) {
            struct mw_point cell = ((const struct mw_point *)found.array)[row];
            struct mw_point at = middle(atlas, cell.y * atlas->cells->lattice.width + cell.x);
            struct sights sights = sights_of(atlas, at, 2 * atlas->weights.mark);
            for (int i = 0; i < sights.count; i++)
                canvas_disc(atlas->canvas, pen, sights.at[i].x, sights.at[i].y,
                            atlas->weights.mark);
        }
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* All cells fewer than `depth` steps from a pole have its label. On hexagons they form a large
   hexagon; this is the circle within it. */
static int32_t radius_within(const struct cell_shape *f, int32_t depth)
{
    return mw_max((depth - 1) * f->pitch_y + f->pitch_y / 3, f->pitch_y / 2);
}

/* Whether these cells contain a box around the pole, plus half of a border; across, up: from the
   pole to its sides. On squares the cells form a diamond. */
static bool has_room(const struct atlas *atlas, int32_t depth, int32_t across, int32_t up)
{
    const struct cell_shape *f = atlas->shape;
    const int32_t line = atlas->weights.border / 20 + 1, side = f->pitch_y / 2;
    if (atlas->cells->lattice.tiling == MW_SQUARE)
        return (across + line + side) / f->pitch_x + (up + line + side) / f->pitch_y < depth;
    const int64_t radius = mw_max(radius_within(f, depth) - line, 0);
    return (int64_t)across * across + (int64_t)up * up <= radius * radius;
}

/* The greatest height of letters for a word at a pole, its lower or upper edge `gap` away from it;
   0: centred on it. A letter is 6/8 as wide as it is high, including the space after it. */
static int32_t height_within(const struct atlas *atlas, int32_t depth, int32_t letters, int32_t gap)
{
    int32_t height = mw_min(atlas->weights.number, radius_within(atlas->shape, depth));
    assert(depth > 0 && letters > 0 && gap >= 0);
    while (height > 1 &&
           !has_room(atlas, depth, letters * height * 3 / 8, gap ? gap + height : (height + 1) / 2))
        height--;
    return height;
}

/* Whether a mark at `off` from the middle of a word would cover it. */
static bool is_covered(const struct atlas *atlas, struct mw_point off, int32_t letters,
                       int32_t height)
{
    int32_t mark = 2 * atlas->weights.mark;
    return mw_max(off.x, -off.x) < letters * height * 3 / 8 + mark &&
           mw_max(off.y, -off.y) < height / 2 + mark;
}

/* From a place to the label's mark; far away if it has none. */
static struct mw_point off_mark(const struct atlas *atlas, int32_t label, struct mw_point at)
{
    int32_t row = marks_row(&atlas->marks, label), width = atlas->cells->lattice.width;
    if (row < 0 || !atlas->marks.at)
        return (struct mw_point){INT32_MAX, INT32_MAX};
    struct mw_point cell = atlas->marks.at[row], mark = middle(atlas, cell.y * width + cell.x);
    if (!atlas->tiles)
        return (struct mw_point){mark.x - at.x, mark.y - at.y};
    return (struct mw_point){shorter(mark.x - at.x, atlas->period.x),
                             shorter(mark.y - at.y, atlas->period.y)};
}

/* The least height of digits in units, legible when a cell is NEARBY pixels across. */
static int32_t least_height(const struct atlas *atlas)
{
    enum { NEARBY = 24 }; /* pixels across a cell */
    int32_t scale = canvas_scale(&atlas->canvas->map->request->look, &atlas->sheet);
    return (int32_t)mw_ceil_div(CANVAS_LEGIBLE * atlas->sheet.pitch, mw_max(scale, NEARBY));
}

/* At the label's pole; if the mark is there too, above or below it. */
static void draw_number(const struct atlas *atlas, int32_t label, struct pole pole,
                        struct mw_point at, int32_t least)
{
    struct mw_point off = off_mark(atlas, label, at);
    char name[16];
    int32_t letters = (int32_t)(mw_write_int(name, label) - name);
    int32_t height = height_within(atlas, pole.depth, letters, 0);
    name[letters] = '\0';
    if (is_covered(atlas, off, letters, height)) {
        int32_t gap = atlas->weights.mark * 7 / 4;
        height = height_within(atlas, pole.depth, letters, gap);
        at.y += off.y + (off.y < 0 ? 1 : -1) * (gap + (height + 1) / 2);
    }
    struct sights sights = sights_of(atlas, at, letters * height);
    for (int i = 0; height >= least && i < sights.count; i++)
        canvas_word(atlas->canvas, INK_TEXT, sights.at[i].x, sights.at[i].y, height, name);
}

/* `u` and its outline: the cells that were drawn. */
static void draw_numbers(const struct atlas *atlas, struct unrolled u, struct outline outline)
{
    int32_t labels = atlas->colours[0], least = least_height(atlas);
    struct mw_run *run = atlas->canvas->run;
    if (atlas->tiles) {
        u = unroll(run, atlas->cells, atlas->cells->lattice.width / 2 + 1,
                   atlas->cells->lattice.height / 2 + 1);
        outline = outline_of(run, &u.cells);
    }
    const struct pole *poles = poles_of(run, &outline, labels);
    for (int32_t label = 1; label <= labels; label++)
        if (poles[label].depth)
            draw_number(atlas, label, poles[label], middle_in(atlas, &u, poles[label].cell), least);
}

void draw_signs(const struct atlas *atlas, struct unrolled u, struct outline outline)
{
    bool walked = atlas->marks.part && draw_walks(atlas);
    draw_marks(atlas);
    if (atlas->canvas->map->request->look.labels && atlas->marks.part && !walked)
        draw_numbers(atlas, u, outline);
}
