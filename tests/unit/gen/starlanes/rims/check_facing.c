/*
 * check_facing.c: leaves of two batches, held against each other pair by pair.
 */
#include "gen/starlanes/rims/facing.h"
#include "unit/unit.h"

#include <math.h>

static struct arc random_arc(struct mw_rng *rng)
{
    switch (mw_below(rng, 5)) {
    case 0: return no_arc;
    case 1: return whole_arc;
    default: return (struct arc){(uint32_t)mw_next(rng), (uint32_t)mw_next(rng)};
    }
}

/* Stars along a line, or anywhere. */
static struct batch random_batch(struct mw_rng *rng, bool in_row)
{
    struct batch b = {.several = 0};
    int32_t x = mw_between(rng, 0, 4000), y = mw_between(rng, 0, 4000);
    int32_t dx = mw_between(rng, -80, 80), dy = mw_between(rng, -80, 80);
    for (int k = 0; k < BATCH; k++) {
        b.x[k] = in_row ? x + k * dx : mw_between(rng, 0, 4000);
        b.y[k] = in_row ? y + k * dy : mw_between(rng, 0, 4000);
        b.opens[k] = random_arc(rng);
    }
    return b;
}

/* Along its first and its last star, as wide as it has to be. */
static struct strip strip_of(const struct batch *b)
{
    double x = b->x[BATCH - 1] - b->x[0], y = b->y[BATCH - 1] - b->y[0];
    double from = INFINITY, to = -INFINITY, right = INFINITY, left = -INFINITY;
    x += x == 0 && y == 0;
    for (int k = 0; k < BATCH; k++) {
        double along = x * b->x[k] + y * b->y[k], across = x * b->y[k] - y * b->x[k];
        from = fmin(from, along);
        to = fmax(to, along);
        right = fmin(right, across);
        left = fmax(left, across);
    }
    return (struct strip){
        x, y, (from + to) / 2, (right + left) / 2, (to - from) / 2, (left - right) / 2};
}

/* How far a direction is within an arc, in its units; below zero it is without. */
static int64_t depth_in(struct arc arc, struct ray ray)
{
    uint32_t off = arc_direction(ray) - arc.from;
    if (arc.width == UINT32_MAX)
        return INT32_MAX;
    if (!arc.width)
        return INT32_MIN;
    if (off <= arc.width)
        return off < arc.width - off ? off : arc.width - off;
    uint32_t before = UINT32_MAX - off, behind = off - arc.width;
    return -(int64_t)(before < behind ? before : behind) - 1;
}

/* 1 where a pair has to be found, -1 where it must not be; 0 where rounding decides. */
static int verdict(const struct batch *g, int i, const struct batch *h, int k, struct range range)
{
    struct ray ray = {h->x[k] - g->x[i], h->y[k] - g->y[i]}, back = {-ray.x, -ray.y};
    double far = (double)square(ray);
    if (far < range.from || far > range.to || !far)
        return -1;
    int64_t one = depth_in(g->opens[i], ray), other = depth_in(h->opens[k], back);
    int64_t least = one < other ? one : other;
    return least >= 4 ? 1 : least <= -4 ? -1 : 0;
}

START_TEST(a_batch_finds_what_its_leaves_find_one_by_one)
{
    enum { ROUNDS = 4000 };
    int found = 0, none = 0, passed = 0;
    struct mw_rng rng = unit_rng(5);
    for (int n = 0; n < ROUNDS; n++) {
        struct batch g = random_batch(&rng, n % 2), h = random_batch(&rng, n % 3);
        double from = mw_between(&rng, 1, 3000), to = from + mw_between(&rng, 0, 1500);
        struct range range = {from * from, to * to};
        struct facing one, other;
        facing_read(&one, &g);
        facing_read(&other, &h);
        struct strip strip = strip_of(&h);
        uint32_t leaves = facing_strip(&one, &strip, range, EACH);
        ck_assert_int_eq(facing_strip(&one, &strip, range, ANY) != 0, leaves != 0);
        for (int i = 0; i < BATCH; i++) {
            uint32_t others = facing_leaf(&one, i, &other, range);
            for (int k = 0; k < BATCH; k++) {
                int wanted = verdict(&g, i, &h, k, range);
                ck_assert(wanted <= 0 || others >> k & 1);
                ck_assert(wanted >= 0 || !(others >> k & 1));
                ck_assert(wanted <= 0 || leaves >> i & 1);
                found += wanted > 0;
                none += wanted < 0;
            }
            passed += !(leaves >> i & 1);
        }
    }
    ck_assert_int_gt(found, ROUNDS);
    ck_assert_int_gt(none, ROUNDS);
    ck_assert_int_gt(passed, 4 * ROUNDS); /* a strip spares some of sixteen */
}
END_TEST

