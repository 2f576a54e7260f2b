/*
 * outline.c: traces the borders of labels, side by side.
 *
 * A side (cell, s) runs from corner s to corner s + 1, clockwise, so the label is on its right. The
 * next side is s + 1 of the same cell, if that is a border. If it is open, the cell across has the
 * same label: go around the corner through it, as long as sides are open. This ends at the latest
 * at the side we came along, after at most three cells on squares and two on hexagons. Every step
 * has exactly one inverse, so the borders fall into closed loops. On squares, a label that touches
 * itself at a corner only is two pieces there.
 *
 * HOLES. Some formats have only polygons of one loop. A piece with holes becomes one by cuts: inner
 * sides that count as borders for both cells. They lead from the top of each hole straight up (on
 * hexagons in a zigzag) to the first corner that is on a border or on another cut:
 *
 *     squares   c'| e'        hexagons    v | u         cut: between c and e, between c and u,
 *               c | e                      c \ u        between v and u, and so on
 *               h                          c | e
 *                                            h
 *
 * Of the sides around a hole, the first in reading order is side 1 of a cell c, which faces h, the
 * leftmost cell of the hole's first row. The cell east of c belongs to the piece, else the hole
 * would begin a row higher (on squares a hole continues across corners). A cut ends strictly above
 * its hole, so not at the hole's own loop. Hence the cuts make the loops a forest, whose roots are
 * the outer loops, and each piece ends up with one loop.
 *
 * Holes are found by turns: right turns minus left turns make a full circle, clockwise around a
 * piece and counterclockwise around a hole. The cost is a pass over the cells and the length of all
 * borders and cuts.
 */
#include "outline.h"
#include "kit/integer.h"
#include "kit/lattice.h"

#include "labels.h"

const struct cell_shape outline_shapes[] = {
    [MW_HEX] = {14, 12, 7, 7, 8, {7, 7, 0, -7, -7, 0}, {-4, 4, 8, 4, -4, -8}},
    [MW_SQUARE] = {12, 12, 0, 6, 6, {6, 6, -6, -6}, {-6, 6, 6, -6}},
};

struct mw_point outline_middle_of(const struct cell_shape *f, struct mw_point cell)
{
    assert(cell.x >= 0 && cell.y >= 0);
    return (struct mw_point){f->middle_x + cell.x * f->pitch_x + (cell.y & 1) * f->row_shift,
                             f->middle_y + cell.y * f->pitch_y};
}

struct mw_point outline_middle(const struct cell_shape *f, int32_t width, int32_t cell)
{
    assert(width > 0);
    return outline_middle_of(f, (struct mw_point){cell % width, cell / width});
}

struct mw_point outline_corner(const struct cell_shape *f, int32_t width, int32_t cell, int s)
{
    const struct mw_point at = outline_middle(f, width, cell);
    return (struct mw_point){at.x + f->x[s], at.y + f->y[s]};
}

/* This side has the same number on both tilings. */
enum { EAST };

struct outline outline_of(struct mw_run *run, const struct mw_cells *cells)
{
    struct outline o = {.run = run, .cells = cells, .flat = cells->lattice};
    o.flat.wrap = MW_WRAP_NONE;
    o.borders = label_borders(run, cells);
    o.walked = MW_NEW(run, uint8_t, o.flat.width * o.flat.height);
    return o;
}

static bool is_open(const struct outline *o, int32_t cell, int side)
{
    return !(o->borders[cell] >> side & 1);
}

void outline_advance(const struct outline *o, int32_t *cell, int *side)
{
    int n = mw_sides(&o->flat), next = *side + 1 < n ? *side + 1 : 0;
    assert(*side >= 0 && *side < n && !is_open(o, *cell, *side));
    for (int left = n; is_open(o, *cell, next); left--) {
        assert(left > 0); /* fewer cells meet at a corner */
        *cell = mw_neighbour(&o->flat, *cell, next);
        assert(*cell >= 0); /* a side at the end of the map is a border */
        next += n / 2 + 1;
        next -= next < n ? 0 : n;
    }
    *side = next;
}

bool outline_take(struct outline *o, int32_t cell, int side)
{
    assert(!is_open(o, cell, side));
    if (o->walked[cell] >> side & 1)
        return false;
    o->walked[cell] |= (uint8_t)(1 << side);
    mw_tick(o->run, 1);
    return true;
}

/* Walks a loop; right turns minus left turns. */
static int walk(struct outline *o, int32_t cell, int side)
{
    int n = mw_sides(&o->flat), turns = 0;
    while (outline_take(o, cell, side)) {
        int before = side;
        outline_advance(o, &cell, &side);
        turns += side - before + (side - before < -1 ? n : side - before > n - 2 ? -n : 0);
    }
    assert(turns == n || turns == -n);
    return turns;
}

