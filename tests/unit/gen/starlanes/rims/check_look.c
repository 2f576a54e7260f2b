/*
 * check_look.c: what batches ask for, and in which order.
 */
#include "gen/starlanes/rims/look.h"
#include "unit/unit.h"

enum { ROW = 64, STARS = 2 * ROW + 2, ROOM = 4 * ROW };

static struct mw_point at[STARS];
static struct corner corner[ROOM];

/* The loop around stars in a row; its first corner. */
static int32_t add_row(struct rims *r, int32_t first, int32_t count)
{
    int32_t start = r->corners, last = first + count - 1;
    for (int32_t i = first; i < last; i++)
        rim_add(r, i, i + 1, i == first ? i + 1 : i - 1, whole_arc);
    for (int32_t i = last; i > first; i--)
        rim_add(r, i, i - 1, i == last ? i - 1 : i + 1, whole_arc);
    for (int32_t c = start; c < r->corners; c++)
        rim_link(r, c, c + 1 < r->corners ? c + 1 : start);
    return start;
}

/* Two rows, and a long lane between them, or one far off. */
static struct look rows_beside(struct mw_run *run, struct rims *r, int32_t lane_x)
{
    *r = (struct rims){.at = at,
                       .angle = least_angle(1 << 20),
                       .corner = corner,
                       .room = (int32_t)(sizeof corner / sizeof *corner)};
    for (int32_t i = 0; i < ROW; i++) {
        at[i] = (struct mw_point){1000, 10000 + 3 * i};
        at[ROW + 2 + i] = (struct mw_point){2000, 10000 + 4 * i};
    }
    at[ROW] = (struct mw_point){lane_x, 0};
    at[ROW + 1] = (struct mw_point){lane_x, 20000};
    int32_t first[] = {add_row(r, 0, ROW), add_row(r, ROW, 2), add_row(r, ROW + 2, ROW)}, leaf = 0;
    struct look l = {.face = face_new(run, r, r->corners)};
    for (int i = 0; i < 3; i++)
        leaf = face_string(run, &l.face, first[i], leaf);
    face_grow(run, &l.face);
    look_begin(run, &l);
    return l;
}

/* How many pairs of stars of both rows are tried, in their order; none becomes a lane. */
static int try_all(struct mw_run *run, struct look *l)
{
    int tried = 0;
    struct pair last = {0, 0, 0};
    while (l->queue.count) {
        int32_t leaf[2];
        if (!look_next(run, l, leaf))
            continue;
        ck_assert(!pair_before(l->now, last));
        last = l->now;
        int32_t a = l->now.a, b = l->now.b;
        ck_assert_int_eq(l->now.square, square(ray_to(at[a], at[b])));
        int32_t between = face_between(run, &l->face, at[a], at[b]);
        if (between >= 0)
            look_veil(l, leaf[0], between);
        tried += a < ROW && b > ROW + 1;
        look_on(l, leaf[0]);
    }
    return tried;
}

START_TEST(all_that_is_in_sight_is_tried)
{
    struct mw_run *run = unit_open();
    struct rims r;
    struct look l = rows_beside(run, &r, 1500 * 1000);
    ck_assert_int_eq(try_all(run, &l), ROW * ROW);
}
END_TEST

/* Once for each batch. */
START_TEST(what_a_lane_hides_is_not_tried_again)
{
    struct mw_run *run = unit_open();
    struct rims r;
    struct look l = rows_beside(run, &r, 1500);
    int tried = try_all(run, &l);
    ck_assert_int_gt(tried, 0);
    ck_assert_int_le(tried, l.face.batches);
}
END_TEST

Suite *suite_look(void)
{
    Suite *suite = suite_create("look");
    TCase *all = tcase_create("all");
    tcase_add_test(all, all_that_is_in_sight_is_tried);
    tcase_add_test(all, what_a_lane_hides_is_not_tried_again);
    suite_add_tcase(suite, all);
    return suite;
}
