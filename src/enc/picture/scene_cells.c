/*
 * scene_cells.c: a grid of labels: one figure for each label, marks on top.
 *
 * Outlines are walked, not cells drawn, so the cost is a pass over the cells and the length of all
 * borders. The map is drawn flat: a seam is drawn as a rim.
 */
#include "enc/labels.h"
#include "enc/outline.h"
#include "kit/integer.h"
#include "kit/lattice.h"
#include "scene.h"

enum { MARGIN = 1 }; /* units: room for half of the line round the map */

/* As an atlas does: the larger the map, the heavier its borders and marks, so that they can be seen
   when all of it is on one screen; but never so heavy that they hide countries of a usual size. */
struct weights {
    int32_t border; /* in tenths of a unit */
    int32_t mark;   /* radius */
};

static struct weights weights_of(const struct sheet *sheet, int32_t cells, int32_t labels)
{
    int32_t longer = mw_max(sheet->width, sheet->height), across = 1;
    while ((int64_t)across * across * mw_max(labels, 1) < cells)
        across++;
    int32_t usual = across * sheet->pitch; /* units that a label is across */
    return (struct weights){.border = mw_max(mw_min(longer / 70, usual / 10), 15),
                            .mark = mw_max(mw_min(longer / 320, usual / 15), 4)};
}

struct atlas {
    struct canvas *canvas;
    const struct mw_cells *cells;
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
    return (struct pen){.fill =
                            label < 0 ? INK_BRIDGE : (enum ink)(INK_LABEL + atlas->colours[label]),
                        .line = INK_BORDER,
                        .tenths = atlas->weights.border};
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
            canvas_begin(atlas->canvas, pen_of(atlas, (int32_t)(uint32_t)keys[i]));
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
    atlas.weights = weights_of(&sheet, l->width * l->height, atlas.colours[0]);
    canvas_open(canvas, &sheet);
    draw_labels(&atlas);
    draw_marks(&atlas);
}

/* ---- what it will take ----------------------------------------------------------------------- */

static struct sheet sheet_of(const struct mw_forecast *f) { return sheet_for(&f->plan); }

const struct scene scene_cells = {
    .kind = MW_GRID,
    .role = MW_LABEL_GRID,
    .draw = draw,
    .sheet = sheet_of,
    .steps = {.cell = 3, .border = 3, .row = 1},
    .bytes = {4096, .cell = 4, .border = 5, .row = 140},
    .vector = {10000, .cell = 10, .border = 65, .row = 42},
    .raster = {.cell = 2, .border = 280, .row = 520},
    .mixtures = 400,
};
