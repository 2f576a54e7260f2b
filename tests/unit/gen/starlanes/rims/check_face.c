/*
 * check_face.c: trees over corners, held against the corners one by one.
 */
#include "gen/starlanes/rims/face.h"
#include "unit/unit.h"

#include <math.h>

enum { SIDES = 70, ROOM = 3 * SIDES };

static struct mw_point at[2 * 1024 + 1];
static struct corner corner[ROOM];

/* A rough loop around a place, and one without lanes in the middle. */
static struct rims rough_loop(struct mw_rng *rng)
{
    struct rims r = {.at = at,
                     .angle = least_angle(1 << 20),
                     .corner = corner,
                     .room = (int32_t)(sizeof corner / sizeof *corner)};
    for (int32_t i = 0; i < SIDES; i++) {
        double turn = 6.283185307 * i / SIDES, radius = mw_between(rng, 3000, 4000);
        at[i] = (struct mw_point){(int32_t)(5000 + radius * cos(turn)),
                                  (int32_t)(5000 + radius * sin(turn))};
    }
    at[SIDES] = (struct mw_point){5000, 5000};
    for (int32_t i = 0; i < SIDES; i++) {
        rim_add(&r, i, (i + 1) % SIDES, (i + SIDES - 1) % SIDES, whole_arc);
        if (i)
            rim_link(&r, i - 1, i);
    }
    rim_link(&r, SIDES - 1, 0);
    rim_add(&r, SIDES, -1, -1, whole_arc);
    return r;
}

static struct face face_of(struct mw_run *run, struct rims *r)
{
    struct face f = face_new(run, r, SIDES + 1);
    int32_t leaf = face_string(run, &f, 0, 0);
    ck_assert_int_eq(leaf, SIDES);
    ck_assert_int_eq(face_string(run, &f, SIDES, leaf), SIDES + 1);
    face_grow(run, &f);
    return f;
}

static void add_point(struct mw_box *box, struct mw_point p)
{
    *box = (struct mw_box){mw_min(box->x0, p.x), mw_min(box->y0, p.y), mw_max(box->x1, p.x),
                           mw_max(box->y1, p.y)};
}

static void assert_same(struct mw_box box, struct mw_box wanted)
{
    ck_assert_mem_eq(&box, &wanted, sizeof box);
}

/* Each node knows of all corners below, and of no others. */
static void judge(const struct face *f)
{
    for (int32_t i = 1; i < 2 * f->batches; i++) {
        struct mw_box stars = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN}, lanes = stars;
        const struct node *n = &f->node[i];
        for (int32_t leaf = 0; leaf < BATCH * f->batches; leaf++) {
            int32_t up = f->batches + leaf / BATCH;
            while (up > i)
                up /= 2;
            for (int32_t k = up == i ? *face_corner(f, leaf) : -1; k >= 0; k = corner[k].also) {
                const struct corner *c = &corner[k];
                ck_assert_int_eq(c->leaf, leaf);
                add_point(&lanes, at[c->star]);
                if (c->right >= 0)
                    add_point(&lanes, at[c->right]);
                if (!c->open.width)
                    continue;
                add_point(&stars, at[c->star]);
                uint32_t from = c->open.from - n->opens.from;
                ck_assert(n->opens.width == UINT32_MAX ||
                          (uint64_t)from + c->open.width <= n->opens.width);
            }
        }
        assert_same(f->lanes[i], lanes);
        ck_assert_int_eq(stars.x0 > stars.x1, !n->opens.width);
        if (n->opens.width)
            assert_same(n->box, stars);
    }
}

/* A strip holds all stars below its node. */
static void judge_strips(const struct face *f)
{
    for (int32_t leaf = 0; leaf < BATCH * f->batches; leaf++)
        for (int32_t i = f->batches + leaf / BATCH; i > 0 && *face_corner(f, leaf) >= 0; i /= 2) {
            const struct strip *s = &f->strip[0][i];
            struct mw_point p = face_star(f, leaf);
            ck_assert_double_le(fabs(s->x * p.x + s->y * p.y - s->along), s->half_along);
            ck_assert_double_le(fabs(s->x * p.y - s->y * p.x - s->across), s->half_across);
        }
}

/* Of a loop that was dropped no corner is left, of another all are there. */
static void judge_loop(const struct face *f, int32_t first, bool there)
{
    int32_t i = first, count = 0;
    do {
        int32_t k = *face_corner(f, corner[i].leaf);
        while (k >= 0 && k != i)
            k = corner[k].also;
        ck_assert_int_eq(k == i, there);
        ck_assert_int_lt(count++, ROOM);
        i = corner[i].neighbour[1];
    } while (i != first);
}

static bool has_between(struct mw_point a, struct mw_point b, struct mw_point c)
{
    return turn(a, b, c) == 0 && dot(ray_to(c, a), ray_to(c, b)) < 0;
}

static bool are_on_sides(struct mw_point a, struct mw_point b, struct mw_point c, struct mw_point d)
{
    int64_t p = turn(a, b, c), q = turn(a, b, d);
    return (p > 0 && q < 0) || (p < 0 && q > 0);
}

