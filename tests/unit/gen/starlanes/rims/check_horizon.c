/*
 * check_horizon.c: what a corner is told not to see, held against all places round about.
 */
#include "gen/starlanes/rims/horizon.h"
#include "unit/unit.h"

enum { STARS = 60, STEP = 3, REACH = 20, WIDE = 60 };

static struct mw_point at[STARS];
static struct corner corner[STARS];

/* A rough floor from left to right, below a wide room. */
static struct rims rough_floor(struct mw_rng *rng)
{
    struct rims r = {.at = at,
                     .angle = least_angle(1 << 20),
                     .corner = corner,
                     .room = (int32_t)(sizeof corner / sizeof *corner)};
    for (int32_t i = 0; i < STARS; i++) {
        at[i] = (struct mw_point){200 + STEP * i, 500 + mw_between(rng, -2, 2)};
        if (i >= STARS - 2)
            at[i] = (struct mw_point){i == STARS - 1 ? 0 : 600, 1000};
    }
    for (int32_t i = 0; i < STARS; i++) {
        rim_add(&r, i, (i + 1) % STARS, (i + STARS - 1) % STARS, whole_arc);
        rim_link(&r, i ? i - 1 : 0, i);
    }
    rim_link(&r, STARS - 1, 0);
    return r;
}

static bool has_between(struct mw_point a, struct mw_point b, struct mw_point c)
{
    return turn(a, b, c) == 0 && dot(ray_to(c, a), ray_to(c, b)) < 0;
}

/* Whether a lane or a star of the loop lies between star i and a place. */
static bool is_hidden(int32_t i, struct mw_point place)
{
    for (int32_t k = 0; k < STARS; k++) {
        struct mw_point p = at[k], q = at[(k + 1) % STARS];
        if (has_between(at[i], place, p))
            return true;
        if (turn(at[i], place, p) * turn(at[i], place, q) < 0 &&
            turn(p, q, at[i]) * turn(p, q, place) < 0)
            return true;
    }
    return false;
}

/* What a corner is not open to any more, though its lanes leave room, is hidden as far as that and
   farther; and there is such a thing on either hand. */
START_TEST(what_is_closed_is_hidden)
{
    struct mw_rng rng = unit_rng(7);
    struct mw_run *run = unit_open();
    int32_t closed[2] = {0, 0};
    for (int n = 0; n < 20; n++) {
        struct rims r = rough_floor(&rng);
        int32_t i = mw_between(&rng, 20, 35);
        struct arc before = corner[i].open;
        struct corner as_it_was[STARS];
        struct rims wide = r;
        memcpy(as_it_was, corner, sizeof as_it_was);
        wide.corner = as_it_was;
        horizon_narrow(run, &r, i, REACH * REACH);
        for (int32_t y = -WIDE; y <= WIDE; y++)
            for (int32_t x = -WIDE; x <= WIDE; x++) {
                struct ray ray = {x, y};
                if (square(ray) < REACH * REACH || !rim_admits(&wide, i, ray))
                    continue;
                ck_assert(arc_holds(before, ray));
                bool admitted = rim_admits(&r, i, ray);
                ck_assert(!admitted || arc_holds(corner[i].open, ray));
                if (admitted)
                    continue;
                closed[x > 0]++;
                ck_assert_msg(is_hidden(i, (struct mw_point){at[i].x + x, at[i].y + y}),
                              "star %d sees %d, %d from there", (int)i, (int)x, (int)y);
            }
    }
    ck_assert_int_gt(closed[0], 1000);
    ck_assert_int_gt(closed[1], 1000);
}
END_TEST

Suite *suite_horizon(void)
{
    Suite *suite = suite_create("horizon");
    TCase *all = tcase_create("all");
    tcase_add_test(all, what_is_closed_is_hidden);
    suite_add_tcase(suite, all);
    return suite;
}
