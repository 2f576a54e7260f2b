/*
 * check_lanes.c: parts of the way from stars to lanes: lengths, the order of tasks and lanes, and
 * what a star sees. Whole maps are judged against the naive way by tests/prop/check_starlanes.c.
 */
#include "gen/starlanes/lane_search.h"
#include "gen/starlanes/starlanes.h"
#include "unit/unit.h"

enum { STARS = 24 };

__extension__ typedef __int128 big;

static struct mw_point at[STARS];

/* Different stars in the order of their coordinates, of which many are as far apart as others. */
static void make_stars(struct mw_rng *rng)
{
    int32_t cell = 0;
    for (int32_t i = 0; i < STARS; i++) {
        cell += mw_between(rng, 1, 4);
        at[i] = (struct mw_point){cell / 10, cell % 10};
    }
}

static struct pair pair_at(int32_t a, int32_t b)
{
    return (struct pair){square(ray_to(at[a], at[b])), a, b};
}

/* ---- roots ----------------------------------------------------------------------------------- */

static void check_root(int64_t n)
{
    int64_t root = starlanes_root(n);
    ck_assert((big)(2 * root - 1) * (2 * root - 1) < (big)n << 42);
    ck_assert((big)(2 * root + 1) * (2 * root + 1) > (big)n << 42);
}

TEST(roots_are_rounded_to_the_nearest)
{
    struct mw_rng rng = unit_rng(1);
    for (int64_t n = 1; n < 3000; n++)
        check_root(n);
    for (int bit = 11; bit < 49; bit++)
        for (int i = 0; i < 2000; i++)
            check_root((INT64_C(1) << bit) - 1 -
                       (int64_t)(mw_next(&rng) % ((uint64_t)INT64_C(1) << (bit - 1))));
    for (int64_t side = 1; side < INT64_C(23726566); side += 9973)
        for (int64_t off = side > 1 ? -1 : 0; off <= 1; off++)
            check_root(side * side + off);
}

/* ---- the order of pairs ---------------------------------------------------------------------- */

TEST(tasks_leave_the_queue_in_order)
{
    static struct pair_task room[1000];
    struct pair_queue queue = {room, 0, 1000};
    struct mw_rng rng = unit_rng(3);
    int32_t count[4][4][4] = {0};
    for (int i = 0; i < 1000; i++) {
        struct pair p = {mw_between(&rng, 0, 3), mw_between(&rng, 0, 3), mw_between(&rng, 0, 3)};
        count[p.square][p.a][p.b]++;
        pair_queue_push(&queue, (struct pair_task){p, i, 0});
    }
    for (int32_t square = 0; square < 4; square++)
        for (int32_t a = 0; a < 4; a++)
            for (int32_t b = 0; b < 4; b++)
                for (; count[square][a][b] > 0; count[square][a][b]--) {
                    struct pair p = pair_queue_pop(&queue).pair;
                    ck_assert(p.square == square && p.a == a && p.b == b);
                }
    ck_assert_int_eq(queue.count, 0);
}

TEST(sides_are_sorted)
{
    for (uint64_t i = 0; i < 50; i++) {
        struct mw_rng rng = unit_rng(i);
        struct mw_run *run = unit_open();
        struct mesh m;
        make_stars(&rng);
        ck_assert(mesh_build(run, &m, at, STARS));
        struct lanes list = {.at = MW_NEW(run, struct mw_edge, 3 * STARS)};
        for (int32_t s = 0; s < 8 * m.triangles; s += s % 8 == 2 ? 6 : 1)
            if (is_first(&m, s) && s % 7)
                list.at[list.count++] = (struct mw_edge){side_from(&m, s), side_to(&m, s)};
        const int32_t *sorted = starlanes_order(run, at, &list);
        for (int32_t k = 1; k < list.count; k++) {
            struct mw_edge before = list.at[sorted[k - 1]], e = list.at[sorted[k]];
            ck_assert(pair_before(pair_at(before.a, before.b), pair_at(e.a, e.b)));
        }
    }
}

static int sign(int64_t n) { return (n > 0) - (n < 0); }

static bool cross_each_other(struct mw_edge l, struct mw_edge k)
{
    return sign(turn(at[l.a], at[l.b], at[k.a])) * sign(turn(at[l.a], at[l.b], at[k.b])) < 0 &&
           sign(turn(at[k.a], at[k.b], at[l.a])) * sign(turn(at[k.a], at[k.b], at[l.b])) < 0;
}

/* ---- what a star sees ------------------------------------------------------------------------ */

/* Whether the pair is no side, runs through no star and comes before all sides that it crosses. */
static bool is_in_sight(const struct mesh *m, int32_t a, int32_t b)
{
    for (int32_t i = a + 1; i < b; i++)
        if (turn(at[a], at[b], at[i]) == 0)
            return false;
    for (int32_t s = 0; s < 8 * m->triangles; s += s % 8 == 2 ? 6 : 1) {
        int32_t x = side_from(m, s), y = side_to(m, s);
        if (!is_first(m, s))
            continue;
        bool same = x == a && y == b, sooner = pair_before(pair_at(x, y), pair_at(a, b));
        if (same || (sooner && cross_each_other((struct mw_edge){a, b}, (struct mw_edge){x, y})))
            return false;
    }
    return true;
}

/* Whether a task of the pair's first star is at its place or before, and looks through the corner
   by which the pair leaves that star. */
static bool leads_to(const struct mesh *m, struct pair_task task, struct pair pair)
{
    if (task.pair.a != pair.a || pair_before(pair, task.pair))
        return false;
    struct ray ray = ray_to(at[pair.a], at[pair.b]);
    return cross(star_ray(m, pair.a, side_to(m, ~task.side)), ray) > 0 &&
           cross(ray, star_ray(m, pair.a, side_apex(m, ~task.side))) > 0;
}

static void check_queue(const struct lane_search *q)
{
    for (int32_t a = 0; a < STARS; a++)
        for (int32_t b = a + 1; b < STARS; b++) {
            bool led = false;
            for (int32_t i = 0; i < q->queue.count; i++)
                led |= !visibility_is_stale(q, q->queue.at[i]) &&
                       leads_to(&q->mesh, q->queue.at[i], pair_at(a, b));
            ck_assert(led || !is_in_sight(&q->mesh, a, b));
        }
}

/* With no side expected. The queue grows from next to nothing; and when all stars look again and
   again it holds no more than one task a corner and those that are not yet known to be stale. */
TEST(a_star_sees_what_comes_before_all_that_it_crosses)
{
    for (uint64_t i = 0; i < 200; i++) {
        struct mw_rng rng = unit_rng(i);
        struct mw_run *run = unit_open();
        struct lane_search q = {
            .run = run, .angle = least_angle(starlanes_cosine(15000)), .last_step = UINT64_MAX};
        make_stars(&rng);
        ck_assert(mesh_build(run, &q.mesh, at, STARS));
        q.stack = MW_NEW(run, struct portal, STARS);
        q.queue = (struct pair_queue){MW_NEW(run, struct pair_task, 2), 0, 2};
        for (int32_t t = 0; t < q.mesh.triangles; t++)
            visibility_look_first(&q, t);
        check_queue(&q);
        for (int32_t k = 0; k < 20 * 3 * q.mesh.triangles; k++)
            visibility_look(&q, 8 * (k / 3 % q.mesh.triangles) + k % 3);
        check_queue(&q);
        ck_assert_int_le(q.queue.count, q.queue.room);
        ck_assert_int_le(q.queue.room, 16 * STARS);
    }
}
