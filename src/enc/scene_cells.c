/*
 * scene_cells.c: a grid of labels: one path for each label, marks on top.
 *
 * Outlines are traced, not cells drawn: side by side round each label, the label on the right hand.
 * A side (cell, s) runs from corner s to corner s + 1, clockwise. Which side comes next is decided by the
 * cell across side s + 1:
 *
 *     hexagons: it has the label: go on at its side s - 1, else at our side s + 1. Three cells meet at a
 *     corner, so there is no other case.
 *     squares: four cells meet. Where the cell across s + 1 has the label, and the one diagonally behind
 *     the corner too, go on at the diagonal one's side s - 1; where only the first has it, at its side s;
 *     else at our side s + 1. Cells that touch at a corner alone stay apart, as their labels are 4-connected.
 *
 * Each step is undone by exactly one, so the sides of the border fall into closed loops, and each is
 * walked once: the cost is the length of all borders. The map is drawn flat: a seam is drawn as a rim.
 */
#include "scene.h"

/* Corners of a cell around its middle, in units of the drawing; corner s begins side s. */
struct figure {
    int sides;
    int pitch_x, pitch_y, shove; /* from cell to cell, row to row, and of odd rows */
    int middle_x, middle_y;      /* of cell 0,0 */
    int8_t x[MW_MAX_SIDES], y[MW_MAX_SIDES];
};

static const struct figure hexagon = {
    6, 14, 12, 7, 8, 9, {7, 7, 0, -7, -7, 0}, {-4, 4, 8, 4, -4, -8},
};
static const struct figure square = {
    4, 12, 12, 0, 7, 7, {6, 6, -6, -6}, {-6, 6, 6, -6},
};

/* As an atlas does: the larger the map, the heavier its borders and marks, so that they can be seen when
   all of it is on one screen; but never so heavy that they hide countries of a usual size. */
struct weights {
    int32_t border; /* in tenths of a unit */
    int32_t mark;   /* radius */
};

