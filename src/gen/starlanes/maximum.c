/*
 * maximum.c: the maximum graph, exactly as if all pairs of stars had been tried.
 *
 * Pairs of stars are ordered by length, then by the coordinates of their ends. In that order a pair
 * becomes a lane unless a lane crosses it, a star lies on it, or a lane is too close at one of its
 * ends. There are too many pairs to try them all, and nearly all of them cross something shorter.
 * So only pairs that see each other are tried. This file goes through the order and has the rules;
 * visibility.c finds the pairs to be tried.
 *
 * THE SEARCH keeps a triangulation of the stars of which every lane is a side; at first it is the
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
 * A TRIAL. A pair that is a side of the mesh crosses nothing; any other is followed through the
 * triangles between its stars, up to the first lane. At both ends the sides to its left and right
 * are visited until the angle is wide enough: a lane among them is too close.
 *
 * AFTER A TRIAL. When a side is refused, the stars of the two triangles beside it look through it.
 * When a lane is made that is no side, the triangles that it crosses are replaced (mesh.c): the new
 * sides between them are queued, and all their stars look. Whenever a lane is made, expectations of
 * sides too close to it are revoked: they are queued, and their stars look beside them.
 *
 * THE QUEUE holds, in order, sides to be tried and at most one task for each corner of a triangle:
 * the next pair that its star sees through it, or a look alone (visibility.c). After either the
 * star looks again.
 *
 * WHY IT IS EXACT. Each trial is exact. Two things must be shown. First, that each pair that obeys
 * the rules is tried at its place. Before that it crosses no lane, and no lane of its stars is too
 * close, as lanes are never removed. So at any time it is
 *
 *   (1) an expected side; or
 *   (2) a side in the queue; or
 *   (3) one that leaves its first star by a corner with a task at its place or before; or
 *   (4) one that leaves its first star by a corner whose opposite side is undecided and precedes
 *       it; or
 *   (5) too close to an expected side of its first star, beside it, that precedes it.
 *
 * At the beginning a star that need not look past a side sees nothing there but (4) and (5), as
 * visibility.c shows. A look makes (3) of all other pairs that leave by its corner: its task is at
 * the first of those in sight, or just after the first undecided side that hides any. When that
 * place has come, the star looks again. When an opposite side opens, its two triangles look; when
 * triangles are replaced, all of their corners do, and new sides are queued. When an expectation
 * is revoked, its stars look beside it; when the side is destroyed, so are the triangles beside it.
 * So every pair stays one of the five. At its place it cannot be (4) or (5), as all sides before it
 * are decided: it is tried.
 *
 * Second, that an expected side that is neither revoked nor destroyed obeys the rules at its place.
 * Nothing crosses a side of the mesh. At first there is no other side within the least angle of it,
 * to the left or right. A lane made there since has revoked it.
 *
 * WHY IT ENDS. Tasks are taken in order, and the next task of a corner is at a later place.
 *
 * COST. For stars in general position one corner in five looks at the beginning and a few more
 * later; the rest is the triangulation: n log n in all. Stars along a few thin curves (a circle,
 * rows, rays) see each other by the hundreds across the space between, and each lane across it
 * replaces a fan of triangles, all the stars of which look again: the square of their number, or
 * worse. More than THIN_MOST stars are refused when they have used up a share of the budget that
 * stars in general position never need.
 */
#include "lane_search.h"
#include "starlanes.h"

/* ---- rules ----------------------------------------------------------------------------------- */

/* Whether a lane beside side s, to its left or right, is too close to `ray`, which runs along the
   side or between it and the next on that hand. */
static bool is_crowded(const struct lane_search *q, struct ray ray, int32_t s, bool left)
{
    const struct mesh *m = &q->mesh;
    int32_t a = side_from(m, s);
    for (;;) {
        s = side_turned(m, s, left);
        mw_tick(q->run, 1);
        if (side_to(m, s) == m->stars)
            return false;
        bool close = too_close(&q->angle, ray, star_ray(m, a, side_to(m, s)));
        if (!close || is_lane(q, s))
            return close;
    }
}

/* Whether a lane is too close to `ray`, which runs between side s and the next to the left. */
static bool is_crowded_between(const struct lane_search *q, struct ray ray, int32_t s)
{
    const struct mesh *m = &q->mesh;
    bool close = too_close(&q->angle, ray, star_ray(m, side_from(m, s), side_to(m, s)));
    if (close && is_lane(q, s))
        return true;
    return is_crowded(q, ray, s, true) || (close && is_crowded(q, ray, s, false));
}

/* Lists, of the triangles from a to b, the sides by which the way leaves them, the last one toward
   a, given the side toward b, which is another; how many there are, or 0 where a lane crosses. */
