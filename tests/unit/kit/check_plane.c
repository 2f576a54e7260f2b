/* check_plane.c: exact geometry, against integers of 128 bits. */
#include "kit/plane.h"
#include "unit/unit.h"

__extension__ typedef unsigned __int128 big;

static big big_of(struct wide w) { return (big)w.high << 64 | w.low; }

TEST(rays)
{
    struct ray ray = ray_to((struct mw_point){7, 1}, (struct mw_point){3, 4});
    ck_assert_int_eq(ray.x, -4);
    ck_assert_int_eq(ray.y, 3);
    ck_assert_int_eq(square(ray), 25);
    ck_assert_int_eq(dot(ray, (struct ray){2, 5}), 7);
    ck_assert_int_eq(cross(ray, (struct ray){2, 5}), -26);
}

TEST(turns)
{
    enum { MOST = (1 << 23) - 1 };
    static const struct {
        struct mw_point a, b, c;
        int64_t turn;
    } rows[] = {
        {{0, 0}, {1, 0}, {0, 1}, 1},
        {{0, 0}, {0, 1}, {1, 0}, -1},
        {{1, 2}, {3, 4}, {5, 6}, 0},
        {{2, 2}, {2, 2}, {9, 1}, 0},
        {{0, 0}, {MOST, 0}, {MOST, MOST}, (int64_t)MOST * MOST},
        {{MOST, 0}, {0, MOST}, {0, 0}, (int64_t)MOST * MOST},
        {{0, 0}, {MOST, MOST - 1}, {MOST - 1, MOST - 2}, -1},
    };
    for (int i = 0; i < COUNT(rows); i++) {
        ck_assert_int_eq(turn(rows[i].a, rows[i].b, rows[i].c), rows[i].turn);
        ck_assert_int_eq(turn(rows[i].b, rows[i].c, rows[i].a), rows[i].turn);
        ck_assert_int_eq(turn(rows[i].b, rows[i].a, rows[i].c), -rows[i].turn);
    }
}

/* A number of any length up to 64 bits, often of all ones. */
static uint64_t number(struct mw_rng *rng)
{
    uint64_t bits = mw_next(rng);
    return (bits & 1 ? UINT64_MAX : mw_next(rng)) >> (bits >> 1) % 64;
}

TEST(wide_numbers)
{
    struct mw_rng rng = unit_rng(11);
    for (int i = 0; i < 100000; i++) {
        uint64_t a = number(&rng), b = number(&rng), c = number(&rng), d = number(&rng);
        struct wide x = wide_product(a, b), y = wide_product(c, d), same = wide_product(b, a);
        big p = (big)a * b, q = (big)c * d;
        ck_assert(big_of(x) == p);
        ck_assert(big_of(wide_sum(x, y)) == (big)(p + q));
        ck_assert_int_eq(wide_compare(x, y), (p > q) - (p < q));
        ck_assert_int_eq(wide_compare(x, same), 0);
    }
}

TEST(wide_numbers_near_to_each_other)
{
    struct wide one = {0, 1}, low = {5, UINT64_MAX}, high = {6, 0};
    ck_assert_int_eq(wide_compare(low, high), -1);
    ck_assert_int_eq(wide_compare(high, low), 1);
    ck_assert_int_eq(wide_compare(wide_sum(low, one), high), 0);
    ck_assert_int_eq(wide_compare((struct wide){5, 2}, (struct wide){5, 3}), -1);
    ck_assert_int_eq(wide_compare((struct wide){5, 3}, (struct wide){5, 2}), 1);
}
