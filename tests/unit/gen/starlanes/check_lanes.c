/*
 * check_lanes.c: from stars to the three graphs, step by step, each held against the naive way.
 *
 * The promises of whole maps are judged elsewhere (tests/prop/check_starlanes.c). Here is what one
 * step owes to the next: tasks and sides in the order of pairs, the maximum graph of any stars, the
 * minimum and the result graph of lanes that need not even be planar.
 */
#include "gen/starlanes/lane_search.h"
#include "gen/starlanes/starlanes.h"
#include "unit/unit.h"

#include <math.h>

enum { STARS = 24, LANES = STARS * (STARS - 1) / 2 };

static struct mw_point at[STARS];
static struct mw_edge lane[LANES];
static int32_t order[LANES];
static struct lanes lanes = {.at = lane, .order = order};

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

/* All pairs of stars in their order, of which a caller keeps some. */
static void list_pairs(void)
{
    lanes.count = 0;
    for (int32_t a = 0; a < STARS; a++)
        for (int32_t b = a + 1; b < STARS; b++) {
            int32_t i = lanes.count++;
            order[i] = i;
            for (; i > 0 && pair_before(pair_at(a, b), pair_at(lane[i - 1].a, lane[i - 1].b)); i--)
                lane[i] = lane[i - 1];
            lane[i] = (struct mw_edge){a, b};
        }
}

/* ---- the order of pairs ---------------------------------------------------------------------- */

