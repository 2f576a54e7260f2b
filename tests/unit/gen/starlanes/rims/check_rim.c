/*
 * check_rim.c: loops of corners, held against arrays; directions, against angles.
 */
#include "gen/starlanes/rims/rim.h"
#include "unit/unit.h"

#include <math.h>

enum { MOST = 60 };

static struct mw_point at[MOST];
static struct corner corner[MOST];
static uint64_t area[MOST];

/* Corners without lanes at random stars. */
static struct rims rims_of(struct mw_rng *rng, int32_t count)
{
    struct rims r = {.at = at, .angle = least_angle(1 << 19), .corner = corner, .area = area};
    for (int32_t i = 0; i < count; i++) {
        at[i] = (struct mw_point){mw_between(rng, 0, 99), mw_between(rng, 0, 99)};
        rim_add(&r, i, -1, -1, whole_arc);
        corner[i].grain = (uint16_t)mw_below(rng, 1000);
        rim_refresh(&r, i);
    }
    return r;
}

static int32_t list(const struct rims *r, int32_t node, int32_t *out)
{
    if (node < 0)
        return 0;
    const struct corner *c = &r->corner[node];
    int32_t count = list(r, c->child[0], out);
    out[count++] = node;
    uint16_t finest = c->grain;
    for (int i = 0; i < 2; i++)
        if (c->child[i] >= 0) {
            const struct mw_box *b = &r->corner[c->child[i]].box;
            ck_assert_int_eq(r->corner[c->child[i]].parent, node);
            ck_assert(b->x0 >= c->box.x0 && b->y0 >= c->box.y0 && b->x1 <= c->box.x1 &&
                      b->y1 <= c->box.y1);
            if (r->corner[c->child[i]].finest < finest)
                finest = r->corner[c->child[i]].finest;
        }
    ck_assert_int_eq(c->finest, finest);
    return count + list(r, c->child[1], out + count);
}

/* A tree cut anywhere and joined the other way round is the order turned round. */
START_TEST(trees_are_cut_and_joined)
{
    for (uint64_t i = 0; i < 50; i++) {
        struct mw_rng rng = unit_rng(i);
        struct rims r = rims_of(&rng, MOST);
        int32_t tree = -1, first = 0, out[MOST];
        for (int32_t c = 0; c < MOST; c++)
            tree = rim_join(&r, tree, c);
        for (int k = 0; k < 20; k++) {
            int32_t before, behind;
            first = mw_between(&rng, 0, MOST - 1);
            rim_cut(&r, first, &before, &behind);
            tree = rim_join(&r, behind, before);
            ck_assert_int_eq(r.corner[tree].parent, -1);
            ck_assert_int_eq(list(&r, tree, out), MOST);
            for (int32_t c = 0; c < MOST; c++)
                ck_assert_int_eq(out[c], (first + c) % MOST);
        }
        ck_assert_int_eq(rim_root(&r, first), tree);
    }
}
END_TEST

/* Loops of random lengths, one behind the other. */
START_TEST(a_loop_is_taken_out_of_a_tree)
{
    for (uint64_t i = 0; i < 200; i++) {
        struct mw_rng rng = unit_rng(i);
        struct rims r = rims_of(&rng, MOST);
        int32_t tree = -1, out[MOST], wanted = mw_between(&rng, 0, MOST - 1), from = 0, to = MOST;
        for (int32_t c = 0; c < MOST; c++) {
            r.corner[c].begins = c == 0 || mw_below(&rng, 5) == 0;
            rim_refresh(&r, c);
            tree = rim_join(&r, tree, c);
            from = r.corner[c].begins && c <= wanted ? c : from;
            to = r.corner[c].begins && c > wanted && c < to ? c : to;
        }
        int32_t before, behind, loop = rim_take_loop(&r, wanted, &before, &behind);
        ck_assert_int_eq(list(&r, loop, out), to - from);
        ck_assert_int_eq(out[0], from);
        ck_assert_int_eq(list(&r, before, out), from);
        ck_assert_int_eq(list(&r, behind, out), MOST - to);
    }
}
END_TEST

/* A row of stars twice as far apart as another's has the higher grain: by 2^11, for the square. The
   rows are loops of one tree, and get one each, with corners numbered in their order. */