/* Whether a corner's star or first lane is between two stars. */
static bool is_blocked_by(const struct corner *c, struct mw_point a, struct mw_point b)
{
    struct mw_point p = at[c->star];
    if (has_between(a, b, p))
        return true;
    return c->right >= 0 && are_on_sides(a, b, p, at[c->right]) &&
           are_on_sides(p, at[c->right], a, b);
}

static void judge_between(struct mw_run *run, const struct face *f)
{
    for (int32_t a = 0; a <= SIDES; a++)
        for (int32_t b = a + 1; b <= SIDES; b++) {
            bool blocked = false;
            int32_t found = face_between(run, f, at[a], at[b]);
            for (int32_t i = 0; i < BATCH * f->batches; i++)
                for (int32_t k = *face_corner(f, i); k >= 0; k = corner[k].also)
                    blocked |= is_blocked_by(&corner[k], at[a], at[b]);
            ck_assert_int_eq(blocked, found >= 0);
            ck_assert(found < 0 || is_blocked_by(&corner[found], at[a], at[b]));
        }
}

/* A lane to the middle, which joins two loops, and one across, which cuts off what is dropped. */
START_TEST(a_tree_knows_its_corners)
{
    int joined = 0, cut = 0;
    for (uint64_t n = 0; n < 40; n++) {
        struct mw_rng rng = unit_rng(n);
        struct mw_run *run = unit_open();
        struct rims r = rough_loop(&rng);
        struct face f = face_of(run, &r);
        judge(&f);
        judge_strips(&f);
        judge_between(run, &f);
        int32_t beyond[2];
        for (int round = 0; round < 2; round++) {
            int32_t far = mw_between(&rng, 2, SIDES - 2), ends[] = {round ? 0 : SIDES, far};
            struct ray ray = ray_to(at[ends[0]], at[ends[1]]);
            int32_t pair[] = {face_admits(&f, corner[ends[0]].leaf, ray),
                              face_admits(&f, corner[ends[1]].leaf, (struct ray){-ray.x, -ray.y})};
            if (pair[0] < 0 || pair[1] < 0 || face_between(run, &f, at[ends[0]], at[ends[1]]) >= 0)
                continue;
            rim_divide(&r, pair, beyond);
            for (int i = 0; i < 2; i++) {
                if (beyond[i] != pair[i]) {
                    corner[beyond[i]].leaf = corner[pair[i]].leaf;
                    corner[beyond[i]].also = corner[pair[i]].also;
                    corner[pair[i]].also = beyond[i];
                }
                face_refresh(&f, pair[i]);
            }
            face_tell(&f);
            judge(&f);
            joined += !round;
            cut += round;
            if (round) {
                face_drop(run, &f, beyond[0]);
                face_tell(&f);
                judge(&f);
                judge_loop(&f, beyond[0], false);
                judge_loop(&f, pair[0], true);
            }
            judge_between(run, &f);
        }
    }
    ck_assert_int_gt(joined, 20);
    ck_assert_int_gt(cut, 5);
}
END_TEST

/* A row of stars twice as far apart as another's has the higher grain: by 2^11, for the square. */
START_TEST(grain_tells_how_far_stars_are_apart)
{
    enum { ROW = 1024, ALL = 2 * ROW + 1 };
    static struct corner corners[2 * ROW];
    struct mw_run *run = unit_open();
    struct rims r = {.at = at,
                     .angle = least_angle(1 << 19),
                     .corner = corners,
                     .room = (int32_t)(sizeof corners / sizeof *corners)};
    at[0] = (struct mw_point){0, 0};
    for (int32_t i = 1; i < ALL; i++)
        at[i] = (struct mw_point){at[i - 1].x + (i <= ROW ? 3 : 6), 0};
    for (int32_t i = 0; i < 2 * ROW; i++) {
        rim_add(&r, i, i + 1, i ? i - 1 : 1, whole_arc);
        if (i % ROW)
            rim_link(&r, i - 1, i);
        rim_link(&r, i, i < ROW ? 0 : ROW);
    }
    struct face f = face_new(run, &r, 2 * ROW);
    face_string(run, &f, ROW, face_string(run, &f, 0, 0));
    face_grow(run, &f);
    uint16_t fine = f.batch[0].grain[0], coarse = f.batch[ROW / BATCH].grain[0];
    ck_assert_int_eq(coarse, fine + 2048);
    for (int32_t i = 0; i < 2 * ROW; i++)
        ck_assert_int_eq(f.batch[i / BATCH].grain[i % BATCH], i < ROW ? fine : coarse);
    ck_assert_int_eq(f.node[1].fine, fine);
    ck_assert_int_eq(f.node[1].coarse, coarse);
}
END_TEST

/* A slanted square, strung from the middle of a side: batches are of one row where all of their
   stars are on one line, and so are the first and the last. */
