/* check_block_tour.c: tours of rectangles of all small sizes. */
#include "kit/block_tour.h"
#include "kit/integer.h"
#include "kit/lattice.h"
#include "unit/unit.h"

enum { MOST_SIDE = 9, MOST_CELLS = MOST_SIDE * MOST_SIDE };

struct blocks {
    struct mw_lattice lattice;
    struct mw_rng rng;
    bool in[MOST_CELLS];
};

static int32_t draw_block(void *blocks, int32_t block, int32_t rank)
{
    struct blocks *b = blocks;
    int32_t found = -1;
    uint32_t n = 0;
    (void)rank;
    for (int side = 0; side < 4; side++) {
        int32_t next = mw_neighbour(&b->lattice, block, side);
        if (next >= 0 && !b->in[next] && mw_below(&b->rng, ++n) == 0)
            found = next;
    }
    if (found >= 0)
        b->in[found] = true;
    return found;
}

/* Cells of squares that share a side do so as hexagons. */
static bool lie_beside(const struct mw_lattice *lattice, int32_t a, int32_t b)
{
    bool beside = false;
    for (int side = 0; side < 4; side++)
        beside |= mw_neighbour(lattice, a, side) == b;
    return beside;
}

static void check_tour(const struct mw_lattice *lattice, const int32_t *cells)
{
    int32_t count = lattice->width * lattice->height;
    bool met[MOST_CELLS] = {false};
    for (int32_t i = 0; i < count; i++) {
        ck_assert(0 <= cells[i] && cells[i] < count && !met[cells[i]]);
        ck_assert(!i || lie_beside(lattice, cells[i - 1], cells[i]));
        met[cells[i]] = true;
    }
    bool closed = (lattice->width % 2 == 0 || lattice->height % 2 == 0) && lattice->width > 1 &&
                  lattice->height > 1;
    ck_assert(!closed || lie_beside(lattice, cells[count - 1], cells[0]));
}

/* From each cell of a block. */
TEST(tours_meet_every_cell_once, .end = MOST_CELLS)
{
    struct mw_run *run = unit_open();
    int32_t width = 1 + _i % MOST_SIDE, height = 1 + _i / MOST_SIDE, cells[MOST_CELLS];
    const struct mw_lattice lattice = {width, height, MW_SQUARE, MW_WRAP_NONE};
    struct blocks b = {
        {width / 2, height / 2, MW_SQUARE, MW_WRAP_NONE}, unit_rng((uint64_t)_i), {true}};
    struct mw_spanning_tree t;
    mw_new_spanning_tree(run, &t, MOST_CELLS);
    if (width > 1 && height > 1)
        mw_span(run, &t, &b.rng, 0, MW_TREE_ANY, draw_block, &b);
    for (int32_t y = 0; y < mw_max(height / 2 * 2, 1); y++)
        for (int32_t x = 0; x < mw_max(width / 2 * 2, 1); x++) {
            bool odd = width % 2 && height % 2;
            mw_block_tour(run, &t, width, height, y * width + x, cells);
            check_tour(&lattice, cells);
            ck_assert(odd || width == 1 || height == 1 || cells[0] == y * width + x);
        }
}