static int32_t least_of(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static struct weights weights_of(const struct sheet *sheet, int32_t cells, int32_t labels)
{
    int32_t longer = sheet->width > sheet->height ? sheet->width : sheet->height, across = 1;
    while ((int64_t)across * across * (labels > 0 ? labels : 1) < cells)
        across++;
    int32_t usual = across * sheet->pitch; /* units that a label is across */
    int32_t border = least_of(longer / 70, usual / 10), mark = least_of(longer / 320, usual / 15);
    return (struct weights){border > 15 ? border : 15, mark > 4 ? mark : 4};
}

struct tracer {
    struct canvas *canvas;
    struct mw_run *run;
    const struct mw_cells *cells; /* on a lattice without a wrap */
    const struct figure *figure;
    const int32_t *colours; /* of labels; colours[0] is how many */
    struct weights weights;
};

static struct mw_point middle(const struct figure *f, int32_t width, int32_t cell)
{
    int32_t x = cell % width, y = cell / width;
    return (struct mw_point){f->middle_x + x * f->pitch_x + (y & 1) * f->shove, f->middle_y + y * f->pitch_y};
}

static int32_t label_at(const struct tracer *t, int32_t cell)
{
    return cell < 0 ? 0 : t->cells->at[cell];
}

/* Moves on to the next side of the loop. */
static void advance(const struct tracer *t, int32_t *cell, int *side)
{
    int n = t->figure->sides, turn = (*side + 1) % n, back = (*side + n - 1) % n;
    int32_t label = t->cells->at[*cell], beside = mw_neighbour(&t->cells->lattice, *cell, turn);
    if (label_at(t, beside) != label) {
        *side = turn;
        return;
    }
    int32_t behind = n == 4 ? mw_neighbour(&t->cells->lattice, beside, *side) : -1;
    if (n == 4 && label_at(t, behind) != label) {
        *cell = beside;
        return;
    }
    *cell = n == 4 ? behind : beside;
    *side = back;
}

static void draw_loop(const struct tracer *t, int32_t start_cell, int start_side)
{
    const struct figure *f = t->figure;
    struct mw_point start = middle(f, t->cells->lattice.width, start_cell);
    int32_t cell = start_cell;
    int side = start_side;
    canvas_move(t->canvas, start.x + f->x[side], start.y + f->y[side]);
    do {
        int next = (side + 1) % f->sides;
        canvas_step(t->canvas, f->x[next] - f->x[side], f->y[next] - f->y[side]);
        advance(t, &cell, &side);
        mw_tick(t->run, 1);
    } while (cell != start_cell || side != start_side);
    canvas_close(t->canvas);
}

/* Walks each loop once, from the first of its sides in reading order, whose bit it sets in `starts`; how many
   loops there are. `sides` are those of the border, none of them in the end. */
static int32_t find_loops(const struct tracer *t, uint8_t *sides, uint8_t *starts)
{
    int32_t count = t->cells->lattice.width * t->cells->lattice.height, n = 0;
    memset(starts, 0, (size_t)count);
    for (int32_t c = 0; c < count; c++)
        for (int s = 0; t->cells->at[c] && sides[c] >> s; s++) {
            if (!(sides[c] >> s & 1))
                continue;
            starts[c] |= (uint8_t)(1 << s);
            n++;
            int32_t cell = c;
            for (int side = s; sides[cell] >> side & 1; advance(t, &cell, &side)) {
                sides[cell] &= (uint8_t)~(1 << side);
                mw_tick(t->run, 1);
            }
        }
    mw_tick(t->run, (uint64_t)count);
    return n;
}

/* The loops by label, so that a label's loops make one path. */
static int32_t sort_loops(const struct tracer *t, uint64_t **keys, int32_t **loops)
{
    const struct mw_lattice *l = &t->cells->lattice;
    int32_t count = l->width * l->height, n = 0;
    uint8_t *sides = MW_NEW(t->run, uint8_t, count), *starts = MW_NEW(t->run, uint8_t, count);
    for (int32_t y = 0; y < l->height; y++)
        draw_borders(t->cells, y, sides + (int64_t)y * l->width);
    int32_t found = find_loops(t, sides, starts);
    *keys = MW_NEW(t->run, uint64_t, found + 1);
    *loops = MW_NEW(t->run, int32_t, found + 1);
    for (int32_t c = 0; c < count; c++)
        for (int s = 0; starts[c] >> s; s++)
            if (starts[c] >> s & 1) {
                (*keys)[n] = (uint32_t)t->cells->at[c];
                (*loops)[n++] = c * 8 + s;
            }
    mw_sort(t->run, *keys, *loops, n);
    return n;
}

static struct pen pen_of(const struct tracer *t, int32_t label)
{
    return (struct pen){.fill = label < 0 ? INK_BRIDGE : (enum ink)(INK_LABEL + t->colours[label]),
                        .line = INK_BORDER, .tenths = t->weights.border};
}

static void draw_outlines(const struct tracer *t)
{
    uint64_t *keys;
    int32_t *loops;
    int32_t count = sort_loops(t, &keys, &loops);
    for (int32_t i = 0; i < count; i++) {
        bool first = !i || keys[i] != keys[i - 1], last = i + 1 == count || keys[i] != keys[i + 1];
        if (first)
            canvas_begin(t->canvas, pen_of(t, (int32_t)(uint32_t)keys[i]));
        draw_loop(t, loops[i] / 8, loops[i] % 8);
        if (last)
            canvas_end(t->canvas);
    }
}

static void draw_marks(const struct tracer *t)
{
    const struct mw_map *map = t->canvas->map;
    const struct pen pen = {.fill = INK_MARK, .line = INK_WHITE, .tenths = 3 * t->weights.mark};
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
                struct mw_point at = middle(t->figure, t->cells->lattice.width,
                                            points[row].y * t->cells->lattice.width + points[row].x);
                canvas_disc(t->canvas, pen, at.x, at.y, t->weights.mark);
            }
        }
    }
}

void scene_cells(struct canvas *canvas, int p)
{
    const struct mw_cells *cells = &canvas->map->slots[p].as.grid;
    const struct figure *f = cells->lattice.tiling == MW_HEX ? &hexagon : &square;
    struct mw_cells flat = *cells;
    flat.lattice.wrap = MW_WRAP_NONE;
    const struct sheet sheet = {.width = flat.lattice.width * f->pitch_x + f->shove + 2,
                                .height = (flat.lattice.height - 1) * f->pitch_y + 2 * f->middle_y,
                                .pitch = f->pitch_x, .ground = INK_SEA};
    struct tracer t = {canvas, canvas->run, &flat, f, draw_colours(canvas->run, cells, INK_LABELS), {0, 0}};
    t.weights = weights_of(&sheet, flat.lattice.width * flat.lattice.height, t.colours[0]);
    canvas_open(canvas, &sheet);
    draw_outlines(&t);
    draw_marks(&t);
}
