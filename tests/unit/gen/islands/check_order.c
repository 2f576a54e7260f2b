/* check_order.c: islands made of land, of shelves, and how many there can be. */
#include "worlds.h"

/* ---- the bound ------------------------------------------------------------------------------- */

TEST(an_island_covers_so_many_corners)
{
    static const struct {
        int32_t cells, width, height;
        int64_t cover;
    } rows[] = {{1, 1, 1, 4},  {1, 9, 9, 4},  {2, 9, 9, 6},   {3, 9, 9, 8},
                {4, 9, 9, 9},  {5, 9, 9, 11}, {9, 9, 9, 16},  {9, 1, 9, 20},
                {9, 9, 1, 20}, {9, 2, 9, 17}, {9, 2, 4, 0},   {10, 3, 3, 0},
                {10, 9, 1, 0}, {9, 3, 3, 16}, {12, 5, 9, 20}, {12, 2, 9, 21}};
    for (int i = 0; i < COUNT(rows); i++)
        ck_assert_int_eq(islands_cover(rows[i].cells, rows[i].width, rows[i].height),
                         rows[i].cover);
}

/* ---- of land --------------------------------------------------------------------------------- */

static void make_land(struct island_map *s, int32_t thousandths, int32_t rounds, struct plane *land)
{
    struct mw_rng rng = unit_rng((uint64_t)thousandths);
    plane_new(s->run, land, s->width, s->height);
    plane_scatter(s->run, land, &rng, thousandths);
    life_run(s->run, land, rounds);
}

static bool order(struct island_map *s, int32_t thousandths, int32_t rounds)
{
    struct plane land;
    make_land(s, thousandths, rounds, &land);
    bool good = islands_order(s, &land);
    islands_settle(s, &land);
    return good;
}

TEST(islands_are_as_many_and_as_large_as_asked)
{
    static const int32_t islands[][2] = {{1, 1}, {4, 4}, {9, 13}};
    static const int32_t sizes[][2] = {{1, 1}, {4, 9}, {18, 23}, {23, 23}};
    static const int32_t lands[] = {0, 333, 500, 600, 1000};
    for (int i = 0; i < COUNT(islands) * COUNT(sizes) * COUNT(lands) * 2; i++) {
        int n = i / 2 % COUNT(islands), k = i / 2 / COUNT(islands) % COUNT(sizes);
        struct island_map s = worlds_new(unit_open(), 30, 24, islands[n], sizes[k]);
        s.smooth = i % 2;
        ck_assert(order(&s, lands[i / 2 / COUNT(islands) / COUNT(sizes)], i % 7 * 3));
        ck_assert(s.count >= islands[n][0] && s.count <= islands[n][1]);
        worlds_check(&s);
    }
}

/* What is too much is not found, and the land is left as it was. */
TEST(too_many_are_not_found)
{
    const int32_t islands[2] = {40, 40}, size[2] = {9, 9};
    for (int i = 0; i < 2; i++) {
        struct island_map s = worlds_new(unit_open(), 20, 20, islands, size);
        struct plane land;
        s.smooth = i;
        make_land(&s, 500, 5, &land);
        size_t bytes = (size_t)land.height * (size_t)land.stride * sizeof *land.at;
        uint64_t *before = memcpy(mw_alloc(s.run, 1, bytes), land.at, bytes);
        ck_assert(!islands_order(&s, &land));
        ck_assert_mem_eq(before, land.at, bytes);
    }
}

/* ---- of shelves ------------------------------------------------------------------------------ */

static void pack(struct island_map *s)
{
    struct plane land;
    plane_new(s->run, &land, s->width, s->height);
    islands_pack(s, &land);
    islands_settle(s, &land);
}

TEST(shelves_hold_what_they_say)
{
    for (int32_t i = 0; i < 3000; i++) {
        struct mw_rng rng = unit_rng((uint64_t)i);
        int32_t width = mw_between(&rng, 1, 24), height = mw_between(&rng, 1, 24);
        int32_t least = mw_between(&rng, 1, 12), more = mw_between(&rng, 0, 3);
        const int32_t islands[2] = {mw_between(&rng, 1, width * height / (least + 4) + 1), 600};
        const int32_t size[2] = {least, least + more};
        struct island_map s = worlds_new(unit_open(), width, height, islands, size);
        if (islands_hold(&s) < islands[0])
            continue;
        pack(&s);
        ck_assert_int_eq(s.count, islands[0]);
        worlds_check(&s);
    }
}

/* The figure atop pack.c: islands of 11 cells on a shelf three high, with gaps of 4. */
TEST(gaps_keep_corners_apart)
{
    const int32_t islands[2] = {3, 3}, size[2] = {11, 11};
    struct island_map s = worlds_new(unit_open(), 14, 3, islands, size); /* 42 cells of 41 */
    ck_assert_int_eq(islands_hold(&s), 3);
    pack(&s);
    worlds_check(&s);
    s = worlds_new(unit_open(), 13, 3, islands, size);
    ck_assert_int_eq(islands_hold(&s), 2);
}