/* A strip is as far as its nearest point is, though neither what it lies aside nor what it lies
   ahead is as much; and as near as its farthest one. */
START_TEST(a_strip_is_as_far_as_its_points)
{
    struct batch b = {.several = 0};
    for (int k = 0; k < BATCH; k++) {
        b.x[k] = 1000 * k;
        b.opens[k] = k == BATCH - 1 ? no_arc : whole_arc;
    }
    struct facing f;
    facing_read(&f, &b);
    struct strip beside = {2, 0, 29000, 7000, 11000, 1000}; /* 9000,3000 to 20000,4000 */
    uint32_t all = (UINT32_C(1) << (BATCH - 1)) - 1;
    ck_assert_uint_eq(facing_strip(&f, &beside, (struct range){0, 25e6}, EACH),
                      all & ~UINT32_C(31));
    ck_assert_uint_eq(facing_strip(&f, &beside, (struct range){0, 9e6}, EACH),
                      all & ~UINT32_C(511));
    ck_assert_uint_eq(facing_strip(&f, &beside, (struct range){0, 8.9e6}, EACH), 0);
    ck_assert_uint_eq(facing_strip(&f, &beside, (struct range){305.1e6, 1e9}, EACH), 7);
    struct strip behind = {-1, 0, 6000, 4000, 3000, 0}; /* -9000,-4000 to -3000,-4000 */
    ck_assert_uint_eq(facing_strip(&f, &behind, (struct range){0, 25e6}, EACH), 1);
    ck_assert_uint_eq(facing_strip(&f, &behind, (struct range){0, 32e6}, EACH), 3);
}
END_TEST

/* Stars look along parallels of the lattice, and all of a row lies on these or to the right: who is
   open to the left alone sees nothing of it, and who is open a little to the right sees it. */
START_TEST(who_looks_along_a_row_sees_nothing_of_it)
{
    struct mw_rng rng = unit_rng(8);
    for (int n = 0; n < 2000; n++) {
        struct ray step = {mw_between(&rng, -12, 12), mw_between(&rng, 1, 9)};
        int32_t many = mw_between(&rng, 4000, 200000);
        struct batch b = {.several = 0};
        for (int k = 0; k < BATCH; k++) {
            b.x[k] = 4000000 + (int32_t)step.x * k;
            b.y[k] = 100 + (int32_t)step.y * k;
            struct arc arc = arc_between(step, (struct ray){-step.y, step.x});
            uint32_t beside = k % 2 ? arc_beside(step) : 0;
            ck_assert_uint_gt(arc_beside(step), 0);
            b.opens[k] = (struct arc){arc.from + beside, arc.width - beside};
        }
        struct facing f;
        facing_read(&f, &b);
        double x = (double)step.x, y = (double)step.y, whole = x * x + y * y;
        struct strip row = {
            x, y, x * 4e6 + y * 100 + whole * many, x * 100 - y * 4e6 - 7, whole * (many - 3000),
            7};
        ck_assert_uint_eq(facing_strip(&f, &row, (struct range){0, 1e15}, EACH), 0x5555);
    }
}
END_TEST

Suite *suite_facing(void)
{
    Suite *suite = suite_create("facing");
    TCase *all = tcase_create("all");
    tcase_add_test(all, a_batch_finds_what_its_leaves_find_one_by_one);
    tcase_add_test(all, a_strip_is_as_far_as_its_points);
    tcase_add_test(all, who_looks_along_a_row_sees_nothing_of_it);
    suite_add_tcase(suite, all);
    return suite;
}
