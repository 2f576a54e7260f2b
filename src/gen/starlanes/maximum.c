/*
 * maximum.c: the maximum graph, as if all pairs of stars had been tried.
 *
 * All pairs of stars stand in one order: by length, then by the coordinates of their ends. In that
 * order a pair becomes a lane unless a lane crosses it, a star lies on it or a lane is too close
 * at one of its ends. There are too many pairs to try them all, and nearly all need no trial, as
 * they lie behind something shorter. So the search goes by visibility.
 *
 * THREE FILES decide what becomes a lane. This one runs through the order; mesh/visibility.c finds
 * the pairs that have to be tried; mesh/try_pair.c tries one by the three rules. What they use does
 * not know of rules: mesh/mesh.c, the triangulation; mesh/pair_queue.h, a heap; mesh/angle.h, exact
 * angles. mesh/empty_circles.c only saves time: if reach_is_empty() always returned false, the
 * lanes would be the same.
 *
 * THE SEARCH keeps a triangulation of the stars of which every lane is a side, at the beginning a
 * Delaunay triangulation. A side that is no lane is UNDECIDED until its own place in the order has
 * come, and OPEN from then on: it will never be a lane. Stars see through open sides, and no
 * farther through undecided ones than these are long. Lanes are never removed, so the search runs
 * once through the order.
 *
 * EXPECTED SIDES. Nearly all sides of a Delaunay triangulation become lanes. One is expected to if
 * no corner at its ends, in the two triangles beside it, is narrower than the least angle. It is
 * undecided until its place comes and a lane from then on, without a trial; unless by then a lane
 * crosses it, which destroys it, or is made too close to it, which revokes the expectation. Both
 * come from pairs that are no sides, and few of those precede all sides that they cross. Without
 * expectation the map is the same and takes 1.5 times as long (1000 stars) to 1.7 times (100,000):
 * each side would be tried, and pass through a cold cache.
 *
 * WHAT IS TRIED, in order: a list, sorted once, of the other sides and of what stars see at the
 * beginning; and a queue of further pairs and of queries, "what does star a see from this place in
 * the order on?".
 *
 * WHY IT IS EXACT. Each trial is exact: crossings by walking through the triangles between the two
 * stars, angles by turning from the pair to its neighbours at both ends until the angle is wide
 * enough. Two things must be shown.
 *
 * First, that each pair that obeys the rules is tried when its place comes. Until then it crosses
 * no lane, and no lane of its stars is too close, as lanes never go. So at any time it is
 *
 *   (1) a side of the beginning: expected, or in the sorted list; or
 *   (2) in that list too, or in the queue; or
 *   (3) one for which a query of its first star waits in the queue, at its place or before, about
 *       the triangle by which it leaves that star; or
 *   (4) behind undecided sides that come before it, and its first star waits for one of them; or
 *   (5) too close to a expected side of its first star, beside it, that comes before it.
 *
 * At the beginning a star that need not look past a side sees nothing there but (4) and (5), as
 * visibility.c shows; it waits for the side opposite of it without an entry. All others are
 * queried. A query finds each pair that is not behind an undecided side as (2), if it is among the
 * next HELD; the others, and those out of reach for now, are left to a later query (3); and the
 * rest is (4). When an undecided side opens, there is a query for all who wait there. When
 * triangles change, there is one for each star of the new ones, and for all who wait there; queries
 * about the old ones are void; and new sides go into the queue. When a expectation is revoked its
 * stars are queried beside it; when the side is destroyed, so are the triangles beside it. So
 * nothing falls out of the five. When the pair's place comes it cannot be (4) or (5), as all sides
 * before it are decided, nor (3), as all queries up to there have been answered: it is tried.
 * Whether a side is undecided follows from its place alone.
 *
 * Second, that a expected side that is not revoked nor destroyed obeys the rules when its place
 * comes. Nothing crosses a side of the mesh. Turn from it to either hand, up to the least angle: at
 * the beginning there is no side at all on the way. A lane that has come there since has revoked
 * it.
 *
 * WHY IT ENDS. Places are taken in order. A query at a place is followed, at that star, by one at a
 * later place only: behind the pairs that were found, or beyond the reach, or after the side waited
 * for.
 *
 * COST. Where stars lie in general position, one in five looks at the beginning and a few more
 * later; what remains is the triangulation: n log n in all. Stars along a few thin curves (a
 * circle, rows, rays) see each other by the hundreds across the space between, past hundreds of
 * others, and each lane across it makes a fan of triangles anew, all the stars of which look again:
 * that is the square of their number, or worse. thin_curves.c tells beforehand, and refuses what
 * would pass the budget of steps.
 */
#include "gen/starlanes/mesh/lane_search.h"
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

/* Marks the sides that are expected to become lanes; returns the others, each out of its earlier
   star. */
static int32_t *mark_expected(struct lane_search *q, int32_t *count)
{
    struct mesh *m = &q->mesh;
    int32_t *side = MW_NEW(q->run, int32_t, 3 * (int64_t)m->stars), others = 0;
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
        for (int32_t s = 8 * t; here->lanes != 7 * EXPECTED && s < 8 * t + 3; s++) {
            side[others] = s;
            others += !is_expected(m, s) & is_first(m, s);
        }
    }
    assert(others < 3 * m->stars); /* planar */
    *count = others;
    return side;
}

/* ---- the order of pairs ---------------------------------------------------------------------- */