START_TEST(grain_tells_how_far_stars_are_apart)
{
    enum { ROW = 1024, ALL = 2 * ROW + 1 };
    static struct mw_point star[ALL];
    static struct corner corners[2 * ROW];
    static uint64_t areas[2 * ROW];
    int32_t list[2 * ROW], tree[2] = {-1, -1};
    struct rims r = {.at = star, .angle = least_angle(1 << 19), .corner = corners, .area = areas};
    for (int32_t i = 1; i < ALL; i++)
        star[i] = (struct mw_point){star[i - 1].x + (i <= ROW ? 3 : 6), 0};
    for (int32_t i = 0; i < 2 * ROW; i++) {
        int32_t k = i < ROW ? (3 * i + 7) % ROW : i;
        rim_add(&r, k, k + 1, k ? k - 1 : 1, whole_arc);
    }
    for (int32_t i = 0; i < ROW; i++) {
        tree[0] = rim_join(&r, tree[0], i);
        tree[1] = rim_join(&r, tree[1], ROW + i);
    }
    r.corner[0].begins = r.corner[ROW].begins = true;
    rim_refresh(&r, 0);
    rim_refresh(&r, ROW);
    rim_join(&r, tree[1], tree[0]);
    rim_sift(unit_open(), &r, list);
    int32_t first = rim_root(&r, 0), other = rim_root(&r, ROW);
    ck_assert_int_ne(first, other);
    for (int32_t i = 0; i < 2 * ROW; i++) {
        ck_assert_int_eq(corners[i].star, i < ROW ? ROW + i : (3 * (i - ROW) + 7) % ROW);
        ck_assert_int_eq(corners[i].grain, corners[ROW].grain + (i < ROW ? 2048 : 0));
        ck_assert_int_eq(rim_root(&r, i), i < ROW ? first : other);
        ck_assert(!corners[i].begins);
    }
    ck_assert_int_eq(corners[first].finest, corners[0].grain);
    ck_assert_int_eq(corners[first].box.x0, 3 * ROW);
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

/* Of a star's corners in a tree one admits a direction, as long as none of its lanes is near. */
START_TEST(a_corner_is_found_by_its_star)
{
    struct mw_rng rng = unit_rng(2);
    struct rims r = rims_of(&rng, MOST);
    int32_t tree = -1, stack[2 * MOST];
    at[0] = (struct mw_point){50, 50};
    at[1] = (struct mw_point){60, 50};
    at[2] = (struct mw_point){50, 60};
    rim_set(&r, 0, 1, 2);
    rim_set(&r, 7, 2, 1);
    corner[7].star = 0;
    for (int32_t c = 0; c < MOST; c++) {
        rim_refresh(&r, c);
        tree = rim_join(&r, tree, c);
    }
    struct mw_run *run = unit_open();
    ck_assert_int_eq(rim_find(run, &r, tree, 0, (struct ray){1, 1}, stack), 0);
    ck_assert_int_eq(rim_find(run, &r, tree, 0, (struct ray){-1, -1}, stack), 7);
    ck_assert_int_eq(rim_find(run, &r, tree, 0, (struct ray){9, 1}, stack), -1);
}
END_TEST

/* Lanes to the right and upward, with 45 degrees to keep: upward to the right alone is open inside,
   three quarters of a turn outside, less what is too close. */
START_TEST(a_corner_admits_what_is_wide_enough)
{
    struct rims r = {.at = at, .angle = least_angle(1 << 19), .corner = corner, .area = area};
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
        }
}
END_TEST

Suite *suite_rim(void)
{
    Suite *suite = suite_create("rim");
    TCase *all = tcase_create("all");
    tcase_add_test(all, trees_are_cut_and_joined);
    tcase_add_test(all, a_loop_is_taken_out_of_a_tree);
    tcase_add_test(all, grain_tells_how_far_stars_are_apart);
    tcase_add_test(all, arcs_hold_all_directions_between_boxes);
    tcase_add_test(all, a_corner_is_found_by_its_star);
    tcase_add_test(all, a_corner_admits_what_is_wide_enough);
    suite_add_tcase(suite, all);
    return suite;
}