static int32_t walk_across(const struct lane_search *q, int32_t a, int32_t b, int32_t side)
{
    int32_t count = 0;
    for (int32_t s = side_next(side);; s = side_across(&q->mesh, a, b, s)) {
        q->cavity[count++] = s;
        if (side_from(&q->mesh, s) == b)
            return count;
        if (is_lane(q, s))
            return 0;
        mw_tick(q->run, 1);
    }
}

/* ---- trials ---------------------------------------------------------------------------------- */

/* An expected side must be tried at its place after all, and no longer hides pairs close to it. */
static void revoke(struct lane_search *q, int32_t s)
{
    const struct mesh *m = &q->mesh;
    int32_t t = side_twin(m, s);
    visibility_queue_side(q, is_first(m, s) ? s : t);
    visibility_look(q, s);
    visibility_look(q, t);
    visibility_look(q, side_next(s));
    visibility_look(q, side_next(t));
}

/* Revokes the expected sides too close to the new lane of star a along `ray`, from side t on to the
   left or to the right. */
static void revoke_while_close(struct lane_search *q, int32_t a, struct ray ray, int32_t t,
                               bool left)
{
    const struct mesh *m = &q->mesh;
    while (side_to(m, t) != m->stars && too_close(&q->angle, ray, star_ray(m, a, side_to(m, t)))) {
        mw_tick(q->run, 1);
        if (side_is(m, t, EXPECTED))
            revoke(q, t);
        t = side_turned(m, t, left);
    }
}

static void revoke_around(struct lane_search *q, int32_t a, int32_t s)
{
    const struct mesh *m = &q->mesh;
    struct ray ray = star_ray(m, a, side_to(m, s));
    revoke_while_close(q, a, ray, side_left(m, s), true);
    revoke_while_close(q, a, ray, side_right(m, s), false);
}

/* Makes a lane from a, whose side toward b is `there`, to b through so many triangles, or of that
   side; all stars around the triangles look again. */
static void insert(struct lane_search *q, int32_t a, int32_t b, int32_t there, int32_t triangles)
{
    struct mesh *m = &q->mesh;
    int32_t lane = mesh_insert(q->run, m, a, b, there);
    for (int32_t i = 0; i < 3 * triangles; i++) {
        int32_t s = 8 * (q->cavity[i / 3] >> 3) + i % 3;
        if (is_first(m, s) && !side_is(m, s, SIDE_BITS))
            visibility_queue_side(q, s);
    }
    for (int32_t i = 0; i < 3 * triangles; i++)
        visibility_look(q, 8 * (q->cavity[i / 3] >> 3) + i % 3);
    revoke_around(q, a, lane);
    revoke_around(q, b, side_twin(m, lane));
}

/* Whether the rules allow a lane from a, whose side toward b is `there`, to b; and through how many
   triangles it leads. */
static bool is_allowed(const struct lane_search *q, int32_t a, int32_t b, int32_t there,
                       int32_t *triangles)
{
    const struct mesh *m = &q->mesh;
    struct ray ray = star_ray(m, a, b);
    int32_t back = side_twin(m, there);
    *triangles = 0;
    if (is_crowded_between(q, ray, there))
        return false;
    if (side_to(m, there) != b) {
        *triangles = walk_across(q, a, b, there);
        if (!*triangles)
            return false;
        back = q->cavity[*triangles - 1];
    }
    return !is_crowded_between(q, (struct ray){-ray.x, -ray.y}, back);
}

/* Makes a lane between a and b or refuses it for ever; `guess`: a side of a that may lead to b. */
static void try_pair(struct lane_search *q, int32_t a, int32_t b, int32_t guess)
{
    const struct mesh *m = &q->mesh;
    int32_t there = mesh_toward(q->run, m, a, b, guess), triangles;
    bool is_side = side_to(m, there) == b;
    assert(a < b && q->now.a == a && q->now.b == b);
    if (is_side && is_lane(q, there))
        return;
    assert(!is_side || side_is(m, there, QUEUED));
    if (is_allowed(q, a, b, there, &triangles)) {
        insert(q, a, b, there, triangles);
    } else if (is_side) {
        visibility_look(q, side_prev(there));
        visibility_look(q, side_prev(side_twin(m, there)));
    }
}

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

/* The first looks of the stars of a triangle: not past its shortest side, and not of its last star.
   Branch-free: branches would mispredict. */
static uint32_t first_looks(const int32_t *star, const int64_t *length, int64_t least)
{
    uint32_t looks = 0;
    for (int i = 0; i < 3; i++) {
        int next = (i + 1) % 3, last = (i + 2) % 3;
        bool may = ((star[i] < star[next]) | (star[i] < star[last])) & (length[next] > least);
        looks |= (uint32_t)may * FIRST_LOOK << i;
    }
    return looks;
}

