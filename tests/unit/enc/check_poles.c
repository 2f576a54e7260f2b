/*
 * check_poles.c: depths found by peeling: what is left when every cell beside another label is
 * taken away, again and again.
 */
#include "enc/labels.h"
#include "kit/lattice.h"
#include "unit/unit.h"

enum { MOST = 400 };

static bool is_inner(const struct mw_lattice *flat, const int32_t *depth, int32_t cell,
                     int32_t deep)
{
    for (int s = 0; s < mw_sides(flat); s++) {
        int32_t other = mw_neighbour(flat, cell, s);
        if (other < 0 || depth[other] < deep)
            return false;
    }
    return true;
}

/* How many times each cell of the label outlives the peeling; the most of any. */
static int32_t peel(const struct mw_cells *cells, int32_t label, int32_t *depth)
{
    struct mw_lattice flat = cells->lattice;
    int32_t count = flat.width * flat.height, deep = 0, left = 0;
    flat.wrap = MW_WRAP_NONE;
    for (int32_t c = 0; c < count; c++)
        left += depth[c] = cells->at[c] == label;
    while (left) {
        left = 0;
        deep++;
        for (int32_t c = 0; c < count; c++)
            if (depth[c] >= deep && is_inner(&flat, depth, c, deep)) {
                depth[c] = deep + 1;
                left++;
            }
    }
    return deep;
}

TEST(poles_are_the_deepest_cells, .end = 60)
{
    static int32_t at[MOST], depth[MOST];
    struct mw_rng rng = unit_rng((uint64_t)_i);
    struct mw_lattice l = {mw_between(&rng, 1, 20), mw_between(&rng, 1, 20),
                           _i % 2 ? MW_HEX : MW_SQUARE, MW_WRAP_NONE};
    int32_t labels = mw_between(&rng, 1, 4);
    struct mw_run *run = unit_open();
    struct mw_cells cells = {l, at};
    unit_patches(&rng, &l, labels, at);
    const struct pole *poles = label_poles(run, &cells, label_borders(run, &cells), labels + 1);
    for (int32_t label = 1; label <= labels + 1; label++) {
        int32_t deep = peel(&cells, label, depth);
        ck_assert_msg(poles[label].depth == deep, "label %d is %d deep, not %d", label, deep,
                      poles[label].depth);
        ck_assert(!deep || depth[poles[label].cell] == deep);
    }
}

TEST(in_a_corridor_it_is_the_middle)
{
    int32_t at[31];
    struct mw_cells cells = {{31, 1, MW_HEX, MW_WRAP_X}, at};
    for (int i = 0; i < 31; i++)
        at[i] = 1;
    struct mw_run *run = unit_open();
    ck_assert_int_eq(label_poles(run, &cells, label_borders(run, &cells), 1)[1].cell, 15);
}
