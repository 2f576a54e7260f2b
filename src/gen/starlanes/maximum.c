/*
 * maximum.c: the maximum graph, as if all pairs of stars had been tried.
 *
 * All pairs of stars stand in one order: by length, then by the coordinates of their ends. In that
 * order a pair becomes a lane unless a lane crosses it, a star lies on it or a lane is too close
 * at one of its ends. A million million pairs cannot be tried; but nearly all of them need not be,
 * as they lie behind something shorter. So the search goes by visibility.
 *
 * It keeps a triangulation of the stars of which every lane is a side (mesh.c), a Delaunay
 * triangulation at the beginning. A side that is no lane is UNDECIDED until its own place in the
 * order has come, and OPEN from then on: it will never be a lane. Stars see through open sides, and
 * no farther through undecided ones than these are long (visibility.c). A lane opens up nothing
 * and hides what is behind it, so the search runs once through the order.
 *
 * Nearly all sides of the beginning become lanes, and most are PRESUMED to: they stay undecided
 * until their place comes and are lanes from then on, without being touched (presumed.c). What is
 * left to do is to take the next of the other sides and of what stars see at the beginning, sorted
 * once, and of a queue that holds further pairs and queries, "what does star a see from this place
 * in the order on?", and to try pairs (insert.c).
 *
 * WHY IT IS EXACT. What is tried, is tried exactly: crossings by walking through the triangles
 * between the two stars, angles by turning from the pair to its neighbours at both ends until the
 * angle is wide enough. Two things must be shown.
 *
 * First, that each pair that obeys the rules is tried when its place comes. Until then it crosses
 * no lane, and no lane of its stars is too close, as lanes never go. So at any time it is
 *
 *   (1) a side of the beginning: presumed, or in the sorted list; or
 *   (2) in that list too, or in the queue; or
 *   (3) one for which a query of its first star waits in the queue, at its place or before, about
 *       the triangle by which it leaves that star; or
 *   (4) behind undecided sides that come before it, and its first star waits for one of them; or
 *   (5) too close to a presumed side of its first star, beside it, that comes before it.
 *
 * At the beginning a star that need not look past a side sees nothing there but (4) and (5), as
 * visibility.c shows; it waits for the side opposite of it without saying so. All others are
 * queried. A query finds each pair that is not behind an undecided side as (2), if it is among the
 * next HELD; the others, and those out of reach for now, are left to a later query (3); and the
 * rest is (4). When an undecided side opens, there is a query for all who wait there. When
 * triangles change, there is one for each star of the new ones, and for all who wait there; queries
 * about the old ones are void; and new sides go into the queue. When a presumption is revoked its
 * stars are queried beside it; when the side is destroyed, so are the triangles beside it. So
 * nothing falls out of the five. When the pair's place comes it cannot be (4) or (5), as all sides
 * before it are decided, nor (3), as all queries up to there have been answered: it is tried.
 * Whether a side is undecided is told from its place alone.
 *
 * Second, that a presumed side that is not revoked nor destroyed obeys the rules when its place
 * comes. Nothing crosses a side of the mesh. Turn from it to either hand, up to the least angle: at
 * the beginning there is no side at all on the way. A lane that has come there since has revoked
 * it.
 *
 * WHY IT ENDS. Places are taken in order. A query at a place is followed, at that star, by one at a
 * later place only: behind the pairs that were found, or beyond the reach, or after the side waited
 * for.
 *
 * COST. Where stars lie in general position, one in five looks at the beginning and a few more
 * later; what remains is the triangulation: n log n in all. Stars along a few thin curves (a circle,
 * rows, rays) see each other by the hundreds across the space between, past hundreds of others, and
 * each lane across it makes a fan of triangles anew, all the stars of which look again: that is the
 * square of their number, or worse. thin_curves.c tells beforehand, and refuses what would pass the
 * budget of steps.
 */
#include "gen/starlanes/mesh/search.h"
#include "starlanes.h"

/* A pair of the beginning that has to be tried, and a side that leads to it. */
struct trial {
    struct mw_edge pair;
    int32_t side;
};
struct trials {
    struct trial *at;
    int32_t count;
};

