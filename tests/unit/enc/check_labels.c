/* check_labels.c: colors that tell neighbors apart. */
#include "enc/labels.h"
#include "kit/lattice.h"
#include "unit/unit.h"

enum { SIDE = 24, LABELS = 40 };

static const struct {
    enum mw_tiling tiling;
    enum mw_wrap wrap;
    int32_t most, colors;
} rows[] = {
    {MW_HEX, MW_WRAP_NONE, 6, 9},         {MW_HEX, MW_WRAP_XY, LABELS, 9},
    {MW_SQUARE, MW_WRAP_NONE, LABELS, 9}, {MW_SQUARE, MW_WRAP_X, 12, 4},
    {MW_HEX, MW_WRAP_NONE, LABELS, 61},   {MW_HEX, MW_WRAP_NONE, 3, 1},
    {MW_SQUARE, MW_WRAP_NONE, 0, 9},      {MW_SQUARE, MW_WRAP_NONE, LABELS, 2},
};

static bool beside[LABELS + 1][LABELS + 1];

static void find_neighbours(const struct mw_lattice *l, const int32_t *cells)
{
    memset(beside, 0, sizeof beside);
    for (int32_t c = 0; c < SIDE * SIDE; c++)
        for (int s = 0; s < mw_sides(l); s++) {
            int32_t other = mw_neighbour(l, c, s);
            if (other >= 0)
                beside[cells[c]][cells[other]] = true;
        }
}

/* A label with fewer lower neighbors than there are colors differs from them all. */
TEST(neighbors_differ_wherever_colors_suffice, .end = COUNT(rows))
{
    static int32_t grid[SIDE * SIDE];
    struct mw_lattice l = {SIDE, SIDE, rows[_i].tiling, rows[_i].wrap};
    struct mw_rng rng = unit_rng((uint64_t)_i);
    unit_patches(&rng, &l, rows[_i].most, grid);
    find_neighbours(&l, grid);
    struct mw_cells cells = {l, grid};
    struct mw_run *run = unit_open();
    const int32_t *colors = label_colors(run, &cells, label_borders(run, &cells), rows[_i].colors);
    ck_assert_int_le(colors[0], rows[_i].most);
    int32_t met = 0;
    for (int32_t a = 1; a <= colors[0]; a++) {
        int32_t lower = 0;
        ck_assert(colors[a] >= 0 && colors[a] < rows[_i].colors);
        for (int32_t b = 1; b < a; b++)
            lower += beside[a][b];
        for (int32_t b = 1; b < a; b++)
            ck_assert_msg(lower >= rows[_i].colors || !beside[a][b] || colors[a] != colors[b],
                          "labels %d and %d are neighbors and look alike", a, b);
        met += lower > 0 && lower < rows[_i].colors;
    }
    ck_assert(met > 0 || rows[_i].most < 2 || rows[_i].colors < 3);
}

TEST(ways_and_nothing_have_no_color)
{
    int32_t grid[] = {0, -1, 0, -1};
    struct mw_cells cells = {{2, 2, MW_SQUARE, MW_WRAP_NONE}, grid};
    struct mw_run *run = unit_open();
    ck_assert_int_eq(label_colors(run, &cells, label_borders(run, &cells), 9)[0], 0);
}
