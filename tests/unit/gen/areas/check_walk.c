/* check_walk.c: walks, the longest that there are, and land shared out. */
#include "maps.h"

/* ---- the longest, by trying all -------------------------------------------------------------- */

static int32_t try_from(const struct grid *g, int32_t cell, bool *taken)
{
    int32_t most = 0;
    taken[cell] = true;
    for (int side = 0; side < g->sides; side++) {
        int32_t next = mw_neighbour(&g->lattice, cell, side);
        if (next >= 0 && !taken[next] && g->owner[next] == AREAS_FREE)
            most = mw_max(most, try_from(g, next, taken));
    }
    taken[cell] = false;
    return most + 1;
}

static int32_t longest_of(const struct grid *g)
{
    bool taken[32] = {false};
    int32_t most = 0;
    for (int32_t cell = 0; cell < g->cells; cell++)
        if (g->owner[cell] == AREAS_FREE)
            most = mw_max(most, try_from(g, cell, taken));
    return most;
}

static void draw_land(struct mw_rng *rng, int32_t width, int32_t height, char *land)
{
    int32_t thousandths = mw_between(rng, 400, 1000);
    for (int32_t i = 0; i < (width + 1) * height; i++)
        land[i] = mw_chance(rng, thousandths) ? '#' : '.';
    land[0] = '#';
}

/* The search in full finds a walk of that many cells, and none of one more; no bound is below. */
START_TEST(all_walks_are_looked_at)
{
    int exact = 0;
    for (uint64_t i = 0; i < 300; i++) {
        struct mw_rng rng = unit_rng(i);
        char land[32];
        int32_t width = mw_between(&rng, 1,
                                   _i < 3   ? 4
                                   : _i < 5 ? 3
                                            : 2),
                height = mw_between(&rng, 1, 4);
        struct areas p = maps_kind(_i, width, height, 1);
        draw_land(&rng, width, p.height, land);
        struct grid g = maps_grid(unit_open(), &p, land);
        int32_t longest = longest_of(&g);
        for (p.area = longest; p.area <= longest + 1; p.area++) {
            struct area a = maps_area(&g, &p);
            int32_t bound = areas_walk_longest(&a);
            ck_assert_msg(bound >= longest, "%d, but there is one of %d", bound, longest);
            exact += bound == longest && p.area == longest;
            for (int swept = 0; swept <= (g.flat && p.area > 1); swept++) {
                int found = swept ? areas_walk_sweep(&a) : areas_walk_all(&a);
                ck_assert_int_eq(found, p.area == longest);
                if (found) {
                    maps_check(&g, &a);
                    maps_check_walk(&g, &a);
                }
                for (int32_t k = 0; k < g.cells; k++)
                    g.owner[k] = g.owner[k] == 1 ? AREAS_FREE : g.owner[k];
            }
        }
    }
    ck_assert_msg(exact > 200, "only %d bounds are exact", exact);
}
END_TEST

/* All walks at once: on land that is wide enough for parts of them to join in every way. */
START_TEST(all_walks_are_swept)
{
    for (uint64_t i = 0; i < 30; i++) {
        struct mw_rng rng = unit_rng(i);
        char land[64];
        struct areas p = i % 2 ? maps_kind(0, 5, 6, 1) : maps_kind(0, 6, 5, 1);
        draw_land(&rng, p.width, p.height, land);
        struct grid g = maps_grid(unit_open(), &p, land);
        int32_t longest = longest_of(&g);
        for (p.area = longest + 1; p.area > 1 && p.area >= longest; p.area--) {
            struct area a = maps_area(&g, &p);
            ck_assert_int_eq(areas_walk_sweep(&a), p.area == longest);
            if (p.area == longest) {
                maps_check(&g, &a);
                maps_check_walk(&g, &a);
            }
        }
    }
}
END_TEST

