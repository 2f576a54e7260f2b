/* check_walk.c: walks of a given length, and land shared out. */
#include "maps.h"

static void draw_land(struct mw_rng *rng, int32_t width, int32_t height, char *land)
{
    int32_t thousandths = mw_between(rng, 400, 1000);
    for (int32_t i = 0; i < (width + 1) * height; i++)
        land[i] = mw_chance(rng, thousandths) ? '#' : '.';
    land[0] = '#';
}

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

TEST(walks_are_exact_and_never_meet_themselves, .end = MAPS_KINDS)
{
    int found = 0;
    for (uint64_t i = 0; i < 300; i++)
        walk(_i, true, i, &found);
    ck_assert_int_gt(found, 270);
}

TEST(walks_without_holes_enclose_nothing, .end = 2)
{
    int found = 0;
    for (uint64_t i = 0; i < 300; i++)
        walk(3 * _i, false, i, &found);
    ck_assert_int_gt(found, 200);
}

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

TEST(full_maps_are_shared_along_a_tour, .end = MAPS_KINDS)
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

TEST(other_land_is_shared_along_trees, .end = MAPS_KINDS)
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
