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

struct tracer {
    struct canvas *canvas;
    struct mw_run *run;
    const struct mw_cells *cells;
    struct mw_lattice flat;
    const struct figure *figure;
    uint8_t *walked; /* a bit for each side of a cell */
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

static bool is_border(const struct tracer *t, int32_t cell, int side)
{
    return label_at(t, mw_neighbour(&t->flat, cell, side)) != t->cells->at[cell];
}

/* Moves on to the next side of the loop. */
static void advance(const struct tracer *t, int32_t *cell, int *side)
{
    int n = t->figure->sides, turn = (*side + 1) % n, back = (*side + n - 1) % n;
    int32_t label = t->cells->at[*cell], beside = mw_neighbour(&t->flat, *cell, turn);
    if (label_at(t, beside) != label) {
        *side = turn;
        return;
    }
    int32_t behind = n == 4 ? mw_neighbour(&t->flat, beside, *side) : -1;
    if (n == 4 && label_at(t, behind) != label) {
        *cell = beside;
        return;
    }
    *cell = n == 4 ? behind : beside;
    *side = back;
}

static void draw_loop(const struct tracer *t, int32_t cell, int side)
{
    const struct figure *f = t->figure;
    struct mw_point start = middle(f, t->flat.width, cell);
    canvas_move(t->canvas, start.x + f->x[side], start.y + f->y[side]);
    while (!(t->walked[cell] >> side & 1)) {
        t->walked[cell] |= (uint8_t)(1 << side);
        int next = (side + 1) % f->sides;
        canvas_step(t->canvas, f->x[next] - f->x[side], f->y[next] - f->y[side]);
        advance(t, &cell, &side);
        mw_tick(t->run, 1);
    }
    canvas_close(t->canvas);
}

/* Where loops may begin: for each label a cell and side of each of its loops, found by walking them all
   once without writing; sorted by label, so that a label's loops make one path. */
static int32_t find_loops(const struct tracer *t, uint64_t *keys, int32_t *starts)
{
    int32_t count = t->flat.width * t->flat.height, n = 0;
    memset(t->walked, 0, (size_t)count);
    for (int32_t c = 0; c < count; c++) {
        if (!t->cells->at[c])
            continue;
        for (int s = 0; s < t->figure->sides; s++) {
            if (t->walked[c] >> s & 1 || !is_border(t, c, s))
                continue;
            if (keys) {
                keys[n] = (uint32_t)t->cells->at[c];
                starts[n] = c * 8 + s;
            }
            n++;
            for (int32_t cell = c, side = s; !(t->walked[cell] >> side & 1); advance(t, &cell, &side)) {
                t->walked[cell] |= (uint8_t)(1 << side);
                mw_tick(t->run, 1);
            }
        }
    }
    return n;
}

static struct pen pen_of(int32_t label, const int32_t *colours)
{
    return (struct pen){.fill = label < 0 ? INK_BRIDGE : (enum ink)(INK_LABEL + colours[label]),
                        .line = INK_BORDER, .tenths = 15};
}

static void draw_outlines(struct tracer *t, const int32_t *colours)
{
    struct mw_run *run = t->run;
    int32_t count = t->flat.width * t->flat.height;
    t->walked = MW_NEW(run, uint8_t, count);
    int32_t loops = find_loops(t, NULL, NULL);
    uint64_t *keys = MW_NEW(run, uint64_t, loops + 1);
    int32_t *starts = MW_NEW(run, int32_t, loops + 1);
    find_loops(t, keys, starts);
    mw_sort(run, keys, starts, loops);
    memset(t->walked, 0, (size_t)count);
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
                struct mw_point at = middle(t->figure, t->flat.width,
                                            points[row].y * t->flat.width + points[row].x);
                canvas_disc(t->canvas, pen, at.x, at.y, 3);
            }
        }
    }
}

void scene_cells(struct canvas *canvas, int p)
{
    const struct mw_cells *cells = &canvas->map->slots[p].as.grid;
    const struct figure *f = cells->lattice.tiling == MW_HEX ? &hexagon : &square;
    struct tracer t = {canvas, canvas->run, cells, cells->lattice, f, NULL};
    t.flat.wrap = MW_WRAP_NONE;
    const int32_t *colours = draw_colours(canvas->run, cells, INK_LABELS);
    canvas_open(canvas, &(struct sheet){.width = t.flat.width * f->pitch_x + f->shove + 2,
                                        .height = (t.flat.height - 1) * f->pitch_y + 2 * f->middle_y,
                                        .pitch = f->pitch_x, .ground = INK_SEA});
    draw_outlines(&t, colours);
    draw_marks(&t);
}
