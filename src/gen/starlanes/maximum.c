/*
 * maximum.c: the maximum graph, exactly as if all pairs of stars had been tried.
 *
 * All pairs of stars have one order: by length, then by the coordinates of their ends. In that
 * order a pair becomes a lane unless a lane crosses it, a star lies on it, or a lane is too close
 * at one of its ends. There are too many pairs to try them all, and nearly all need no trial, as
 * they lie behind something shorter. So the search goes by visibility.
 *
 * THREE FILES decide what becomes a lane. This one runs through the order; visibility.c finds the
 * pairs that must be tried; try_pair.c tries one by the three rules. What they use knows no rules:
 * mesh/mesh.c, the triangulation; pair_queue.h, a heap; angle.h, exact angles. empty_circles.c only
 * saves time (1.4 times): if reach_is_empty() always returned false, the lanes would be the same.
 *
 * THE SEARCH keeps a triangulation of the stars of which every lane is a side, at the beginning a
 * Delaunay triangulation. A side that is no lane is UNDECIDED until its own place in the order, and
 * OPEN from then on: it will never be a lane. Stars see through open sides. Through an undecided
 * side they see no farther than it is long. Lanes are never removed, so the search runs once
 * through the order.
 *
 * EXPECTED SIDES. Nearly all sides of a Delaunay triangulation become lanes. A side is expected to
 * if no corner at its ends, in the two triangles beside it, is narrower than the least angle. It is
 * undecided until its place and a lane from then on, without a trial; unless by then another lane
 * crosses it, which destroys it, or is made too close to it, which revokes the expectation. Both
 * come from pairs that are no sides, and few of those precede all sides that they cross. Without
 * expectations the map is the same and takes 1.5 times as long (1000 stars) to 1.7 times (100,000).
 *
 * THE QUEUE holds, in order, pairs to be tried and queries: "what does star a see from this place
 * in the order on?". It starts with the sides that are not expected and with what stars see at
 * first.
 *
 * WHY IT IS EXACT. Each trial is exact: crossings by walking through the triangles between the two
 * stars, angles by turning from the pair to its neighbours at both ends until the angle is wide
 * enough. Two things must be shown.
 *
 * First, that each pair that obeys the rules is tried at its place. Before that it crosses no lane,
 * and no lane of its stars is too close, as lanes are never removed. So at any time it is
 *
 *   (1) an expected side; or
 *   (2) in the queue; or
 *   (3) one for which a query of its first star is in the queue, at its place or before, about the
 *       triangle by which it leaves that star; or
 *   (4) behind undecided sides that precede it, and its first star waits for one of them; or
 *   (5) too close to an expected side of its first star, beside it, that precedes it.
 *
 * At the beginning a star that need not look past a side sees nothing there but (4) and (5), as
 * visibility.c shows; it waits for the opposite side without an entry. All others are queried. A
 * query finds each pair that is not behind an undecided side as (2), if it is among the next HELD;
 * the others, and those out of reach for now, are left to a later query (3); and the rest is (4).
 * When an undecided side opens, each star that waits there is queried. When triangles change, the
 * stars of the new ones are queried, and those that waited there; queries about the old ones are
 * stale; and new sides go into the queue. When an expectation is revoked its stars are queried
 * beside it; when the side is destroyed, so are the triangles beside it. So every pair stays one of
 * the five. At its place it cannot be (4) or (5), as all sides before it are decided, nor (3), as
 * all queries up to there are answered: it is tried.
 *
 * Second, that an expected side that is neither revoked nor destroyed obeys the rules at its place.
 * Nothing crosses a side of the mesh. Turn from it to either side, up to the least angle: at the
 * beginning there is no side at all on the way. A lane made there since has revoked it.
 *
 * WHY IT ENDS. Tasks are taken in order. A query is followed, at that star, by one at a later place
 * only: behind the pairs that were found, or beyond its reach, or after the side waited for.
 *
 * COST. For stars in general position one in five looks at the beginning and a few more later; the
 * rest is the triangulation: n log n in all. Stars along a few thin curves (a circle, rows, rays)
 * see each other by the hundreds across the space between, and each lane across it makes a fan of
 * triangles anew, all the stars of which look again: the square of their number, or worse.
 * thin_curves.c forecasts that, and refuses what would exceed the budget of steps.
 */
#include "lane_search.h"
#include "starlanes.h"

/* ---- expected sides -------------------------------------------------------------------------- */

/* The bits of the sides that have no narrow corner in a triangle; side i runs from corner i, and is
   `length[i]` long, squared. */
static uint32_t wide_sides_of(const struct angle *angle, const int64_t *length)
{
    uint32_t wide = 7 * EXPECTED;
    for (int i = 0; i < 3; i++) {
        int before = (i + 2) % 3, across = (i + 1) % 3;
        int64_t along = (length[before] + length[i] - length[across]) / 2;
        if (is_narrow(angle, along, length[before], length[i]))
            wide &= ~((uint32_t)EXPECTED << i | (uint32_t)EXPECTED << before);
    }
    return wide;
}

/* In most triangles even the corner across the shortest side is wide. */
static uint32_t wide_sides(const struct lane_search *q, int32_t t)
{
    const struct mesh *m = &q->mesh;
    int32_t hull = mesh_hull_side(m, t);
    if (hull >= 0)
        return (uint32_t)EXPECTED << (hull & 3);
    const int32_t *star = m->triangle[t].star;
    int64_t length[3], least = INT64_MAX, most = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        length[i] = square(star_ray(m, star[i], star[(i + 1) % 3]));
        least = mw_min64(least, length[i]);
        most = mw_max64(most, length[i]);
        sum += length[i];
    }
    if (!is_narrow(&q->angle, sum / 2 - least, most, sum - least - most))
        return 7 * EXPECTED;
    return wide_sides_of(&q->angle, length);
}