/* Whether a walk of `area` cells goes on from `cell` and encloses nothing; it is held by area 1. */
static bool walk_whole(struct grid *g, int32_t cell, int32_t area)
{
    g->owner[cell] = 1;
    bool good = area == 1 && !maps_holes(g);
    for (int side = 0; area > 1 && !good && side < g->sides; side++) {
        int32_t next = mw_neighbour(&g->lattice, cell, side);
        good = next >= 0 && g->owner[next] == AREAS_FREE && walk_whole(g, next, area - 1);
    }
    g->owner[cell] = AREAS_FREE;
    return good;
}

START_TEST(all_walks_without_holes_are_looked_at)
{
    int none = 0;
    for (uint64_t i = 0; i < 200; i++) {
        struct mw_rng rng = unit_rng(i);
        char land[32];
        struct areas p = maps_kind(3 * _i, 3, mw_between(&rng, 3, 4), 1);
        draw_land(&rng, 3, p.height, land);
        land[5] = i % 2 ? '.' : land[5]; /* a lake that invites to go around */
        p.holes = false;
        struct grid g = maps_grid(unit_open(), &p, land);
        p.area = mw_between(&rng, 1, longest_of(&g));
        struct area a = maps_area(&g, &p);
        bool there_is = false;
        for (int32_t cell = 0; cell < g.cells && !there_is; cell++)
            there_is = g.owner[cell] == AREAS_FREE && walk_whole(&g, cell, p.area);
        ck_assert_int_eq(areas_walk_all(&a), there_is);
        none += !there_is;
        if (!there_is)
            continue;
        maps_check_walk(&g, &a);
        ck_assert_int_eq(maps_holes(&g), 0);
    }
    ck_assert_int_gt(none, 0);
}
END_TEST

START_TEST(light_and_dark_take_turns)
{
    static const struct {
        struct mw_lattice lattice;
        int32_t cells, light, most;
    } rows[] = {
        {{3, 3, MW_SQUARE, MW_WRAP_NONE}, 5, 4, 3}, {{3, 3, MW_SQUARE, MW_WRAP_NONE}, 9, 4, 9},
        {{4, 3, MW_SQUARE, MW_WRAP_X}, 5, 1, 3},    {{3, 3, MW_SQUARE, MW_WRAP_X}, 5, 1, 5},
        {{4, 3, MW_SQUARE, MW_WRAP_XY}, 5, 1, 5},   {{4, 4, MW_SQUARE, MW_WRAP_XY}, 5, 1, 3},
        {{3, 3, MW_HEX, MW_WRAP_NONE}, 5, 0, 5},
    };
    for (int i = 0; i < COUNT(rows); i++)
        ck_assert_int_eq(areas_walk_most(&rows[i].lattice, rows[i].cells, rows[i].light),
                         rows[i].most);
}
END_TEST

/* ---- walks that are found -------------------------------------------------------------------- */

static void walk(int kind, bool holes, uint64_t number, int *found)
{
    struct mw_rng rng = unit_rng(number);
    int32_t width = mw_between(&rng, 2, 14), height = mw_between(&rng, 2, 14), reached;
    struct areas p = maps_kind(kind, width, height, 1);
    p.area = mw_between(&rng, 1, p.width * p.height * 2 / 3);
    p.algorithm = AREAS_WALK;
    p.holes = holes;
    struct grid g = maps_grid(unit_open(), &p, NULL);
    struct area a = maps_area(&g, &p);
    a.pool = MW_NEW(g.run, int32_t, g.cells + 2);
    a.rng = rng;
    bool good = areas_walk(&a, mw_between(&rng, 0, g.cells - 1), &reached);
    for (int32_t i = 0; !good && i < g.cells; i++)
        ck_assert_int_eq(g.owner[i], AREAS_FREE); /* what was tried is given back */
    if (!good)
        return;
    ++*found;
    maps_check(&g, &a);
    maps_check_walk(&g, &a);
    int32_t counted[1];
    struct mw_box bounds[1];
    areas_measure(&g, &p, a.cells, counted, bounds);
    ck_assert(holes || counted[0] == 0);
}

