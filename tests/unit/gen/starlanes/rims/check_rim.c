/*
 * check_rim.c: loops of corners; directions, held against angles.
 */
#include "gen/starlanes/rims/rim.h"
#include "unit/unit.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 60 };

static struct mw_point at[MOST];
static struct corner corner[2 * MOST];

static int32_t length_of(const struct rims *r, int32_t first)
{
    int32_t count = 0, i = first;
    do {
        ck_assert_int_lt(count++, r->corners);
        i = r->corner[i].neighbour[1];
    } while (i != first);
    return count;
}

static bool boxes_apart(struct mw_box a, struct mw_box b)
{
    return a.x0 > b.x1 || a.x1 < b.x0 || a.y0 > b.y1 || a.y1 < b.y0;
}

/* A lane between two corners of a loop cuts it in two, one between loops joins them. */
START_TEST(loops_are_cut_and_joined)
{
    struct mw_rng rng = unit_rng(3);
    for (int n = 0; n < 200; n++) {
        struct rims r = {.at = at,
                         .angle = least_angle(1 << 20),
                         .corner = corner,
                         .room = (int32_t)(sizeof corner / sizeof *corner)};
        int32_t sides = mw_between(&rng, 4, MOST - 1), first = mw_between(&rng, 0, sides - 1),
                second = (first + mw_between(&rng, 2, sides - 2)) % sides, beyond[2];
        for (int32_t i = 0; i < sides; i++) {
            double turn = 6.283185307 * i / sides;
            at[i] = (struct mw_point){(int32_t)(5000 + 4000 * cos(turn)),
                                      (int32_t)(5000 + 4000 * sin(turn))};
        }
        at[sides] = (struct mw_point){5000, 5000};
        for (int32_t i = 0; i < sides; i++) {
            rim_add(&r, i, (i + 1) % sides, (i + sides - 1) % sides, whole_arc);
            if (i > 0)
                rim_link(&r, i - 1, i);
        }
        rim_link(&r, sides - 1, 0);
        int32_t alone = rim_add(&r, sides, -1, -1, whole_arc);
        ck_assert_int_eq(length_of(&r, 0), sides);
        rim_divide(&r, (const int32_t[]){alone, first}, beyond);
        ck_assert_int_eq(beyond[0], alone);
        ck_assert_int_eq(length_of(&r, alone), sides + 2);
        int32_t beside =
            arc_holds(corner[first].open, ray_to(at[first], at[second])) ? first : beyond[1];
        rim_divide(&r, (const int32_t[]){beside, second}, beyond);
        ck_assert_int_eq(length_of(&r, beside) + length_of(&r, beyond[0]), sides + 4);
        for (int32_t i = 0; i < r.corners; i++) {
            const struct corner *c = &corner[i], *next = &corner[c->neighbour[1]];
            ck_assert_int_eq(next->star, c->right);
            ck_assert_int_eq(next->left, c->star);
            ck_assert_int_eq(next->neighbour[0], i);
        }
    }
}
END_TEST

static struct mw_box small_box(struct mw_rng *rng)
{
    struct mw_box box = {mw_between(rng, 0, 30), mw_between(rng, 0, 30), 0, 0};
    box.x1 = box.x0 + mw_between(rng, 0, 6);
    box.y1 = box.y0 + mw_between(rng, 0, 6);
    return box;
}

/* From any point in a box the direction to any in another lies on the arc. */
START_TEST(arcs_hold_all_directions_between_boxes)
{
    struct mw_rng rng = unit_rng(1);
    for (int i = 0; i < 2000; i++) {
        struct mw_box box = small_box(&rng), other = small_box(&rng);
        struct arc arc = arc_of_boxes(box, other);
        for (int32_t x = other.x0 - box.x1; x <= other.x1 - box.x0; x++)
            for (int32_t y = other.y0 - box.y1; y <= other.y1 - box.y0; y++)
                if (x || y)
                    ck_assert(arc_direction((struct ray){x, y}) - arc.from <= arc.width);
        ck_assert(!boxes_apart(box, other) || arc.width <= (UINT32_C(1) << 31) + 8);
    }
}
END_TEST

/* Lanes to the right and upward, with 45 degrees to keep: upward to the right alone is open inside,
   three quarters of a turn outside, less what is too close. What lies well within the arc is
   admitted for certain, and that is all on the small lattice but the ends. */