START_TEST(rows_are_straight)
{
    enum { SIDE = 80, ALL = 4 * SIDE };
    static const struct mw_point way[] = {{3, 1}, {-1, 3}, {-3, -1}, {1, -3}};
    static struct corner corners[ALL];
    struct mw_run *run = unit_open();
    struct rims r = {.at = at,
                     .angle = least_angle(1 << 20),
                     .corner = corners,
                     .room = (int32_t)(sizeof corners / sizeof *corners)};
    at[0] = (struct mw_point){1000, 1000};
    for (int32_t i = 1; i < ALL; i++) {
        struct mw_point step = way[(i - 1) / SIDE];
        at[i] = (struct mw_point){at[i - 1].x + step.x, at[i - 1].y + step.y};
    }
    for (int32_t i = 0; i < ALL; i++)
        rim_add(&r, i, (i + 1) % ALL, (i + ALL - 1) % ALL, whole_arc);
    for (int32_t i = 0; i < ALL; i++)
        rim_link(&r, i, (i + 1) % ALL);
    struct face f = face_new(run, &r, ALL);
    face_string(run, &f, SIDE / 2, 0);
    face_grow(run, &f);
    int32_t alike = 0;
    for (int32_t i = 0; i < f.batches; i++)
        for (int32_t k = 0; k < f.batches; k++) {
            int32_t row = f.row[0][f.batches + i];
            bool straight = true, same = row != SEVERAL && row == f.row[0][f.batches + k];
            struct mw_point a = face_star(&f, BATCH * i), z = face_star(&f, BATCH * i + 1);
            for (int32_t n = 0; n < BATCH; n++)
                straight &= !cross(ray_to(a, z), ray_to(a, face_star(&f, BATCH * i + n))) &&
                            !cross(ray_to(a, z), ray_to(a, face_star(&f, BATCH * k + n)));
            ck_assert(straight || !same);
            alike += same && i != k;
        }
    ck_assert_int_gt(alike, 4 * 3 * 2);
    ck_assert_int_eq(f.row[0][f.batches], f.row[0][2 * f.batches - 1]);
    ck_assert_int_eq(f.row[0][1], SEVERAL);
}
END_TEST

/* A hub above the middle of a slanted row has a batch of its own; its neighbours on the loop do not
   lie in one, and the row is a row on both sides of it. */
START_TEST(who_is_far_off_has_a_batch_alone)
{
    enum { ROW = 800, ALL = ROW + 1, HUB = ROW / 2 };
    static struct corner corners[ALL];
    struct mw_run *run = unit_open();
    struct rims r = {.at = at,
                     .angle = least_angle(1 << 20),
                     .corner = corners,
                     .room = (int32_t)(sizeof corners / sizeof *corners)};
    for (int32_t i = 0; i < ALL; i++) {
        at[i] = (struct mw_point){3 * (i - (i > HUB)), i - (i > HUB)};
        rim_add(&r, i, (i + 1) % ALL, (i + ALL - 1) % ALL, whole_arc);
    }
    at[HUB] = (struct mw_point){0, 100000};
    for (int32_t i = 0; i < ALL; i++)
        rim_link(&r, i, (i + 1) % ALL);
    struct face f = face_new(run, &r, ALL);
    int32_t end = face_string(run, &f, 0, 0), spared = 0;
    ck_assert_int_le(end, BATCH * f.batches);
    face_grow(run, &f);
    for (int32_t i = 0; i < ALL; i++) {
        const struct batch *b = &f.batch[corners[i].leaf / BATCH];
        ck_assert_int_eq(b->corner[corners[i].leaf % BATCH], i);
        for (int32_t k = 0; k < BATCH; k++)
            ck_assert(b->corner[k] < 0 || (i == HUB) == (b->corner[k] == HUB));
    }
    for (int32_t i = 0; i < BATCH * f.batches; i++) {
        spared += *face_corner(&f, i) < 0;
        ck_assert(*face_corner(&f, i) >= 0 || !f.batch[i / BATCH].opens[i % BATCH].width);
    }
    ck_assert_int_eq(spared, BATCH * f.batches - ALL);
    int32_t hub = f.batches + corners[HUB].leaf / BATCH;
    ck_assert_int_eq(f.row[0][hub - 2], f.row[0][f.batches + 1]);
    ck_assert_int_eq(f.row[0][hub + 2], f.row[0][hub + 5]);
    struct strip row = face_strip(&f, hub - 2), all = face_strip(&f, 1);
    ck_assert(row.x == 3 * row.y && row.y != 0 && row.half_across == 0);
    ck_assert(!strip_is_slim(&all) && strip_width(&all) > ROW);
}
END_TEST

Suite *suite_face(void)
{
    Suite *suite = suite_create("face");
    TCase *all = tcase_create("all");
    tcase_add_test(all, a_tree_knows_its_corners);
    tcase_add_test(all, grain_tells_how_far_stars_are_apart);
    tcase_add_test(all, rows_are_straight);
    tcase_add_test(all, who_is_far_off_has_a_batch_alone);
    suite_add_tcase(suite, all);
    return suite;
}
