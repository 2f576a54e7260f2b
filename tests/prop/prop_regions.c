/*
 * prop_regions.c: the promises of /regions on maps without water. A full map must be made, whatever
 * is asked of it; every map is judged by check_regions.c.
 *
 * MAPWRIGHT_LONG=1 tries twenty times as many.
 */
#include "land.h"
#include "test.h"

TEST(a_full_map_is_always_made)
{
    for (int i = 0; i < rounds(1200); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 1};
        struct land l = land_of_shape(&source, LAND_SIDE - 1);
        land_ask_lattice(&l, (uint32_t)i);
        land_ask("&width=%d&height=%d&count=%d", l.width, l.height,
                 land_draw_count(&source, 1, l.width * l.height));
        land_ask_look(&source, arbitrary_below(&source, 2) == 0);
        ck_assert_msg(land_answer(), "refused: %.2000s", land_query);
    }
}

/* Exact sizes: the map cut at random places, or at places near each other. */
TEST(sizes_are_met_to_the_cell)
{
    for (int i = 0; i < rounds(500); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 1000000};
        struct land l = land_of_shape(&source, 30);
        int sizes[LAND_CELLS], count = land_draw_sizes(&source, l.width * l.height, sizes);
        land_ask_lattice(&l, (uint32_t)i);
        land_ask("&width=%d&height=%d", l.width, l.height);
        land_ask_sizes(sizes, count);
        land_ask_look(&source, false);
        ck_assert_msg(land_answer(), "refused: %.2000s", land_query);
    }
}
