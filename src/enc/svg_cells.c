/*
 * svg_cells.c: a grid of labels: one path for each label, marks on top.
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
#include "svg.h"

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

static char *write_step(char *to, int dx, int dy)
{
    *to++ = 'l';
    to = mw_write_int(to, dx);
    if (dy >= 0)
        *to++ = ' ';
    return mw_write_int(to, dy);
}

/* Steps that go the same way are written as one. */
static void put_loop(const struct tracer *t, int32_t cell, int side)
{
    const struct figure *f = t->figure;
    struct mw_point start = middle(f, t->flat.width, cell);
    mw_put_char(t->run, 'M');
    mw_put_int(t->run, start.x + f->x[side]);
    mw_put_char(t->run, ' ');
    mw_put_int(t->run, start.y + f->y[side]);
    int dx = 0, dy = 0, last = -1;
    while (!(t->walked[cell] >> side & 1)) {
        t->walked[cell] |= (uint8_t)(1 << side);
        if (side != last && last >= 0) {
            mw_wrote(t->run, write_step(mw_room(t->run, 32), dx, dy));
            dx = dy = 0;
        }
        int next = (side + 1) % f->sides;
        dx += f->x[next] - f->x[side];
        dy += f->y[next] - f->y[side];
        last = side;
        advance(t, &cell, &side);
        mw_tick(t->run, 1);
    }
    mw_put_char(t->run, 'z');
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

static void put_fill(struct mw_run *run, int32_t label, const int32_t *colours)
{
    mw_put(run, "<path fill=\"");
    mw_put(run, label < 0 ? "#bb5533" : svg_palette[colours[label]]);
    mw_put(run, "\" d=\"");
}

static void put_outlines(struct tracer *t, const int32_t *colours)
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
            put_fill(run, (int32_t)(uint32_t)keys[i], colours);
        put_loop(t, starts[i] / 8, starts[i] % 8);
        if (last)
            mw_put(run, "\"/>\n");
    }
}

static void put_marks(struct tracer *t, const struct mw_map *map)
{
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
                mw_put(t->run, "<circle r=\"3\" cx=\"");
                mw_put_int(t->run, at.x);
                mw_put(t->run, "\" cy=\"");
                mw_put_int(t->run, at.y);
                mw_put(t->run, "\"/>\n");
            }
        }
    }
}

void svg_cells(struct mw_run *run, const struct mw_map *map, int p)
{
    const struct mw_cells *cells = &map->slots[p].as.grid;
    const struct figure *f = cells->lattice.tiling == MW_HEX ? &hexagon : &square;
    struct tracer t = {run, cells, cells->lattice, f, NULL};
    t.flat.wrap = MW_WRAP_NONE;
    const int32_t *colours = draw_colours(run, cells, SVG_COLOURS);
    svg_begin(run, map, t.flat.width * f->pitch_x + f->shove + 2,
              (t.flat.height - 1) * f->pitch_y + 2 * f->middle_y, "#e8eef2");
    mw_put(run, "<g fill-rule=\"evenodd\" stroke=\"#445566\" stroke-width=\"1.5\" stroke-linejoin=\"round\">\n");
    put_outlines(&t, colours);
    mw_put(run, "</g>\n<g fill=\"#223344\" stroke=\"#ffffff\">\n");
    put_marks(&t, map);
    mw_put(run, "</g>\n");
}
