/* check_plane.c: exact geometry, against integers of 128 bits. */
#include "kit/plane.h"
#include "unit/unit.h"

__extension__ typedef unsigned __int128 big;

TEST(turns)
{
    enum { MOST = (1 << 23) - 1 };
    static const struct {
        struct mw_point a, b, c;
        int64_t turn;
    } rows[] = {
        {{0, 0}, {1, 0}, {0, 1}, 1},
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
    struct ray ray = ray_to((struct mw_point){7, 1}, (struct mw_point){3, 4});
    ck_assert_int_eq(square(ray), 25);
    ck_assert_int_eq(dot(ray, (struct ray){2, 5}), 7);
}

/* A number of any length up to 64 bits, often of all ones. */
static uint64_t number(struct mw_rng *rng)
{
    uint64_t bits = mw_next(rng);
    return (bits & 1 ? UINT64_MAX : mw_next(rng)) >> (bits >> 1) % 64;
}

/* Products that are alike often, or differ in the lower half alone. */
TEST(wide_numbers)
{
    struct mw_rng rng = unit_rng(11);
    for (int i = 0; i < 100000; i++) {
        uint64_t a = number(&rng), b = number(&rng), c = i % 3 ? number(&rng) : b,
                 d = i % 3 ? number(&rng) : a - (uint64_t)(i % 2);
        struct wide x = wide_product(a, b), y = wide_product(c, d), sum = wide_sum(x, y);
        big p = (big)a * b, q = (big)c * d;
        ck_assert(((big)x.high << 64 | x.low) == p);
        ck_assert(((big)sum.high << 64 | sum.low) == (big)(p + q));
        ck_assert_int_eq(wide_compare(x, y), (p > q) - (p < q));
    }
}
