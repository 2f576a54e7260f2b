/*
 * scene_cells.c: a grid of labels: one path for each label, marks on top.
 *
 * Outlines are traced, not cells drawn. The map is drawn flat: a seam is drawn as a rim.
 */
#include "outline.h"
#include "scene.h"

enum { MARGIN = 1 };

struct tracer {
    struct canvas *canvas;
    struct outline outline;
    const struct figure *figure;
};

static struct mw_point middle(const struct tracer *t, int32_t cell)
{
    struct mw_point at = outline_middle(t->figure, t->outline.flat.width, cell);
    return (struct mw_point){at.x + MARGIN, at.y + MARGIN};
}

static void draw_loop(struct tracer *t, int32_t cell, int side)
{
    const struct figure *f = t->figure;
    struct mw_point start = middle(t, cell);
    canvas_move(t->canvas, start.x + f->x[side], start.y + f->y[side]);
    while (outline_take(&t->outline, cell, side)) {
        int next = (side + 1) % mw_sides(&t->outline.flat);
        canvas_step(t->canvas, f->x[next] - f->x[side], f->y[next] - f->y[side]);
        outline_advance(&t->outline, &cell, &side);
    }
    canvas_close(t->canvas);
}

static struct pen pen_of(int32_t label, const int32_t *colours)
{
    return (struct pen){.fill = label < 0 ? INK_BRIDGE : (enum ink)(INK_LABEL + colours[label]),
                        .line = INK_BORDER, .tenths = 15};
}

/* The loops of a label make one path. */
static void draw_outlines(struct tracer *t, const int32_t *colours)
{
    int32_t *starts, loops = outline_loops(&t->outline, &starts);
    uint64_t *keys = MW_NEW(t->canvas->run, uint64_t, loops);
    for (int32_t i = 0; i < loops; i++)
        keys[i] = (uint32_t)t->outline.cells->at[starts[i] / 8];
    mw_sort(t->canvas->run, keys, starts, loops);
    for (int32_t i = 0; i < loops; i++) {
        bool first = !i || keys[i] != keys[i - 1], last = i + 1 == loops || keys[i] != keys[i + 1];
        if (first)
            canvas_begin(t->canvas, pen_of((int32_t)(uint32_t)keys[i], colours));
        draw_loop(t, starts[i] / 8, starts[i] % 8);
        if (last)
            canvas_end(t->canvas);
    }
}

static void draw_marks(struct tracer *t)
{
    const struct mw_map *map = t->canvas->map;
    const struct pen pen = {.fill = INK_MARK, .line = INK_WHITE, .tenths = 10};
    const struct mw_part *parts = map->request->generator->parts;
    for (int p = 0; parts[p].kind != MW_NO_PART; p++) {
        if (parts[p].kind != MW_TABLE || !map->slots[p].present)
            continue;
        const struct mw_rowset *table = &map->slots[p].as.table;
        for (int c = 0; parts[p].columns[c].type != MW_END_OF_TABLE; c++) {
            if (parts[p].columns[c].role != MW_MARK)
                continue;
            const struct mw_point *points = table->columns[c];
            for (int32_t row = 0; row < table->rows; row++) {
                struct mw_point at = middle(t, points[row].y * t->outline.flat.width + points[row].x);
                canvas_disc(t->canvas, pen, at.x, at.y, 3);
            }
        }
    }
}

void scene_cells(struct canvas *canvas, int p)
{
    const struct mw_cells *cells = &canvas->map->slots[p].as.grid;
    const struct figure *f = &outline_figures[cells->lattice.tiling];
    struct tracer t = {canvas, outline_of(canvas->run, cells), f};
    const struct mw_lattice *flat = &t.outline.flat;
    const int32_t *colours = draw_colours(canvas->run, cells, INK_LABELS);
    canvas_open(canvas, &(struct sheet){.width = flat->width * f->pitch_x + f->shove + 2 * MARGIN,
                                        .height = (flat->height - 1) * f->pitch_y + 2 * (f->middle_y + MARGIN),
                                        .pitch = f->pitch_x, .ground = INK_SEA});
    draw_outlines(&t, colours);
    draw_marks(&t);
}
