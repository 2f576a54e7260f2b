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

/* Stars along a line, or anywhere; its capsule is as wide as it has to be. */
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
    struct mw_point a = {b.x[0], b.y[0]}, z = {b.x[BATCH - 1], b.y[BATCH - 1]};
    double length = hypot(z.x - a.x, z.y - a.y);
    b.capsule = (struct capsule){a, z, 1, 0, in_row ? 0.01 : 6000};
    if (length > 0) {
        b.capsule.x = (z.x - a.x) / length;
        b.capsule.y = (z.y - a.y) / length;
    }
    return b;
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
        uint32_t leaves = facing_capsule(&one, &h.capsule, range);
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
    ck_assert_int_gt(passed, 4 * ROUNDS); /* a capsule spares some of sixteen */
}
END_TEST

/* A capsule is as far as its nearest point is, though neither what it lies aside nor what it lies
   ahead is as much. */
START_TEST(a_capsule_has_round_ends)
{
    struct batch b = {.several = 0};
    for (int k = 0; k < BATCH; k++) {
        b.x[k] = 1000 * k;
        b.opens[k] = k == BATCH - 1 ? no_arc : whole_arc;
    }
    struct facing f;
    facing_read(&f, &b);
    struct capsule beside = {{9000, 3000}, {20000, 3000}, 1, 0, 0};
    uint32_t all = (UINT32_C(1) << (BATCH - 1)) - 1;
    ck_assert_uint_eq(facing_capsule(&f, &beside, (struct range){0, 25e6}), all & ~UINT32_C(31));
    ck_assert_uint_eq(facing_capsule(&f, &beside, (struct range){0, 9e6}), all & ~UINT32_C(511));
    ck_assert_uint_eq(facing_capsule(&f, &beside, (struct range){0, 8.9e6}), 0);
    struct capsule behind = {{-9000, -4000}, {-3000, -4000}, 1, 0, 0};
    ck_assert_uint_eq(facing_capsule(&f, &behind, (struct range){0, 25e6}), 1);
    ck_assert_uint_eq(facing_capsule(&f, &behind, (struct range){0, 32e6}), 3);
}
END_TEST

Suite *suite_facing(void)
{
    Suite *suite = suite_create("facing");
    TCase *all = tcase_create("all");
    tcase_add_test(all, a_batch_finds_what_its_leaves_find_one_by_one);
    tcase_add_test(all, a_capsule_has_round_ends);
    suite_add_tcase(suite, all);
    return suite;
}