START_TEST(walks_are_exact_and_never_meet_themselves)
{
    int found = 0;
    for (uint64_t i = 0; i < 300; i++)
        walk(_i, true, i, &found);
    ck_assert_int_gt(found, 270);
}
END_TEST

START_TEST(walks_without_holes_enclose_nothing)
{
    int found = 0;
    for (uint64_t i = 0; i < 300; i++)
        walk(3 * _i, false, i, &found);
    ck_assert_int_gt(found, 200);
}
END_TEST

/* ---- shares ---------------------------------------------------------------------------------- */

/* Shares are as many and as large as asked, apart, each in one piece and marked as its own. */
static void check_shares(const struct grid *g, const struct areas *p, const struct shares *s)
{
    for (int32_t k = 0; k < p->count; k++) {
        bool seen[200] = {false};
        ck_assert_int_ge(s->first[k + 1] - s->first[k], p->area);
        for (int32_t i = s->first[k]; i < s->first[k + 1]; i++)
            ck_assert_int_eq(g->owner[s->cells[i]], AREAS_FIRST_SHARE - k);
        ck_assert_int_eq(maps_flood(g, s->cells[s->first[k]], seen), s->first[k + 1] - s->first[k]);
    }
}

START_TEST(full_maps_are_shared_along_a_tour)
{
    for (int32_t width = 1; width <= 9; width++)
        for (int32_t height = 1; height <= 9; height++)
            for (int32_t count = 1; count <= width * height; count += 1 + count / 2) {
                struct areas p = maps_kind(_i, width, height, 1);
                p.count = count;
                p.area = p.width * p.height / count;
                p.holes = width % 2 || p.wrap;
                struct grid g = maps_grid(unit_open(), &p, NULL);
                struct mw_rng rng = unit_rng((uint64_t)(width * 9 + height));
                struct shares s;
                ck_assert(areas_share_out(&g, &p, &rng, &s));
                check_shares(&g, &p, &s);
                for (int32_t i = 1; i < g.cells; i++)
                    ck_assert_int_eq(mw_distance(&g.lattice, s.cells[i - 1], s.cells[i]), 1);
            }
}
END_TEST

START_TEST(other_land_is_shared_along_trees)
{
    int shared = 0;
    for (uint64_t i = 0; i < 300; i++) {
        struct mw_rng rng = unit_rng(i);
        static char land[200];
        struct areas p = maps_kind(_i, mw_between(&rng, 1, 10), mw_between(&rng, 1, 9), 1);
        draw_land(&rng, p.width, p.height, land);
        p.mask = (struct mw_rows){land, p.width, p.height};
        p.count = mw_between(&rng, 1, 4);
        p.area = mw_between(&rng, 1, 6);
        struct grid g = maps_grid(unit_open(), &p, land);
        struct shares s;
        if (!areas_share_out(&g, &p, &rng, &s))
            continue;
        shared++;
        check_shares(&g, &p, &s);
    }
    ck_assert_int_gt(shared, 150);
}
END_TEST

Suite *suite_walk(void)
{
    Suite *suite = suite_create("walk");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 600);
    tcase_add_loop_test(all, all_walks_are_looked_at, 0, MAPS_KINDS);
    tcase_add_test(all, all_walks_are_swept);
    tcase_add_loop_test(all, all_walks_without_holes_are_looked_at, 0, 2);
    tcase_add_test(all, light_and_dark_take_turns);
    tcase_add_loop_test(all, walks_are_exact_and_never_meet_themselves, 0, MAPS_KINDS);
    tcase_add_loop_test(all, walks_without_holes_enclose_nothing, 0, 2);
    tcase_add_loop_test(all, full_maps_are_shared_along_a_tour, 0, MAPS_KINDS);
    tcase_add_loop_test(all, other_land_is_shared_along_trees, 0, MAPS_KINDS);
    suite_add_tcase(suite, all);
    return suite;
}