TEST(tasks_leave_the_queue_in_order)
{
    static struct pair_task room[1000];
    struct pair_queue queue = {room, 0};
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

/* Whether the pair is no side (where equals count it may be), runs through no star and comes before
   all sides that it crosses; or, if equals will do, is no longer than they are. */
static bool is_in_sight(const struct mesh *m, int32_t a, int32_t b, bool equals)
{
    for (int32_t i = a + 1; i < b; i++)
        if (turn(at[a], at[b], at[i]) == 0)
            return false;
    for (int32_t s = 0; s < 8 * m->triangles; s += s % 8 == 2 ? 6 : 1) {
        int32_t x = side_from(m, s), y = side_to(m, s);
        if (x >= y || y == STARS)
            continue;
        bool same = !equals && x == a && y == b;
        struct pair side = pair_at(x, y), pair = pair_at(a, b);
        bool sooner = equals ? side.square < pair.square : pair_before(side, pair);
        if (same || (sooner && cross_each_other((struct mw_edge){a, b}, (struct mw_edge){x, y})))
            return false;
    }
    return true;
}

/* Whether a task is the pair, or a query of its star at its place or before, through the triangle
   by which the pair leaves the star. */
static bool leads_to(const struct mesh *m, const struct pair_task *task, struct pair pair)
{
    if (task->pair.a != pair.a || pair_before(pair, task->pair))
        return false;
    if (task->side >= 0)
        return task->pair.b == pair.b && task->pair.square == pair.square;
    if (task->side == ALL)
        return true;
    struct ray ray = ray_to(at[pair.a], at[pair.b]);
    return cross(star_ray(m, pair.a, side_to(m, ~task->side)), ray) > 0 &&
           cross(ray, star_ray(m, pair.a, side_apex(m, ~task->side))) > 0;
}

static void check_queue(const struct lane_search *q)
{
    for (int32_t a = 0; a < STARS; a++)
        for (int32_t b = a + 1; b < STARS; b++) {
            bool led = false, held = false;
            for (int32_t i = 0; i < q->queue.count; i++) {
                led |= leads_to(&q->mesh, &q->queue.at[i], pair_at(a, b));
                held |= q->queue.at[i].side >= 0 && q->queue.at[i].pair.a == a &&
                        q->queue.at[i].pair.b == b;
            }
            ck_assert((led || !is_in_sight(&q->mesh, a, b, false)) &&
                      (!held || is_in_sight(&q->mesh, a, b, true)));
        }
}

enum { ROOM = (HELD + 2) * STARS + 64 };

/* A search over random stars, with no side expected and nothing in the queue. */
static struct lane_search search_of(uint64_t number, int32_t waiting_room)
{
    struct mw_rng rng = unit_rng(number);
    struct mw_run *run = unit_open();
    struct lane_search q = {
        .run = run, .angle = least_angle(starlanes_cosine(15000)), .last_step = UINT64_MAX};
    make_stars(&rng);
    ck_assert(mesh_build(run, &q.mesh, at, STARS));
    q.stack = MW_NEW(run, struct portal, STARS);
    q.waiting = MW_NEW(run, struct waiting, 3 * STARS);
    q.waiting_room = waiting_room;
    q.last = MW_NEW0(run, struct last_query, STARS);
    q.queue.at = MW_NEW(run, struct pair_task, ROOM);
    q.queue_room = ROOM;
    return q;
}

/* Where the queue is full all stars are queried anew. */
TEST(a_star_sees_what_comes_before_all_that_it_crosses)
{
    for (uint64_t i = 0; i < 200; i++) {
        struct lane_search q = search_of(i, i % 4 < 2 ? 3 * STARS : 0);
        q.queue.count = i % 2 ? ROOM - 1 : 0;
        visibility_begin(&q);
        if (q.queue.count < ROOM - 1)
            check_queue(&q);
        else
            ck_assert(i % 2 == 1); /* nobody saw anything */
    }
}

/* In a full queue queries that are void make room: of triangles that have changed since, or that
   are another star's now. Where all is needed, all stars are queried anew. */
TEST(room_is_made_in_a_full_queue)
{
    for (uint64_t i = 0; i < 150; i++) {
        struct lane_search q = search_of(i, 3 * STARS);
        visibility_begin(&q);
        int32_t begun = q.queue.count, star = side_from(&q.mesh, 0);
        if (!begun)
            continue;
        struct pair_task more[] = {
            {.pair = {.a = star}, .side = ~0, .epoch = 1},
            {.pair = {.a = star + 1}, .side = ~0, .epoch = 0},
            q.queue.at[0],
        };
        while (q.queue.count + HELD < ROOM)
            pair_queue_push(&q.queue, more[i % 3]);
        visibility_make_room(&q);
        if (i % 3 < 2)
            ck_assert_int_eq(q.queue.count, begun);
        ck_assert_int_le(q.queue.count, (HELD + 1) * STARS);
        check_queue(&q);
    }
}

/* ---- the maximum graph ----------------------------------------------------------------------- */

/* Whether two lanes have an end in common, and less than 45 degrees there: |cross| < dot. */
static bool make_narrow_angle(struct mw_edge l, struct mw_edge k)
{
    int32_t end = l.a == k.a || l.a == k.b ? l.a : l.b;
    if (k.a != end && k.b != end)
        return false;
    struct ray u = ray_to(at[end], at[l.a ^ l.b ^ end]), v = ray_to(at[end], at[k.a ^ k.b ^ end]);
    int64_t area = cross(u, v);
    return (area < 0 ? -area : area) < dot(u, v);
}

static bool may_stay(struct mw_edge l, int32_t kept, bool narrow)
{
    for (int32_t i = 0; i < kept; i++)
        if (cross_each_other(l, lane[i]) || (!narrow && make_narrow_angle(l, lane[i])))
            return false;
    for (int32_t i = l.a + 1; i < l.b; i++)
        if (turn(at[l.a], at[l.b], at[i]) == 0)
            return false;
    return true;
}

/* With lanes at least 45 degrees apart, or however narrow. */
static void check_maximum(bool narrow)
{
    struct mw_run *run = unit_open();
    struct lanes found = {.at = MW_NEW(run, struct mw_edge, 3 * STARS)};
    int32_t cosine = starlanes_cosine(narrow ? 0 : 45000), kept = 0;
    starlanes_maximum(run, at, STARS, cosine, "", &found);
    list_pairs();
    for (int32_t k = 0; k < lanes.count; k++)
        if (may_stay(lane[k], kept, narrow))
            lane[kept++] = lane[k];
    ck_assert_int_eq(found.count, kept);
    const int32_t *sorted = starlanes_order(run, at, &found);
    for (int32_t k = 0; k < kept; k++) {
        struct mw_edge e = found.at[sorted[k]];
        ck_assert(e.a == lane[k].a && e.b == lane[k].b);
    }
}

TEST(the_maximum_graph_is_the_naive_one)
{
    for (uint64_t i = 0; i < 400; i++) {
        struct mw_rng rng = unit_rng(i);
        make_stars(&rng);
        check_maximum(false);
    }
}

/* A star far off is joined with most of a rough row, in some order: a corner that is divided again
   and again. */
TEST(a_hub_loses_no_lane)
{
    for (uint64_t i = 0; i < 100; i++) {
        struct mw_rng rng = unit_rng(i);
        for (int32_t k = 0; k < STARS; k++)
            at[k] = (struct mw_point){3 * k + mw_between(&rng, 0, 2), mw_between(&rng, 0, 1)};
        at[i % STARS].y = 1000;
        check_maximum(true);
    }
}

/* Three stars lie in the same direction from the first but for a turn in 10^13, so that between two
   of its lanes, or of those in its sight, is nearly a whole turn: once the others lie on one side
   of the nearest, once on both. */
TEST(a_corner_may_be_nearly_a_turn)
{
    static const struct mw_point in_line[2][4] = {
        {{0, 0}, {832040, 514229}, {1981891, 1224876}, {2178309, 1346269}},
        {{0, 0}, {832040, 514229}, {1149851, 710647}, {1346269, 832040}}};
    for (uint64_t i = 0; i < 200; i++) {
        struct mw_rng rng = unit_rng(i);
        const struct mw_point *line = in_line[i % 2];
        for (int32_t k = 0; k < STARS; k++)
            at[k] = k < 4 ? (struct mw_point){line[k].x, line[k].y + 4000000}
                          : (struct mw_point){1500000 + 200000 * k + mw_between(&rng, 0, 199999),
                                              mw_between(&rng, 0, 8000000)};
        check_maximum(true);
    }
}

/* ---- the minimum and the result graph -------------------------------------------------------- */

/* Whether a way of the lanes kept leads from one star to the other. */
static bool are_joined(const bool *keep, int32_t from, int32_t to)
{
    bool reached[STARS] = {false};
    reached[from] = true;
    for (bool more = true; more;) {
        more = false;
        for (int32_t i = 0; i < lanes.count; i++) {
            if (!keep[i] || reached[lane[i].a] == reached[lane[i].b])
                continue;
            reached[lane[i].a] = reached[lane[i].b] = more = true;
        }
    }
    return reached[to];
}

/* Some of all pairs, at random, but enough that they hold together. */
static void some_lanes(struct mw_rng *rng)
{
    make_stars(rng);
    list_pairs();
    int32_t kept = 0;
    for (int32_t i = 0; i < lanes.count; i++)
        if (lane[i].b == lane[i].a + 1 || mw_below(rng, 6) == 0)
            lane[kept++] = lane[i];
    lanes.count = kept;
}

/* Those lanes, all of them short, and the ways from a star. */
static struct star_network network_from(struct mw_run *run, int32_t centre)
{
    struct star_network net = {.stars = STARS,
                               .centre = centre,
                               .lanes = lanes,
                               .short_lanes = lanes.count,
                               .minimum = MW_NEW(run, bool, LANES),
                               .result = MW_NEW(run, bool, LANES),
                               .others = {MW_NEW(run, struct listed_lane, LANES), 0}};
    starlanes_by_star(run, at, &net);
    starlanes_ways(run, &net);
    return net;
}

/* With the centre as the only home no way is laid down: the least spanning tree alone. A lane
   belongs to it unless shorter ones join its ends. */
TEST(the_minimum_graph_is_the_least_tree)
{
    for (uint64_t i = 0; i < 100; i++) {
        struct mw_rng rng = unit_rng(i);
        bool shorter[LANES] = {0};
        int32_t home = 5;
        some_lanes(&rng);
        struct mw_run *run = unit_open();
        struct star_network net = network_from(run, home);
        starlanes_minimum(run, &net, &home, 1);
        for (int32_t k = 0; k < lanes.count; k++) {
            ck_assert_int_eq(net.minimum[k], !are_joined(shorter, lane[k].a, lane[k].b));
            shorter[k] = true;
        }
    }
}

/* Homes everywhere: the tree of shortest ways, along which nobody could go by one lane less far. */
TEST(the_minimum_graph_has_the_shortest_ways)
{
    for (uint64_t i = 0; i < 100; i++) {
        struct mw_rng rng = unit_rng(i);
        int32_t homes[STARS];
        double way[STARS] = {0};
        some_lanes(&rng);
        for (int32_t a = 0; a < STARS; a++)
            homes[a] = a;
        struct mw_run *run = unit_open();
        struct star_network net = network_from(run, 0);
        starlanes_minimum(run, &net, homes, STARS);
        for (int round = 0; round < STARS; round++)
            for (int32_t k = 0; k < lanes.count; k++) {
                int32_t a = lane[k].a, b = lane[k].b;
                double length = sqrt((double)pair_at(a, b).square);
                if (net.minimum[k] && (way[a] > 0 || a == 0) && b != 0 && way[b] == 0)
                    way[b] = way[a] + length;
                else if (net.minimum[k] && way[b] > 0 && a != 0 && way[a] == 0)
                    way[a] = way[b] + length;
            }
        for (int32_t k = 0; k < lanes.count; k++) {
            double length = sqrt((double)pair_at(lane[k].a, lane[k].b).square);
            ck_assert_double_le(fabs(way[lane[k].a] - way[lane[k].b]), length + 1e-4);
        }
    }
}

/* A bound of so many thousandths of the median. */
TEST(the_bound_counts_the_lanes_within_it)
{
    for (int32_t bound = 0; bound <= 5000; bound += 125) {
        struct mw_rng rng = unit_rng((uint64_t)bound);
        some_lanes(&rng);
        struct mw_run *run = unit_open();
        struct star_network net = network_from(run, 0);
        starlanes_bound(&net, bound);
        int64_t median = starlanes_root(
            pair_at(lane[(lanes.count - 1) / 2].a, lane[(lanes.count - 1) / 2].b).square);
        int32_t within = 0;
        for (int32_t k = 0; k < lanes.count; k++)
            within += !bound ||
                      starlanes_root(pair_at(lane[k].a, lane[k].b).square) <= median * bound / 1000;
        ck_assert_int_eq(net.short_lanes, within);
    }
}

TEST(the_result_graph_takes_the_loneliest_lane)
{
    for (int32_t density = 0; density <= 1000; density += 50) {
        struct mw_rng rng = unit_rng((uint64_t)density);
        bool naive[LANES];
        int32_t degree[STARS] = {0};
        some_lanes(&rng);
        struct mw_run *run = unit_open();
        struct star_network net = network_from(run, 0);
        struct lane_list *others = &net.others;
        bool *keep = net.result;
        for (int32_t k = 0; k < lanes.count; k++) {
            keep[k] = naive[k] = mw_below(&rng, 4) == 0;
            degree[lane[k].a] += keep[k];
            degree[lane[k].b] += keep[k];
            if (!keep[k])
                others->at[others->count++] = (struct listed_lane){lane[k].a, lane[k].b, k};
        }
        int32_t wanted = others->count * density / 1000;
        net.density = density;
        starlanes_densify(run, &net);
        for (; wanted > 0; wanted--) {
            int32_t best = -1, least = 2 * LANES;
            for (int32_t k = 0; k < lanes.count; k++)
                if (!naive[k] && degree[lane[k].a] + degree[lane[k].b] < least)
                    least = degree[lane[best = k].a] + degree[lane[k].b];
            naive[best] = true;
            degree[lane[best].a]++;
            degree[lane[best].b]++;
        }
        ck_assert_mem_eq(keep, naive, (size_t)lanes.count);
    }
}
