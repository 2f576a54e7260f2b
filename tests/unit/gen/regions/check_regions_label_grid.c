/* check_regions_label_grid.c: moves that are allowed, sides across seams, boundaries, sweeps. */
#include "kit/lattice.h"
#include "picture.h"

/* What giving the cell in the middle of 3 x 3 to country B is worth. */
static const struct {
    const char *rows;
    enum mw_tiling tiling;
    int gain;
} moves[] = {
    {"AAB/AAB/AAB", MW_SQUARE, -2},
    {"AAB/AAB/ABB", MW_SQUARE, 0},
    {"ABB/AAB/BBB", MW_SQUARE, 2},
    {"BBB/BAB/BBB", MW_SQUARE, REGIONS_NEVER}, /* its only cell */
    {"CAB/CAB/CAB", MW_SQUARE, REGIONS_NEVER}, /* what holds A together */
    {"AAA/AAA/AAA", MW_SQUARE, REGIONS_NEVER}, /* B is not there */
    {"AAA/BAB/AAA", MW_SQUARE, REGIONS_NEVER}, /* B would part A's ends */
    {".A./BA./...", MW_SQUARE, 0},
    {"AAB/AAB/AAB", MW_HEX, 0},
    {"ABB/AAB/ABB", MW_HEX, 4},
    {"BAB/BAB/BAB", MW_HEX, REGIONS_NEVER},
};

TEST(gain_counts_sides_and_refuses_what_might_tear, .end = COUNT(moves))
{
    struct mw_run *run = unit_open();
    struct picture p;
    picture_draw(run, &p, moves[_i].rows, moves[_i].tiling, MW_WRAP_NONE);
    struct label_grid *g = &p.grid;
    g->reach = 0;
    ck_assert_int_eq(regions_gain(g, picture_place(&p, 1, 1), 2, -9), moves[_i].gain);
    if (moves[_i].gain == REGIONS_NEVER)
        return;
    ck_assert_int_eq(regions_gain(g, picture_place(&p, 1, 1), 2, moves[_i].gain + 1),
                     REGIONS_NEVER);
    regions_move(g, picture_place(&p, 1, 1), 2);
    ck_assert(regions_is_sound(g));
}

/* Round a lake a country meets a cell twice: only a search sees that it holds together. */
TEST(a_search_sees_round_lakes)
{
    struct mw_run *run = unit_open();
    struct picture p;
    picture_draw(run, &p, "AAA/A.A/BAA", MW_SQUARE, MW_WRAP_NONE);
    struct label_grid *g = &p.grid;
    int32_t place = picture_place(&p, 1, 2);
    ck_assert(!regions_is_cut_vertex(g, place));
    p.grid.rings = true;
    ck_assert_int_eq(regions_gain(g, place, 2, -9), 0);
    p.grid.rings = false;
    ck_assert_int_eq(regions_gain(g, picture_place(&p, 0, 1), 2, -9), 0);
    ck_assert(regions_is_cut_vertex(g, picture_place(&p, 0, 1)) == false);
}

TEST(sides_are_those_of_the_lattice, .end = 6)
{
    struct mw_run *run = unit_open();
    struct picture p;
    enum mw_tiling tiling = (enum mw_tiling)(_i / 3);
    picture_draw(run, &p, "AAAA/AA.A/A.AA/AAAA", tiling, (enum mw_wrap)(_i % 3));
    const struct label_grid *g = &p.grid;
    for (int32_t cell = 0; cell < 16; cell++) {
        int32_t place = picture_place(&p, cell % 4, cell / 4);
        if (g->flag[place >> 1] & REGIONS_WATER)
            continue;
        for (int side = 0; side < mw_sides(&p.lattice); side++) {
            int32_t other = mw_neighbour(&p.lattice, cell, side);
            bool land = other >= 0 && other != 6 && other != 9;
            int32_t wanted = land ? picture_place(&p, other % 4, other / 4) : place;
            ck_assert_int_eq(regions_beside(g, place, side), wanted);
        }
        ck_assert_int_lt(regions_beside(g, place, mw_sides(&p.lattice)), 0);
    }
}

/* Sizes and boundary of a map in patches, counted again; then a sweep, which keeps all whole. */
TEST(a_sweep_keeps_countries_whole, .end = 6)
{
    enum { SIDE = 24, COUNT_OF = SIDE * SIDE };
    struct mw_run *run = unit_open();
    struct mw_rng rng = unit_rng((uint64_t)_i);
    char rows[SIDE * (SIDE + 1) + 1];
    for (int i = 0; i < SIDE * (SIDE + 1); i++) {
        int x = i % (SIDE + 1), y = i / (SIDE + 1);
        rows[i] = (char)(x == SIDE ? '/' : 'A' + x / 8 + y / 8 * 3);
    }
    rows[SIDE * (SIDE + 1) - 1] = '\0';
    struct picture p;
    picture_draw(run, &p, rows, (enum mw_tiling)(_i % 2), (enum mw_wrap)(_i / 2));
    struct label_grid *g = &p.grid;
    regions_sweep(g, &rng, 60000, NULL, 3000);
    ck_assert(regions_is_sound(g));
    int32_t was[10];
    memcpy(was, p.balance.size, sizeof was);
    regions_find_boundary(&p.grid);
    regions_count_sizes(&p.grid);
    ck_assert_mem_eq(was, p.balance.size, sizeof was);
    int32_t facing = 0;
    for (int32_t i = 0; i < g->land; i++) {
        uint16_t faces[REGIONS_FACES], countries = 0;
        for (int n = regions_faces(g, g->place[i], faces); n--;)
            countries |= faces[n];
        facing += countries != 0;
    }
    ck_assert_int_eq(g->boundary_count, facing);
    regions_find_shores(&p.grid, &p.lattice);
    ck_assert_int_ge(g->boundary_count, facing);
}

TEST(chances_fall_with_the_cost)
{
    struct chances chances;
    chances_fill(&chances);
    ck_assert(chances_allow(&chances, 0, 0, UINT32_MAX));
    ck_assert(chances_allow(&chances, 65536, -65536, UINT32_MAX));
    ck_assert(chances_allow(&chances, 65536, 0, 1580000000)); /* 2^32 / e = 1580030168 */
    ck_assert(!chances_allow(&chances, 65536, 0, 1581000000));
    ck_assert(!chances_allow(&chances, INT64_C(1) << 30, 0, 0));
    ck_assert(!chances_allow(&chances, 0, INT64_C(1) << 40, 1 << 30)); /* pressure: 4 at most */
    ck_assert(chances_allow(&chances, 0, INT64_C(1) << 40, 1 << 26));
}
