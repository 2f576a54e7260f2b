/*
 * island_names.c: invisible outlines of islands, which carry their names.
 *
 * The world is drawn layer by layer, so no figure is a whole island. The outline of its cells,
 * drawn last, represents it.
 */
#include "enc/find.h"
#include "enc/outline.h"
#include "isles.h"
#include "kit/lattice.h"

/* Corner s of a square cell. */
static struct mw_point corner(const struct mw_cells *labels, struct mw_point rear, int32_t cell,
                              int s)
{
    const struct cell_shape *f = &outline_shapes[MW_SQUARE];
    int32_t x = cell % labels->lattice.width + (f->x[s] > 0),
            y = cell / labels->lattice.width + (f->y[s] > 0);
    return (struct mw_point){rear.x + (x - y) * ISLES_ACROSS,
                             rear.y + (x + y) * ISLES_DOWN - ISLES_RISE};
}

static void draw_loop(struct canvas *canvas, struct outline *outline, struct mw_point rear,
                      int32_t loop)
{
    int32_t cell = loop / 8;
    int side = loop % 8;
    struct mw_point at = corner(outline->cells, rear, cell, side);
    canvas_move(canvas, at.x, at.y);
    while (outline_take(outline, cell, side)) {
        struct mw_point to = corner(outline->cells, rear, cell, (side + 1) % 4);
        canvas_step(canvas, to.x - at.x, to.y - at.y);
        at = to;
        outline_advance(outline, &cell, &side);
    }
    canvas_close(canvas);
}

void isles_name(struct canvas *canvas, const struct mw_cells *labels, struct mw_point rear)
{
    const struct marks marks = find_marks(canvas->map);
    if (!canvas->has_names || !marks.part || marks.table->rows > CANVAS_NAMED)
        return;
    const char *kind = find_kind(canvas->run, marks.part);
    struct outline outline = outline_of(canvas->run, labels);
    int32_t *loops, count = outline_loops(&outline, &loops);
    uint64_t *keys = MW_NEW(canvas->run, uint64_t, count);
    for (int32_t i = 0; i < count; i++)
        keys[i] = (uint32_t)labels->at[loops[i] / 8];
    mw_sort(canvas->run, keys, loops, count);
    for (int32_t i = 0; i < count && (int32_t)(uint32_t)keys[i] > 0; i++) {
        char name[16];
        *mw_write_int(name, (int32_t)keys[i]) = '\0';
        if (!i || keys[i] != keys[i - 1]) {
            canvas_name_figure(canvas, kind, name, marks_name(&marks, (int32_t)keys[i]));
            canvas_begin(canvas, (struct pen){0});
        }
        draw_loop(canvas, &outline, rear, loops[i]);
        if (i + 1 == count || keys[i] != keys[i + 1])
            canvas_end(canvas);
    }
}