int32_t outline_count_sides(const struct outline *o)
{
    int32_t sides = 0;
    for (int32_t c = 0; c < o->flat.width * o->flat.height; c++)
        sides += mw_count_bits(o->borders[c]);
    return sides;
}

/* Lists the first side in reading order of each loop, or of each hole; returns their number. */
static int32_t find(struct outline *o, int32_t **starts, bool holes_only)
{
    enum { LEAST_SIDES = 4 }; /* of a loop */
    const int32_t count = o->flat.width * o->flat.height,
                  most = outline_count_sides(o) / LEAST_SIDES;
    int32_t n = 0;
    *starts = MW_NEW(o->run, int32_t, most);
    memset(o->walked, 0, (size_t)count);
    mw_tick(o->run, (uint64_t)count);
    for (int32_t c = 0; (c = mw_next_byte(o->borders, c, count)) < count; c++)
        while (o->borders[c] & ~o->walked[c]) {
            int s = __builtin_ctz((unsigned)(o->borders[c] & ~o->walked[c]));
            bool hole = walk(o, c, s) < 0;
            assert(n < most);
            if (hole || !holes_only)
                (*starts)[n++] = c * 8 + s;
        }
    memset(o->walked, 0, (size_t)count);
    return n;
}

int32_t outline_loops(struct outline *o, int32_t **loops) { return find(o, loops, false); }

int32_t outline_sorted_loops(struct outline *o, int32_t **loops, uint64_t **keys)
{
    const int32_t count = outline_loops(o, loops);
    *keys = MW_NEW(o->run, uint64_t, count);
    for (int32_t i = 0; i < count; i++)
        (*keys)[i] = (uint32_t)o->cells->at[(*loops)[i] / 8];
    mw_sort(o->run, *keys, *loops, count);
    return count;
}

/* ---- cuts ------------------------------------------------------------------------------------ */

static int32_t cut(struct outline *o, int32_t cell, int side)
{
    int n = mw_sides(&o->flat);
    int32_t across = mw_neighbour(&o->flat, cell, side);
    assert(across >= 0 && o->cells->at[across] == o->cells->at[cell]);
    o->borders[cell] |= (uint8_t)(1 << side);
    o->borders[across] |= (uint8_t)(1 << (side + n / 2) % n);
    return across;
}

/* Cuts upward from the corner at the right end of the top of a hole, below `cell`. */
static void cut_up(struct outline *o, int32_t cell)
{
    bool hex = o->flat.tiling == MW_HEX;
    int up_right = hex ? 5 : 3, up_left = hex ? 4 : 3;
    while (is_open(o, cell, EAST)) {
        mw_tick(o->run, 1);
        int32_t east = cut(o, cell, EAST);
        if (!is_open(o, cell, up_right) || !is_open(o, east, up_left))
            return;
        if (hex)
            cut(o, cell, up_right);
        if (!is_open(o, cell, up_left))
            return;
        cell = mw_neighbour(&o->flat, cell, up_left); /* a row up: so it ends */
    }
}

void outline_cut_holes(struct outline *o)
{
    char *mark = mw_mark(o->run);
    int32_t *holes, count = find(o, &holes, true);
    for (int32_t i = 0; i < count; i++)
        cut_up(o, holes[i] / 8);
    mw_rewind(o->run, mark);
}

/* ---- maps that wrap -------------------------------------------------------------------------- */

/* Code that traces borders or looks for room on a flat map would take a seam for a rim. So the map
   is repeated on each side: then all neighbors of its cells are there. An even number of rows is
   added above, so that the same rows of hexagons stay shifted. */
struct unrolled outline_unroll(struct mw_run *run, const struct mw_cells *cells, int32_t columns,
                               int32_t rows)
{
    const struct mw_lattice *l = &cells->lattice;
    assert(columns >= 0 && rows >= 0);
    struct unrolled u = {.left = l->wrap == MW_WRAP_NONE ? 0 : columns,
                         .above = l->wrap == MW_WRAP_XY ? rows + rows % 2 : 0};
    u.cells.lattice = (struct mw_lattice){l->width + 2 * u.left, l->height + 2 * u.above, l->tiling,
                                          MW_WRAP_NONE};
    int64_t count = (int64_t)u.cells.lattice.width * u.cells.lattice.height;
    u.cells.at = MW_NEW(run, int32_t, count);
    mw_tick(run, (uint64_t)count);
    const int32_t right = l->width - u.left % l->width, down = l->height - u.above % l->height;
    for (int32_t y = 0, i = 0; y < u.cells.lattice.height; y++) {
        const int32_t *row = cells->at + (y + down) % l->height * l->width;
        for (int32_t x = 0; x < u.cells.lattice.width; x++)
            u.cells.at[i++] = row[(x + right) % l->width];
    }
    return u;
}
