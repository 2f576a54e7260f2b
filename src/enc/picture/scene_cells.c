/*
 * scene_cells.c: a grid of labels: one figure for each label, marks on top.
 *
 * Outlines are walked, not cells drawn, so the cost is a pass over the cells and the length of all
 * borders. The map is drawn flat: a seam is drawn as a rim.
 */
#include "enc/labels.h"
#include "enc/outline.h"
#include "enc/poles.h"
#include "kit/integer.h"
#include "kit/lattice.h"
#include "scene.h"

enum { MARGIN = SCENE_CELLS_MARGIN }; /* units: room for half of the line round the map */

/* As an atlas does: the larger the map, the heavier its borders and marks, so that they can be seen
   when all of it is on one screen; but never so heavy that they hide countries of a usual size. */
struct weights {
    int32_t border; /* in tenths of a unit */
    int32_t mark;   /* radius */
    int32_t number; /* height of its digits, at most */
};

static struct weights weights_of(const struct sheet *sheet, int32_t cells, int32_t labels)
{
    int32_t longer = mw_max(sheet->width, sheet->height), across = 1;
    while ((int64_t)across * across * mw_max(labels, 1) < cells)
        across++;
    int32_t usual = across * sheet->pitch; /* units that a label is across */
    return (struct weights){.border = mw_max(mw_min(longer / 70, usual / 10), 15),
                            .mark = mw_max(mw_min(longer / 320, usual / 15), 4),
                            .number = mw_max(longer / 40, 8)};
}

struct atlas {
    struct canvas *canvas;
    const struct mw_cells *cells;
    struct marks marks; /* the table that tells of the labels */
    const char *kind;   /* what they are, one by one */
    const struct cell_shape *shape;
    const int32_t *colours; /* of labels; colours[0] is how many */
    struct weights weights;
};

static struct mw_point middle(const struct atlas *atlas, int32_t cell)
{
    struct mw_point at = outline_middle(atlas->shape, atlas->cells->lattice.width, cell);
    return (struct mw_point){at.x + MARGIN, at.y + MARGIN};
}

static void draw_loop(const struct atlas *atlas, struct outline *outline, int32_t cell, int side)
{
    const struct cell_shape *f = atlas->shape;
    int sides = mw_sides(&atlas->cells->lattice);
    struct mw_point start = middle(atlas, cell);
    canvas_move(atlas->canvas, start.x + f->x[side], start.y + f->y[side]);
    while (outline_take(outline, cell, side)) {
        int next = (side + 1) % sides;
        canvas_step(atlas->canvas, f->x[next] - f->x[side], f->y[next] - f->y[side]);
        outline_advance(outline, &cell, &side);
    }
    canvas_close(atlas->canvas);
}

static struct pen pen_of(const struct atlas *atlas, int32_t label)
{
    assert(label && label <= atlas->colours[0]);
    if (atlas->canvas->quiet)
        return (struct pen){.fill = INK_PAPER, .line = INK_RULE, .tenths = atlas->weights.border};
    return (struct pen){.fill =
                            label < 0 ? INK_BRIDGE : (enum ink)(INK_LABEL + atlas->colours[label]),
                        .line = INK_BORDER,
                        .tenths = atlas->weights.border};
}

static void begin_label(const struct atlas *atlas, int32_t label)
{
    char name[16];
    *mw_write_int(name, label) = '\0';
    if (label > 0 && atlas->kind)
        canvas_stand_for(atlas->canvas, atlas->kind, name);
    canvas_begin(atlas->canvas, pen_of(atlas, label));
}

/* By label, so that all loops of a label make one figure. */
static void draw_labels(const struct atlas *atlas)
{
    struct mw_run *run = atlas->canvas->run;
    struct outline outline = outline_of(run, atlas->cells);
    int32_t *loops, count = outline_loops(&outline, &loops);
    uint64_t *keys = MW_NEW(run, uint64_t, count);
    for (int32_t i = 0; i < count; i++)
        keys[i] = (uint32_t)atlas->cells->at[loops[i] / 8];
    mw_sort(run, keys, loops, count);
    for (int32_t i = 0; i < count; i++) {
        if (!i || keys[i] != keys[i - 1])
            begin_label(atlas, (int32_t)(uint32_t)keys[i]);
        draw_loop(atlas, &outline, loops[i] / 8, loops[i] % 8);
        if (i + 1 == count || keys[i] != keys[i + 1])
            canvas_end(atlas->canvas);
    }
}