START_TEST(a_corner_admits_what_is_wide_enough)
{
    struct rims r = {.at = at,
                     .angle = least_angle(1 << 19),
                     .corner = corner,
                     .room = (int32_t)(sizeof corner / sizeof *corner)};
    at[0] = (struct mw_point){50, 50};
    at[1] = (struct mw_point){60, 50};
    at[2] = (struct mw_point){50, 60};
    int32_t in = rim_add(&r, 0, 1, 2, whole_arc), out = rim_add(&r, 0, 2, 1, whole_arc);
    for (int32_t x = -9; x <= 9; x++)
        for (int32_t y = -9; y <= 9; y++) {
            struct ray ray = {x, y};
            double angle = atan2(y, x) * (180 / 3.14159265358979323846);
            if (!x && !y)
                continue;
            angle += angle < 0 ? 360 : 0;
            ck_assert_int_eq(rim_admits(&r, in, ray), x == y && x > 0);
            ck_assert_int_eq(rim_admits(&r, out, ray), angle > 134.9 && angle < 315.1);
            ck_assert_int_eq(arc_holds_well(corner[out].open, arc_direction(ray)),
                             angle > 135.1 && angle < 314.9);
            ck_assert(!arc_holds_well(corner[in].open, arc_direction(ray)));
        }
}
END_TEST

/* With no angle to keep a straight corner along an axis is open to all on its side, be it ever so
   little off the lanes, and not along them. */
START_TEST(a_straight_corner_is_open_to_its_side_alone)
{
    static const struct mw_point way[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const int32_t far = (1 << 22) - 1;
    for (int i = 0; i < 4; i++) {
        struct rims r = {.at = at,
                         .angle = least_angle(1 << 20),
                         .corner = corner,
                         .room = (int32_t)(sizeof corner / sizeof *corner)};
        struct mw_point w = way[i];
        at[0] = (struct mw_point){far, far};
        at[1] = (struct mw_point){far + w.x, far + w.y};
        at[2] = (struct mw_point){far - w.x, far - w.y};
        int32_t c = rim_add(&r, 0, 1, 2, whole_arc);
        for (int side = -1; side <= 1; side++)
            for (int along = -1; along <= 1; along += 2) {
                struct ray ray = {along * w.x * 2 * far - side * w.y,
                                  along * w.y * 2 * far + side * w.x};
                ck_assert_int_eq(rim_admits(&r, c, ray), side > 0);
                ck_assert_int_eq(arc_holds(corner[c].open, ray), side > 0);
            }
    }
}
END_TEST

/* The next lattice place to the left of a ray, or to the right (`turn` 1 or -1), as far away as
   stars may be: none lies in a direction that is nearer. */
static struct ray neighbour_of(struct ray p, int turn)
{
    const int64_t most = (1 << 23) - 1;
    struct ray q = {0, 0};
    for (q.x = -20; q.x <= 20; q.x++)
        for (q.y = -20; q.y <= 20; q.y++)
            if (cross(p, q) == turn) {
                while (llabs(q.x + p.x) <= most && llabs(q.y + p.y) <= most)
                    q = (struct ray){q.x + p.x, q.y + p.y};
                return q;
            }
    ck_abort_msg("none");
    return q;
}

/* An arc that begins or ends beside a small ray holds all others, however near, but not that. */
START_TEST(arcs_begin_beside_small_rays)
{
    int small = 0;
    for (int64_t x = -20; x <= 20; x++)
        for (int64_t y = -20; y <= 20; y++) {
            struct ray p = {x, y}, left = {-y, x}, right = {y, -x}, many = {300000 * x, 300000 * y};
            if (arc_multiple(p) != 1)
                continue;
            ck_assert_int_eq(arc_multiple(many), 300000);
            ck_assert_int_le(llabs(x) + llabs(y), SMALL);
            uint32_t beside = arc_beside(p);
            ck_assert_uint_eq(arc_beside(many), beside);
            struct arc from = arc_between(p, left), to = arc_between(right, p);
            from = (struct arc){from.from + beside, from.width - beside};
            to.width -= beside;
            ck_assert(!arc_holds(from, p) && !arc_holds(to, p));
            ck_assert(!arc_holds(from, many) && !arc_holds(to, many));
            ck_assert(arc_holds(from, neighbour_of(p, 1)) && arc_holds(to, neighbour_of(p, -1)));
            small++;
        }
    ck_assert_int_gt(small, 400);
    struct ray large = {17, 5}, none = {8000000, 7999999};
    ck_assert_int_eq(arc_multiple(large), 0);
    ck_assert_uint_eq(arc_beside(none), 0);
}
END_TEST

Suite *suite_rim(void)
{
    Suite *suite = suite_create("rim");
    TCase *all = tcase_create("all");
    tcase_add_test(all, loops_are_cut_and_joined);
    tcase_add_test(all, arcs_hold_all_directions_between_boxes);
    tcase_add_test(all, a_corner_admits_what_is_wide_enough);
    tcase_add_test(all, a_straight_corner_is_open_to_its_side_alone);
    tcase_add_test(all, arcs_begin_beside_small_rays);
    suite_add_tcase(suite, all);
    return suite;
}
