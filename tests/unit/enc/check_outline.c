/*
 * check_outline.c: loops around labels, with holes and with cuts.
 *
 * Without cuts a loop that turns clockwise goes around a piece, each other one around a hole. With
 * cuts there are as many loops as pieces, which are counted by disjoint sets, and the even-odd rule
 * still tells the cells of the piece from all others: no cut goes where it should not.
 */
#include "enc/outline.h"
#include "kit/dsf.h"
#include "kit/lattice.h"
#include "unit/unit.h"

enum { MOST_CELLS = 400, MOST_CORNERS = 8192 };

static const struct {
    int32_t width, height;
    enum mw_tiling tiling;
    int32_t most;
    bool patches;
} rows[] = {
    {1, 1, MW_HEX, 1, false},      {1, 1, MW_SQUARE, 1, false},  {20, 20, MW_HEX, 1, false},
    {20, 20, MW_SQUARE, 1, false}, {20, 20, MW_HEX, 2, false},   {20, 20, MW_SQUARE, 2, false},
    {20, 20, MW_HEX, 2, true},     {20, 20, MW_SQUARE, 2, true}, {19, 13, MW_HEX, 30, true},
    {7, 20, MW_SQUARE, 5, false},  {20, 3, MW_SQUARE, 1, true},  {40, 1, MW_HEX, 1, false},
};

struct ring {
    int corners;
    struct mw_point at[MOST_CORNERS];
};

static void fill(int i, const struct mw_lattice *l, int32_t number, int32_t *cells)
{
    struct mw_rng rng = unit_rng((uint64_t)(i * 1000 + number));
    if (rows[i].patches)
        unit_patches(&rng, l, rows[i].most, cells);
    /* mostly one label, so that there are holes within holes */
    for (int32_t c = 0; !rows[i].patches && c < l->width * l->height; c++)
        cells[c] = mw_chance(&rng, 700) ? 1 : mw_between(&rng, -1, rows[i].most);
}

static int32_t pieces_of(const struct mw_lattice *l, const int32_t *cells, int32_t *parent)
{
    int32_t count = l->width * l->height, pieces = 0;
    mw_dsf_init(parent, count);
    for (int32_t c = 0; c < count; c++)
        for (int s = 0; s < mw_sides(l); s++) {
            int32_t other = mw_neighbour(l, c, s);
            if (other >= 0 && cells[other] == cells[c])
                mw_dsf_join(parent, c, other);
        }
    for (int32_t c = 0; c < count; c++)
        pieces += cells[c] && parent[c] == c;
    return pieces;
}

static void walk(struct outline *o, int32_t start, struct ring *ring)
{
    const struct cell_shape *f = &outline_shapes[o->flat.tiling];
    int32_t cell = start / 8;
    int side = start % 8;
    ring->corners = 0;
    for (; outline_take(o, cell, side); outline_advance(o, &cell, &side)) {
        struct mw_point at = outline_middle(f, o->flat.width, cell);
        ck_assert_int_lt(ring->corners, MOST_CORNERS);
        ring->at[ring->corners++] = (struct mw_point){at.x + f->x[side], at.y + f->y[side]};
    }
    ck_assert_msg(cell * 8 + side == start, "the loop from %d does not close", start);
}

static long twice_area(const struct ring *ring)
{
    long twice = 0;
    for (int i = 0; i < ring->corners; i++) {
        struct mw_point a = ring->at[i], b = ring->at[(i + 1) % ring->corners];
        twice += (long)a.x * b.y - (long)b.x * a.y;
    }
    return twice;
}

/* Crossings of the ray to the right; the ray's height, doubled and made odd, meets no corner. */
static bool is_inside(const struct ring *ring, struct mw_point p)
{
    bool inside = false;
    for (int i = 0; i < ring->corners; i++) {
        struct mw_point a = ring->at[i], b = ring->at[(i + 1) % ring->corners];
        if ((2 * a.y > 2 * p.y + 1) == (2 * b.y > 2 * p.y + 1))
            continue;
        long side =
            (long)(b.x - a.x) * (2 * p.y + 1 - 2 * a.y) - (long)(p.x - a.x) * 2 * (b.y - a.y);
        inside ^= b.y > a.y ? side > 0 : side < 0;
    }
    return inside;
}

static void check_ring(const struct outline *o, const struct ring *ring, int32_t *parent,
                       int32_t cell)
{
    const struct cell_shape *f = &outline_shapes[o->flat.tiling];
    int32_t piece = mw_dsf_find(parent, cell), count = 0;
    for (int32_t c = 0; c < o->flat.width * o->flat.height; c++) {
        bool member = mw_dsf_find(parent, c) == piece;
        count += member;
        ck_assert_msg(is_inside(ring, outline_middle(f, o->flat.width, c)) == member,
                      "the loop around %d is wrong about cell %d", cell, c);
    }
    ck_assert_int_eq(twice_area(ring), count * (o->flat.tiling == MW_HEX ? 336L : 288L));
}

TEST(cuts_leave_one_loop_a_piece, .end = COUNT(rows))
{
    static struct ring ring;
    int32_t cells[MOST_CELLS], parent[MOST_CELLS], holes = 0;
    struct mw_lattice l = {rows[_i].width, rows[_i].height, rows[_i].tiling, MW_WRAP_NONE};
    for (int32_t number = 0; number < 20; number++) {
        fill(_i, &l, number, cells);
        struct mw_run *run = unit_open();
        struct mw_cells grid = {l, cells};
        struct outline o = outline_of(run, &grid);
        int32_t *starts, before = outline_loops(&o, &starts), pieces = pieces_of(&l, cells, parent);
        outline_cut_holes(&o);
        int32_t loops = outline_loops(&o, &starts);
        ck_assert_int_eq(loops, pieces);
        holes += before - loops;
        for (int32_t i = 0; i < loops; i++) {
            walk(&o, starts[i], &ring);
            check_ring(&o, &ring, parent, starts[i] / 8);
        }
    }
    ck_assert_msg(holes > 50 || l.height == 1 || l.width < 20 || rows[_i].patches,
                  "there are too few holes");
}