/* Marks the sides that are expected to become lanes, and queues the others. */
static void mark_expected(struct lane_search *q)
{
    struct mesh *m = &q->mesh;
    mw_tick(q->run, 8 * (uint64_t)m->stars);
    for (int32_t t = 0; t < m->triangles; t++) {
        mesh_prefetch(m, t + AHEAD);
        m->triangle[t].lanes = wide_sides(q, t);
    }
    for (int32_t t = 0; t < m->triangles; t++) {
        mesh_prefetch(m, t + AHEAD);
        struct triangle *here = &m->triangle[t];
        uint32_t there = 0;
        for (int i = 0; i < 3; i++) {
            int32_t twin = here->twin[i];
            there |= (m->triangle[twin >> 3].lanes >> (twin & 3) & EXPECTED) << i;
        }
        here->lanes &= there;
        for (int32_t s = 8 * t; here->lanes != 7 * EXPECTED && s < 8 * t + 3; s++)
            if (!is_expected(m, s) && is_first(m, s))
                visibility_push(q, (struct pair_task){pair_of(m, s), s, 0});
    }
    assert(q->queue.count < 3 * m->stars); /* planar */
}

/* ---- the search ------------------------------------------------------------------------------ */

/* Tasks in turn lie far apart in memory: fetches what the first few of the queue need. */
static inline __attribute__((always_inline)) void prefetch_tasks(const struct mesh *m,
                                                                 const struct pair_queue *queue)
{
    for (int32_t i = mw_min(queue->count, 5) - 1; i >= 0; i--) {
        int32_t s = queue->at[i].side;
        if (s == ALL)
            continue;
        const struct triangle *t = &m->triangle[(s < 0 ? ~s : s) >> 3];
        __builtin_prefetch(t);
        __builtin_prefetch(&m->at[queue->at[i].pair.b]);
        if (i == 0) {
            mesh_prefetch(m, (int32_t)(t - m->triangle));
            __builtin_prefetch(&m->triangle[side_twin(m, s < 0 ? ~s : s) >> 3]);
        }
    }
}

/* Performs all tasks in order; false when the steps are used up. */
static bool search_all(struct lane_search *q)
{
    while (q->queue.count && mw_steps(q->run) <= q->last_step) {
        struct pair_task task = pair_queue_pop(&q->queue);
        assert(!pair_before(task.pair, q->now));
        prefetch_tasks(&q->mesh, &q->queue);
        mw_tick(q->run, 8);
        if (task.side < 0) {
            visibility_resume(q, task);
            continue;
        }
        q->now = task.pair;
        try_pair(q, task.pair.a, task.pair.b, task.side);
    }
    q->now = (struct pair){NEVER, 0, 0};
    return !q->queue.count && mw_steps(q->run) <= q->last_step;
}

static void new_search(struct mw_run *run, struct lane_search *q, int32_t stars)
{
    q->last = MW_NEW0(run, struct last_query, stars);
    q->stack = MW_NEW(run, struct portal, stars);
    q->waiting_room = 3 * stars;
    q->waiting = MW_NEW(run, struct waiting, q->waiting_room);
    q->queue_room = (HELD + 2) * stars + 64;
    q->queue.at = MW_NEW(run, struct pair_task, q->queue_room);
}

/* All stars on one line: each is joined with the next. */
static void join_line(int32_t stars, struct lanes *lanes)
{
    for (int32_t i = 0; i < stars - 1; i++)
        lanes->at[i] = (struct mw_edge){i, i + 1};
    lanes->count = stars - 1;
}

/* All sides that are lanes in the end; those that are still expected are. */
static void collect_lanes(struct mw_run *run, const struct lane_search *q, struct lanes *lanes)
{
    const struct mesh *m = &q->mesh;
    assert(q->now.square == NEVER);
    lanes->count = 0;
    mw_tick(run, 4 * (uint64_t)m->triangles);
    for (int32_t t = 0; t < m->triangles; t++)
        for (int32_t s = 8 * t; s < 8 * t + 3; s++) {
            assert(lanes->count < 3 * m->stars);
            lanes->at[lanes->count] = (struct mw_edge){side_from(m, s), side_to(m, s)};
            lanes->count += is_first(m, s) & may_be_lane(m, s);
        }
    assert(lanes->count < 3 * m->stars); /* planar */
}

bool starlanes_maximum_within(struct mw_run *run, const struct mw_point *at, int32_t stars,
                              int32_t cosine, uint64_t steps, struct lanes *lanes)
{
    char *mark = mw_mark(run);
    struct lane_search q = {.run = run, .angle = least_angle(cosine)};
    bool done = true;
    if (mesh_build(run, &q.mesh, at, stars)) {
        uint64_t begun = mw_steps(run);
        q.last_step = steps < UINT64_MAX - begun ? begun + steps : UINT64_MAX;
        new_search(run, &q, stars);
        mark_expected(&q);
        visibility_begin(&q);
        done = search_all(&q);
        if (done)
            collect_lanes(run, &q, lanes);
    } else {
        join_line(stars, lanes);
    }
    assert(!done || lanes->count >= stars - 1); /* in one piece */
    mw_rewind(run, mark);
    return done;
}