static void draw_marks(const struct atlas *atlas)
{
    const struct mw_map *map = atlas->canvas->map;
    const struct pen pen = {.fill = INK_MARK, .line = INK_WHITE, .tenths = 3 * atlas->weights.mark};
    struct found found = {0, -1, NULL, 0};
    while (find_next(map, MW_MARK, &found))
        for (int32_t row = 0; row < found.rows; row++) {
            struct mw_point cell = ((const struct mw_point *)found.array)[row];
            struct mw_point at = middle(atlas, cell.y * atlas->cells->lattice.width + cell.x);
            canvas_disc(atlas->canvas, pen, at.x, at.y, atlas->weights.mark);
        }
}

/* ---- lines between cells --------------------------------------------------------------------- */

/* Of cells of one label; each side once. */
static void draw_net(const struct atlas *atlas)
{
    const struct mw_lattice *l = &atlas->cells->lattice;
    struct mw_lattice flat = *l;
    const struct cell_shape *f = atlas->shape;
    int sides = mw_sides(l);
    flat.wrap = MW_WRAP_NONE;
    canvas_begin(atlas->canvas, (struct pen){.line = INK_NET, .tenths = 5});
    for (int32_t cell = 0; cell < l->width * l->height; cell++)
        for (int side = 0; side < sides / 2; side++) {
            int32_t across = mw_neighbour(&flat, cell, side), next = (side + 1) % sides;
            if (across < 0 || atlas->cells->at[across] != atlas->cells->at[cell])
                continue;
            struct mw_point at = middle(atlas, cell);
            canvas_move(atlas->canvas, at.x + f->x[side], at.y + f->y[side]);
            canvas_step(atlas->canvas, f->x[next] - f->x[side], f->y[next] - f->y[side]);
        }
    canvas_end(atlas->canvas);
}

/* ---- walks ----------------------------------------------------------------------------------- */

static bool is_beside(struct mw_point a, struct mw_point b)
{
    return mw_max(a.x - b.x, b.x - a.x) <= 1 && mw_max(a.y - b.y, b.y - a.y) <= 1;
}

/* From cell to cell; across a seam it begins anew. */
static void draw_walk(const struct atlas *atlas, struct mw_points walk)
{
    struct mw_point at = {0, 0};
    int32_t width = atlas->cells->lattice.width, tenths = atlas->shape->pitch_x * 2;
    canvas_begin(atlas->canvas, (struct pen){.line = INK_BORDER, .tenths = tenths});
    for (int32_t i = 0; i < walk.count; i++) {
        struct mw_point to = middle(atlas, walk.at[i].y * width + walk.at[i].x);
        if (i && is_beside(walk.at[i - 1], walk.at[i]))
            canvas_step(atlas->canvas, to.x - at.x, to.y - at.y);
        else
            canvas_move(atlas->canvas, to.x, to.y);
        at = to;
    }
    if (walk.count == 1)
        canvas_step(atlas->canvas, 0, 0);
    canvas_end(atlas->canvas);
}

/* Ways that the table of the labels tells of; whether there are any. */
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

/* ---- numbers --------------------------------------------------------------------------------- */

/* The height of letters for a word of so many within `radius` of a point, the word's lower or upper
   edge `gap` from it, or its middle at it. Letters are six eighths as wide as they are high, with
   their gap. */
static int32_t height_within(int32_t radius, int32_t letters, int32_t gap)
{
    int32_t height = radius;
    for (; height > 1; height--) {
        int64_t across = (int64_t)letters * height * 3 / 8, up = gap ? gap + height : height / 2;
        if (across * across + up * up <= (int64_t)radius * radius)
            break;
    }
    return height;
}

/* Whether a mark would cover a word of that height in the middle of which it is at `off`. */
static bool is_covered(const struct atlas *atlas, struct mw_point off, int32_t letters,
                       int32_t height)
{
    int32_t mark = 2 * atlas->weights.mark;
    return mw_max(off.x, -off.x) < letters * height * 3 / 8 + mark &&
           mw_max(off.y, -off.y) < height / 2 + mark;
}