/* A pair of the beginning that has to be tried, and a side that leads to it. */
struct trial {
    struct mw_edge pair;
    int32_t side;
};
struct trials {
    struct trial *at;
    int32_t count;
};

static void perform(struct lane_search *q, struct pair_task task)
{
    assert(!pair_before(task.pair, q->now));
    if (task.side < 0) {
        visibility_resume(q, task);
        return;
    }
    q->now = task.pair;
    try_pair(q, task.pair.a, task.pair.b, task.side);
}

/* Tasks in turn lie far apart in memory: fetch what the first few of the queue need. */
static inline __attribute__((always_inline)) void prefetch_queue(const struct mesh *m,
                                                                 const struct pair_queue *queue)
{
    for (int32_t i = mw_min(queue->count, 5) - 1; i >= 0; i--) {
        int32_t s = queue->at[i].side;
        if (s == ALL)
            continue;
        const struct triangle *t = &m->triangle[(s < 0 ? ~s : s) >> 3];
        __builtin_prefetch(t);
        __builtin_prefetch(&m->at[queue->at[i].pair.b]);
        if (i == 0)
            mesh_prefetch(m, (int32_t)(t - m->triangle));
    }
}

/* Performs the tasks before a pair; false when the steps are used up. */
static bool catch_up(struct lane_search *q, struct pair pair)
{
    while (q->queue.count && pair_before(q->queue.at[0].pair, pair)) {
        if (mw_steps(q->run) > q->last_step)
            return false;
        struct pair_task task = pair_queue_pop(&q->queue);
        prefetch_queue(&q->mesh, &q->queue);
        perform(q, task);
    }
    return mw_steps(q->run) <= q->last_step;
}

/* The same for the sorted list: first the triangle of a pair, then what lies around it. */
static inline __attribute__((always_inline)) void
prefetch_ahead(const struct lane_search *q, const struct trials *list, int32_t i)
{
    const struct mesh *m = &q->mesh;
    if (i + 32 >= list->count)
        return;
    __builtin_prefetch(&m->triangle[list->at[i + 32].side >> 3]);
    __builtin_prefetch(&m->triangle[side_twin(m, list->at[i + 16].side) >> 3]);
    int32_t s = list->at[i + 8].side;
    mesh_prefetch(m, s >> 3);
    mesh_prefetch(m, side_twin(m, s) >> 3);
    s = list->at[i + 4].side;
    const struct triangle *here = &m->triangle[s >> 3], *there = &m->triangle[side_twin(m, s) >> 3];
    for (int k = 0; k < 3; k++) {
        __builtin_prefetch(&q->last[here->star[k]]);
        mesh_prefetch(m, here->twin[k] >> 3);
        mesh_prefetch(m, there->twin[k] >> 3);
    }
}

/* The pairs of the beginning in their order: sides that are not expected, and what is in the queue,
   where queries alone are left. */
static struct trials sort_trials(struct lane_search *q, const int32_t *others, int32_t count)
{
    struct pair_queue *queue = &q->queue;
    int32_t room = count + queue->count, queries = 0;
    struct trials trials = {MW_NEW(q->run, struct trial, room), 0};
    char *mark = mw_mark(q->run);
    struct lanes pairs = {.at = MW_NEW(q->run, struct mw_edge, room)};
    int32_t *side = MW_NEW(q->run, int32_t, room);
    for (; pairs.count < count; pairs.count++) {
        int32_t s = side[pairs.count] = others[pairs.count];
        pairs.at[pairs.count] = (struct mw_edge){side_from(&q->mesh, s), side_to(&q->mesh, s)};
    }
    for (int32_t i = 0; i < queue->count; i++) {
        struct pair_task task = queue->at[i];
        queue->at[queries] = task;
        side[pairs.count] = task.side;
        pairs.at[pairs.count] = (struct mw_edge){task.pair.a, task.pair.b};
        *(task.side < 0 ? &queries : &pairs.count) += 1;
    }
    queue->count = queries;
    pair_queue_build(queue);
    const int32_t *order = lanes_order(q->run, q->mesh.at, &pairs);
    for (; trials.count < pairs.count; trials.count++) {
        int32_t i = order[trials.count];
        trials.at[trials.count] = (struct trial){pairs.at[i], side[i]};
    }
    mw_rewind(q->run, mark);
    return trials;
}

static bool search_all(struct lane_search *q, const struct trials *list)
{
    const struct mesh *m = &q->mesh;
    for (int32_t i = 0; i < list->count; i++) {
        struct trial trial = list->at[i];
        mw_tick(q->run, 8);
        prefetch_ahead(q, list, i);
        int32_t a = trial.pair.a, b = trial.pair.b;
        struct pair pair = {square(star_ray(m, a, b)), a, b};
        assert(!pair_before(pair, q->now));
        if (!catch_up(q, pair))
            return false;
        q->now = pair;
        try_pair(q, a, b, trial.side);
    }
    if (!catch_up(q, (struct pair){NEVER, 0, 0}))
        return false;
    q->now = (struct pair){NEVER, 0, 0};
    return true;
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

/* All sides that are lanes in the end: those that are expected, too. */
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
        int32_t others, *side = mark_expected(&q, &others);
        new_search(run, &q, stars);
        visibility_begin(&q);
        struct trials list = sort_trials(&q, side, others);
        done = search_all(&q, &list);
        if (done)
            collect_lanes(run, &q, lanes);
    } else {
        join_line(stars, lanes);
    }
    assert(!done || lanes->count >= stars - 1); /* in one piece */
    mw_rewind(run, mark);
    return done;
}
