/*
 * check_strip.c: strips around stars, held against each star and each side of their hull.
 */
#include "gen/starlanes/rims/strip.h"
#include "unit/unit.h"

#include <math.h>

enum { MOST = 16, ROUNDS = 3000 };

/* Which row: one that is rough on a lattice, one at any slant, or none. */
enum kind { LATTICE, SLANT, ANYWHERE, KINDS };

struct row {
    enum kind kind;
    struct ray step; /* of the lattice */
    int32_t rough;
    struct mw_point from;
};

static struct row random_row(struct mw_rng *rng)
{
    struct row row = {(enum kind)mw_below(rng, KINDS),
                      {mw_between(rng, 1, 9), mw_between(rng, 0, 9)},
                      mw_between(rng, 0, 3),
                      {mw_between(rng, 0, 4000000), mw_between(rng, 0, 4000000)}};
    if (row.kind == SLANT)
        row.step = (struct ray){mw_between(rng, 1, 900), mw_between(rng, 0, 900)};
    return row;
}

/* Stars of a row, from a number of steps on. */
static int stars_of(struct mw_rng *rng, const struct row *row, int32_t from, struct mw_point *at)
{
    int count = mw_between(rng, 1, MOST);
    int32_t steps = from;
    for (int i = 0; i < count; i++) {
        steps += mw_between(rng, 30, 80);
        at[i].x = row->from.x + (int32_t)row->step.x * steps;
        at[i].y = row->from.y + (int32_t)row->step.y * steps + mw_between(rng, 0, row->rough);
        if (row->kind == ANYWHERE)
            at[i] = (struct mw_point){mw_between(rng, 0, 9000), mw_between(rng, 0, 9000)};
    }
    return count;
}

/* How far all stars are from the line through a place in a direction, the farthest to the left and
   the farthest to the right together. */
static double width_along(const struct mw_point *at, int count, double x, double y)
{
    double least = INFINITY, most = -INFINITY, length = hypot(x, y);
    for (int i = 0; i < count; i++) {
        double off = (x * (at[i].y - at[0].y) - y * (at[i].x - at[0].x)) / length;
        least = fmin(least, off);
        most = fmax(most, off);
    }
    return most - least;
}

/* Of all strips that go along two stars. */
static double least_width(const struct mw_point *at, int count)
{
    double least = INFINITY;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            if (at[i].x != at[k].x || at[i].y != at[k].y)
                least = fmin(least, width_along(at, count, at[i].x - at[k].x, at[i].y - at[k].y));
    return least;
}

static double width_of(const struct strip *s) { return 2 * s->half_across / hypot(s->x, s->y); }

static void judge(const struct strip *s, const struct mw_point *at, int count)
{
    double unit = hypot(s->x, s->y), more = 1e-7 * unit;
    for (int i = 0; i < count; i++) {
        double along = s->x * at[i].x + s->y * at[i].y, across = s->x * at[i].y - s->y * at[i].x;
        ck_assert_double_le(fabs(along - s->along), s->half_along + more);
        ck_assert_double_le(fabs(across - s->across), s->half_across + more);
    }
}

/* The step of a lattice, as short as it gets. */
static bool is_along(const struct strip *s, struct ray step)
{
    int64_t a = step.x, b = step.y;
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return s->x == (double)(step.x / a) && s->y == (double)(step.y / a);
}

START_TEST(a_strip_is_nearly_the_narrowest)
{
    int slim = 0, alike = 0, along = 0, lattice = 0;
    struct mw_rng rng = unit_rng(1);
    for (int n = 0; n < ROUNDS; n++) {
        struct mw_point at[MOST];
        struct row row = random_row(&rng);
        int count = stars_of(&rng, &row, 0, at);
        struct strip s = strip_around(at, count), chord;
        judge(&s, at, count);
        if (!strip_is_slim(&s) || count < 3)
            continue;
        double least = least_width(at, count);
        chord = strip_along(at, count, ray_to(at[0], at[count - 1]));
        judge(&chord, at, count);
        slim++;
        alike += width_of(&s) < least + 1e-6;
        ck_assert_double_ge(width_of(&s), least - 1e-6);
        if (row.kind != LATTICE || count < MOST / 2)
            continue;
        ck_assert_double_le(width_of(&s), row.rough + 1e-6);
        lattice++;
        along += is_along(&s, row.step);
    }
    ck_assert_int_gt(slim, ROUNDS / 3);
    ck_assert_int_gt(alike, slim / 2);
    ck_assert_int_gt(lattice, ROUNDS / 8);
    ck_assert_int_gt(along, lattice * 9 / 10);
}
END_TEST

/* In one direction they are measured exactly; in others nothing is lost. */
START_TEST(two_strips_make_one)
{
    int exact = 0, slim = 0;
    struct mw_rng rng = unit_rng(2);
    for (int n = 0; n < ROUNDS; n++) {
        struct mw_point at[2 * MOST];
        struct row row = random_row(&rng);
        int count = stars_of(&rng, &row, 0, at), all = count;
        all += stars_of(&rng, &row, 1300, at + count);
        struct strip a = strip_around(at, count), b = strip_around(at + count, all - count),
                     s = strip_unite(&a, &b), none = strip_unite(&no_strip, &b);
        ck_assert_int_eq(memcmp(&none, &b, sizeof b), 0);
        none = strip_unite(&a, &no_strip);
        ck_assert_int_eq(memcmp(&none, &a, sizeof a), 0);
        judge(&s, at, all);
        slim += strip_is_slim(&s);
        if (a.x != b.x || a.y != b.y || a.x != s.x || a.y != s.y)
            continue;
        struct strip same = strip_along(at, all, strip_direction(&a));
        ck_assert(same.along == s.along && same.half_along == s.half_along);
        ck_assert(same.across == s.across && same.half_across == s.half_across);
        exact++;
    }
    ck_assert_int_gt(exact, ROUNDS / 10);
    ck_assert_int_gt(slim, ROUNDS / 2);
}
END_TEST

START_TEST(a_box_is_a_strip)
{
    struct mw_box wide = {3, 5, 103, 25}, high = {3, 5, 23, 105};
    struct mw_point corners[] = {{3, 5}, {103, 25}}, others[] = {{3, 105}, {23, 5}};
    struct strip s = strip_of_box(wide), t = strip_of_box(high);
    judge(&s, corners, 2);
    judge(&t, others, 2);
    ck_assert_double_eq(width_of(&s), 20);
    ck_assert_double_eq(width_of(&t), 20);
    ck_assert_double_eq(strip_width(&t), 100);
}
END_TEST

Suite *suite_strip(void)
{
    Suite *suite = suite_create("strip");
    TCase *all = tcase_create("all");
    tcase_add_test(all, a_strip_is_nearly_the_narrowest);
    tcase_add_test(all, two_strips_make_one);
    tcase_add_test(all, a_box_is_a_strip);
    suite_add_tcase(suite, all);
    return suite;
}