/* What is known of a triangle by itself: its wide sides and first looks. In most triangles even the
   corner across the shortest side is wide. */
static uint32_t first_states(const struct lane_search *q, int32_t t)
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
    uint32_t looks = first_looks(star, length, least);
    if (!is_narrow(&q->angle, sum / 2 - least, most, sum - least - most))
        return looks | 7 * EXPECTED;
    return looks | wide_sides_of(&q->angle, length);
}

/* Marks the sides that are expected to become lanes, and queues the others; then stars look. */
static void mark_expected(struct lane_search *q)
{
    struct mesh *m = &q->mesh;
    mw_tick(q->run, 8 * (uint64_t)m->stars + 4 * (uint64_t)m->triangles);
    for (int32_t t = 0; t < m->triangles; t++) {
        mesh_prefetch(m, t + AHEAD);
        m->triangle[t].lanes = first_states(q, t);
    }
    for (int32_t t = 0; t < m->triangles; t++) {
        mesh_prefetch(m, t + AHEAD);
        struct triangle *here = &m->triangle[t];
        uint32_t there = 0, looks = here->lanes / FIRST_LOOK;
        for (int i = 0; i < 3; i++) {
            int32_t twin = here->twin[i];
            there |= (m->triangle[twin >> 3].lanes >> (twin & 3) & EXPECTED) << i;
        }
        here->lanes &= there;
        for (int32_t s = 8 * t; here->lanes != 7 * EXPECTED && s < 8 * t + 3; s++)
            if (!side_is(m, s, EXPECTED) && is_first(m, s))
                visibility_queue_side(q, s);
        for (; looks; looks &= looks - 1)
            visibility_look_first(q, 8 * t + __builtin_ctz(looks));
    }
    assert(q->queue.count < 6 * m->stars); /* planar */
}

/* ---- the search ------------------------------------------------------------------------------ */

/* Tasks in turn lie far apart in memory: fetches what the first few of the queue need. */
ALWAYS_INLINE void prefetch_tasks(const struct mesh *m, const struct pair_queue *queue)
{
    for (int32_t i = mw_min(queue->count, 5) - 1; i >= 0; i--) {
        int32_t s = queue->at[i].side;
        const struct triangle *t = &m->triangle[(s < 0 ? ~s : s) >> 3];
        __builtin_prefetch(t);
        __builtin_prefetch(&m->at[queue->at[i].pair.b]);
        if (i == 0)
            mesh_prefetch(m, (int32_t)(t - m->triangle));
    }
}

/* Performs all tasks in order. */
static void search_all(struct lane_search *q)
{
    while (q->queue.count) {
        struct pair_task task = pair_queue_pop(&q->queue);
        assert(!pair_before(task.pair, q->now));
        prefetch_tasks(&q->mesh, &q->queue);
        mw_tick(q->run, 8);
        if (visibility_is_stale(q, task))
            continue;
        q->now = task.pair;
        if (task.pair.b)
            try_pair(q, task.pair.a, task.pair.b, task.side < 0 ? ~task.side : task.side);
        if (task.side < 0 && !visibility_is_stale(q, task))
            visibility_look(q, ~task.side);
    }
    q->now = (struct pair){NEVER, 0, 0};
}

static void new_search(struct mw_run *run, struct lane_search *q, int32_t stars)
{
    q->stack = MW_NEW(run, struct portal, stars);
    q->cavity = MW_NEW(run, int32_t, 2 * (int64_t)stars);
    q->queue.room = 4 * stars + 64;
    q->queue.at = MW_NEW(run, struct pair_task, q->queue.room);
    q->last_step = stars > THIN_MOST ? mw_steps(run) + run->budget / THIN_SHARE : UINT64_MAX;
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
            lanes->count += is_first(m, s) & side_is(m, s, LANE | EXPECTED);
        }
    assert(lanes->count < 3 * m->stars); /* planar */
}

void starlanes_maximum(struct mw_run *run, const struct mw_point *at, int32_t stars, int32_t cosine,
                       const char *pointer, struct lanes *lanes)
{
    char *mark = mw_mark(run);
    struct lane_search q = {.run = run, .angle = least_angle(cosine), .pointer = pointer};
    if (mesh_build(run, &q.mesh, at, stars)) {
        new_search(run, &q, stars);
        mark_expected(&q);
        search_all(&q);
        collect_lanes(run, &q, lanes);
    } else {
        join_line(stars, lanes);
    }
    assert(lanes->count >= stars - 1); /* in one piece */
    mw_rewind(run, mark);
}