/* How far the label's mark is from a place: out of the way, where it has none. */
static struct mw_point off_mark(const struct atlas *atlas, int32_t label, struct mw_point at)
{
    int32_t row = marks_row(&atlas->marks, label), width = atlas->cells->lattice.width;
    if (row < 0 || !atlas->marks.at)
        return (struct mw_point){INT32_MAX, INT32_MAX};
    struct mw_point cell = atlas->marks.at[row], mark = middle(atlas, cell.y * width + cell.x);
    return (struct mw_point){mark.x - at.x, mark.y - at.y};
}

/* A label's number at its pole; where the mark is there too, above or below that. */
static void draw_number(const struct atlas *atlas, int32_t label, struct pole pole)
{
    struct mw_point at = middle(atlas, pole.cell), off = off_mark(atlas, label, at);
    char name[16];
    int32_t letters = (int32_t)(mw_write_int(name, label) - name), most = atlas->weights.number;
    int32_t radius = (2 * pole.depth - 1) * atlas->shape->pitch_y / 2 - atlas->weights.border / 20;
    int32_t height = mw_min(height_within(radius, letters, 0), most);
    name[letters] = '\0';
    if (is_covered(atlas, off, letters, height)) {
        int32_t gap = atlas->weights.mark * 7 / 4;
        height = mw_min(height_within(radius, letters, gap), most);
        at.y += off.y + (off.y < 0 ? 1 : -1) * (gap + (height + 1) / 2);
    }
    if (height > 1)
        canvas_word(atlas->canvas, INK_TEXT, at.x, at.y, height, name);
}

static void draw_numbers(const struct atlas *atlas)
{
    int32_t labels = atlas->colours[0];
    const struct pole *poles = poles_of(atlas->canvas->run, atlas->cells, labels);
    for (int32_t label = 1; label <= labels; label++)
        if (poles[label].depth)
            draw_number(atlas, label, poles[label]);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static struct sheet sheet_for(const struct mw_lattice *l)
{
    const struct cell_shape *f = &outline_shapes[l->tiling];
    return (struct sheet){.width = l->width * f->pitch_x + f->shove + 2 * MARGIN,
                          .height = (l->height - 1) * f->pitch_y + 2 * (f->middle_y + MARGIN),
                          .pitch = f->pitch_x,
                          .ground = INK_SEA};
}

static void draw(struct canvas *canvas, int p)
{
    const struct mw_cells *cells = &canvas->map->slots[p].as.grid;
    const struct mw_lattice *l = &cells->lattice;
    const struct sheet sheet = sheet_for(l);
    struct atlas atlas = {.canvas = canvas,
                          .cells = cells,
                          .shape = &outline_shapes[l->tiling],
                          .colours = label_colours(canvas->run, cells, INK_LABELS)};
    const struct mw_look *look = &canvas->map->request->look;
    atlas.weights = weights_of(&sheet, l->width * l->height, atlas.colours[0]);
    atlas.marks = find_marks(canvas->map);
    if (atlas.marks.part && atlas.colours[0] <= CANVAS_NAMED)
        atlas.kind = find_kind(canvas->run, atlas.marks.part);
    canvas_open(canvas, &sheet);
    draw_labels(&atlas);
    if (look->grid_lines)
        draw_net(&atlas);
    if (canvas->quiet)
        return;
    bool walked = atlas.marks.part && draw_walks(&atlas);
    draw_marks(&atlas);
    if (look->labels && atlas.marks.part && !walked)
        draw_numbers(&atlas);
}

/* ---- what it will take ----------------------------------------------------------------------- */

static struct sheet sheet_of(const struct mw_forecast *f) { return sheet_for(&f->plan); }

const struct scene scene_cells = {
    .kind = MW_GRID,
    .role = MW_LABEL_GRID,
    .draw = draw,
    .sheet = sheet_of,
    .steps = {.cell = 7, .border = 3, .row = 1},
    .bytes = {8192, .cell = 5, .border = 5, .row = 210},
    .vector = {10000, .cell = 22, .border = 55, .row = 150},
    .raster = {.cell = 14, .border = 130, .row = 900},
    .mixtures = 400,
};
