/* check_grow.c: areas by every algorithm on small grids, their holes and bounds. */
#include "maps.h"

static const enum areas_algorithm algorithms[] = {AREAS_DFS, AREAS_FRONTIER, AREAS_MIXED,
                                                  AREAS_FRENZIED, AREAS_COAST};

static void check_measures(const struct grid *g, const struct areas *p, const int32_t *cells)
{
    int32_t holes[2], w = g->lattice.width;
    struct mw_box bounds[2], is = {w, g->lattice.height, -1, -1};
    areas_measure(g, p, cells, holes, bounds);
    for (int32_t i = 0; i < g->cells; i++)
        if (g->owner[i] == 1)
            is = (struct mw_box){mw_min(is.x0, i % w), mw_min(is.y0, i / w), mw_max(is.x1, i % w),
                                 i / w};
    if (p->wrap == MW_WRAP_NONE) {
        ck_assert_int_eq(holes[0], maps_holes(g));
        ck_assert_mem_eq(&bounds[0], &is, sizeof is);
    } else {
        ck_assert_int_eq(holes[0], MW_NULL);
    }
}

/* ---- growing --------------------------------------------------------------------------------- */

static bool grow_any(struct area *a, int32_t origin)
{
    if (a->wanted->algorithm != AREAS_COAST)
        return areas_grow(a, origin);
    if (!a->coast)
        areas_new_coast(a);
    return areas_grow_coast(a, origin);
}

static void grow(int kind, bool holes, uint64_t number)
{
    struct mw_rng rng = unit_rng(number);
    int32_t width = mw_between(&rng, 1, 14), height = mw_between(&rng, 1, 14);
    struct areas p = maps_kind(kind, width, height, mw_between(&rng, 1, width * height));
    p.algorithm = algorithms[number % COUNT(algorithms)];
    p.ratio = mw_between(&rng, 0, 1000);
    p.first = mw_between(&rng, 0, 1000);
    p.burst = mw_between(&rng, !p.first, 1000);
    p.holes = holes;
    struct grid g = maps_grid(unit_open(), &p, NULL);
    struct area a = maps_area(&g, &p);
    a.rng = rng;
    ck_assert(grow_any(&a, mw_between(&rng, 0, g.cells - 1)));
    maps_check(&g, &a);
    check_measures(&g, &p, a.cells);
    ck_assert(holes || !maps_holes(&g));
    for (int32_t i = 0; g.mine && i < g.cells; i++)
        ck_assert_int_eq(g.mine[i], 0);
}

TEST(areas_are_exact_and_in_one_piece, .end = MAPS_KINDS)
{
    for (uint64_t i = 0; i < 400; i++)
        grow(_i, true, i);
}

TEST(areas_without_holes_have_none, .end = 2)
{
    for (uint64_t i = 0; i < 400; i++)
        grow(_i * 3, false, i);
}

/* What is too small is taken in full, and said to be. */
TEST(a_piece_too_small_is_known_in_full)
{
    static const char land[] = "##.##/##.##/...##";
    for (int i = 0; i < COUNT(algorithms); i++) {
        struct areas p = maps_wanted(5, 3, MW_SQUARE, MW_WRAP_NONE, 5);
        p.algorithm = algorithms[i];
        struct grid g = maps_grid(unit_open(), &p, land);
        struct area a = maps_area(&g, &p);
        ck_assert(!grow_any(&a, 0));
        ck_assert_int_eq(a.size, 4);
        a.id = 2;
        ck_assert(grow_any(&a, 14));
        ck_assert_int_eq(a.size, 5);
    }
}

/* A frame around a lake closes no ring, so one cell of it stays free. */
TEST(a_ring_stays_open)
{
    static const char land[] = "#####/#...#/#...#/#####";
    struct areas p = maps_wanted(5, 4, MW_SQUARE, MW_WRAP_NONE, 14);
    p.holes = false;
    for (int i = 0; i < COUNT(algorithms); i++) {
        p.algorithm = algorithms[i];
        struct grid g = maps_grid(unit_open(), &p, land);
        struct area a = maps_area(&g, &p);
        ck_assert(!grow_any(&a, 0));
        ck_assert_int_eq(a.size, 13);
    }
}

/* ---- measures -------------------------------------------------------------------------------- */

TEST(several_areas_are_measured_at_once)
{
    for (int kind = 0; kind < MAPS_KINDS; kind += 3)
        for (uint64_t i = 0; i < 300; i++) {
            struct mw_rng rng = unit_rng(i);
            struct areas p = maps_kind(kind, mw_between(&rng, 2, 12), mw_between(&rng, 2, 12), 1);
            p.area = mw_between(&rng, 1, p.width * p.height - 1);
            p.algorithm = algorithms[i % COUNT(algorithms)];
            struct grid g = maps_grid(unit_open(), &p, NULL);
            struct area a = maps_area(&g, &p);
            a.rng = rng;
            ck_assert(grow_any(&a, 0));
            int32_t *cells = MW_NEW(g.run, int32_t, 2 * p.area), other = 0;
            while (g.owner[other])
                other++;
            memcpy(cells, a.cells, (size_t)p.area * sizeof *cells);
            g.owner[other] = 2; /* of one cell, which no formula needs to be as large */
            p.count = 2;
            check_measures(&g, &p, cells);
        }
}

/* Columns and rows, counted on across a seam. */
TEST(bounds_go_on_across_a_seam)
{
    struct areas p = maps_wanted(6, 4, MW_SQUARE, MW_WRAP_XY, 3);
    struct grid g = maps_grid(unit_open(), &p, NULL);
    static const int32_t cells[3] = {5, 0, 18};
    int32_t holes;
    struct mw_box bounds;
    areas_measure(&g, &p, cells, &holes, &bounds);
    ck_assert_int_eq(holes, MW_NULL);
    ck_assert_int_eq(bounds.x0, 5);
    ck_assert_int_eq(bounds.x1, 6);
    ck_assert_int_eq(bounds.y0, 3);
    ck_assert_int_eq(bounds.y1, 4);
}