static void perform(struct search *q, struct task task)
{
    assert(!pair_before(task.pair, q->now));
    if (task.side < 0) {
        visibility_resume(q, task);
        return;
    }
    q->now = task.pair;
    insert_pair(q, task.pair.a, task.pair.b, task.side);
}

/* The queue leads to and fro through memory: next is its first task, then mostly one beside it. */
static inline __attribute__((always_inline)) void prefetch_queue(const struct mesh *m,
                                                                 const struct queue *queue)
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
static bool catch_up(struct search *q, struct pair pair)
{
    while (q->queue.count && pair_before(q->queue.at[0].pair, pair)) {
        if (mw_steps(q->run) > q->last_step)
            return false;
        struct task task = queue_pop(&q->queue);
        prefetch_queue(&q->mesh, &q->queue);
        perform(q, task);
    }
    return mw_steps(q->run) <= q->last_step;
}

/* So does the sorted list; what lies around a pair is asked for from the middle outward. */
static inline __attribute__((always_inline)) void
prefetch_ahead(const struct search *q, const struct trials *list, int32_t i)
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

/* The pairs of the beginning in their order: sides that are not presumed, and what is in the queue,
   where queries alone are left. */
static struct trials sort_trials(struct search *q, const int32_t *others, int32_t count)
{
    struct queue *queue = &q->queue;
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
        struct task task = queue->at[i];
        queue->at[queries] = task;
        side[pairs.count] = task.side;
        pairs.at[pairs.count] = (struct mw_edge){task.pair.a, task.pair.b};
        *(task.side < 0 ? &queries : &pairs.count) += 1;
    }
    queue->count = queries;
    queue_build(queue);
    const int32_t *order = lanes_order(q->run, q->mesh.at, &pairs);
    for (; trials.count < pairs.count; trials.count++) {
        int32_t i = order[trials.count];
        trials.at[trials.count] = (struct trial){pairs.at[i], side[i]};
    }
    mw_rewind(q->run, mark);
    return trials;
}

static bool search_all(struct search *q, const struct trials *list)
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
        insert_pair(q, a, b, trial.side);
    }
    if (!catch_up(q, (struct pair){NEVER, 0, 0}))
        return false;
    q->now = (struct pair){NEVER, 0, 0};
    return true;
}

static void new_search(struct mw_run *run, struct search *q, int32_t stars)
{
    q->last = MW_NEW0(run, struct last_query, stars);
    q->stack = MW_NEW(run, struct portal, stars);
    q->waiting_room = 3 * stars;
    q->waiting = MW_NEW(run, struct waiting, q->waiting_room);
    q->queue_room = (HELD + 2) * stars + 64;
    q->queue.at = MW_NEW(run, struct task, q->queue_room);
}

/* All stars on one line: each is joined with the next. */
static void join_line(int32_t stars, struct lanes *lanes)
{
    for (int32_t i = 0; i < stars - 1; i++)
        lanes->at[i] = (struct mw_edge){i, i + 1};
    lanes->count = stars - 1;
}

/* All sides that are lanes in the end: those that are presumed, too. */
static void collect_lanes(struct mw_run *run, const struct search *q, struct lanes *lanes)
{
    const struct mesh *m = &q->mesh;
    assert(q->now.square == NEVER);
    lanes->count = 0;
    mw_tick(run, 4 * (uint64_t)m->triangles);
    for (int32_t t = 0; t < m->triangles; t++)
        for (int32_t s = 8 * t; s < 8 * t + 3; s++) {
            lanes->at[lanes->count] = (struct mw_edge){side_from(m, s), side_to(m, s)};
            lanes->count += is_first(m, s) & may_be_lane(m, s);
        }
    assert(lanes->count < 3 * m->stars); /* planar */
}

bool starlanes_maximum_within(struct mw_run *run, const struct mw_point *at, int32_t stars,
                              int32_t cosine, uint64_t steps, struct lanes *lanes)
{
    char *mark = mw_mark(run);
    struct search q = {.run = run, .angle = least_angle(cosine)};
    bool done = true;
    if (mesh_build(run, &q.mesh, at, stars)) {
        uint64_t begun = mw_steps(run);
        q.last_step = steps < UINT64_MAX - begun ? begun + steps : UINT64_MAX;
        int32_t others, *side = presumed_others(&q, &others);
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
