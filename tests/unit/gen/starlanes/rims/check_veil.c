/*
 * check_veil.c: what a lane hides from a box, held against all pairs of places.
 */
#include "gen/starlanes/rims/veil.h"
#include "unit/unit.h"

enum { FIELD = 24 };

static struct mw_point random_point(struct mw_rng *rng)
{
    int32_t x = mw_between(rng, 0, FIELD);
    return (struct mw_point){x, mw_between(rng, 0, FIELD)};
}

static struct mw_box random_box(struct mw_rng *rng)
{
    struct mw_point at = random_point(rng);
    int32_t right = at.x + mw_between(rng, 0, 4);
    return (struct mw_box){at.x, at.y, right, at.y + mw_between(rng, 0, 4)};
}

static bool is_across(struct mw_point a, struct mw_point b, struct mw_point c, struct mw_point d)
{
    int64_t one = turn(a, b, c), other = turn(a, b, d);
    return (one > 0 && other < 0) || (one < 0 && other > 0);
}

static bool hides_all(struct mw_point a, struct mw_point b, struct mw_box from, struct mw_box to)
{
    for (int32_t x = from.x0; x <= from.x1; x++)
        for (int32_t y = from.y0; y <= from.y1; y++)
            for (int32_t u = to.x0; u <= to.x1; u++)
                for (int32_t v = to.y0; v <= to.y1; v++) {
                    struct mw_point eye = {x, y}, at = {u, v};
                    if (!is_across(a, b, eye, at) || !is_across(eye, at, a, b))
                        return false;
                }
    return true;
}

START_TEST(a_veil_hides_what_its_lane_hides_from_all_places)
{
    enum { ROUNDS = 60000 };
    int hidden = 0, seen = 0;
    struct mw_rng rng = unit_rng(3);
    for (int n = 0; n < ROUNDS; n++) {
        struct mw_point a = random_point(&rng), b = random_point(&rng);
        struct mw_box from = random_box(&rng), to = random_box(&rng);
        struct veil veil = veil_of(a, b, from);
        bool wanted = hides_all(a, b, from, to);
        ck_assert_int_eq(veil_hides(&veil, from, to), wanted);
        *(wanted ? &hidden : &seen) += 1;
    }
    ck_assert_int_gt(hidden, ROUNDS / 100);
    ck_assert_int_gt(seen, ROUNDS / 2);
    struct veil none = {{0, 0}, {0, 0}};
    ck_assert(!veil_hides(&none, (struct mw_box){1, 2, 3, 4}, (struct mw_box){5, 6, 7, 8}));
}
END_TEST

Suite *suite_veil(void)
{
    Suite *suite = suite_create("veil");
    TCase *all = tcase_create("all");
    tcase_add_test(all, a_veil_hides_what_its_lane_hides_from_all_places);
    suite_add_tcase(suite, all);
    return suite;
}
